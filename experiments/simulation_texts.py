"""Documents, models, texts drawn from them, and the likelihoods of these, for `simulation.py`.

The documents are pieces of the bundled corpus with their rare words replaced by frequent ones, so that few
parameters describe all rewrites. The recursions are plain NumPy over whole matrices, independent of the
compiled ones.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from nltk import Tree
from vorlage.files.jsonl import read_jsonl
from vorlage.semihmm.jump_model import ByDistance, JumpModel, OverTrees
from vorlage.semihmm.jumps.exponential import Exponential
from vorlage.semihmm.jumps.gaussian import Gaussian
from vorlage.semihmm.jumps.relative import Relative
from vorlage.semihmm.jumps.syntax import Syntax
from vorlage.semihmm.pairs import make_forest
from vorlage.settings import Parse
from vorlage.text.tokenize import make_text
from vorlage.text.words import stem
from vorlage.trees.parser import list_constituents, open_parser
from vorlage.trees.tree_arrays import Trees, sentence_id
from vorlage.types import Floats

CORPUS = Path("data/sample/corpus.jsonl")
JUMPS = ("relative", "gaussian", "exponential", "syntax")  # of drawn texts
SEED = 1
NULL = 0.2  # φ of all models
LENGTH = 0.5  # words of a text with phrases, for each word of its document
FREQUENT_NULLS = 10  # words that the null state emits
FITS = 10  # M-steps of the syntax jumps, each a search of a few steps


@dataclass(frozen=True)
class Document:
    """The sentences of a document and their trees."""

    sentences: list[list[str]]
    trees: list[Tree]

    @cached_property
    def words(self) -> list[str]:
        """The words of all sentences."""
        return [word for sentence in self.sentences for word in sentence]

    @cached_property
    def bounds(self) -> list[int]:
        """The number of words before each sentence, and of all words."""
        return [0, *accumulate(map(len, self.sentences))]

    @cached_property
    def fewest(self) -> list[dict[int, tuple[int, str]]]:
        """At [x][y], the (end, label) of the first of the fewest constituents that cover words x … y−1.

        Of a unary chain, the topmost one counts.
        """
        n = len(self.words)
        count = np.full((n + 1, n + 1), n + 1)
        np.fill_diagonal(count, 0)
        starts: list[list[tuple[int, str]]] = [[] for _ in self.words]
        for first, tree in zip(self.bounds, self.trees, strict=False):
            for node in list_constituents(tree):
                starts[first + node.start].append((first + node.end, node.label))
        fewest: list[dict[int, tuple[int, str]]] = [{} for _ in self.words]
        for x in range(n - 1, -1, -1):
            for y in range(x + 1, n + 1):
                fitting = (node for node in starts[x] if node[0] <= y)
                fewest[x][y] = min(fitting, key=lambda node: count[node[0], y])
                count[x, y] = count[fewest[x][y][0], y] + 1
        return fewest

    def skipped(self, position: int, target: int) -> list[tuple[str, int]]:
        """Return the label and the direction, 0 forward, of the constituents that a jump skips.

        `position`: words before the one that the jump starts from; `target`: before the one that it enters.
        """
        x, y = sorted((position, target))
        labels = []
        while x < y:
            x, label = self.fewest[x][y]
            labels.append((label, int(target < position)))
        return labels

    def is_next(self, position: int, target: int) -> bool:
        """Return whether a jump goes to the next word of the sentence."""
        return target == position and position not in self.bounds

    def holds(self, length: int) -> list[bool]:
        """Return whether each word begins a phrase of some words inside its sentence."""
        return [i + length <= len(sentence) for sentence in self.sentences for i in range(len(sentence))]


def jump_matrix(jumps: JumpModel, document: Document) -> Floats:
    """Return J(p→j) from positions 0 … n (rows) to words 1 … n and the end (columns)."""
    n = len(document.words)
    if isinstance(jumps, OverTrees):
        return (1 - jumps.null_probability) * walks(document, jumps)
    assert isinstance(jumps, ByDistance)
    distance = np.arange(1, n + 2)[None, :] - np.arange(n + 1)[:, None]
    by_distance: Floats = np.exp(jumps.logarithms(n))[distance + n]  # of −n … n + 1
    return by_distance


def walks(document: Document, jumps: OverTrees) -> Floats:
    """Return the product of the factors of the constituents that each jump skips, in the form of J.

    The fitted ones have a factor of the next word, and are a distribution.
    """
    n, factors = len(document.words), dict(zip(jumps.labels, jumps.factors, strict=True))
    over = np.ones((n + 1, n + 1, 2))  # at [x, y], words x … y−1, forward and backward
    for x in range(n - 1, -1, -1):
        for y, (end, label) in document.fewest[x].items():
            over[x, y] = over[end, y] * factors[label]
    weights = np.triu(over[:, :, 0]) + np.triu(over[:, :, 1], 1).T
    if isinstance(jumps, Syntax):
        inside = [position for position in range(n + 1) if document.is_next(position, position)]
        weights[inside, inside] = jumps.next_word
        weights /= weights.sum(axis=1, keepdims=True)
    return weights


class Rewrites(NamedTuple):
    """`table` (V, V): r(s|d) of words, a row for each document word; `null` (V): r(s|∅)."""

    words: list[str]
    table: Floats
    null: Floats

    def numbers(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of words."""
        numbers = {word: number for number, word in enumerate(self.words)}
        return [numbers[word] for word in words]


