"""Pairs that are too long to align as a whole."""

import subprocess
import sys

import numpy as np
import pytest
from vorlage import InputError, load_model
from vorlage.api import batches
from vorlage.documents.pair import Pair
from vorlage.extract.long_pairs import choose_sentences
from vorlage.semihmm.decode.load import SHIPPED, open_aligner
from vorlage.text.tokenize import make_text

SENTENCES = [
    f"The {a} of {b} moved to the {a} street in {b}." for a in ("bank", "mill") for b in ("Sund", "Vra")
]
FILLER = ["Rain fell on the long road.", "Nobody came.", "A dog slept near the door."]
DOCUMENT = [*FILLER, SENTENCES[0], *FILLER, SENTENCES[3], *FILLER]
TEXT = "The mill of Vra moved. A bank of Sund moved."


def make_pair(text=TEXT):
    return Pair("p", make_text(DOCUMENT), make_text(text))


def test_a_short_pair_is_aligned_as_a_whole():
    assert choose_sentences(make_pair()) == range(len(DOCUMENT))


def test_of_a_long_pair_the_most_similar_sentences_are_aligned():
    assert choose_sentences(make_pair(), whole=100, candidates=1) == [3, 7]


def test_posteriors_of_a_part_are_those_of_its_words(monkeypatch):
    model = load_model(SHIPPED / "without-encoder.npz")
    part = model.align([DOCUMENT[3], DOCUMENT[7]], TEXT)
    monkeypatch.setattr(batches, "choose_sentences", lambda pair: [3, 7])
    aligned = model.align(DOCUMENT, TEXT)
    spans = [make_pair().document.sentences[s] for s in (3, 7)]
    inside = [j for first, end in spans for j in range(first, end)]
    assert aligned.posteriors.shape == (len(part.summary_words), len(make_pair().document.tokens))
    np.testing.assert_array_equal(aligned.posteriors[:, inside], part.posteriors)
    assert not np.delete(aligned.posteriors, inside, axis=1).any()
    assert [link.document for link in aligned.links] == [inside[link.document] for link in part.links]
    found = model.attribute(DOCUMENT, TEXT)
    assert [sentence.sources[0].sentence for sentence in found.sentences] == [7, 3]


@pytest.mark.parametrize("limit", [1, 40])
def test_a_pair_that_is_too_long_is_an_error(limit):
    message = "pair p: a text of 12 words and a document of 75 are too long to align"
    with pytest.raises(InputError, match=message):
        choose_sentences(make_pair(), whole=100, most=limit)


@pytest.mark.parametrize("words", [1, 2, 3, 5])
def test_a_text_in_stretches_has_the_posteriors_of_the_whole(words):
    aligner = open_aligner(SHIPPED / "without-encoder.npz")
    pair = make_pair(" ".join(SENTENCES))
    [prepared] = aligner.prepare([(pair, range(len(DOCUMENT)))])
    likelihood, whole = next(aligner.unadjusted([prepared], 0.3))
    stretched, parts = next(aligner.unadjusted([prepared], 0.3, cells=words * len(pair.document.tokens)))
    assert stretched == pytest.approx(likelihood, rel=1e-12)
    np.testing.assert_allclose(parts.sources, whole.sources, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(parts.nulls, whole.nulls, rtol=1e-9, atol=1e-15)
    for found, expected in zip(parts.links, whole.links, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("words", [1, 2, 3])
def test_links_that_may_be_chosen_are_the_same_without_the_others(words):
    """All neighbours of a link that may be chosen are known, those in the next stretch, too."""
    aligner = open_aligner(SHIPPED / "without-encoder.npz")
    [prepared] = aligner.prepare([(make_pair(" ".join(SENTENCES)), range(len(DOCUMENT)))])
    whole = next(aligner.unadjusted([prepared], 0.3))[1].adjust_links(0.4, 1.0).links
    cells = words * len(prepared.pair.document.words)
    found = next(aligner.unadjusted([prepared], 0.3, 0.1, cells))[1].adjust_links(0.4, 1.0).links
    # No power of a smaller link is larger than this.
    least = 0.1 ** (1 - 0.4)
    above = whole.above(least)
    np.testing.assert_array_equal(found.above(least), above)
    np.testing.assert_allclose(found.dense()[above], whole.dense()[above], rtol=1e-9)
    assert len(above[0]) > 10 and len(found.values) < len(whole.values) / 2


MEMORY = """
from pathlib import Path
from random import Random
from vorlage import load_model

random = Random(1)
words = [f"{a}{b}{c}n" for a in "bdfglmnprst" for b in "aeiou" for c in "bdfglmnprst"]
document = [" ".join(random.choices(words, k=20)) + "." for _ in range(1000)]
text = [" ".join(random.choice(document).split()[:15]) + "." for _ in range(130)]
model = load_model()
model.attribute(document[:300], text[:2])


def kilobytes(name):
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status[name].removesuffix("kB"))


Path("/proc/self/clear_refs").write_text("5")  # the memory that compiling took does not count
before = kilobytes("VmRSS")
model.attribute(document, text)
print(kilobytes("VmHWM") - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_a_long_pair_adds_less_than_700_megabytes_to_a_short_one():
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 700_000
