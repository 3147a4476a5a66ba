"""The probability that the words, the sentences and the whole of a text are supported by its document.

The evidence is likeness, copies and rarity. Likeness is the cosine of contextual vectors, or without an
encoder 1 for words with a common stem. A text has T words, a document n words and S sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Columns
from vorlage.attribution.findings.reading import CHECK, Difference, Linked
from vorlage.attribution.judges import Judgement
from vorlage.text.tokenized import number_sentences
from vorlage.text.words import is_punctuation
from vorlage.types import Bools, Floats, Ints, LongInts

# Cosines from here on count as likeness, which is full at the second one.
UNLIKE, ALIKE = 0.6, 0.95
MODEL = Path(__file__).parents[1] / "models" / "support.npz"
WORD_FEATURES = tuple(
    """null unlike unlike_home unlike_best3 absent copied rarity
    function digit capital noun verb adjective adverb
    absent_capital absent_digit absent_noun absent_adjective absent_verb
    null_1 null_2 null_4 null_sentence unlike_1 unlike_2 unlike_4 unlike_sentence
    absent_1 absent_2 absent_4 absent_sentence
    unlike_home_1 unlike_home_2 unlike_home_4 unlike_home_sentence
    share_home severity_1 severity_2 severity_3 length""".split()
)
SENTENCE_FEATURES = tuple(
    """risk_mean risk_max null unlike unlike_max unlike_home absent length
    absent_noun absent_adjective absent_verb absent_capital absent_digit
    contradicted likely to_check negation opposite replacement""".split()
)
# What a finding that is at least likely adds to the log odds that a sentence is not supported: pairs of
# single sentences, on which the model is trained, say too little about findings in documents. This, and how
# log odds become probabilities, were chosen on four domains of SummEdits where two of three texts
# are wrong: podcast, ectsum, news, sales_email.
FINDING = 4.0
SLOPE, MIDDLE = 0.37, 0.58
# The largest probability that a sentence or a word is supported where a finding says that it is wrong.
UNSUPPORTED = 0.2
# How much the log odds of a contradiction by a judge count, chosen on these domains and QAGS (CNN/DM).
JUDGE_SLOPE = 0.3
# Below this probability, a sentence is more likely to be wrong than right where both are as frequent.
UNCLEAR = 0.35


@dataclass(frozen=True)
class Evidence:
    """The evidence for the words of a text.

    - `places` (T): the document words with the stem of each word;
    - `likeness` (T): the largest likeness to a word of the document;
    - `by_sentence` (T, S): the largest to a word of each sentence, from `UNLIKE` to `ALIKE` scaled to 0 … 1;
    - `rarity` (T): −log of the share of sentences with the stem of the word, natural;
    - `absent` (T): whether no document word has its stem or, across languages, is linked to it;
    - `copied` (T): the number of words of the longest copied stretch that the word is part of;
    - `scores` (sentences of the text, S): how much of a sentence each document sentence holds; words that
      many sentences hold count less.
    """

    places: list[LongInts]
    likeness: Floats
    by_sentence: Floats
    rarity: Floats
    absent: Bools
    copied: Ints
    scores: Floats


def find_evidence(pair: Linked, cosines: Columns | None) -> Evidence:
    """Return the evidence for each word of a text.

    Args:
        pair: the text with its document.
        cosines: (T, n): those of the words; None without an encoder.
    """
    text, document = pair.text, pair.document
    sentence_of = number_sentences(document.text.sentences)
    sentences = len(document.text.sentences)
    stem_places = {
        stem: np.array(document.stem_places.get(stem, ()), dtype=np.int64) for stem in set(text.stems)
    }
    stem_sentences = {stem: np.unique(sentence_of[at]) for stem, at in stem_places.items()}
    places = [stem_places[stem] for stem in text.stems]
    holders = [stem_sentences[stem] for stem in text.stems]
    absent = np.array([len(at) == 0 for at in places])
    by_sentence = np.zeros((len(places), sentences))
    if cosines is None:
        for row, numbers in zip(by_sentence, holders, strict=True):
            row[numbers] = 1.0
    else:
        numbers, starts = np.unique(sentence_of[cosines.positions], return_index=True)
        by_sentence[:, numbers] = np.maximum.reduceat(cosines.values, starts, axis=1)
    clipped = np.clip((by_sentence - UNLIKE) / (ALIKE - UNLIKE), 0.0, 1.0)
    rarity = np.log((sentences + 1) / (np.array([len(numbers) for numbers in holders]) + 0.5))
    weights = np.log((sentences + 1) / (clipped.sum(axis=1) + 0.5)) * np.array(text.content)
    scores = np.add.reduceat(weights[:, None] * clipped, [first for first, _ in text.text.sentences], axis=0)
    if not pair.language:  # a translation has another stem
        absent &= np.array([not pair.links.get(t) for t in range(len(absent))])
    copied = _copied(places, len(document.text.words))
    return Evidence(
        places=places,
        likeness=by_sentence.max(axis=1),
        by_sentence=clipped,
        rarity=rarity,
        absent=absent,
        copied=copied,
        scores=scores,
    )


def _copied(places: Sequence[LongInts], words: int) -> Ints:
    """Return the length of the longest copied stretch that each word of a text is part of.

    `places`: where each word of the text is in the document of some `words`.
    """
    # For each place, the words of the stretch so far, up to and with it; then those of the whole stretch.
    lengths: list[Ints] = []
    row, last = np.zeros(words + 1, dtype=np.int32), np.empty(0, dtype=np.int64)
    for at in places:  # row: by the place after
        lengths.append(row[at] + 1)
        row[last + 1] = 0
        row[at + 1], last = lengths[-1], at
    row[last + 1], last = 0, last[:0]
    for copied, at in zip(reversed(lengths), reversed(places), strict=True):  # row: by place
        copied[:] = np.where(row[at + 1] > 0, row[at + 1], copied)
        row[last] = 0
        row[at], last = copied, at
    return np.array([copied.max(initial=0) for copied in lengths], dtype=np.int32)


class SupportProbabilities(NamedTuple):
    """The probabilities that a document supports each word and each sentence of a text."""

    words: list[float]
    sentences: list[float]


class Logistic(NamedTuple):
    """A logistic regression: the log odds of x are `bias + weights · (x − mean) / scale`."""

    mean: Floats
    scale: Floats
    weights: Floats
    bias: float

    def log_odds(self, features: Floats) -> Floats:
        """Return the log odds of rows of features."""
        # Not by BLAS, whose sums may depend on the number of its threads.
        return np.einsum("ij,j->i", (features - self.mean) / self.scale, self.weights) + self.bias


@cache
def open_support(encoder: bool) -> tuple[Logistic, Logistic]:
    """Return the models of words and of sentences in the package; `encoder`: whether there are cosines."""
    with np.load(MODEL, allow_pickle=False) as arrays:
        suffix = "with" if encoder else "without"
        words, sentences = (
            Logistic(*(arrays[f"{head}_{part}_{suffix}"] for part in Logistic._fields))
            for head in ("word", "sentence")
        )
        return words, sentences


def estimate_support(
    pair: Linked, nulls: Floats, evidence: Evidence, differences: Sequence[Difference], encoder: bool
) -> SupportProbabilities:
    """Return the probabilities that the document supports the words and the sentences of a text.

    Args:
        pair: the text with its document.
        nulls: (T): the probability that a word of the text has no source.
        evidence: what speaks for the words.
        differences: what the text says differently.
        encoder: whether the evidence comes from cosines.
    """
    words, sentences = open_support(encoder)
    features = word_features(pair, nulls, evidence, differences)
    risks = words.log_odds(features)
    sentence_values = sentence_features(pair, features, risks, differences)
    odds = sentences.log_odds(sentence_values)
    grave = [SENTENCE_FEATURES.index(name) for name in ("contradicted", "likely")]
    found = sentence_values[:, grave].max(axis=1)
    probabilities = 1 / (1 + np.exp(SLOPE * (odds + FINDING * found - MIDDLE)))
    # What a finding says is wrong is not supported, whatever its words are like.
    probabilities = np.where(found > 0, np.minimum(probabilities, UNSUPPORTED), probabilities)
    words_supported = 1 / (1 + np.exp(risks))
    for difference in differences:
        if difference.severity > CHECK:
            words_supported[slice(*difference.text)] = np.minimum(
                words_supported[slice(*difference.text)], UNSUPPORTED
            )
    return SupportProbabilities(words_supported.tolist(), probabilities.tolist())


def join_judge(supported: float, judgement: Judgement) -> float:
    """Return the probability of support of the model and of a judge as one; contradictions lower its odds."""
    own, other = (np.log(p / (1 - p)) for p in np.clip([supported, judgement.contradicted], 1e-3, 1 - 1e-3))
    return float(1 / (1 + np.exp(JUDGE_SLOPE * other - own)))


def sentence_features(
    pair: Linked, words: Floats, risks: Floats, differences: Sequence[Difference]
) -> Floats:
    """Return the features of the sentences of a text, (sentences, features) as `SENTENCE_FEATURES`.

    Args:
        pair: the text with its document.
        words: (T, word features): the features of its words.
        risks: (T): the log odds that a word is not supported.
        differences: what the text says differently.
    """
    rows = []
    for first, end in pair.text.text.sentences:
        inside = np.arange(first, end)
        content = inside[pair.text.content[first:end]] if any(pair.text.content[first:end]) else inside
        values = dict(zip(WORD_FEATURES, words[content].T, strict=True))
        findings = [difference for difference in differences if first <= difference.text[0] < end]
        severities = [difference.severity for difference in findings]
        kinds = {difference.kind for difference in findings}
        row = {
            "risk_mean": risks[content].mean(),
            "risk_max": risks[content].max(),
            "unlike_max": values["unlike"].max(),
            "length": np.log1p(len(content)),
            "contradicted": 3 in severities,
            "likely": 2 in severities,
            "to_check": np.log1p(severities.count(1)),
        }
        row |= {name: values[name].mean() for name in ("null", "unlike", "unlike_home", "absent")}
        for name in ("noun", "adjective", "verb", "capital", "digit"):
            row[f"absent_{name}"] = np.log1p(values[f"absent_{name}"].sum())
        row |= {kind: kind in kinds for kind in ("negation", "opposite", "replacement")}
        rows.append([float(row[name]) for name in SENTENCE_FEATURES])
    return np.array(rows)


def word_features(
    pair: Linked, nulls: Floats, evidence: Evidence, differences: Sequence[Difference]
) -> Floats:
    """Return the features of the words of a text, (T, features) in the order of `WORD_FEATURES`."""
    text = pair.text
    size = len(text.words)
    spoken = np.array([not is_punctuation(word) for word in text.words])
    numbers = np.array(text.sentences)
    best = np.argsort(-evidence.scores, axis=1, kind="stable")[:, :3]
    home = np.take_along_axis(evidence.by_sentence, best[numbers][:, :1], axis=1)[:, 0]
    best3 = np.take_along_axis(evidence.by_sentence, best[numbers], axis=1).max(axis=1)
    tags = np.array([tag[:2] for tag in text.tags])
    initial = np.zeros(size, dtype=bool)
    initial[[first for first, _ in text.text.sentences]] = True
    capital = np.array([word[:1].isupper() for word in text.words]) & ~initial
    digit = np.array([any(c.isdigit() for c in word) for word in text.words])
    absent = evidence.absent & np.array(text.content)
    severity = np.zeros(size, dtype=int)
    for difference in differences:
        severity[slice(*difference.text)] = difference.severity
    total = np.maximum(evidence.scores.sum(axis=1), 1e-9)
    columns = {
        "null": nulls,
        "unlike": 1 - evidence.likeness,
        "unlike_home": 1 - home,
        "unlike_best3": 1 - best3,
        "absent": absent,
        "copied": np.log1p(evidence.copied),
        "rarity": evidence.rarity,
        "function": ~np.array(text.content),
        "digit": digit,
        "capital": capital,
        "noun": tags == "NN",
        "verb": tags == "VB",
        "adjective": tags == "JJ",
        "adverb": tags == "RB",
        "absent_capital": absent & capital,
        "absent_digit": absent & digit,
        "absent_noun": absent & (tags == "NN"),
        "absent_adjective": absent & (tags == "JJ"),
        "absent_verb": absent & (tags == "VB"),
        "share_home": (evidence.scores.max(axis=1) / total)[numbers],
        "length": np.log1p(np.bincount(numbers))[numbers],
    }
    for grade in (1, 2, 3):
        columns[f"severity_{grade}"] = severity == grade
    for name in ("null", "unlike", "absent", "unlike_home"):
        for reach in (1, 2, 4):
            columns[f"{name}_{reach}"] = _window(columns[name], spoken, numbers, reach)
        columns[f"{name}_sentence"] = _window(columns[name], spoken, numbers, size)
    return np.stack([np.asarray(columns[name], dtype=float) for name in WORD_FEATURES], axis=1)


def _window(values: Floats, spoken: Bools, numbers: Ints, reach: int) -> Floats:
    """Return the means over the spoken words of a sentence at most `reach` words away."""
    means = np.empty(len(values))
    for sentence in np.unique(numbers):
        places = np.flatnonzero(numbers == sentence)
        weights = spoken[places].astype(float)
        sums = np.r_[0.0, np.cumsum(values[places] * weights)]
        counts = np.r_[0.0, np.cumsum(weights)]
        first = np.maximum(np.arange(len(places)) - reach, 0)
        end = np.minimum(np.arange(len(places)) + reach + 1, len(places))
        means[places] = (sums[end] - sums[first]) / np.maximum(counts[end] - counts[first], 1.0)
    return means
