"""Only the download rules use the network; tests and the workflows that they run cannot."""

import ast
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OFFLINE = ROOT / "tests" / "offline"
# The commands of the download rules.
DOWNLOADING = {"pipeline/wordnet/__main__.py", "pipeline/parse/fetch.py", "pipeline/encode/fetch.py"}
# The command that other programs of this machine connect to.
LISTENING = {"pipeline/serve/__main__.py"}
NETWORK = (
    "aiohttp ftplib http httpx huggingface_hub requests smtplib socket ssl urllib.request urllib3".split()
)
CALLS = r"\bnltk\.download|\bbenepar\.download|snapshot_download|hf_hub_download|urlopen|urlretrieve"


def run(code, **environment):
    path = f"{OFFLINE}{os.pathsep}{ROOT}"
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": path} | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 9))",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
        "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', "
        "'import socket; socket.gethostbyname(\"localhost\")']))",
        "try:\n import socket; socket.gethostbyname('localhost')\nexcept Exception: pass",
    ],
)
def test_hook_refuses_the_network(code):
    done = run(code)
    assert done.returncode == 1 and "NetworkUse" in done.stderr


def test_hook_allows_sockets_on_this_machine():
    assert (
        run("import socket; socket.socketpair(); import asyncio; asyncio.run(asyncio.sleep(0))").returncode
        == 0
    )


def test_no_test_can_use_the_network():
    with pytest.raises(BaseException, match="no network here"):
        socket.create_connection(("127.0.0.1", 9))


@pytest.mark.guarantee("network")
def test_imports_do_not_use_the_network():
    code = (
        "import importlib, pkgutil, pipeline\n"
        "for module in pkgutil.walk_packages(pipeline.__path__, 'pipeline.'):\n"
        "    importlib.import_module(module.name)\n"
        "    print(module.name)"
    )
    done = run(code)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) > 100


@pytest.mark.guarantee("network")
@pytest.mark.parametrize(
    "path", [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("pipeline/**/*.py"))]
)
def test_only_download_commands_can_download(path):
    text = (ROOT / path).read_text()
    imported = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            imported |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    allowed = set(NETWORK) if path in DOWNLOADING else {"socket"} if path in LISTENING else set()
    assert imported & set(NETWORK) <= allowed
    assert bool(re.search(CALLS, text)) == (path in DOWNLOADING)
