"""Draw texts from the semi-HMM itself, train on them, and compare what is learned with the truth:

    python experiments/simulation.py --treebank FILE

makes the tables of docs/simulation.md, or those named by `--tables`. The documents are pieces of the bundled
corpus with their rare words replaced by frequent ones, so that few parameters describe all rewrites. The
table of `--treebank` needs a file of Penn bracketed trees by people. `--write FOLDER --jump gaussian` instead
writes a drawn corpus and its true links, `corpus.jsonl` and `gold.jsonl`, for a run of the whole workflow.

The probabilities and recursions here are plain NumPy over whole matrices, independent of the compiled ones.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml
from markdown_tables import insert_into_file, markdown_table
from vorlage.alignments.alignment import soft_links
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import Record, tokenize
from vorlage.extract.extracts import Extract
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.jumps.base import ByDistance, JumpModel, jump_model, minimise
from vorlage.semihmm.jumps.exponential import Exponential
from vorlage.semihmm.jumps.gaussian import Gaussian
from vorlage.semihmm.jumps.relative import Relative
from vorlage.semihmm.jumps.syntax import Syntax
from vorlage.semihmm.kernels.phrase_table import IDENTICAL
from vorlage.semihmm.model import Model
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import Parse, SemiHmm, validate
from vorlage.text.nltk import Tree
from vorlage.text.words import stem
from vorlage.trees.brackets import constituents, read_tree
from vorlage.trees.parser import open_parser
from vorlage.trees.tree_arrays import Trees, sentence_id
from vorlage.types import Floats, JsonObject, LongInts

PAGE, CORPUS, GOLD = (
    Path("docs/simulation.md"),
    Path("data/sample/corpus.jsonl"),
    Path("data/sample/gold.jsonl"),
)
PRESET = Path("workflow/presets/paper.yaml")
JUMPS = ("relative", "gaussian", "exponential", "syntax")
SEED = 1
NULL = 0.2  # φ of all models
# Syntax jumps have no distribution of lengths, so each text has this share of the words of its document.
LENGTH = 0.5
FREQUENT_NULLS = 10  # words that the null state emits

# EM whose prior is too weak to be felt; nothing adjusts the posteriors.
SETTINGS: JsonObject = {
    "iterations": 40,
    "tolerance": 1e-7,
    "agreement": False,
    "max_document_phrase": 1,
    "max_summary_phrase": 1,
    "null_start": 0.3,
    "null_learned": True,
    "jump_smoothing": 1e-3,
    "null_smoothing": 1e-3,
    "wordnet": False,
    "sentence_similarity": 0,
    "sentence_support": 0,
    "encoder": False,
    "lexical_threshold": 0,
    "posterior_threshold": 0.5,
    "gap_threshold": 1,
    "phrase_support": 0,
    "diagonal_discount": 0,
    "stretch_support": 0,
}
# Without fake counts for unlike words, the rewrite table keeps to copies.
COPIES = {"fake_counts": {"word": 0, "identical": 1, "stem": 0, "unigram": 0}}
REWRITES = {"fake_counts": {"word": 0.01, "identical": 0, "stem": 0, "unigram": 0}}


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
    def starts(self) -> list[list[tuple[int, str]]]:
        """The (end, label) of the constituents that start at each word; of a unary chain the topmost."""
        starts: list[list[tuple[int, str]]] = [[] for _ in self.words]
        first = 0
        for tree in self.trees:
            for node in constituents(tree):
                starts[first + node.start].append((first + node.end, node.label))
            first += len(tree.leaves())
        return starts

    @cached_property
    def fewest(self) -> list[dict[int, tuple[int, str]]]:
        """At [x][y], the (end, label) of the first of the fewest constituents that cover words x … y−1."""
        n = len(self.words)
        count = np.full((n + 1, n + 1), n + 1)
        np.fill_diagonal(count, 0)
        first: list[dict[int, tuple[int, str]]] = [{} for _ in self.words]
        for x in range(n - 1, -1, -1):
            for y in range(x + 1, n + 1):
                fitting = (node for node in self.starts[x] if node[0] <= y)
                first[x][y] = min(fitting, key=lambda node: count[node[0], y])
                count[x, y] = count[first[x][y][0], y] + 1
        return first

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

    def holds(self, length: int) -> list[bool]:
        """Return whether each word begins a phrase of some words inside its sentence."""
        return [i + length <= len(sentence) for sentence in self.sentences for i in range(len(sentence))]


def jump_matrix(jumps: JumpModel, document: Document) -> Floats:
    """Return J(p→j) from positions 0 … n (rows) to words 1 … n and the end (columns), by the definitions."""
    n = len(document.words)
    if isinstance(jumps, Syntax):
        return (1 - jumps.null) * walks(document, jumps)
    distance = np.arange(1, n + 2)[None, :] - np.arange(n + 1)[:, None]
    if isinstance(jumps, Relative):
        return jumps.table[distance - jumps.smallest]
    assert isinstance(jumps, Gaussian | Exponential)
    every = distances(jumps.longest)
    if isinstance(jumps, Gaussian):
        curve = np.exp(-((every - jumps.mean) ** 2) / (2 * jumps.standard_deviation**2))
    else:
        forward, backward = np.maximum(every - 1, 0), np.maximum(1 - every, 0)
        curve = np.exp(-jumps.forward * forward - jumps.backward * backward)
    by_distance: Floats = (1 - jumps.null) * curve / curve.sum()
    return by_distance[distance - every[0]]


def distances(longest: int) -> LongInts:
    """Return the distances of jumps in documents of up to `longest` words."""
    return np.arange(1 - longest, longest + 2)


def walks(document: Document, jumps: Syntax) -> Floats:
    """Return the product of the factors of the constituents that each jump skips, in the form of J."""
    n = len(document.words)
    factors = dict(zip(jumps.labels, jumps.factors, strict=True))
    over = np.ones((n + 1, n + 1, 2))  # at [x, y], words x … y−1, forward and backward
    for x in range(n - 1, -1, -1):
        for y in range(x + 1, n + 1):
            end, label = document.fewest[x][y]
            over[x, y] = over[end, y] * factors[label]
    forward = np.arange(n + 1)[None, :] >= np.arange(n + 1)[:, None]
    return np.where(forward, over[:, :, 0], over[:, :, 1].T)


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
            ways.append((matrix, remaining(matrix, self.jumps.null, steps, document, self.lengths)))
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
            weights = [np.array([self.jumps.null * mass[left - 1, position]])]
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


def forward_backward(matrix: Floats, null: float, words: Floats, nulls: Floats) -> tuple[float, Floats]:
    """Return log Pr(s|d) and the posterior of each link (T, n), for phrases of one word.

    `words` (T, n): r(s_t|d_j); `nulls` (T): r(s_t|∅).
    """
    length, n = words.shape
    alpha, beta, links = np.zeros((length + 1, n + 1)), np.zeros((length + 1, n + 1)), np.zeros((length, n))
    norms = np.ones(length + 1)
    alpha[0, 0] = 1.0
    for t in range(length):
        alpha[t + 1] = alpha[t] * null * nulls[t]
        alpha[t + 1, 1:] += alpha[t] @ matrix[:, :-1] * words[t]
        norms[t + 1] = alpha[t + 1].sum()
        alpha[t + 1] /= norms[t + 1]
    total = alpha[length] @ matrix[:, -1]
    beta[length] = matrix[:, -1] / total
    for t in range(length - 1, -1, -1):
        start = words[t] * beta[t + 1, 1:] / norms[t + 1]
        links[t] = alpha[t] @ matrix[:, :-1] * start
        beta[t] = null * nulls[t] / norms[t + 1] * beta[t + 1] + matrix[:, :-1] @ start
    return float(np.log(norms).sum() + np.log(total)), links


def likelihoods(
    documents: Sequence[Document], drawn: Sequence[Drawn], jumps: JumpModel, rewrites: Rewrites
) -> tuple[float, float]:
    """Return log Pr of drawn texts, and the same given their lengths, a distribution for every model."""
    whole = given = 0.0
    for document, text in zip(documents, drawn, strict=True):
        matrix, summary = jump_matrix(jumps, document), rewrites.numbers(text.summary)
        emitted = rewrites.table[np.ix_(rewrites.numbers(document.words), summary)].T
        value, _ = forward_backward(matrix, jumps.null, emitted, rewrites.null[summary])
        whole += value
        given += value - float(np.log(remaining(matrix, jumps.null, len(summary), document)[-1, 0]))
    return whole, given


def fit_to_steps(jumps: JumpModel, documents: Sequence[Document], drawn: Sequence[Drawn]) -> JumpModel:
    """Return what an M-step makes of the drawn steps, as if they were seen."""
    counts, nulls, total = np.zeros_like(jumps.zeros()), 0, 0
    labels = {label: number for number, label in enumerate(jumps.tree_labels())}
    for document, text in zip(documents, drawn, strict=True):
        position = 0
        for first, length in [*text.steps, (len(document.words), 0)]:
            if first < 0:
                nulls += 1
                continue
            total += 1
            if isinstance(jumps, ByDistance):
                counts[first + 1 - position - jumps.smallest_distance()] += 1
            else:
                for label, direction in document.skipped(position, first):
                    counts[labels[label], direction] += 1
            position = first + length
    return jumps.maximised(counts, nulls, total)


# ---- documents and the truth ----


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
    texts = []
    for pair in bundled_pairs():
        sentences = [pair.document.words[slice(*span)] for span in pair.document.sentences]
        texts.append(list(zip(sentences, parse(sentences), strict=True)))
    return texts


def bundled_pairs() -> list[Pair]:
    with CORPUS.open(encoding="utf-8") as lines:
        records = map(json.loads, lines)
        return [tokenize(Record(r["id"], "", r["document"], r["summary"])) for r in records]


def parse(sentences: Sequence[Sequence[str]]) -> list[Tree]:
    """Return the trees of sentences by the parser `pattern`."""
    return [parsed.tree for parsed in open_parser(Parse())(sentences)]


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
    every = distances(longest)
    weights = np.where(every > 1, 2.0, 0.8) / (1.0 + np.abs(every - 1)) ** 2
    weights[every == 1] = 3.0
    labels = collect_trees(documents, [document.trees for document in documents]).labels
    counts = Counter(label for document in documents for nodes in document.starts for _, label in nodes)
    factors = np.sqrt([[counts[label]] for label in labels]) * [[1.0, 0.3]]
    return {
        "relative": Relative(NULL, int(every[0]), (1 - NULL) * weights / weights.sum(), 0.0),
        "gaussian": Gaussian(NULL, longest, 1.5, 2.5),
        "exponential": Exponential(NULL, longest, 0.6, 1.0),
        "syntax": Syntax(NULL, labels, factors / factors.sum(), 0.0),
    }


def make_simulation(
    documents: list[Document], jump: str, same: float = 1.0, lengths: tuple[float, ...] = (1.0,)
) -> Simulation:
    """Return what texts with the jumps of a model are drawn from."""
    rewrites = make_rewrites(documents, np.random.default_rng(SEED), same)
    share = LENGTH if jump == "syntax" or sum(lengths) > 1 else None
    return Simulation(documents, rewrites, make_jumps(documents)[jump], lengths, share)


# ---- training and alignment, by the package ----


def make_pairs(documents: Sequence[Document], drawn: Sequence[Drawn]) -> list[Pair]:
    """Return the pairs of documents and drawn texts; a text is one sentence."""
    return [
        tokenize(Record(r["id"], "", r["document"], r["summary"]), tokenized=True)
        for r in make_records(documents, drawn)
    ]


def make_records(documents: Sequence[Document], drawn: Sequence[Drawn]) -> Iterator[JsonObject]:
    """Yield the pairs as lines of a corpus with spaces between tokens."""
    for number, (document, text) in enumerate(zip(documents, drawn, strict=True), start=1):
        sentences = [" ".join(words) for words in document.sentences]
        yield {"id": f"drawn-{number}", "document": sentences, "summary": [" ".join(text.summary)]}


def collect_trees(documents: Sequence[Document], trees: Sequence[Sequence[Tree]]) -> Trees:
    """Return trees of the sentences of documents, one list for each document."""
    found = {
        sentence_id(sentence): constituents(tree)
        for document, own in zip(documents, trees, strict=True)
        for sentence, tree in zip(document.sentences, own, strict=True)
    }
    return Trees.collect(found.items())


def whole_document(pair: Pair) -> Extract:
    return Extract(pair.id, tuple(range(len(pair.document.sentences))), ())


def learn(pairs: Sequence[Pair], jump: str, settings: JsonObject, trees: Trees) -> tuple[Model, Aligner]:
    """Return the model that training makes of pairs, and its aligner."""
    corpus = [(pair, whole_document(pair)) for pair in pairs]
    resources = Resources(trees=trees if jump == "syntax" else None)
    model, _ = train(corpus, jump, validate(SemiHmm, SETTINGS | settings), resources)
    return model, Aligner(model, trees=lambda sentences: trees)


def link_f(aligner: Aligner, pairs: Sequence[Pair], drawn: Sequence[Drawn], settings: JsonObject) -> float:
    """Return F of the links that a model finds, over all pairs."""
    decoding = validate(SemiHmm, SETTINGS | settings)
    found = true = right = 0
    for pair, text in zip(pairs, drawn, strict=True):
        alignment = aligner.align(pair, whole_document(pair).sentences, decoding)
        links = soft_links(alignment.links, pair.summary.words, pair.document.words)
        sources = {(t, j) for t, j in enumerate(text.sources) if j >= 0}
        found, true, right = found + len(links), true + len(sources), right + len(links & sources)
    return 2 * right / (found + true)


def learned_rewrites(model: Model, words: list[str]) -> Rewrites:
    """Return the rewrites of a model of single words without WordNet, whose words have their own stems."""
    lexicon, weights, fake = model.lexicon, model.mixture.weights, model.settings.fake_counts
    known = np.array(Rewrites(words, np.empty(0), np.empty(0)).numbers(model.words))
    listed = len(lexicon.table.partners)
    rows = np.repeat(np.arange(len(known)), np.diff(lexicon.table.word_rows))
    counts = lexicon.counts[:listed] + fake.word + fake.identical * (lexicon.table.kind[:listed] == IDENTICAL)
    table, null = np.zeros((len(words), len(words))), np.zeros(len(words))
    table[known[rows], known[lexicon.table.partners]] = weights[3] * counts / lexicon.totals[rows]
    table[known, known] += weights[0] + weights[1]
    null[known] = model.null.probability
    return Rewrites(words, table, null)


# ---- the tables ----

SHOWN = ("NP-f", "PP-f", "VP-f", "S-f", "NN-f", "NP-b")  # labels and directions of syntax jumps


def parameters(jumps: JumpModel) -> dict[str, float]:
    """Return the parameters that the tables show."""
    values = jumps.describe()
    shown = {"φ": values["null"]}
    if isinstance(jumps, Relative):
        table = dict(zip(range(jumps.smallest, jumps.smallest + len(jumps.table)), jumps.table, strict=True))
        shown |= {f"jump({distance})": table[distance] for distance in range(-1, 4)}
        shown["jumps of −2 and less"] = sum(table[distance] for distance in table if distance < -1)
        return shown | {"jumps of 4 and more": sum(table[distance] for distance in table if distance > 3)}
    if isinstance(jumps, Syntax):
        return shown | {label: values["labels"].get(label, 0.0) for label in SHOWN}
    return shown | {name: value for name, value in values.items() if name != "null"}


def t_value(differences: Sequence[float]) -> str:
    """Return the mean of differences over its standard error."""
    return f"{np.mean(differences) / (np.std(differences, ddof=1) / np.sqrt(len(differences))):.1f}"


def recovery(draws: int) -> dict[str, str]:
    """Return the tables of what is learned of each jump model from its own texts, and of its likelihood."""
    documents = make_documents(bundled_texts(), vocabulary=200, size=200)
    trees = collect_trees(documents, [document.trees for document in documents])
    rows, likelihood_rows = [], []
    for jump in JUMPS:
        simulation, rng = make_simulation(documents, jump), np.random.default_rng(SEED)
        truth, every, ratios, words = parameters(simulation.jumps), [], [], 0
        for _ in range(draws):
            drawn = simulation.draw(rng)
            model, _ = learn(make_pairs(documents, drawn), jump, COPIES, trees)
            seen = fit_to_steps(simulation.jumps, documents, drawn)
            every.append((parameters(seen), parameters(model.jumps)))
            rewrites = learned_rewrites(model, simulation.rewrites.words)
            true = likelihoods(documents, drawn, simulation.jumps, rewrites)
            learned = likelihoods(documents, drawn, model.jumps, rewrites)
            ratios.append([2 * (b - a) for a, b in zip(true, learned, strict=True)])
            words += sum(len(text.summary) for text in drawn)
        for name, value in truth.items():
            seen_values = [seen[name] for seen, _ in every]
            values = [learned[name] for _, learned in every]
            numbers = (value, np.mean(seen_values), np.mean(values), np.std(values, ddof=1))
            rows.append(
                [jump, name, *(f"{x:.4f}" for x in numbers), t_value(np.subtract(values, value))]
                + [t_value(np.subtract(values, seen_values))]
            )
        free = len(truth) if jump in ("gaussian", "exponential") else None
        likelihood_rows.append(
            [jump, f"{words / draws:,.0f}", *(f"{x:.1f}" for x in np.mean(ratios, axis=0)), str(free or "–")]
        )
    heading = ["jumps", "parameter", "truth", "drawn", "learned", "error of one", "t, truth", "t, drawn"]
    likelihood_heading = ["jumps", "words", "gain", "gain given the lengths", "parameters"]
    return {
        "simulation recovery": markdown_table(heading, rows, 2),
        "simulation likelihood": markdown_table(likelihood_heading, likelihood_rows),
    }


def matrix(draws: int) -> dict[str, str]:
    """Return the tables of each jump model on texts drawn from each."""
    documents = make_documents(bundled_texts(), vocabulary=200, size=200)
    trees = collect_trees(documents, [document.trees for document in documents])
    tables = {"likelihood": [], "F": []}
    for source in JUMPS:
        simulation, rng = make_simulation(documents, source), np.random.default_rng(SEED)
        values = np.empty((2, draws, len(JUMPS)))
        for number in range(draws):
            drawn, held_out = simulation.draw(rng), simulation.draw(rng)
            pairs, others = make_pairs(documents, drawn), make_pairs(documents, held_out)
            words = sum(len(text.summary) for text in held_out)
            for place, jump in enumerate(JUMPS):
                model, aligner = learn(pairs, jump, COPIES, trees)
                rewrites = learned_rewrites(model, simulation.rewrites.words)
                values[0, number, place] = likelihoods(documents, held_out, model.jumps, rewrites)[1] / words
                values[1, number, place] = link_f(aligner, others, held_out, COPIES)
        right = JUMPS.index(source)
        for rows, numbers in zip(tables.values(), values, strict=True):
            wins = (numbers.argmax(axis=1) == right).sum()
            rows.append([source, *(f"{x:.4f}" for x in numbers.mean(axis=0)), f"{wins} of {draws}"])
    heading = ["drawn from", *JUMPS, "right model best"]
    return {f"simulation matrix {name}": markdown_table(heading, rows) for name, rows in tables.items()}


def rewriting(draws: int) -> dict[str, str]:
    """Return the table of rewrites and φ that are learned together, from more and more texts."""
    base = make_documents(bundled_texts(), vocabulary=60, size=100)
    rows = []
    for copies in (1, 4, 16):
        documents = base * copies
        trees = collect_trees(base, [document.trees for document in base])
        simulation = make_simulation(documents, "exponential", same=0.3)
        rng, every = np.random.default_rng(SEED), []
        for _ in range(draws):
            drawn = simulation.draw(rng)
            pairs = make_pairs(documents, drawn)
            model, aligner = learn(pairs, "exponential", REWRITES, trees)
            truth, learned = (
                simulation.rewrites.table,
                learned_rewrites(model, simulation.rewrites.words).table,
            )
            counts = Counter(word for document in documents for word in document.words)
            frequent = simulation.rewrites.numbers([word for word, _ in counts.most_common(20)])
            same, others = np.eye(len(truth), dtype=bool)[frequent], (truth > 0)[frequent]
            error = np.abs(learned - truth)[frequent]
            sources = [source for text in drawn for source in text.sources]
            jumps = parameters(model.jumps)
            every.append(
                [
                    len(sources),
                    np.mean(np.array(sources) < 0),
                    jumps["φ"],
                    jumps["forward"],
                    jumps["backward"],
                ]
                + [truth[frequent][same].mean(), learned[frequent][same].mean()]
                + [error[same].mean(), error[others & ~same].mean(), link_f(aligner, pairs, drawn, REWRITES)]
            )
        words, *numbers = np.mean(every, axis=0)
        rows.append([f"{words:,.0f}", *(f"{x:.3f}" for x in numbers)])
    heading = ["words", "null, drawn", "φ", "forward", "backward", "r(d\\|d), truth", "r(d\\|d)"]
    heading += ["error of r(d\\|d)", "error of other r", "F"]
    return {"simulation rewrites": markdown_table(heading, rows, 0)}


def phrases(draws: int) -> dict[str, str]:
    """Return the table of texts drawn with phrases of several words."""
    documents = make_documents(bundled_texts(), vocabulary=200, size=200)
    trees = collect_trees(documents, [document.trees for document in documents])
    rows = []
    for lengths, longest in (((1.0, 1.0, 1.0), 3), ((0.8, 0.15, 0.05), 3), ((0.8, 0.15, 0.05), 1)):
        simulation = make_simulation(documents, "exponential", lengths=lengths)
        settings = COPIES | {"max_document_phrase": longest, "max_summary_phrase": longest}
        rng, every = np.random.default_rng(SEED), []
        for _ in range(draws):
            drawn = simulation.draw(rng)
            pairs = make_pairs(documents, drawn)
            model, aligner = learn(pairs, "exponential", settings, trees)
            seen = parameters(fit_to_steps(simulation.jumps, documents, drawn))
            learned = parameters(model.jumps)
            both = [value for name in seen for value in (seen[name], learned[name])]
            every.append([*both, link_f(aligner, pairs, drawn, settings)])
        shown = " / ".join(f"{weight:g}" for weight in lengths)
        rows.append([shown, str(longest), *(f"{x:.3f}" for x in np.mean(every, axis=0))])
    heading = ["weights of 1, 2, 3 words", "trained up to"]
    heading += [f"{name}, {side}" for name in ("φ", "forward", "backward") for side in ("drawn", "learned")]
    return {"simulation phrases": markdown_table([*heading, "F"], rows)}


def flat(tree: Tree) -> Tree:
    """Return a tree with tags and one constituent, the sentence."""
    return Tree("TOP", [Tree("S", [Tree(tag, [word]) for word, tag in tree.pos()])])


def treebank(path: Path, draws: int) -> dict[str, str]:
    """Return the table of texts drawn over the trees of a treebank, aligned with these and other trees."""
    gold = [read_tree(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    documents = make_documents([[(tree.leaves(), tree) for tree in gold]], vocabulary=200, size=150)
    parsed = iter(parse([tree.leaves() for tree in gold]))
    patterns = [[next(parsed) for _ in document.trees] for document in documents]
    trees = {
        "the treebank": collect_trees(documents, [document.trees for document in documents]),
        "`pattern`": collect_trees(documents, patterns),
        "none (flat)": collect_trees(documents, [[flat(tree) for tree in d.trees] for d in documents]),
    }
    systems = [(jump, "") for jump in ("relative", "gaussian", "exponential")]
    systems += [("syntax", name) for name in trees]
    preset = yaml.safe_load(PRESET.read_text(encoding="utf-8"))["semihmm"] | {"wordnet": False}
    columns: list[list[str]] = []
    for settings, same in ((COPIES, 1.0), (preset, 0.3)):
        for source in ("syntax", "relative"):
            simulation, rng = make_simulation(documents, source, same), np.random.default_rng(SEED)
            every = []
            for _ in range(draws):
                drawn = simulation.draw(rng)
                pairs = make_pairs(documents, drawn)
                aligners = [
                    learn(pairs, jump, settings, trees.get(name, Trees.collect([])))[1]
                    for jump, name in systems
                ]
                every.append([link_f(aligner, pairs, drawn, settings) for aligner in aligners])
            columns.append([f"{x:.3f}" for x in np.mean(every, axis=0)])
    heading = [
        "trained with",
        "trees",
        "copies, syntax",
        "copies, relative",
        "rewrites, syntax",
        "rewrites, relative",
    ]
    rows = [[*system, *values] for system, *values in zip(systems, *columns, strict=True)]
    return {"simulation treebank": markdown_table(heading, rows, 2)}


class GoldJump(NamedTuple):
    """A jump of gold links: the number of its document, the position that it starts from, and its target."""

    document: int
    position: int
    target: int


def read_gold() -> tuple[list[Document], list[Drawn], list[GoldJump]]:
    """Return the bundled documents, and the links of annotator A as drawn texts and as jumps."""
    with GOLD.open(encoding="utf-8") as lines:
        gold = {g["id"]: g["alignments"] for g in map(json.loads, lines) if g["annotator"] == "A"}
    drawn, jumps = [], []
    for number, pair in enumerate(bundled_pairs()):
        steps, t, position = list[tuple[int, int]](), 0, 0
        for link in sorted(gold[pair.id], key=lambda link: link["summary"]):
            (first, last), (start, end) = link["summary"], link["document"]
            if first >= t:
                steps += [(-1, 1)] * (first - t)
                steps.append((start, end - start))
                jumps.append(GoldJump(number, position, start))
                t, position = last, end
        drawn.append(Drawn(pair.summary.words, steps + [(-1, 1)] * (len(pair.summary.words) - t)))
    return [Document(*map(list, zip(*text, strict=True))) for text in bundled_texts()], drawn, jumps


def gold_jumps() -> dict[str, str]:
    """Return the table of how well jump models, fitted to gold links, predict those of other documents."""
    documents, drawn, jumps = read_gold()
    labels = collect_trees(documents, [document.trees for document in documents]).labels
    longest = max(len(document.words) for document in documents)
    # One fake count a distance predicts the table's jumps best, among 0.01, 0.1, 1 and 10.
    smoothed = validate(SemiHmm, {"jump_smoothing": 1.0}, encoder=False)
    rows = []
    for jump in JUMPS:
        predicted = []
        for half in (0, 1):
            model = jump_model(jump).start(longest, labels, smoothed)
            model = fit_to_steps(model, documents[half::2], drawn[half::2])
            matrices = {i: jump_matrix(model, documents[i]) for i in range(1 - half, len(documents), 2)}
            predicted += [
                (row[j.target], row.sum(), row[j.position : j.position + 1].sum())
                for j in jumps
                if j.document in matrices
                for row in [matrices[j.document][j.position, :-1] / (1 - model.null)]
            ]
        value, mass, next_word = np.array(predicted).T
        logs = np.log(value).mean(), np.log(value / mass).mean()
        rows.append([jump, *(f"{x:.2f}" for x in (*logs, mass.mean())), f"{(next_word / mass).mean():.3f}"])
    logs, next_words = fit_walks(documents, jumps, labels)
    rows.append(["walks as a distribution", f"{logs:.2f}", f"{logs:.2f}", "1.00", f"{next_words:.3f}"])
    gold = np.mean([jump.target == jump.position for jump in jumps])
    rows.append(["gold", "", "", "", f"{gold:.3f}"])
    heading = ["jumps", "log J", "log J, normalised", "sum of J", "share of the next word"]
    return {"simulation gold jumps": markdown_table(heading, rows)}


def fit_walks(
    documents: Sequence[Document], jumps: Sequence[GoldJump], labels: Sequence[str]
) -> tuple[float, float]:
    """Return the mean log-probability of jumps by normalised walks, and the mean share of the next word.

    J(p→j) ∝ Π exp(weight of a label and direction) over the constituents skipped, normalised over j.
    The weights are those under which the jumps of the other half of the documents are most probable, with a
    standard normal prior.
    """
    columns = {
        (label, direction): 2 * i + direction for i, label in enumerate(labels) for direction in (0, 1)
    }
    features = []
    for jump in jumps:
        document = documents[jump.document]
        counts = np.zeros((len(document.words), len(columns)), dtype=np.int8)
        for target, row in enumerate(counts):
            for constituent in document.skipped(jump.position, target):
                row[columns[constituent]] += 1
        features.append(counts)

    def cost(weights: Floats, chosen: Sequence[int]) -> tuple[float, Floats]:
        value, slope = weights @ weights / 2, weights.copy()
        for i in chosen:
            logs = features[i] @ weights
            logs -= np.logaddexp.reduce(logs)
            value -= logs[jumps[i].target]
            slope -= features[i][jumps[i].target] - np.exp(logs) @ features[i]
        return value, slope

    logs, next_words = 0.0, 0.0
    for half in (0, 1):
        known = [i for i, jump in enumerate(jumps) if jump.document % 2 == half]
        start = np.full(len(columns), -1.0)
        weights = minimise(partial(cost, chosen=known), start, [(-20.0, 20.0)] * len(start))
        for i in sorted(set(range(len(jumps))) - set(known)):
            values = features[i] @ weights
            values -= np.logaddexp.reduce(values)
            logs += values[jumps[i].target]
            next_words += np.exp(values[jumps[i].position : jumps[i].position + 1]).sum()
    return logs / len(jumps), next_words / len(jumps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebank", type=Path, metavar="FILE", help="bracketed trees, one a line")
    parser.add_argument("--tables", nargs="*", help="those to make (default: all)")
    parser.add_argument("--draws", type=int, default=10, help="draws from each model (default: 10)")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write a drawn corpus instead")
    parser.add_argument("--jump", choices=JUMPS, default="relative", help="its jumps (default: relative)")
    options = parser.parse_args()
    if options.write:
        return write_corpus(options.write, options.jump)
    makers: dict[str, Callable[[], dict[str, str]]] = {
        "recovery": lambda: recovery(options.draws),
        "matrix": lambda: matrix(options.draws // 2),
        "rewrites": lambda: rewriting(3),
        "phrases": lambda: phrases(options.draws // 2),
        "gold-jumps": gold_jumps,
    }
    if options.treebank:
        makers["treebank"] = lambda: treebank(options.treebank, options.draws // 2)
    for name in options.tables or makers:
        insert_into_file(PAGE, makers[name]())


def write_corpus(folder: Path, jump: str) -> None:
    """Write texts drawn from a jump model, and their true links."""
    simulation = make_simulation(make_documents(bundled_texts(), 200, 200), jump, same=0.3)
    drawn = simulation.draw(np.random.default_rng(SEED))
    records = list(make_records(simulation.documents, drawn))
    gold = [
        {
            "id": record["id"],
            "annotator": "truth",
            "unit": "token",
            "alignments": [
                {"summary": [t, t + 1], "document": [j, j + 1], "sure": True}
                for t, j in enumerate(text.sources)
                if j >= 0
            ],
        }
        for record, text in zip(records, drawn, strict=True)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (("corpus", records), ("gold", gold)):
        (folder / f"{name}.jsonl").write_text(
            "".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
