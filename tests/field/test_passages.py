"""Scorers of passages: worked examples, naive twins, other implementations, and the command."""

import json
from math import log

import numpy as np
import pytest
from field import passages as command
from field.passage_encoded import greedy_matching, sentence_cosine
from field.passage_task import PassageTask
from field.passage_words import (
    coverage,
    density,
    find_fragments,
    idf_overlap,
    terms,
)
from hypothesis import given
from hypothesis import strategies as st
from vorlage.corpus.pair import Pair, write_pairs
from vorlage.text.tokenize import make_text

PASSAGES = ["The harbour of Lumen closed on Monday .", "", "Boats were late , said the harbour master ."]
SUMMARY = ["Lumen closed its harbour on Monday .", "The harbour master was ill ."]


def make_task(document=PASSAGES, summary=SUMMARY, spans=((0, 36), (37, 65)), name="a"):
    return PassageTask(Pair(name, *(make_text(side, tokenized=True) for side in (document, summary))), spans)


def fragments_of_the_paper(summary, document):
    """Return the fragments as lists of words, line by line as in figure 3 of Grusky et al. (2018)."""
    fragments, i, j = [], 0, 0
    while i < len(summary):
        fragment = []
        while j < len(document):
            if summary[i] == document[j]:
                i2, j2 = i, j
                while i2 < len(summary) and j2 < len(document) and summary[i2] == document[j2]:
                    i2, j2 = i2 + 1, j2 + 1
                if len(fragment) < i2 - i:
                    fragment = summary[i:i2]
                j = j2
            else:
                j += 1
        i, j = i + max(len(fragment), 1), 0
        if fragment:
            fragments.append(fragment)
    return fragments


WORDS = st.lists(st.sampled_from("abc"), max_size=12)


@given(summary=WORDS, document=WORDS)
def test_fragments_are_those_of_the_paper(summary, document):
    found = [summary[start:end] for start, end in find_fragments(summary, document)]
    assert found == fragments_of_the_paper(summary, document)


def test_coverage_and_density_of_a_pair():
    task = make_task(["a b c", "c d"], "a b x d .", spans=[(0, 3), (0, 9)])
    made = coverage(task)
    assert np.allclose(made.spans, [[1, 0], [2 / 5, 1 / 5]])
    assert made.words.tolist() == [0, 0, 1, 0, 1]
    assert made.text == pytest.approx(2 / 5)
    made = density(task)
    assert np.allclose(made.spans, [[2, 0], [4 / 5, 1 / 5]])
    assert np.allclose(made.words, [1 / 3, 1 / 3, 1, 1 / 2, 1])
    assert made.text == pytest.approx(1 / (1 + 5 / 5))


def test_idf_overlap_of_a_pair():
    tasks = [make_task(["a b .", "a c"], "a B x ."), make_task(["a d", "a b"], "a", name="b")]
    scores = idf_overlap(tasks)(make_task(["a b .", "a c"], "a B c x .", spans=[(0, 5), (0, 9)]))
    # The weights; that of `a` is 0, as all four passages have it.
    b, c, x = log(5 / 3), log(5 / 2), log(5 / 1)
    assert np.allclose(scores.spans, [[b / (b + c), c / (b + c)], [b / (b + c + x), c / (b + c + x)]])
    assert np.allclose(scores.words, [0, 0, 0, x / log(5), 0])
    assert scores.text == pytest.approx(x / (b + c + x))


class OneHot:
    """Vectors that are equal for equal words alone; that of a sentence is the mean of its words'."""

    about = {}

    def encode(self, words, sentences):
        assert [end for _, end in sentences][-1:] == [len(words)]
        vocabulary = sorted(set(terms(" ".join([*SUMMARY, *PASSAGES]).split())))
        return np.array(
            [[float(word.lower() == entry) for entry in vocabulary] for word in words], np.float32
        )

    def encode_both(self, words, sentences):
        vectors = self.encode(words, sentences)
        sums = np.array([vectors[start:end].sum(axis=0) for start, end in sentences])
        return vectors, sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)


def test_greedy_matching_of_equal_words_is_their_share():
    made = greedy_matching(OneHot())(make_task())
    # Six words and a full stop, which has no vector here: Lumen, closed, harbour, on, Monday; harbour.
    assert np.allclose(made.spans, [[5 / 7, 0, 1 / 7], [2 / 6, 0, 3 / 6]])
    assert np.allclose(made.words, [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1])
    assert made.text == pytest.approx(5 / 13)


def test_cosines_of_texts():
    made = sentence_cosine(OneHot())(
        make_task(["a", "", "Lumen harbour ."], "Lumen Monday", spans=[(0, 12), (0, 5)])
    )
    assert np.allclose(made.spans[:, 1:], [[0, 0.5], [0, 0.5**0.5]])
    assert made.text == pytest.approx(0.5)


@pytest.fixture
def files(tmp_path):
    """A corpus of two pairs with gold in passages, the second pair first."""
    pairs = [make_task(name=name).pair for name in "ab"]
    write_pairs(tmp_path / "corpus.jsonl", pairs)
    gold = [{"id": name, "spans": [{"summary": [0, 36], "passages": [0]}]} for name in "ba"]
    (tmp_path / "gold.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in gold))
    return {name: str(tmp_path / f"{name}.jsonl") for name in ("corpus", "gold", "evidence")}


def run(files, method):
    names = [("--corpus", "corpus"), ("--gold", "gold"), ("--output", "evidence")]
    command.main(["--method", method, *(part for option, name in names for part in (option, files[name]))])
    with open(files["evidence"], encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_the_command_writes_the_evidence_of_each_pair(files):
    first, second = run(files, "coverage")
    assert (first["id"], first["system"], first["spans"]) == ("a", "coverage", [[0.857143, 0.0, 0.285714]])
    assert len(first["words"]) == 13 and 0 < first["text"] < 1
    assert {**second, "id": "a"} == first
