"""The rewrite model (Daumé & Marcu 2005, Section 4.2), a mixture of several parts.

    r(s̄|d̄) = λ_id·id + λ_stem·stem + λ_wn·exp(−η·distance)/Z_d̄ + λ_rw·t(s̄|d̄) [+ λ_encoder·e] [+ λ_stems·u]
    t(s̄|d̄) = (count(s̄, d̄) + fake(s̄, d̄)) / total(d̄)

The fake counts are the Dirichlet prior of Section 4.3: `word` for a word pair, `phrase` for a longer phrase
pair, `identical` and `stem` more for phrases that are equal, or equal up to stem; `unigram` are spread over
the summary words by their frequency.

The encoder's part tells by cosines of contextual vectors which word of a summary a document word became:

    e(i|j) = u_i exp((cos(i, j) − c) / τ) / Z_j · exp((cos(i, j) − max_j' cos(i, j')) / 2τ)

The first factor is a distribution over the vocabulary. A word takes part by its frequency u, raised or
lowered by the cosine of its vector: c, the `encoder_baseline`, is the cosine of words that have nothing to
do with each other, and τ the `encoder_temperature`. Words of the vocabulary that are not in the summary
count as such words, so that Z_j = 1 − Σ u_w + Σ u_w · (mean over the places of w), both sums over the
distinct words of the summary, and a document word that is near to none of them leaves its probability to the
rest of the vocabulary. The second factor reduces the first where another document word is nearer to the
summary word. Daumé & Marcu (2005, Section 6) name such a part as future work.

The part u is in the 2004 paper alone (Section 2.3.4): a multinomial t over stems. A summary phrase gets its
share of the probability of its stems: that of a word is divided by the number of words with its stem, as in
the stem identity of the 2005 paper.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from vorlage.command.errors import InputError
from vorlage.compiled import exact_kernel
from vorlage.semihmm.candidates import LONGEST
from vorlage.semihmm.constants import LEAST_REST, UNSEEN
from vorlage.semihmm.jump_model import JumpModel
from vorlage.semihmm.kernels.forward_backward import Expected, KernelInputs
from vorlage.semihmm.null import null_of_words, null_state
from vorlage.semihmm.pairs import OnePair, PairSet
from vorlage.semihmm.table import (
    PADDING,
    Factors,
    PhraseTable,
    are_longer,
    find_phrases,
    match,
    pick,
    rewrite_values,
    row_of_entries,
    row_totals,
    stem_table,
)
from vorlage.semihmm.wordnet import FAR
from vorlage.settings import FakeCounts, Training
from vorlage.text.words import stem
from vorlage.types import AnyArray, Floats, Ints, LongInts

# The parts, and how people call them. The first four are computed from the phrase table at once.
KINDS = {
    "id": "identical",
    "stem": "stem",
    "wn": "WordNet",
    "rw": "lexical",
    "encoder": "encoder",
    "stems": "table of stems",
}
PARTS = tuple(KINDS)
ID, ENCODER, STEMS = (PARTS.index(part) for part in ("id", "encoder", "stems"))
STEEPEST = 50.0  # η is searched between 0 and this
# How much of its probability 1 each summary word of a pair may lose to the limits of float64.
LOST = 1e-6
LEAST = 1e-12
# Pairs of words that are in memory at once, in several arrays. A long pair is cut into parts of this size.
CELLS = 400_000
ALL = slice(None)
NOTHING = np.empty((0, 0))
# The factors of pairs of sentences, and the sentence of each word of the summary and of the document.
SentenceFactors: TypeAlias = tuple[Floats, Ints, Ints]
# r of pairs of distinct words (U, V), the distinct word of each summary word (T) and of each document word
# (n), and what the encoder adds to each pair of words (T, n), empty without it.
TypedRewrites: TypeAlias = tuple[Floats, Ints, Ints, Floats]


def enabled_parts(settings: Training, wordnet: bool) -> set[str]:
    """Return the parts of the mixture that take part in training; `wordnet`: whether it has WordNet."""
    of_paper = {"stem", "rw", "stems"} if settings.paper == 2004 else {"id", "stem", "rw"}
    return of_paper | ({"wn"} if wordnet else set()) | ({"encoder"} if settings.encoder else set())


@dataclass(frozen=True)
class Parameters:
    """The parameters that EM learns, which a model file holds.

    - `jumps`: the jump model;
    - `weights` (6): λ over PARTS, which sum to 1;
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

    def to_arrays(self) -> dict[str, AnyArray]:
        """Return arrays for a file, without those of the jump model."""
        own = {name: value for name, value in vars(self).items() if name != "jumps" and value is not None}
        return {name: np.asarray(value) for name, value in own.items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], jumps: JumpModel) -> "Parameters":
        """Return the parameters of arrays of `to_arrays`, with a jump model.

        Parts that the file does not know have the weight 0.
        """
        own = {field.name: arrays[field.name] for field in fields(cls) if field.name in arrays}
        own["weights"] = np.pad(own["weights"], (0, len(PARTS) - len(own["weights"])))
        values: dict[str, Any] = {name: array if array.ndim else array.item() for name, array in own.items()}
        return cls(jumps, **values)

    def across_languages(self) -> "Parameters":
        """Return the parameters for words and their translations, of which only identity and encoder know.

        The weights of the other parts go to the encoder.
        """
        weights = np.zeros(len(PARTS))
        weights[ID], weights[ENCODER] = self.weights[ID], 1.0 - self.weights[ID]
        return replace(self, weights=weights)


