"""`vorlage warm-up` compiles what later commands need."""

import os
import subprocess
import sys

import pytest
from toy import ROOT, Toy


@pytest.mark.slow
def test_nothing_compiles_after_it(texts, tmp_path):
    """Nor in the workflow by the bundled config: all its jump models, with and without the encoder."""
    toy = Toy(tmp_path)
    toy.environment = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "PYTHONPATH": str(ROOT / "pipeline")}
    program = "import sys; from vorlage.cli.main import main; main(sys.argv[1:])"
    command, environment = [sys.executable, "-c", program], os.environ | toy.environment
    corpus = "corpus={name: toy, reader: jsonl, path: toy.jsonl, gold: toy-gold.jsonl, tokenized: true}"

    def run(*arguments):
        done = subprocess.run(
            [*command, *map(str, arguments)], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stderr

    assert run("warm-up") == "compiling for the first use, which takes about half a minute\n"
    kernels = set(tmp_path.rglob("*.nbc"))
    assert kernels
    said = [run(*arguments) for arguments in (("attribute", *texts), ("align", *texts))]
    workflow = toy.bare("--cores", "2", "--config", corpus)
    assert workflow.status == 0, workflow.text
    assert "compiling" not in "".join([*said, workflow.text])
    assert set(tmp_path.rglob("*.nbc")) == kernels
