"""A command imports NLTK without unused libraries, a program imports all of it."""

import subprocess
import sys


def imported(*arguments):
    """Return the modules that Python with these arguments imports or tries to import."""
    done = subprocess.run([sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}


def test_a_command_imports_nltk_alone():
    modules = imported("-m", "pipeline.corpus", "--help")
    assert "nltk.tokenize" in modules
    assert not {"sklearn.base", "scipy._lib", "matplotlib.cbook"} & modules


def test_libraries_that_nltk_left_out_can_be_imported_later():
    modules = imported("-m", "pipeline.extract", "--help")
    assert {"nltk.stem.porter", "scipy._lib"} <= modules


def test_a_program_keeps_the_whole_of_nltk():
    modules = imported("-c", "import pipeline.text.words; from nltk.classify import SklearnClassifier")
    assert "sklearn.base" in modules
