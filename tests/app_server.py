"""Runs the app in a process of its own."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
OFFLINE = ROOT / "tests" / "offline"


@contextmanager
def running(own_ports, *arguments):
    """Run the app in a process without a network; yield it, its port and its token."""
    command = [sys.executable, "-m", "pipeline.cli", "serve", "--port", "0", "--no-browser", *arguments]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{OFFLINE}{os.pathsep}{ROOT}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            address = process.stdout.readline()
            found = re.fullmatch(r"http://(?:127\.0\.0\.1|localhost):(\d+)/\?token=([\w-]{32})\n", address)
            assert found, address + process.stderr.read()
            port, token = int(found[1]), found[2]
            own_ports.add(port)
            yield process, port, token
        finally:
            process.kill()
