"""The rewrite model (Daumé & Marcu 2005, Section 4.2), a mixture of several parts.

    r(s̄|d̄) = λ_id·id + λ_stem·stem + λ_wn·exp(−η·distance)/Z_d̄ + λ_rw·t(s̄|d̄) [+ λ_encoder·e] [+ λ_stems·u]
    t(s̄|d̄) = (count(s̄, d̄) + fake(s̄, d̄)) / total(d̄)

The fake counts are the Dirichlet prior of Section 4.3: `word` for a word pair, `phrase` for a longer phrase
pair, `identical` and `stem` more for phrases that are equal, or equal up to stem; `unigram` are spread over
the summary words by their frequency. The other parts are described in `vorlage.semihmm.mixture`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from vorlage.command.errors import InputError
from vorlage.compiled import exact_kernel, inner_kernel
from vorlage.semihmm import mixture
from vorlage.semihmm.kernels.forward_backward import ExpectedCounts, KernelInputs
from vorlage.semihmm.mixture import (
    ALL,
    ENCODER,
    IDENTITY,
    LEXICAL,
    STEM,
    WORDNET,
    EncoderValues,
    EntryPart,
    Parameters,
    PartInputs,
    counts_and_totals,
    fake_table,
    ratio,
)
from vorlage.semihmm.null import null_of_words, null_state
from vorlage.semihmm.pairs import PairArrays, PairSet
from vorlage.semihmm.table import PhraseNumbers, PhraseTable, pick
from vorlage.semihmm.wordnet import FAR
from vorlage.settings import Training
from vorlage.types import Bytes, Floats, Ints

# How much of its probability 1 each summary word of a pair may lose to the limits of float64.
LOST = 1e-6
NOTHING = np.empty((0, 0))
# The factors of pairs of sentences, and the sentence of each word of the summary and of the document.
SentenceFactors: TypeAlias = tuple[Floats, Ints, Ints]
# r of pairs of distinct words (U, V), the distinct word of each summary word (T) and of each document word
# (n), and what the encoder adds to each pair of words (T, n), empty without it.
TypedRewrites: TypeAlias = tuple[Floats, Ints, Ints, Floats]


class Factors(NamedTuple):
    """The factors of the parts of the rewrite model that the table has, weights λ included, float64.

    - `identical`: λ_id;
    - `stem` (R): λ_stem times the chance of the row;
    - `related` (R): λ_wn / Z of the row;
    - `lexical` (R): λ_rw / total of the row;
    - `decay`: e^(−η·distance) by WordNet distance, 0 without a path;
    - `fake` (2, 3): as for `row_totals`;
    - `spread` (V): further fake counts of entries of two words, by summary word.
    """

    identical: float
    stem: Floats
    related: Floats
    lexical: Floats
    decay: Floats
    fake: Floats
    spread: Floats


class Rewrites:
    """r(s̄|d̄) and r(s̄|∅) of some pairs.

    - `values` (E): r of each entry of their phrase table, without the encoder's part;
    - `of_entries`: what each `EntryPart` adds to it (E);
    - `factors`: those of the other parts of the table;
    - `null`: r(s̄|∅) of each word (V), or of each phrase (V+P).
    """

    def __init__(
        self,
        pairs: PairSet,
        numbers: PhraseNumbers,
        parameters: Parameters,
        norms: Floats,
        settings: Training,
    ) -> None:
        """Compute them; `numbers`: of phrases among those of the parameters; `norms` (V+P): Z_d̄ of each row.

        What a model has not seen: a phrase pair outside the lexical table has only its fake counts; a
        document phrase outside it has the fake counts of these pairs as its total; an unknown word joins the
        class of its stem; a null word in no summary has the share of the null state's fake count.
        """
        table, fake_counts, weight = pairs.table, settings.fake_counts, parameters.weight
        fake, trained = fake_table(fake_counts), (parameters.counts, parameters.totals)
        self._parameters, self._null = parameters, null_state(settings)
        self.counts, totals = counts_and_totals(table, numbers, trained, fake, fake_counts.unigram)
        self._inputs = PartInputs(pairs, numbers, settings, parameters.stems)
        self.factors = Factors(
            identical=weight(IDENTITY),
            stem=weight(STEM) * numbers.chance,
            related=ratio(weight(WORDNET), norms),
            lexical=ratio(weight(LEXICAL), totals),
            decay=decays(parameters.eta),
            fake=fake,
            spread=fake_counts.unigram * numbers.shares,
        )
        self.values = rewrite_values(table, pairs.distance, self.factors, self.counts)
        self.of_entries = {
            part: weight(part) * part.values(self._inputs)
            for part in mixture.PARTS
            if isinstance(part, EntryPart) and weight(part)
        }
        for values in self.of_entries.values():
            self.values += values
        null = pick(parameters.null, numbers.rows[: self._null.size(table)])
        # A new phrase has the fake count of phrases, a new word that of words.
        of_phrases = fake_counts.phrase / settings.null_smoothing * parameters.unseen
        unseen = np.where(np.arange(len(null)) < len(pairs.words), parameters.unseen, of_phrases)
        self.null = np.where(null > 0.0, null, unseen)

    def inputs(self, numbers: Iterable[int]) -> Iterator[tuple[PairArrays, KernelInputs, "WordRewrites"]]:
        """Yield pairs, by their numbers, their kernel inputs without word rewrites, and these."""
        pairs, weight = self._inputs.pairs, self._parameters.weight(ENCODER)
        for pair in map(pairs.pair, numbers):
            null_phrases = np.zeros(len(pair.places))
            factors = pair.factors, pair.summary.sentences, pair.document.sentences
            if self._null.emits_phrases:  # at one document word
                null_phrases = self.null[pairs.table.partners[pair.entries]] * (pair.places[:, 3] == 1)
            phrase_rewrites, by_end = rewrite_phrases(self.values, pair.places, pair.entries, factors)
            inputs = KernelInputs(
                word_rewrites=np.empty((0, len(pair.document.words))),
                null_rewrites=self.null[pair.summary.words],
                phrases=pair.places,
                by_end=by_end,
                phrase_rewrites=phrase_rewrites,
                transitions=self._parameters.jumps.transitions(pair),
                null_phrases=null_phrases,
            )
            encoder = None
            if weight and pair.contexts is not None:
                encoder = EncoderValues(pair, self._inputs.numbers.shares, self._inputs.settings, weight)
            yield pair, inputs, WordRewrites(pair, self.values.take(pair.cells.T), encoder)


@inner_kernel
def entry_uses(table: PhraseTable, factors: Factors, counts: Floats, longer: int, e: int) -> float:
    """Return the count and the fake counts of an entry; `longer`: 1 unless it is of two words."""
    count: float = counts[e]
    if longer == 0:
        count += factors.spread[table.partners[e]]
    return count + factors.fake[longer, table.kind[e]]


@exact_kernel
def rewrite_values(table: PhraseTable, distance: Bytes, factors: Factors, counts: Floats) -> Floats:
    """Return r(s̄|d̄) of every entry (E); `distance` (E) uint8: of WordNet; `counts` (E)."""
    out, words = np.empty(counts.shape[0]), factors.spread.shape[0]
    for row in range(factors.stem.shape[0]):
        stem, related, lexical = factors.stem[row], factors.related[row], factors.lexical[row]
        same = (0.0, stem, factors.identical + stem)
        for e in range(table.rows[row], table.rows[row + 1]):
            longer = int(row >= words or table.partners[e] >= words)
            count = entry_uses(table, factors, counts, longer, e)
            out[e] = same[table.kind[e]] + related * factors.decay[distance[e]] + lexical * count
    return out


def decays(eta: float) -> Floats:
    """Return e^(−η·distance) by distance, 0 for FAR."""
    decay = np.exp(-eta * np.arange(FAR + 1.0))
    decay[FAR] = 0.0
    return decay


class WordRewrites(NamedTuple):
    """r of one word by another in a pair, computed for some words at a time.

    `by_types` (U, V): that of the phrase table, for pairs of distinct words; `encoder`: the encoder's part,
    or None.
    """

    pair: PairArrays
    by_types: Floats
    encoder: EncoderValues | None

    def by_type(self, rows: slice = ALL, columns: slice = ALL) -> TypedRewrites:
        """Return r of some summary and document words, without the factors of their sentences."""
        types = self.pair.summary.type_of[rows], self.pair.document.type_of[columns]
        return self.by_types, *types, self.encoder.weighted(rows, columns) if self.encoder else NOTHING

    def matrix(self, rows: slice = ALL) -> Floats:
        """Return r of some summary words and all document words."""
        sentences = self.pair.summary.sentences[rows], self.pair.document.sentences
        return expand(self.by_type(rows), (self.pair.factors, *sentences))


@exact_kernel
def expand(rewrites: TypedRewrites, factors: SentenceFactors) -> Floats:
    """Return the rewrites of words (T, n); `factors`: those of their sentences, or empty."""
    by_types, rows, columns, context = rewrites
    out = np.empty((rows.shape[0], columns.shape[0]))
    for t in range(rows.shape[0]):
        row, of_type = out[t], by_types[rows[t]]
        for j in range(columns.shape[0]):
            row[j] = of_type[columns[j]]
        if context.size:
            for j in range(columns.shape[0]):
                row[j] += context[t, j]
        if factors[0].size:
            of_sentence, sentences = factors[0][factors[1][t]], factors[2]
            for j in range(columns.shape[0]):
                row[j] *= of_sentence[sentences[j]]
    return out


def rewrite_phrases(
    values: Floats, places: Ints, entries: Ints, factors: SentenceFactors
) -> tuple[Floats, Ints]:
    """Return r of each longer phrase pair of a pair (m), and their order by the end of the summary phrase.

    `values` (E): r of each entry; `places` (m, 4): the phrase pairs (t, k, j, l), sorted; `entries` (m).
    """
    rewrites, (t, k, j, _) = values.take(entries), places.T
    of_sentences = factors[0].take(factors[1].take(t) * factors[0].shape[1] + factors[2].take(j))
    for word in range(k.max(initial=0)):
        np.multiply(rewrites, of_sentences, out=rewrites, where=word < k)
    return rewrites, np.argsort(t + k, kind="stable").astype(np.int32)


def check_expected(pair: str, inputs: KernelInputs, words: float, expected: ExpectedCounts) -> None:
    """Raise `InputError` unless the posteriors of each summary word of a pair sum to 1.

    The sum differs from 1 if every alignment has probability 0, or if the probabilities of two alignments
    differ by more than float64 can hold. `words`: the sum of the posteriors of one-word phrases.
    """
    length = len(inputs.null_rewrites)
    if not np.isfinite(expected.log_likelihood):
        raise InputError(
            f"pair {pair}: no alignment has a probability above 0; raise `semihmm.fake_counts.word` or "
            "`semihmm.beam`, or leave the pair out"
        )
    covered = words + null_of_words(expected, inputs.phrases).sum()
    covered += expected.phrase_posteriors @ inputs.phrases[:, 1]
    if not abs(covered - length) <= LOST * length:
        raise InputError(
            f"pair {pair}: the probabilities of its alignments differ by more than numbers can hold, and "
            f"{length - covered:.3g} of {length} summary words are lost; leave the pair out, or use another "
            "jump model"
        )
