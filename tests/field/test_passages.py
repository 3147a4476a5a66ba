"""Scorers of passages: worked examples, naive twins, other implementations, and the command."""

from math import log

import numpy as np
import pytest
from field.passage_encoded import bertscore, greedy_matching, sentence_cosine
from field.passage_task import PassageTask
from field.passage_words import (
    bm25,
    coverage,
    density,
    find_fragments,
    idf_overlap,
    rouge_l,
    terms,
)
from hypothesis import given
from hypothesis import strategies as st
from vorlage.documents.pair import Pair
from vorlage.encoder.installed import PACKAGE, PACKAGED, find_model
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


def test_bm25_is_its_formula():
    pytest.importorskip("rank_bm25", reason="rank-bm25 is not installed; `make torch` installs it")
    tasks = [
        make_task(name="a"),
        make_task(["Rain fell .", "Boats sank .", "It was late ."], "Rain .", name="b"),
    ]
    passages = [terms(passage.words) for task in tasks for passage in task.passages]
    mean = sum(map(len, passages)) / len(passages)

    def score(words, passage):
        total = 0.0
        for word in words:
            having = sum(word in other for other in passages)
            idf = log(len(passages) - having + 0.5) - log(having + 0.5)
            assert idf >= 0  # the package replaces negative ones
            count = passage.count(word)
            total += idf * count * 2.5 / (count + 1.5 * (0.25 + 0.75 * len(passage) / mean)) if having else 0
        return total

    made = bm25(tasks)(tasks[0])
    expected = [[score(terms(span.words), passage) for passage in passages[:3]] for span in tasks[0].spans]
    assert np.allclose(made.spans, expected)
    assert made.spans[0].argmax() == 0 and made.spans[1].argmax() == 2
    assert made.words is None and made.text is None


def longest_common(left, right):
    if not (left and right):
        return 0
    if left[-1] == right[-1]:
        return 1 + longest_common(left[:-1], right[:-1])
    return max(longest_common(left[:-1], right), longest_common(left, right[:-1]))


def test_rouge_l_is_the_recall_of_the_longest_common_subsequence():
    pytest.importorskip("rouge_score", reason="rouge-score is not installed; `make torch` installs it")
    task = make_task()
    made = rouge_l()(task)
    both = [[terms(unit.words) for unit in units] for units in (task.spans, task.passages)]
    expected = [[longest_common(a, b) / len(a) for b in both[1]] for a in both[0]]
    assert np.allclose(made.spans, expected)
    # The spans are the sentences, and their best passages score 4 / 6 and 3 / 5.
    assert made.words is None
    assert made.text == pytest.approx(1 - sum(max(row) for row in expected) / 2)


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


@pytest.mark.embed
def test_bertscore_is_its_formula():
    """Compare with the recall by hand from the hidden states that transformers computes."""
    pytest.importorskip("bert_score", reason="bert-score is not installed; `make torch` installs it")
    pytest.importorskip(PACKAGE, reason="the encoder is not installed; `make setup` installs it")
    torch, auto = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folder, task = find_model(PACKAGED), make_task()
    made = bertscore(folder, 4, "cpu", [task])(task)
    tokenizer, network = (kind.from_pretrained(folder) for kind in (auto.AutoTokenizer, auto.AutoModel))

    def encode(text):
        inputs = tokenizer(text, return_tensors="pt")
        with torch.inference_mode():
            states = network(**inputs, output_hidden_states=True).hidden_states[4][0].numpy()
        return inputs["input_ids"][0].tolist(), states / np.linalg.norm(states, axis=1, keepdims=True)

    references = [encode(span.raw) for span in task.spans]  # which are the sentences of the summary

    def recall(ids, vectors, passage):
        having = [sum(piece in other for other, _ in references) for piece in ids]
        weights = np.array([log((2 + 1) / (count + 1)) for count in having])
        # The pieces at both ends weigh nothing here, as every sentence has them.
        return float(weights @ (vectors @ encode(passage)[1].T).max(axis=1) / weights.sum())

    expected = [[recall(*reference, PASSAGES[k]) for k in (0, 2)] for reference in references]
    assert np.allclose(made.spans[:, [0, 2]], expected, atol=1e-4)
    assert made.spans[:, 1].tolist() == [0, 0]
