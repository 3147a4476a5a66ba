"""The parts of the rewrite mixture r(s̄|d̄) = Σ λ · value, and the parameters that EM learns, λ among them.

A part is a record of its name, when it is on, and its value of each phrase pair. `PARTS` has all of them:
model files, `em.tsv`, `vorlage describe` and derivations take them from there, in this order. A part that is
added gives each entry of the phrase table a value (`EntryPart`) and comes last: it has the weight 0 in model
files that do not know it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from vorlage.semihmm.jump_model import JumpModel
from vorlage.semihmm.pairs import PairArrays, PairSet
from vorlage.semihmm.table import (
    PhraseNumbers,
    PhraseTable,
    StemNumbers,
    are_longer,
    pick,
    row_of_entries,
    row_totals,
)
from vorlage.settings import FakeCounts, Training
from vorlage.types import AnyArray, Floats

# Tuned, see docs/model.md: the least share of the vocabulary not in a summary, for the encoder's part.
LEAST_REST = 0.01

LEAST = 1e-12  # of the encoder's part: a pair whose cosine is far below the others' is not impossible
# Pairs of words that are in memory at once, in several arrays. A long pair is cut into parts of this size.
CELLS = 400_000
ALL = slice(None)
STEEPEST = 50.0  # η is searched between 0 and this


class PartInputs(NamedTuple):
    """What parts compute their values of some pairs from.

    - `pairs`, `numbers`: the pairs, and where their phrases are among those of the parameters;
    - `stems`: counts and totals of the table over stems, or None without it.
    """

    pairs: PairSet
    numbers: PhraseNumbers
    settings: Training
    stems: tuple[Floats, Floats] | None


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of the mixture.

    - `name`: in `em.tsv` and `vorlage describe`; `label`: as people call it;
    - `enabled`: whether it takes part in training, by the settings and by whether distances in WordNet are
      known;
    - `bilingual`: whether it knows of words and their translations.
    """

    name: str
    label: str
    enabled: Callable[[Training, bool], bool] = lambda settings, wordnet: True
    bilingual: bool = False


@dataclass(frozen=True, kw_only=True)
class EntryPart(Part):
    """A part with a value of each entry of the phrase table; `values`: these (E)."""

    values: Callable[[PartInputs], Floats]


def _values_by_stems(inputs: PartInputs) -> Floats:
    """Return t over stems of each entry, times the chance of its summary phrase.

    A summary phrase gets its share of the probability of its stems: that of a word is divided by the number
    of words with its stem, as in the stem part.
    """
    numbers = inputs.numbers.stems
    assert numbers is not None and inputs.stems is not None
    table, fake = numbers.table, fake_table(inputs.settings.fake_counts)
    counts, totals = counts_and_totals(table, numbers, inputs.stems, fake)
    counts = counts + fake[are_longer(table).astype(int), table.kind]
    of_entries = totals[row_of_entries(table)]
    shares = ratio(counts, of_entries)
    return shares[numbers.groups] * inputs.numbers.chance[inputs.pairs.table.partners]


def ratio(values: Floats | float, totals: Floats) -> Floats:
    """Return values over totals, 0 for a total of 0."""
    return np.divide(values, totals, out=np.zeros_like(totals), where=totals > 0)


# Those of the kernel: equal phrases, phrases equal up to stem, those near in WordNet, and the lexical table.
IDENTITY = Part(
    name="id", label="identical", enabled=lambda settings, wordnet: settings.paper != 2004, bilingual=True
)
STEM = Part(name="stem", label="stem")
WORDNET = Part(name="wn", label="WordNet", enabled=lambda settings, wordnet: wordnet)
LEXICAL = Part(name="rw", label="lexical")
# Cosines of two words at their places in a pair, see `EncoderValues`.
ENCODER = Part(
    name="encoder", label="encoder", enabled=lambda settings, wordnet: settings.encoder, bilingual=True
)
# A lexical table over stems, in the 2004 paper alone (Section 2.3.4).
STEMS = EntryPart(
    name="stems",
    label="table of stems",
    enabled=lambda settings, wordnet: settings.paper == 2004,
    values=_values_by_stems,
)
PARTS: tuple[Part, ...] = (IDENTITY, STEM, WORDNET, LEXICAL, ENCODER, STEMS)


def counts_and_totals(
    table: PhraseTable,
    numbers: PhraseNumbers | StemNumbers,
    trained: tuple[Floats, Floats],
    fake: Floats,
    unigram: float = 0.0,
) -> tuple[Floats, Floats]:
    """Return the counts of the entries of a table and the totals of its rows; `trained`: those of a model."""
    counts = pick(trained[0], numbers.entries)
    return counts, row_totals(table, fake, counts, unigram, pick(trained[1], numbers.rows))


def fake_table(fake_counts: FakeCounts) -> Floats:
    """Return the fake counts (2, 3) of pairs of words and of other phrase pairs, by kind of entry."""
    like = np.array([0.0, fake_counts.stem, fake_counts.stem + fake_counts.identical])
    return np.stack([fake_counts.word + like, fake_counts.phrase + like])