class Drawn(NamedTuple):
    """A drawn text: its words, and (document word, length) of each phrase; −1 for the null state."""

    summary: list[str]
    steps: list[tuple[int, int]]

    @property
    def sources(self) -> list[int]:
        """The document word that each word comes from, −1 for the null state."""
        return [first + i if first >= 0 else -1 for first, length in self.steps for i in range(length)]


@dataclass(frozen=True)
class Simulation:
    """What texts are drawn from.

    `lengths`: the weight of a step by the words of its phrase; phrases of several words are copied. `share`:
    the words of a text for each word of its document; None lets the model decide.
    """

    documents: list[Document]
    rewrites: Rewrites
    jumps: JumpModel
    lengths: tuple[float, ...] = (1.0,)
    share: float | None = None

    @cached_property
    def ways(self) -> list[tuple[Floats, Floats]]:
        """The jumps of each document, and the mass of the ways to its end (see `remaining`)."""
        ways = []
        for document in self.documents:
            matrix = jump_matrix(self.jumps, document)
            steps = self.words_of(document) or 4 * len(document.words)
            ways.append(
                (matrix, remaining(matrix, self.jumps.null_probability, steps, document, self.lengths))
            )
        return ways

    def words_of(self, document: Document) -> int | None:
        """Return the length of the text of a document, None if the model decides."""
        return None if self.share is None else max(1, round(self.share * len(document.words)))

    def draw(self, rng: np.random.Generator) -> list[Drawn]:
        """Draw a text for each document, with the probability that the model gives it among all texts.

        A jump out of the document has no way to its end. The mass of the ways from the state after a step is
        therefore a factor of the probability of the step.
        """
        both = zip(self.documents, self.ways, strict=True)
        return [self._draw(document, *ways, rng) for document, ways in both]

    def _draw(self, document: Document, matrix: Floats, mass: Floats, rng: np.random.Generator) -> Drawn:
        words, n = self.rewrites.words, len(document.words)
        rows = self.rewrites.numbers(document.words)
        left = self.words_of(document)
        if left is None:
            left = 1 + int(rng.choice(len(mass) - 1, p=mass[1:, 0] / mass[1:, 0].sum()))
        position, summary, steps = 0, list[str](), list[tuple[int, int]]()
        while left:
            weights = [np.array([self.jumps.null_probability * mass[left - 1, position]])]
            for length, weight in enumerate(self.lengths[:left], start=1):
                weights.append(matrix[position, :n] * weight * entered(mass, left, length, document))
            flat = np.concatenate(weights)
            step = int(rng.choice(len(flat), p=flat / flat.sum()))
            if step == 0:
                first, length, row = -1, 1, self.rewrites.null
            else:
                first, length = (step - 1) % n, (step - 1) // n + 1
                row, position = self.rewrites.table[rows[first]], first + length
            steps.append((first, length))
            single = length == 1
            summary += [words[rng.choice(len(words), p=row)]] if single else document.words[first:position]
            left -= length
        return Drawn(summary, steps)