class KnownWords:
    """The V words of a corpus, sorted, their `stems`, and the `frequency` (V) of each in its summaries."""

    def __init__(
        self, words: Sequence[str], stems: Sequence[str], frequency: LongInts, language: str
    ) -> None:
        self.words, self.stems, self.frequency, self.language = words, stems, frequency, language
        self._numbers = {word: number for number, word in enumerate(words)}
        self._sizes = Counter(stems)
        self._alike = np.array([self._sizes[text] for text in stems])

    def find(self, words: Iterable[str]) -> Ints:
        """Return the number of each word, −1 for an unknown one."""
        return np.array([self._numbers.get(word, -1) for word in words], dtype=np.int32)

    def chance(self, words: Sequence[str], numbers: Ints) -> Floats:
        """Return 1 / |{w : stem(w) = stem(word)}| for each word; an unknown word counts itself too.

        `numbers`: of the words, by `find`.
        """
        alike, unknown = pick(self._alike, numbers), np.flatnonzero(numbers < 0)
        alike[unknown] = [self._sizes[stem(words[word], self.language)] + 1 for word in unknown.tolist()]
        return 1.0 / alike


class LocatedStems(NamedTuple):
    """The table over stems of some pairs: where its rows and entries are in that of a model, −1 for none.

    `groups` (E): the entry there of each entry of the phrase table.
    """

    table: PhraseTable
    rows: LongInts
    entries: LongInts
    groups: LongInts


class Located(NamedTuple):
    """Where the phrases of some pairs are among those of a model, or of all pairs of a training.

    - `rows` (V+P): the number that each phrase has there, −1 for an unknown one;
    - `entries` (E): the same of the entries of the phrase table;
    - `chance` (V+P): the stem part's value in each row, 1 / Π |{w : stem(w) = stem(d_i)}|;
    - `shares` (V): of each word among the words of the summaries of training, as if it occurred `UNSEEN`
      times if it is in none;
    - `stems`: of the table over stems, or None.
    """

    rows: LongInts
    entries: LongInts
    chance: Floats
    shares: Floats
    stems: LocatedStems | None


def locate(
    pairs: PairSet, known: KnownWords, table: PhraseTable, stems: tuple[list[str], PhraseTable] | None
) -> Located:
    """Return where the phrases of some pairs are.

    Args:
        pairs: the pairs.
        known: the words of the model.
        table: its phrase table.
        stems: its stems, sorted, and the table of their phrases, or None.
    """
    numbers, longer, of_stems = known.find(pairs.words), pairs.table.longer, None
    rows, chance = find_phrases(pairs.table, numbers, table), known.chance(pairs.words, numbers)
    if stems is not None:
        own, stem_pairs, groups = stem_table(
            pairs.table, [stem(word, known.language) for word in pairs.words]
        )
        by_stem = {text: number for number, text in enumerate(stems[0])}
        of_own = np.array([by_stem.get(text, -1) for text in own], dtype=np.int32)
        stem_rows = find_phrases(stem_pairs, of_own, stems[1])
        of_stems = LocatedStems(stem_pairs, stem_rows, match(stem_pairs, stems[1], stem_rows), groups)
    frequency = pick(known.frequency, numbers)
    return Located(
        rows=rows,
        entries=match(pairs.table, table, rows),
        chance=np.concatenate([chance, np.where(longer == PADDING, 1.0, chance[longer]).prod(axis=1)]),
        shares=np.where(frequency > 0, frequency, UNSEEN) / max(known.frequency.sum(), 1),
        stems=of_stems,
    )


