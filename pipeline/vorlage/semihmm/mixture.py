"""The parts of the rewrite mixture r(s̄|d̄) = Σ λ · value, of which EM learns the weights λ.

A part is a record of its name, when it is on, and its value of each phrase pair. `PARTS` has all of them:
model files, `em.tsv`, `vorlage describe` and derivations take them from there, in this order. A part that is
added gives each entry of the phrase table a value (`EntryPart`) and comes last: it has the weight 0 in model
files that do not know it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from vorlage.semihmm.pairs import PairSet
from vorlage.semihmm.table import PhraseTable, are_longer, pick, row_of_entries, row_totals
from vorlage.semihmm.vocabulary import PhraseNumbers, StemNumbers
from vorlage.settings import FakeCounts, Training
from vorlage.types import Floats


class PartInputs(NamedTuple):
    """What parts compute their values of some pairs from.

    - `pairs`, `numbers`: the pairs, and where their phrases are among those of the parameters;
    - `settings`: those of training;
    - `norms` (V+P): Z of each row, 0 for one without a phrase in WordNet;
    - `totals` (V+P): total(d̄) of each row in the lexical table;
    - `stems`: counts and totals of the table over stems, or None without it.
    """

    pairs: PairSet
    numbers: PhraseNumbers
    settings: Training
    norms: Floats
    totals: Floats
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
class RowPart(Part):
    """A part that the kernel `rewrite_values` computes; `factors`: by its weight, of each row (V+P)."""

    factors: Callable[[float, PartInputs], Floats]


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
    shares = _over(counts, of_entries)
    return shares[numbers.groups] * inputs.numbers.chance[inputs.pairs.table.partners]


def _over(values: Floats | float, totals: Floats) -> Floats:
    """Return values over totals, 0 for a total of 0."""
    return np.divide(values, totals, out=np.zeros_like(totals), where=totals > 0)


# Those of the kernel: equal phrases, phrases equal up to stem, those near in WordNet, and the lexical table.
IDENTITY = Part(
    name="id", label="identical", enabled=lambda settings, wordnet: settings.paper != 2004, bilingual=True
)
STEM = RowPart(name="stem", label="stem", factors=lambda weight, inputs: weight * inputs.numbers.chance)
WORDNET = RowPart(
    name="wn",
    label="WordNet",
    enabled=lambda settings, wordnet: wordnet,
    factors=lambda weight, inputs: _over(weight, inputs.norms),
)
LEXICAL = RowPart(name="rw", label="lexical", factors=lambda weight, inputs: _over(weight, inputs.totals))
# Cosines of two words at their places in a pair, see `vorlage.semihmm.encoder_values`.
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