def entered(mass: Floats, left: int, length: int, document: Document) -> Floats:
    """Return the mass of the ways that continue after a phrase from each word (n), with `left` words left."""
    values = np.zeros(len(document.words))
    values[: len(values) - length + 1] = mass[left - length, length:]
    return np.where(document.holds(length), values, 0.0)


def remaining(
    matrix: Floats, null: float, words: int, document: Document, lengths: Sequence[float] = (1.0,)
) -> Floats:
    """Return, at [t, p], the mass of all ways from position p to the end that emit t words."""
    mass = np.empty((words + 1, len(matrix)))
    mass[0] = matrix[:, -1]
    for t in range(1, words + 1):
        after = sum(
            weight * entered(mass, t, length, document) for length, weight in enumerate(lengths[:t], start=1)
        )
        mass[t] = null * mass[t - 1] + matrix[:, :-1] @ after
    return mass


def log_likelihood(matrix: Floats, null: float, words: Floats, nulls: Floats) -> float:
    """Return log Pr(s|d), for phrases of one word.

    `words` (T, n): r(s_t|d_j); `nulls` (T): r(s_t|∅).
    """
    alpha, norms = np.zeros(len(matrix)), np.ones(len(words))
    alpha[0] = 1.0
    for t, row in enumerate(words):
        entered = alpha @ matrix[:, :-1] * row
        alpha *= null * nulls[t]
        alpha[1:] += entered
        norms[t] = alpha.sum()
        alpha /= norms[t]
    return float(np.log(norms).sum() + np.log(alpha @ matrix[:, -1]))


def likelihoods(
    documents: Sequence[Document], drawn: Sequence[Drawn], jumps: JumpModel, rewrites: Rewrites
) -> tuple[float, float]:
    """Return log Pr of drawn texts, and the same given their lengths, a distribution for every model."""
    whole = given = 0.0
    for document, text in zip(documents, drawn, strict=True):
        matrix, summary = jump_matrix(jumps, document), rewrites.numbers(text.summary)
        emitted = rewrites.table[np.ix_(rewrites.numbers(document.words), summary)].T
        value = log_likelihood(matrix, jumps.null_probability, emitted, rewrites.null[summary])
        whole += value
        given += value - float(
            np.log(remaining(matrix, jumps.null_probability, len(summary), document)[-1, 0])
        )
    return whole, given


def fit_to_steps(jumps: JumpModel, documents: Sequence[Document], drawn: Sequence[Drawn]) -> JumpModel:
    """Return what an M-step makes of the drawn steps, as if they were seen."""
    counts, nulls, total = jumps.zeros(), 0, 0
    labels = {label: number for number, label in enumerate(jumps.tree_labels())}
    for document, text in zip(documents, drawn, strict=True):
        position, uses, departures = 0, np.zeros((len(labels) + 2, 2)), np.zeros(len(document.words) + 1)
        for first, length in [*text.steps, (len(document.words), 0)]:
            if first < 0:
                nulls += 1
                continue
            total += 1
            if isinstance(jumps, ByDistance):
                counts[first + 1 - position - jumps.distances()[0]] += 1
            departures[position] += 1
            uses[-1, 0] += document.is_next(position, first)
            for label, direction in document.skipped(position, first) if labels else ():
                uses[labels[label], direction] += 1
            position = first + length
        if isinstance(jumps, Syntax):
            forest = make_forest(collect_trees([document]), document.sentences, jumps.labels)
            counts.append((uses, (forest, np.array(document.bounds, dtype=np.int32)), departures))
    for _ in range(FITS if isinstance(jumps, Syntax) else 1):
        jumps = jumps.maximised(counts, nulls, total)
    return jumps


