"""Small inputs of the kinds that go wrong in programs of this kind, each with what is right.

`cases.jsonl` has ten or more cases of each kind. They were written, by a language model, without sight of the
rules and before any was run. Of those with -a- in their id, failures were read when the rules were written;
those with -c- were added then.
`missed` are those that the rules miss without the encoder. `expect`:

- `found`: a finding of severity 2 or 3 shares a character with `part` of the text;
- `quiet`: there is no such finding, and no sentence is unsupported;
- `clean`: there is no finding at all, and every sentence is supported;
- `sentences`, `offsets`: the sentences are these; what is quoted are the characters of its span;
- `error`: an `InputError`.
"""

import json
from pathlib import Path

import pytest
from vorlage import InputError, load_model
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.text.tokenize import split_text

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("cases.jsonl").read_text(encoding="utf-8").splitlines()
]


def is_right(case, model):
    """Whether a model gives the answer to a case that is right; `experiments/checks_page.py` counts them."""
    text = case["text"]
    if case["expect"] == "sentences":
        made = split_text(text)
        return [text[slice(*made.characters(span))] for span in made.sentences] == case["sentences"]
    if case["expect"] == "error":
        with pytest.raises(InputError):
            model.attribute(case["document"], text)
        return True
    found = model.attribute(case["document"], text)
    grave = [part for part in found.unsupported if part.severity > 1]
    verdicts = [sentence.verdict for sentence in found.sentences]
    match case["expect"]:
        case "found":
            start = text.index(case["part"])
            end = start + len(case["part"])
            return any(part.text[0] < end and start < part.text[1] for part in grave)
        case "quiet":
            return not grave and "unsupported" not in verdicts
        case "clean":
            return not found.unsupported and set(verdicts) == {"supported"}
    letters = {at for at, character in enumerate(text) if character.isalpha()}
    covered = {at for word in found.words for at in range(*word.text)}
    quotes = [(part.quote, part.text) for part in (*found.spans, *found.unsupported)]
    return letters <= covered and all(quote == text[slice(*span)] for quote, span in quotes)


@pytest.mark.parametrize("kind", sorted({case["kind"] for case in CASES}))
def test_cases(kind):
    model = load_model(SHIPPED / "without-encoder.npz")
    cases = [case for case in CASES if case["kind"] == kind]
    missed = [case["id"] for case in cases if not is_right(case, model)]
    assert missed == [case["id"] for case in cases if case.get("missed")]
