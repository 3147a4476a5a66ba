"""The start of every run: reading the rules."""

import re
import subprocess
import sys

from toy import ROOT

# Libraries that take longer to import than the rules take to read.
SLOW = {"matplotlib", "nltk", "numba", "scipy", "sklearn", "thot", "torch"}


def test_rules_import_no_slow_library():
    text = "\n".join(path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk")))
    imports = re.findall(r"^(?:from pipeline|import pipeline).*$", text, re.MULTILINE)
    assert len(imports) > 5
    code = "\n".join([*imports, "import sys", "print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert SLOW & set(done.stdout.split()) == set()