def make_documents(
    texts: Sequence[Sequence[tuple[list[str], Tree]]], vocabulary: int, size: int
) -> list[Document]:
    """Return documents of at least `size` words, whose rare words are replaced by frequent ones.

    `texts`: the sentences of each, with trees; `vocabulary`: the number of words, each with its own stem.
    """
    counts = Counter(word.lower() for text in texts for words, _ in text for word in words)
    by_stem: dict[str, str] = {}
    for word, _ in counts.most_common():
        if len(by_stem) < vocabulary:
            by_stem.setdefault(stem(word), word)
    kept, rng = list(by_stem.values()), np.random.default_rng(SEED)
    shares = np.array([counts[word] for word in kept], dtype=float)
    shares /= shares.sum()
    new = {word: word if word in kept else str(rng.choice(kept, p=shares)) for word in sorted(counts)}
    documents = []
    for text in texts:
        sentences, trees = list[list[str]](), list[Tree]()
        for words, tree in text:
            sentences.append([new[word.lower()] for word in words])
            trees.append(tree)
            if sum(map(len, sentences)) >= size:
                documents.append(Document(sentences, trees))
                sentences, trees = [], []
    return documents


def bundled_texts() -> list[list[tuple[list[str], Tree]]]:
    """Return the sentences of each document of the bundled corpus, with trees of the parser `pattern`."""
    parser, texts = open_parser(Parse()), []
    for _, record in read_jsonl(CORPUS):
        sentences = make_text(record["document"]).sentence_words()
        texts.append(
            [(words, parsed.tree) for words, parsed in zip(sentences, parser(sentences), strict=True)]
        )
    return texts


def collect_trees(documents: Sequence[Document]) -> Trees:
    """Return the trees of the sentences of documents."""
    found = {
        sentence_id(sentence): list_constituents(tree)
        for document in documents
        for sentence, tree in zip(document.sentences, document.trees, strict=True)
    }
    return Trees.collect(found.items())


def make_rewrites(documents: Sequence[Document], rng: np.random.Generator, same: float = 1.0) -> Rewrites:
    """Return rewrites by which words stay the same, or else become one of three others.

    `same`: the least probability that a word stays the same; the largest is halfway between it and 1.
    """
    counts = Counter(word for document in documents for word in document.words)
    words = sorted(counts)
    table = np.eye(len(words))
    for number, row in enumerate(table):
        stays = rng.uniform(same, (1 + same) / 2)
        others = rng.choice(np.delete(np.arange(len(words)), number), 3, replace=False)
        row[number], row[others] = stays, (1 - stays) * np.array([0.6, 0.3, 0.1])
    frequent = {word: count for word, count in counts.most_common(FREQUENT_NULLS)}
    null = np.array([frequent.get(word, 0) for word in words], dtype=float)
    return Rewrites(words, table, null / null.sum())


def make_jumps(documents: Sequence[Document]) -> dict[str, JumpModel]:
    """Return the jump models that texts are drawn from."""
    longest = max(len(document.words) for document in documents)
    every = np.arange(1 - longest, longest + 2)
    weights = np.where(every > 1, 2.0, 0.8) / (1.0 + np.abs(every - 1)) ** 2
    weights[every == 1] = 3.0
    labels = collect_trees(documents).labels
    factors = np.exp(-1 - np.random.default_rng(SEED).random((len(labels), 2))) * [[1.0, 0.5]]
    return {
        "relative": Relative(NULL, int(every[0]), (1 - NULL) * weights / weights.sum(), 0.0),
        "gaussian": Gaussian(NULL, longest, 1.5, 2.5),
        "exponential": Exponential(NULL, longest, 0.6, 1.0),
        "syntax": Syntax(NULL, labels, factors, next_word=3.0, precision=0.0),
    }


def make_simulation(
    documents: list[Document], jump: str, same: float = 1.0, lengths: tuple[float, ...] = (1.0,)
) -> Simulation:
    """Return what texts with the jumps of a model are drawn from."""
    rewrites = make_rewrites(documents, np.random.default_rng(SEED), same)
    share = LENGTH if sum(lengths) > 1 else None
    return Simulation(documents, rewrites, make_jumps(documents)[jump], lengths, share)
