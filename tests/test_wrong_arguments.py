"""Wrong arguments from Python: one line that names the argument."""

import pytest
import vorlage
from vorlage import InputError, load_model

DOCUMENT, TEXT = "The board of Lumen met on Friday.", "The board met."
PAIR = DOCUMENT, TEXT
LANGUAGES = (5, "../..", "eng", "EN", "", b"en", ["en"])
BOTH, MANY = ("align", "attribute"), ("align_many", "attribute_many")
# A method of a model, what it is given, and what its error says.
METHODS = [
    *(("attribute", (d, TEXT), {}, "document") for d in (None, 5, [None], {"a": [None]}, {5: DOCUMENT}, {})),
    *(
        ("attribute", (DOCUMENT, text), {}, "^pair: (`text` must|empty text)")
        for text in (None, 5, [None], " ")
    ),
    *(("align", (document, TEXT), {}, "document") for document in (5, ["a", 3], "half \ud800 of one")),
    ("align", (DOCUMENT, "  "), {"id": "x"}, "pair x: empty summary"),
    ("align", PAIR, {"decoder": "best"}, "decoder"),
    ("align", PAIR, {"treshold": 1}, "config: unknown key `semihmm.treshold`; known here: decoder, "),
    *(("attribute", PAIR, {"span": span}, "the span") for span in (("a", 1), 5, (3, 1), (0, 99))),
    *((name, PAIR, {"id": id}, "^pair: id ") for name in BOTH for id in ("", "a\nb", 5, None, "\ud800")),
    *(
        (name, PAIR, {key: code}, f"{key} is .*; give a two-letter code")
        for name in BOTH
        for key in ("language", "document_language")
        for code in LANGUAGES
    ),
    *((name, ([PAIR],), {"language": 5}, "language is 5") for name in MANY),
    *((name, (pairs,), {}, "^pairs is ") for name in MANY for pairs in (None, 5, "ab", {"document": "one"})),
    *(
        (name, ([pair],), {}, "^pair 1: ")
        for name in MANY
        for pair in (None, 5, "ab", ("one",), {"document": "one"}, (None, TEXT), (DOCUMENT, 5))
    ),
    *(
        (name, ([PAIR],), {"processes": count}, "processes is .*; give a whole number")
        for name in MANY
        for count in (0, -1, "2", 1.5, None)
    ),
    *(("save", (path,), {}, "path is .*; give the path") for path in (5, "a\0b", "", None)),
]
# The same of the functions of the package.
FUNCTIONS = [
    *(("train", ([PAIR],), {"jump": jump}, "jump") for jump in ("x", "os", 5, None, "../x", "syntax")),
    *(("train", ([PAIR],), {"language": code}, "language is") for code in (*LANGUAGES, None)),
    *(("train", ([PAIR],), {"processes": count}, "processes is") for count in (0, -1)),
    ("train", ([None],), {}, "^pair 1: "),
    *(("train", (pairs,), {}, "^pairs is ") for pairs in (None, 5, "ab", {})),
    ("train", ([],), {}, "no pairs; give at least one"),
    *(("load_model", (path,), {}, "path is .*; give the path") for path in (5, "a\0b", "", ["a"], False)),
    *(("load_model", (), {name: 5}, f"{name} is 5") for name in ("encoder", "judge")),
    ("load_model", (), {"encoder": "nix"}, "the encoder nix is neither a folder nor installed"),
]


@pytest.fixture(scope="module")
def model(printers):
    return load_model(printers / "model.npz")


@pytest.mark.parametrize(("name", "values", "named", "message"), METHODS, ids=ascii)
def test_a_wrong_argument_of_a_model_is_named(model, name, values, named, message):
    with pytest.raises(InputError, match=message) as error:
        list(getattr(model, name)(*values, **named))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("name", "values", "named", "message"), FUNCTIONS, ids=ascii)
def test_a_wrong_argument_of_the_package_is_named(name, values, named, message):
    with pytest.raises(InputError, match=message) as error:
        getattr(vorlage, name)(*values, **named)
    assert "\n" not in str(error.value)
