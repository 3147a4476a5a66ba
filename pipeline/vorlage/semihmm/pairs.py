"""Pairs of texts as the model sees them: numbers of words, candidates, and what tells about links.

Training and decoding make a pair in the same way: a block of training is a set of up to 256 pairs, and what
is aligned is a set of one.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import repeat
from typing import NamedTuple

import numpy as np

from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.encoder.similarities import Measure
from vorlage.files.arrays import Ragged
from vorlage.semihmm.evidence import sentence_factors, stem_cosines
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.semihmm.phrase_pairs import PhrasePairs, TextArrays, WordArrays, find_phrase_pairs
from vorlage.semihmm.table import transpose
from vorlage.semihmm.wordnet import WordNetDistances
from vorlage.settings import Training
from vorlage.text.tokenized import Text
from vorlage.text.words import content_stem, is_punctuation, number_stems, stem
from vorlage.trees.tree_arrays import Trees
from vorlage.types import AnyArray, Bools, Floats, Ints, Span

# Words of a sentence, because the walks inside it take 24 bytes for every two of its words.
LONGEST = 8_000
OF_PAIR = "\0"  # behind a word that belongs to one pair; no text has it


@dataclass(frozen=True)
class PairArrays:
    """One pair of n document and T summary words, of which V and U are distinct.

    - `cells` (V, U) int32: the entry of each pair of distinct words in the phrase table;
    - `places` (m, 4) int32: the longer phrase pairs (t, k, j, l), sorted; `entries` (m): their entries;
    - `factors` (S, D) float64: of rewrites between two sentences, see `vorlage.semihmm.evidence`;
    - `contexts` (T, n) float16: cosines of contextual word vectors, or None;
    - `forest`: the trees of the document sentences, for a jump model over trees.
    """

    id: str
    document: WordArrays
    summary: WordArrays
    cells: Ints
    places: Ints
    entries: Ints
    factors: Floats
    contexts: AnyArray | None
    forest: Forest | None


@dataclass(frozen=True)
class PairSet(PhrasePairs):
    """N pairs and their candidates.

    `words` (V): sorted. `stems` (V), `punctuation` (V): a number for the stem of each, and whether it has
    neither letters nor digits. The other fields have the arrays of `PairArrays`, flat. If the sides are
    `swapped`, so that the document is generated from the summary, the matrices of `cells`, `factors` and
    `contexts` are as before.
    """

    ids: list[str]
    words: list[str]
    stems: Ints
    punctuation: Bools
    language: str
    document: TextArrays
    summary: TextArrays
    factors: Ragged
    contexts: Ragged | None
    forest: tuple[Ragged, ...] | None
    swapped: bool = False

    def pair(self, i: int) -> PairArrays:
        """Return the arrays of a pair."""
        document, summary = self.document.text(i), self.summary.text(i)
        first, second = (summary, document) if self.swapped else (document, summary)
        return PairArrays(
            id=self.ids[i],
            document=document,
            summary=summary,
            cells=np.ascontiguousarray(self._matrix(self.cells, i, first.types)),
            places=self.places.part(i).reshape(-1, 4),
            entries=self.entries.part(i),
            factors=np.ascontiguousarray(self._matrix(self.factors, i, second.sentence_ends)),
            contexts=self.contexts and self._matrix(self.contexts, i, second.words),
            forest=Forest(*(field.part(i) for field in self.forest)) if self.forest else None,
        )

    def _matrix(self, matrices: Ragged, i: int, rows: Ints) -> AnyArray:
        """Return the matrix of a pair, which had these rows before sides were swapped."""
        matrix: AnyArray = matrices.part(i).reshape(len(rows), -1)
        return matrix.T if self.swapped else matrix

    def reversed(self) -> "PairSet":
        """Return the pairs with their sides swapped: the document is generated from the summary.

        They are what `make_pairs` would find for them, if phrases of a text may be as long as before.
        """
        table, numbers = transpose(self.table)
        distance = np.empty_like(self.distance)
        distance[numbers] = self.distance
        places = self.places.flat.reshape(-1, 4)[:, [2, 3, 0, 1]]
        order = np.lexsort((*places.T[::-1], self.entries.numbers()))
        return replace(
            self,
            table=table,
            distance=distance,
            document=self.summary,
            summary=self.document,
            cells=Ragged(numbers[self.cells.flat], self.cells.bounds),
            places=Ragged(places[order].ravel(), self.places.bounds),
            entries=Ragged(numbers[self.entries.flat[order]], self.entries.bounds),
            related=self.related[::-1],
            forest=None,
            swapped=not self.swapped,
        )


class PairResources(NamedTuple):
    """What pairs are made with; `wordnet`: None without WordNet.

    - `trees`: from the sentences of a document, each a list of tokens, to their trees; None without trees;
    - `labels`: of the trees, those of the jump model;
    - `similarities`: from pairs and the sentences of their extracts to those of an encoder, or None;
    - `shared`: the words and phrases whose rows of the table pairs share; None for all. Any other word has a
      number for each pair, so that what a model says of it does not depend on other pairs.
    """

    settings: Training
    wordnet: WordNetDistances | None = None
    trees: Callable[[list[list[str]]], Trees] | None = None
    labels: tuple[str, ...] = ()
    similarities: Measure | None = None
    shared: Set[str] | None = None


def make_pairs(extracted: Sequence[tuple[Pair, Sequence[int]]], sources: PairResources) -> PairSet:
    """Return pairs of one language, each with the numbers of the sentences of its extract, ascending.

    Raises:
        InputError: for a sentence without a tree, or too long for one.
    """
    settings, language, shared = sources.settings, extracted[0][0].language, sources.shared
    sides: list[list[tuple[Text, list[Span]]]] = [
        [(pair.document, [pair.document.sentences[s] for s in chosen]) for pair, chosen in extracted],
        [(pair.summary, list(pair.summary.sentences)) for pair, _ in extracted],
    ]
    texts = [[_words(i, *text, shared) for i, text in enumerate(of_side)] for of_side in sides]
    words = sorted({word for of_side in texts for text in of_side for word in text})
    numbers = {word: number for number, word in enumerate(words)}
    words = [word.partition(OF_PAIR)[0] for word in words]
    document, summary = (
        TextArrays.from_texts(
            [np.array([numbers[word] for word in text], dtype=np.int32) for text in of_texts],
            [spans for _, spans in of_side],
            len(words),
        )
        for of_texts, of_side in zip(texts, sides, strict=True)
    )
    stems = number_stems(words, language, stem)
    found = find_phrase_pairs(
        document, summary, words, stems, settings, sources.wordnet, apart=shared is not None
    )
    evidence = _evidence(extracted, document, summary, number_stems(words, language, content_stem), sources)
    factors, contexts, forests = zip(*evidence, strict=True)
    return PairSet(
        ids=[pair.id for pair, _ in extracted],
        words=words,
        stems=stems,
        punctuation=np.array(list(map(is_punctuation, words)), dtype=bool),
        language=language,
        document=document,
        summary=summary,
        factors=Ragged.join(factors),
        contexts=None if contexts[0] is None else Ragged.join(contexts),
        forest=forests[0] and tuple(Ragged.join(field) for field in zip(*forests, strict=True)),
        **vars(found),
    )


def _words(pair: int, text: Text, sentences: Sequence[Span], shared: Set[str] | None) -> list[str]:
    """Return the words of some sentences, lower-case, with the number of the pair if they are its own."""
    words = [word.lower() for first, last in sentences for word in text.words[first:last]]
    if shared is None:
        return words
    return [word if word in shared else f"{word}{OF_PAIR}{pair}" for word in words]


def _evidence(
    extracted: Sequence[tuple[Pair, Sequence[int]]],
    document: TextArrays,
    summary: TextArrays,
    stems: Ints,
    sources: PairResources,
) -> Iterator[tuple[Floats, AnyArray | None, Forest | None]]:
    """Yield factors, contexts and trees of each pair, as in `PairArrays`; `stems`: of content words."""
    similarities = sources.similarities(extracted) if sources.similarities else repeat(None)
    for i, ((pair, chosen), similar) in enumerate(zip(extracted, similarities, strict=False)):
        forest = None
        if sources.trees:
            tokens = sentence_tokens(pair, chosen)
            forest = make_forest(sources.trees(tokens), tokens, sources.labels)
        own, source = summary.text(i), document.text(i)
        cosines = stem_cosines(stems, own.words, own.sentence_ends, source.words, source.sentence_ends)
        lengths = np.bincount(own.sentences), np.bincount(source.sentences)
        factors = sentence_factors(cosines, lengths, sources.settings, similar, not pair.language)
        yield factors, similar and similar.words, forest


def sentence_tokens(pair: Pair, sentences: Sequence[int]) -> list[list[str]]:
    """Return the tokens of some document sentences; raise `InputError` for more than `LONGEST` in one."""
    spans = [pair.document.sentences[sentence] for sentence in sentences]
    longest = max(last - first for first, last in spans)
    if longest > LONGEST:
        raise InputError(
            f"pair {pair.id}: a sentence of its document has {longest:,} words, and a jump model over "
            f"trees takes at most {LONGEST:,}; split it, or leave out the pair or the jump model"
        )
    return [pair.document.words[first:last] for first, last in spans]


def make_forest(trees: Trees, sentences: Sequence[Sequence[str]], labels: Sequence[str]) -> Forest:
    """Return the forest of consecutive sentences; raise `InputError` for one without a tree.

    `labels`: those of the jump model; other labels get the number `len(labels)`.
    """
    numbers = {label: number for number, label in enumerate(labels)}
    renumbered = np.array([numbers.get(label, len(labels)) for label in trees.labels], dtype=np.int32)
    starts, ends, node_labels = [], [], []
    first = 0
    for tokens in sentences:
        try:
            nodes = trees.find_nodes(tokens)
        except KeyError:
            text = " ".join(tokens if len(tokens) <= 12 else [*tokens[:12], "…"])
            raise InputError(
                f'the sentence "{text}" has no tree; parse the extracts again with vorlage parse'
            ) from None
        starts.append(nodes.start + first)
        ends.append(nodes.end + first)
        node_labels.append(renumbered[nodes.label])
        first += len(tokens)
    start, end, label = (np.concatenate(parts) for parts in (starts, ends, node_labels))
    order = np.lexsort((end, start))
    rows = np.searchsorted(start[order], np.arange(first + 1)).astype(np.int32)
    return Forest(rows, end[order].astype(np.int32), label[order])
