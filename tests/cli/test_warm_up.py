"""`vorlage warm-up` compiles what later commands need."""

import os
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_nothing_compiles_after_it(texts, tmp_path):
    program = "import sys; from vorlage.cli.main import main; main(sys.argv[1:])"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}

    def run(*arguments):
        command = [sys.executable, "-c", program, *map(str, arguments)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stderr

    run("warm-up")
    kernels = set(tmp_path.rglob("*.nbc"))
    assert kernels
    assert "compiling" not in run("attribute", *texts)
    assert set(tmp_path.rglob("*.nbc")) == kernels