class EncoderValues:
    """The encoder's part of a pair, weighted, computed for some words at a time.

    It tells by cosines of contextual vectors which word of a summary a document word became:

        e(i|j) = u_i exp((cos(i, j) − c) / τ) / Z_j · exp((cos(i, j) − max_j' cos(i, j')) / 2τ)

    The first factor is a distribution over the vocabulary. A word takes part by its frequency u, raised or
    lowered by the cosine of its vector: c, the `encoder_baseline`, is the cosine of words that have nothing
    to do with each other, and τ the `encoder_temperature`. Words of the vocabulary that are not in the
    summary count as such words, so that Z_j = 1 − Σ u_w + Σ u_w · (mean over the places of w), both sums over
    the distinct words of the summary, and a document word that is near to none of them leaves its probability
    to the rest of the vocabulary. The second factor reduces the first where another document word is nearer
    to the summary word. Daumé & Marcu (2005, Section 6) name such a part as future work.
    """

    def __init__(self, pair: PairArrays, shares: Floats, settings: Training, weight: float) -> None:
        """Sum over the words of the summary; `shares`: of `PhraseNumbers`; `weight`: of the part."""
        assert pair.contexts is not None
        index, of_types = pair.summary.type_of, shares[pair.summary.types]
        length, n = pair.contexts.shape
        self._cosines, self._shares, self._weight = pair.contexts, of_types[index, None], weight
        self._temperature, self._baseline = settings.encoder_temperature, settings.encoder_baseline
        self._nearest, self._top, self._norm = np.full((length, 1), -np.inf), np.empty(n), np.empty(n)
        rest, counts = max(1.0 - float(of_types.sum()), LEAST_REST), np.bincount(index)[index, None]
        width = max(CELLS // length, 1)
        for columns in (slice(first, first + width) for first in range(0, n, width)):
            cosines = self._cosines[:, columns].astype(float)
            np.maximum(self._nearest, cosines.max(axis=1, keepdims=True), out=self._nearest)
            top = np.maximum((cosines.max(axis=0) - self._baseline) / self._temperature, 0.0)
            self._top[columns] = top
            weighed = self._weighed(cosines, ALL, columns)
            self._norm[columns] = rest * np.exp(-top) + (weighed / counts).sum(axis=0)

    def weighted(self, rows: slice = ALL, columns: slice = ALL) -> Floats:
        """Return the weighted part of some summary words and some document words."""
        cosines = self._cosines[rows, columns].astype(float, order="C")
        nearness = np.exp((cosines - self._nearest[rows]) / (2.0 * self._temperature))
        part: Floats = self._weighed(cosines, rows, columns) / self._norm[columns] * nearness
        return self._weight * np.maximum(part, LEAST)

    def _weighed(self, cosines: Floats, rows: slice, columns: slice) -> Floats:
        scaled = (cosines - self._baseline) / self._temperature
        weighed: Floats = self._shares[rows] * np.exp(scaled - self._top[columns])
        return weighed


@dataclass(frozen=True)
class Parameters:
    """The parameters that EM learns.

    - `weights`: λ of each of the `PARTS`, which sum to 1;
    - `eta`: decay of the WordNet part;
    - `counts` (E): expected uses of each entry of the lexical table;
    - `totals` (V+P): Σ (count + fake) over all entries of a row, unlisted ones included;
    - `null`: r(s̄|∅) of each word (V), 0 for a word in no summary, or of each phrase (V+P);
    - `unseen`: r(s̄|∅) of a word in no summary;
    - `stem_counts`, `stem_totals`: of the table over stems, None without it.
    """

    jumps: JumpModel
    weights: Floats
    eta: float
    counts: Floats
    totals: Floats
    null: Floats
    unseen: float
    stem_counts: Floats | None = None
    stem_totals: Floats | None = None

    @property
    def stems(self) -> tuple[Floats, Floats] | None:
        """The counts and the totals of the table over stems."""
        if self.stem_counts is None or self.stem_totals is None:
            return None
        return self.stem_counts, self.stem_totals

    def weight(self, part: Part) -> float:
        """Return the weight of a part."""
        return float(self.weights[PARTS.index(part)])

    def by_part(self) -> dict[str, float]:
        """Return the weights by the names of the parts."""
        return dict(zip((part.name for part in PARTS), self.weights.tolist(), strict=True))

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for a file, without those of the jump model."""
        values = vars(self).items()
        return {name: np.asarray(x) for name, x in values if name != "jumps" and x is not None}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], jumps: JumpModel) -> "Parameters":
        """Return the parameters of arrays of `to_arrays`; parts that these do not know have the weight 0."""
        own = [(field.name, arrays[field.name]) for field in fields(cls) if field.name in arrays]
        values: dict[str, Any] = {name: array if array.ndim else array.item() for name, array in own}
        values["weights"] = np.pad(values["weights"], (0, len(PARTS) - len(values["weights"])))
        return cls(jumps, **values)

    def alone(self, part: Part) -> "Parameters":
        """Return the parameters with the weight of one part alone."""
        return replace(self, weights=np.where([other is part for other in PARTS], self.weights, 0.0))

    def across_languages(self) -> "Parameters":
        """Return the parameters for words and their translations; the encoder has the other weights."""
        weights = np.where([part.bilingual for part in PARTS], self.weights, 0.0)
        encoder = PARTS.index(ENCODER)
        weights[encoder] = 1.0 - np.delete(weights, encoder).sum()
        return replace(self, weights=weights)
