"""Finds the document sentences most similar to each summary sentence (Daumé & Marcu 2005, Section 5.1).

A sentence is a bag of stems without stop words. A stem weighs tf · idf, where idf = 1 + ln((1 + N) / (1 +
df)) and df is how many of the N sentences of all documents of the corpus contain the stem: of sentences,
because sentences are compared, and of the whole corpus, because a single document is small. Stems that no
document contains are left out; they would not change any order. Memory grows with the number of different
stems, about 150 bytes each.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from vorlage.command.errors import InputError
from vorlage.documents.pair import read_pairs
from vorlage.files.arrays import concatenate_ragged
from vorlage.files.jsonl import read_json
from vorlage.text.tokenized import Text
from vorlage.text.words import content_stem
from vorlage.types import Floats, LongInts, Span, StrPath

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Similarities are rounded to this many digits before they are compared: rounding errors decide no tie.
DIGITS = 12


@dataclass
class StemCounts:
    """`sentences`: the number of sentences; `stems`: stem → the number of sentences it occurs in."""

    sentences: int = 0
    stems: Counter[str] = field(default_factory=Counter)

    def add(self, sentences: Iterable[Iterable[str]]) -> None:
        """Count sentences, given as their stems."""
        for stems in sentences:
            self.sentences += 1
            self.stems.update(set(stems))


def content_stems(sentence: Iterable[str], language: str = "en") -> list[str]:
    """Return the stems of the words of a sentence that are not stop words, with repetitions."""
    stems = (content_stem(word, language) for word in sentence)
    return [stem for stem in stems if stem is not None]


def sentence_stems(text: Text) -> list[list[str]]:
    """Return the content stems of each sentence of a text."""
    return [content_stems(words, text.language) for words in text.sentence_words()]


def count_stems(corpus: StrPath) -> StemCounts:
    """Return the counts of a `corpus.jsonl`."""
    counts = StemCounts()
    for pair in read_pairs(corpus):
        counts.add(sentence_stems(pair.document))
    return counts


def read_counts(path: StrPath) -> StemCounts:
    """Read the counts that `vorlage extract --count-stems` wrote; raise `InputError` for another file."""
    record = read_json(path, "counts of stems", "vorlage extract --count-stems")
    if not isinstance(record.get("sentences"), int) or not isinstance(record.get("stems"), dict):
        raise InputError(f"{path}: not counts of stems; make the file with `vorlage extract --count-stems`")
    return StemCounts(record["sentences"], Counter(record["stems"]))


@dataclass(frozen=True)
class StemWeights:
    """The stems of a corpus: `columns`: stem → its column, `idf`: the weight of each."""

    columns: dict[str, int]
    idf: Floats


class SentenceWeights(NamedTuple):
    """The tf · idf weights of the stems of sentences, not normalised, sorted by sentence and column.

    `shape`: of the matrix of sentences × stems; `rows` (m), `columns` (m), `values` (m): its entries.
    """

    shape: Span
    rows: LongInts
    columns: LongInts
    values: Floats

    def unit_values(self) -> Floats:
        """Return the values (m) over the length of their sentence."""
        lengths = np.sqrt(np.bincount(self.rows, self.values**2, minlength=self.shape[0]))
        return self.values * (1 / np.where(lengths, lengths, 1.0))[self.rows]

    def matrix(self) -> "csr_matrix":
        """Return the sparse matrix."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.values, (self.rows, self.columns)), self.shape)


def fit_weights(counts: StemCounts) -> StemWeights:
    """Return the weights for `weigh_stems` from the counts of a corpus.

    Raise `InputError` if every word of the documents is a stop word.
    """
    if not counts.stems:
        raise InputError(
            "no document of the corpus has a word outside the stop list, so no sentences can be compared; "
            "check the corpus and its `language`"
        )
    stems = sorted(counts.stems)
    frequencies = np.array([counts.stems[stem] for stem in stems], dtype=float)
    idf = np.log((counts.sentences + 1) / (frequencies + 1)) + 1
    return StemWeights({stem: column for column, stem in enumerate(stems)}, idf)


def weigh_stems(weights: StemWeights, sentences: Sequence[Iterable[str]]) -> SentenceWeights:
    """Return the tf · idf weights of sentences of stems."""
    columns = [[weights.columns[stem] for stem in stems if stem in weights.columns] for stems in sentences]
    all_columns, bounds = concatenate_ragged(columns, np.int64)
    shape = len(columns), len(weights.columns)
    cells = np.repeat(np.arange(shape[0]), np.diff(bounds)) * shape[1] + all_columns
    cells, counts = np.unique(cells, return_counts=True)
    rows, places = np.divmod(cells, shape[1])
    return SentenceWeights(shape, rows, places, counts * weights.idf[places])


def compute_similarities(summary: SentenceWeights, document: SentenceWeights) -> Floats:
    """Return the cosines of the weights of sentences, summary sentences × document sentences.

    A sentence of stop words alone has similarity 0 to every other.
    """
    stems, places = np.unique(summary.columns, return_inverse=True)
    dense = np.zeros((summary.shape[0], len(stems)))
    dense[summary.rows, places] = summary.unit_values()
    shared = np.isin(document.columns, stems)
    places = np.searchsorted(stems, document.columns[shared])
    rows, values = document.rows[shared], document.unit_values()[shared]
    # One by one: all products together would take gigabytes for long texts.
    cosines = [np.bincount(rows, sentence[places] * values, document.shape[0]) for sentence in dense]
    return np.array(cosines, dtype=float).reshape(summary.shape[0], document.shape[0]).round(DIGITS)


def choose_most_similar(similarity: Floats, count: int) -> LongInts:
    """Return the `count` columns with the largest values of each row, largest first, as an array of rows.

    Ties go to the earlier column. A row of zeros gets the first columns (the lead of the document), and a row
    of fewer than `count` columns gets them all.
    """
    return np.argsort(-similarity, axis=1, kind="stable")[:, :count]
