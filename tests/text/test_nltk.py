"""NLTK and TextBlob are imported in part, and a program that imports them gets all of them."""

import subprocess
import sys

import pytest

from pipeline.text.alone import import_alone


def run(code):
    """Return what Python prints that runs ``code``."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    "module", ["corpus.__main__", "parse.__main__", "parse.pattern", "align.aligner", "api"]
)
def test_modules_import_nltk_in_part(module):
    heavy = {"nltk", "textblob", "sklearn", "pandas", "matplotlib"}
    stems = "from pipeline.text.words import stem; stem('mills')"  # imports the stemmer
    imported = run(f"import sys, pipeline.{module}; {stems}; print(*sys.modules)")
    assert "pipeline.text.alone" in imported and not heavy & {name.partition(".")[0] for name in imported}


def test_a_program_keeps_the_whole_of_nltk():
    later = "import pipeline.text.nltk; from nltk.classify import SklearnClassifier; print(SklearnClassifier)"
    assert "SklearnClassifier" in "".join(run(later))
    earlier = (
        "import nltk; before = nltk.stem; import pipeline.text.nltk, nltk.stem; print(nltk.stem is before)"
    )
    assert run(earlier) == ["True"]


def test_words_are_those_of_the_whole_of_nltk():
    code = (
        "import nltk\n"
        "from pipeline.text.words import stem\n"
        "from pipeline.corpus.tokenize import make_text\n"
        "text = 'They weren\\'t flying; ponies cried happily. \\\"Yes\\\", $3.50 (or so) said.'\n"
        "tokens = nltk.tokenize.NLTKWordTokenizer().span_tokenize(text.split('. ')[0] + '.')\n"
        "assert list(tokens) == list(make_text(text).tokens)[:9], (list(tokens), make_text(text).tokens)\n"
        "porter = nltk.stem.porter.PorterStemmer()\n"
        "assert [stem(w) for w in text.split()] == [porter.stem(w.lower()) for w in text.split()]\n"
        "print('same')"
    )
    assert run(code) == ["same"]


def test_a_missing_library_is_an_import_error():
    with pytest.raises(ModuleNotFoundError, match="'absent_library'") as error:
        import_alone(["absent_library.part"], packages=["absent_library"])
    assert error.value.name == "absent_library"
