"""The probability that the words and the sentences of a text are supported by its document.

The evidence is likeness, copies and rarity. Likeness is the cosine of contextual vectors, or without an
encoder 1 for words with a common stem. A text has T words, a document n words and S sentences.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vorlage.attribution.evidence import Evidence
from vorlage.attribution.findings import JUDGED, CheckResult
from vorlage.attribution.judges import Judgement
from vorlage.attribution.reading import CHECK, Finding, Reading
from vorlage.text.words import is_punctuation
from vorlage.types import Bools, Floats, Span

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
# The smallest null posterior that counts: of a copied word, it says little how small it is. This and `SURE`
# were set on 27 November 2026, when experiments/support_model.py fitted the five numbers of `SentenceModel`.
LEAST_NULL = 0.01
# Below these log odds, a contradiction by a judge counts nothing.
SURE = 2.0
# Below this probability, a sentence is more likely to be wrong than right where both are as frequent. Chosen
# on 25 November 2026 on 300 texts of SummEdits: with 0.25, unsupported sentences passed, and those between
# 0.25 and 0.35 were twice as often wrong as right; 0.5 was tried before.
UNCLEAR = 0.35
# A sentence is unclear, too, if fewer of its words have a source. Set by hand on 24 November 2026.
MIN_LINKED = 0.6


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


class SentenceModel(NamedTuple):
    """The log odds that a sentence is not supported, without a judge and with one.

    - `bias`; `judge_bias`: added to it if there is a judge;
    - `null`: times the logarithm of the null posterior of the content words, from `LEAST_NULL`;
    - `found`: added for a finding that is at least likely;
    - `judge`: times the log odds of a contradiction beyond `SURE`.
    """

    bias: float
    null: float
    found: float
    judge_bias: float
    judge: float

    def supported(self, null: float, found: bool, judgement: Judgement | None) -> float:
        """Return the probability that a sentence is supported.

        `null`: the mean null posterior of its content words; `found`: whether a finding is at least likely.
        """
        odds = self.bias + self.null * np.log(null + LEAST_NULL) + self.found * found
        if judgement:
            odds += self.judge_bias + self.judge * judged_risk(judgement)
        return float(1 / (1 + np.exp(odds)))


def judged_risk(judgement: Judgement) -> float:
    """Return the log odds of a contradiction beyond `SURE`, 0 below."""
    contradicted = np.clip(judgement.contradicted, 1e-3, 1 - 1e-3)
    return max(float(np.log(contradicted / (1 - contradicted))) - SURE, 0.0)


@cache
def open_support(encoder: bool) -> tuple[Logistic, SentenceModel]:
    """Return the models of words and of sentences in the package; `encoder`: whether there are cosines."""
    with np.load(MODEL, allow_pickle=False) as arrays:
        suffix = "with" if encoder else "without"
        words = Logistic(*(arrays[f"word_{part}_{suffix}"] for part in Logistic._fields))
        return words, SentenceModel(*arrays[f"sentence_{suffix}"].tolist())


class Support(NamedTuple):
    """The probability that each word and each sentence of a text is supported.

    A word of a finding has the number of its sentence at most; a sentence that states nothing has 1.
    """

    words: Floats
    sentences: list[float]


def score(
    reading: Reading,
    evidence: Evidence,
    checks: CheckResult,
    findings: Sequence[Finding],
    judgements: Mapping[int, Judgement],
) -> Support:
    """Return how far a document supports a text; `findings`: of checks and judge, and what has no source."""
    text = reading.text
    word_model, sentence_model = open_support(encoder=evidence.has_cosines)
    grave = [finding for finding in findings if finding.severity > CHECK]
    found = {text.sentences[finding.text[0]] for finding in grave if finding.kind != JUDGED}
    sentences = [
        sentence_model.supported(
            evidence.null(text.content_words(number)), number in found, judgements.get(number)
        )
        if number in checks.statements
        else 1.0
        for number in range(len(text.tokenized.sentences))
    ]
    words = 1 / (1 + np.exp(word_model.log_odds(word_features(reading, evidence, checks.findings))))
    for finding in grave:
        place = slice(*finding.text)
        words[place] = np.minimum(words[place], sentences[text.sentences[finding.text[0]]])
    return Support(words, sentences)


def word_features(reading: Reading, evidence: Evidence, findings: Sequence[Finding]) -> Floats:
    """Return the features of the words of a text, (T, features) in the order of `WORD_FEATURES`."""
    text = reading.text
    size = len(text.words)
    spoken = np.array([not is_punctuation(word) for word in text.words])
    numbers = np.array(text.sentences)
    best = np.argsort(-evidence.scores, axis=1, kind="stable")[:, :3]
    home = np.take_along_axis(evidence.by_sentence, best[numbers][:, :1], axis=1)[:, 0]
    best3 = np.take_along_axis(evidence.by_sentence, best[numbers], axis=1).max(axis=1)
    tags = np.array([tag[:2] for tag in text.tags])
    initial = np.zeros(size, dtype=bool)
    initial[[first for first, _ in text.tokenized.sentences]] = True
    absent = evidence.absent & np.array(text.content)
    severity = np.zeros(size, dtype=int)
    for finding in findings:
        severity[slice(*finding.text)] = finding.severity
    total = np.maximum(evidence.scores.sum(axis=1), 1e-9)
    columns = {
        "null": evidence.nulls,
        "unlike": 1 - evidence.likeness,
        "unlike_home": 1 - home,
        "unlike_best3": 1 - best3,
        "absent": absent,
        "copied": np.log1p(evidence.copied),
        "rarity": evidence.rarity,
        "function": ~np.array(text.content),
        "digit": np.array([any(map(str.isdigit, word)) for word in text.words]),
        "capital": np.array([word[:1].isupper() for word in text.words]) & ~initial,
        "noun": tags == "NN",
        "verb": tags == "VB",
        "adjective": tags == "JJ",
        "adverb": tags == "RB",
        "share_home": (evidence.scores.max(axis=1) / total)[numbers],
        "length": np.log1p(np.bincount(numbers))[numbers],
    }
    for name in ("capital", "digit", "noun", "adjective", "verb"):
        columns[f"absent_{name}"] = absent & columns[name]
    for grade in (1, 2, 3):
        columns[f"severity_{grade}"] = severity == grade
    names = ("null", "unlike", "absent", "unlike_home")
    values = np.stack([columns[name] for name in names], axis=1)
    for suffix, reach in {"1": 1, "2": 2, "4": 4, "sentence": size}.items():
        means = _window(values, spoken, text.tokenized.sentences, reach)
        columns |= {f"{name}_{suffix}": means[:, k] for k, name in enumerate(names)}
    return np.stack([np.asarray(columns[name], dtype=float) for name in WORD_FEATURES], axis=1)


def _window(values: Floats, spoken: Bools, sentences: Iterable[Span], reach: int) -> Floats:
    """Return the means of columns (T, n) over the spoken words of a sentence at most `reach` words away."""
    means = np.empty(values.shape)
    for first, end in sentences:
        weights = spoken[first:end, None].astype(float)
        summed = np.zeros((end - first + 1, values.shape[1] + 1))
        np.cumsum(np.hstack([values[first:end] * weights, weights]), axis=0, out=summed[1:])
        places = np.arange(end - first)
        sums = summed[np.minimum(places + reach + 1, len(places))] - summed[np.maximum(places - reach, 0)]
        means[first:end] = sums[:, :-1] / np.maximum(sums[:, -1:], 1.0)
    return means