class Rewrites:
    """r(s̄|d̄) and r(s̄|∅) of some pairs.

    - `values` (E): r of each entry of their phrase table, without the encoder's part;
    - `by_stems` (E): what the table over stems adds to it, None without this table;
    - `counts` (E): the counts of each entry;
    - `factors`: those of the other parts of the table;
    - `null`: r(s̄|∅) of each word (V), or of each phrase (V+P).
    """

    def __init__(
        self, pairs: PairSet, located: Located, parameters: Parameters, norms: Floats, settings: Training
    ) -> None:
        """Compute them.

        What a model has not seen: a phrase pair outside the lexical table has only its fake counts; a
        document phrase outside it has the fake counts of these pairs as its total; an unknown word joins the
        class of its stem; a null word in no summary has the share of the null state's fake count.

        Args:
            pairs: the pairs.
            located: where their phrases are among those of the parameters.
            parameters: of the model.
            norms: Z_d̄ of each row (V+P), 0 without WordNet.
            settings: those of training.
        """
        self._pairs, self._shares = pairs, located.shares
        self._parameters, self._settings, self._null = parameters, settings, null_state(settings)
        weights, table, fake_counts = parameters.weights, pairs.table, settings.fake_counts
        fake, trained = fake_table(fake_counts), (parameters.counts, parameters.totals)
        self.counts, totals = _lexical(table, located, trained, fake, fake_counts.unigram)
        self.factors = Factors(
            identical=weights[0],
            stem=weights[1] * located.chance,
            related=np.divide(weights[2], norms, out=np.zeros_like(norms), where=norms > 0),
            lexical=np.divide(weights[3], totals, out=np.zeros_like(totals), where=totals > 0),
            decay=decays(parameters.eta),
            fake=fake,
            spread=fake_counts.unigram * located.shares,
        )
        self.values = rewrite_values(table, pairs.distance, self.factors, self.counts)
        self.by_stems = None
        if located.stems is not None:
            by_stems = _by_stems(located.stems, parameters, fake) * located.chance[table.partners]
            self.by_stems = weights[STEMS] * by_stems
            self.values += self.by_stems
        null = pick(parameters.null, located.rows[: self._null.size(table)])
        # A new phrase has the fake count of phrases, a new word that of words.
        of_phrases = fake_counts.phrase / settings.null_smoothing * parameters.unseen
        unseen = np.where(np.arange(len(null)) < len(pairs.words), parameters.unseen, of_phrases)
        self.null = np.where(null > 0.0, null, unseen)

    def inputs(self, numbers: Iterable[int]) -> Iterator[tuple[OnePair, KernelInputs, "WordRewrites"]]:
        """Yield pairs, by their numbers, their kernel inputs without word rewrites, and these."""
        for pair in map(self._pairs.pair, numbers):
            null_phrases = np.zeros(len(pair.places))
            factors = pair.factors, pair.summary_sentences, pair.document_sentences
            if self._null.emits_phrases:  # at one document word
                null_phrases = self.null[self._pairs.table.partners[pair.entries]] * (pair.places[:, 3] == 1)
            phrase_rewrites, by_end = rewrite_phrases(self.values, pair.places, pair.entries, factors)
            inputs = KernelInputs(
                word_rewrites=np.empty((0, len(pair.document))),
                null_rewrites=self.null[pair.summary],
                phrases=pair.places,
                by_end=by_end,
                phrase_rewrites=phrase_rewrites,
                transitions=self._parameters.jumps.transitions(pair),
                null_phrases=null_phrases,
            )
            context, weight = None, self._parameters.weights[ENCODER]
            if weight and pair.contexts is not None:
                context = Context(pair, self._shares, self._settings, weight)
            yield pair, inputs, WordRewrites(pair, self.values.take(pair.cells.T), context)


def _lexical(
    table: PhraseTable,
    located: Located | LocatedStems,
    trained: tuple[Floats, Floats],
    fake: Floats,
    unigram: float = 0.0,
) -> tuple[Floats, Floats]:
    """Return the counts of the entries of a table and the totals of its rows; `trained`: those of a model."""
    counts = pick(trained[0], located.entries)
    return counts, row_totals(table, fake, counts, unigram, pick(trained[1], located.rows))


def _by_stems(located: LocatedStems, parameters: Parameters, fake: Floats) -> Floats:
    """Return t over stems of each entry of the phrase table: counts and fake counts over those of the row."""
    assert parameters.stem_counts is not None and parameters.stem_totals is not None
    table, trained = located.table, (parameters.stem_counts, parameters.stem_totals)
    counts, totals = _lexical(table, located, trained, fake)
    counts = counts + fake[are_longer(table).astype(int), table.kind]
    of_entries = totals[row_of_entries(table)]
    shares = np.divide(counts, of_entries, out=np.zeros_like(of_entries), where=of_entries > 0)
    return shares[located.groups]


def decays(eta: float) -> Floats:
    """Return e^(−η·distance) by distance, 0 for FAR."""
    decay = np.exp(-eta * np.arange(FAR + 1.0))
    decay[FAR] = 0.0
    return decay


def fake_table(fake_counts: FakeCounts) -> Floats:
    """Return the fake counts (2, 3) of pairs of words and of other phrase pairs, by kind of entry."""
    like = np.array([0.0, fake_counts.stem, fake_counts.stem + fake_counts.identical])
    return np.stack([fake_counts.word + like, fake_counts.phrase + like])


class Context:
    """The encoder's part e of a pair, weighted, computed for some words at a time."""

    def __init__(self, pair: OnePair, shares: Floats, settings: Training, weight: float) -> None:
        """Sum over the words of the summary; `shares`: of `Located`; `weight`: of the part."""
        assert pair.contexts is not None
        types, index = pair.summary_types
        of_types, (length, n) = shares[types], pair.contexts.shape
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

    def part(self, rows: slice = ALL, columns: slice = ALL) -> Floats:
        """Return the part of some summary words and some document words."""
        cosines = self._cosines[rows, columns].astype(float, order="C")
        nearness = np.exp((cosines - self._nearest[rows]) / (2.0 * self._temperature))
        part: Floats = self._weighed(cosines, rows, columns) / self._norm[columns] * nearness
        return self._weight * np.maximum(part, LEAST)

    def _weighed(self, cosines: Floats, rows: slice, columns: slice) -> Floats:
        scaled = (cosines - self._baseline) / self._temperature
        weighed: Floats = self._shares[rows] * np.exp(scaled - self._top[columns])
        return weighed


class WordRewrites(NamedTuple):
    """r of one word by another in a pair, computed for some words at a time.

    `by_types` (U, V): that of the phrase table, for pairs of distinct words; `context`: the encoder's part,
    or None.
    """

    pair: OnePair
    by_types: Floats
    context: Context | None

    def by_type(self, rows: slice = ALL, columns: slice = ALL) -> TypedRewrites:
        """Return r of some summary and document words, without the factors of their sentences."""
        types = self.pair.summary_types[1][rows], self.pair.document_types[1][columns]
        return self.by_types, *types, self.context.part(rows, columns) if self.context else NOTHING

    def of(self, rows: slice = ALL) -> Floats:
        """Return r of some summary words and all document words."""
        sentences = self.pair.summary_sentences[rows], self.pair.document_sentences
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


@exact_kernel
def rewrite_phrases(
    values: Floats, places: Ints, entries: Ints, factors: SentenceFactors
) -> tuple[Floats, Ints]:
    """Return r of each longer phrase pair of a pair (m), and their order by the end of the summary phrase.

    Args:
        values: r of each entry (E).
        places: the phrase pairs (t, k, j, l), sorted (m, 4).
        entries: the entry of each (m).
        factors: of the pair.
    """
    out, by_end = np.empty(entries.shape[0]), np.empty(entries.shape[0], np.int32)
    first = np.zeros(places[-1, 0] + LONGEST if len(places) else 0, np.int64)
    for m in range(entries.shape[0]):
        t, k, j = places[m, 0], places[m, 1], places[m, 2]
        first[t + k + 1] += 1
        out[m] = values[entries[m]]
        for _ in range(k):
            out[m] *= factors[0][factors[1][t], factors[2][j]]
    first = np.cumsum(first)
    for m in range(entries.shape[0]):
        end = places[m, 0] + places[m, 1]
        by_end[first[end]] = m
        first[end] += 1
    return out, by_end


def check_expected(pair: str, inputs: KernelInputs, words: float, expected: Expected) -> None:
    """Raise `InputError` unless the posteriors of each summary word of a pair sum to 1.

    The sum differs from 1 if every alignment has probability 0, or if the probabilities of two alignments
    differ by more than float64 can hold.

    Args:
        pair: its id.
        inputs: the pair.
        words: the sum of the posteriors of one-word phrases.
        expected: the others.
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
