"""Draw texts from the semi-HMM itself, train on them, and compare what is learned with the truth:

    python experiments/simulation.py

makes the tables of docs/jump-models.md, or those named by `--tables`.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np
from markdown_tables import insert_into_file, markdown_table
from simulation_texts import (
    JUMPS,
    SEED,
    Document,
    Drawn,
    Rewrites,
    Simulation,
    bundled_texts,
    collect_trees,
    fit_to_steps,
    likelihoods,
    make_documents,
    make_simulation,
)
from vorlage.alignments.alignment import soft_links
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.jump_model import JumpModel, jump_model
from vorlage.semihmm.jumps import syntax
from vorlage.semihmm.jumps.relative import Relative
from vorlage.semihmm.jumps.syntax import Syntax
from vorlage.semihmm.model import Model
from vorlage.semihmm.table import IDENTICAL, are_longer, row_of_entries
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import SemiHmm, validate
from vorlage.text.tokenize import make_text
from vorlage.trees.tree_arrays import Trees
from vorlage.types import JsonObject

PAGE = Path("docs/jump-models.md")
TRAINED = (*JUMPS, "syntax-counts")
SHOWN = ("NP-f", "PP-f", "VP-f", "S-f", "NN-f", "NP-b")  # labels and directions of syntax jumps
# EM whose prior is too weak to be felt; nothing adjusts the posteriors.
SETTINGS: JsonObject = {
    "iterations": 40,
    "tolerance": 1e-7,
    "null_probability": 0.3,
    "null_learned": True,
    "posterior_threshold": 0.5,
    "gap_threshold": 1,
    **dict.fromkeys(("max_document_phrase", "max_summary_phrase"), 1),
    **dict.fromkeys(("jump_smoothing", "null_smoothing"), 1e-3),
    **dict.fromkeys(("agreement", "wordnet", "encoder"), False),
    **dict.fromkeys(("sentence_similarity", "sentence_support", "phrase_support", "stretch_support"), 0),
    **dict.fromkeys(("lexical_threshold", "diagonal_discount"), 0),
}
# Without fake counts for unlike words, the rewrite table keeps to copies.
COPIES = {"fake_counts": {"word": 0, "identical": 1, "stem": 0, "unigram": 0}}
REWRITES = {"fake_counts": {"word": 0.01, "identical": 0, "stem": 0, "unigram": 0}}


def draws(
    simulation: Simulation, jump: str, settings: JsonObject, count: int
) -> Iterator[tuple[list[Drawn], list[Pair], Model, Aligner]]:
    """Yield texts that are drawn from a simulation, their pairs, and what training on these gives."""
    rng, trees = np.random.default_rng(SEED), collect_trees(simulation.documents)
    for _ in range(count):
        drawn = simulation.draw(rng)
        pairs = make_pairs(simulation.documents, drawn)
        yield drawn, pairs, *learn(pairs, jump, settings, trees)


def make_pairs(documents: Sequence[Document], drawn: Sequence[Drawn]) -> list[Pair]:
    """Return the pairs of documents and drawn texts; a text is one sentence."""
    pairs = []
    for number, (document, text) in enumerate(zip(documents, drawn, strict=True), start=1):
        sides = ([" ".join(words) for words in document.sentences], [" ".join(text.summary)])
        pairs.append(Pair(f"drawn-{number}", *(make_text(side, tokenized=True) for side in sides)))
    return pairs


def whole_document(pair: Pair) -> Extract:
    return Extract(pair.id, tuple(range(len(pair.document.sentences))), ())


def learn(pairs: Sequence[Pair], jump: str, settings: JsonObject, trees: Trees) -> tuple[Model, Aligner]:
    """Return the model that training makes of pairs, and its aligner."""
    corpus = [(pair, whole_document(pair)) for pair in pairs]
    resources = Resources(trees=trees if jump_model(jump).needs_trees else None)
    with patch.object(syntax, "FACTOR_PRECISION", 1e-3):
        model, _ = train(corpus, jump, validate(SemiHmm, SETTINGS | settings).training, resources)
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
    parameters, weights, fake = model.parameters, model.parameters.weights, model.settings.fake_counts
    known = np.array(Rewrites(words, np.empty(0), np.empty(0)).numbers(model.vocabulary.words))
    single = ~are_longer(model.table)
    rows, partners = row_of_entries(model.table)[single], model.table.partners[single]
    counts = parameters.counts[single] + fake.word + fake.identical * (model.table.kind[single] == IDENTICAL)
    table, null = np.zeros((len(words), len(words))), np.zeros(len(words))
    table[known[rows], known[partners]] = weights[3] * counts / parameters.totals[rows]
    table[known, known] += weights[0] + weights[1]
    null[known] = parameters.null
    return Rewrites(words, table, null)


def parameters(jumps: JumpModel) -> dict[str, float]:
    """Return the parameters that the tables show."""
    values = jumps.describe()
    shown = {"φ": values.pop("null")}
    if isinstance(jumps, Relative):
        table = dict(enumerate(jumps.table, start=jumps.smallest))
        shown |= {f"jump({distance})": table[distance] for distance in range(-1, 4)}
        shown["jumps of −2 and less"] = sum(table[distance] for distance in table if distance < -1)
        return shown | {"jumps of 4 and more": sum(table[distance] for distance in table if distance > 3)}
    if isinstance(jumps, Syntax):
        values = {"next word": values["next_word"]} | {label: values["labels"][label] for label in SHOWN}
    return shown | values


def t_value(differences: Sequence[float]) -> str:
    """Return the mean of differences over its standard error."""
    return f"{np.mean(differences) / (np.std(differences, ddof=1) / np.sqrt(len(differences))):.1f}"


def copying_documents() -> list[Document]:
    """Return the documents of the tables about jumps, whose words are copied."""
    return make_documents(bundled_texts(), vocabulary=200, size=200)


def recovery(count: int) -> dict[str, str]:
    """Return the tables of what is learned of each jump model from its own texts, and of its likelihood."""
    documents = copying_documents()
    rows, likelihood_rows = [], []
    for jump in JUMPS:
        simulation = make_simulation(documents, jump)
        truth, seen, learned, gains, words = parameters(simulation.jumps), [], [], [], 0
        for drawn, _, model, _ in draws(simulation, jump, COPIES, count):
            seen.append(parameters(fit_to_steps(simulation.jumps, documents, drawn)))
            learned.append(parameters(model.jumps))
            rewrites = learned_rewrites(model, simulation.rewrites.words)
            both = (likelihoods(documents, drawn, each, rewrites) for each in (simulation.jumps, model.jumps))
            gains.append(2 * np.subtract(*reversed(list(both))))
            words += sum(len(text.summary) for text in drawn)
        for name, value in truth.items():
            drawn_values, values = ([each[name] for each in side] for side in (seen, learned))
            numbers = (value, np.mean(drawn_values), np.mean(values), np.std(values, ddof=1))
            t_values = (t_value(np.subtract(values, other)) for other in (value, drawn_values))
            rows.append([jump, name, *(f"{x:.4f}" for x in numbers), *t_values])
        labels = collect_trees(documents).labels
        free = {"relative": "–", "syntax": str(2 + 2 * len(labels))}.get(jump, str(len(truth)))
        means = (f"{x:.1f}" for x in np.mean(gains, axis=0))
        likelihood_rows.append([jump, f"{words / count:,.0f}", *means, free])
    heading = ["jumps", "parameter", "truth", "drawn", "learned", "error of one", "t, truth", "t, drawn"]
    likelihood_heading = ["jumps", "words", "gain", "gain given the lengths", "parameters"]
    return {
        "simulation recovery": markdown_table(heading, rows, 2),
        "simulation likelihood": markdown_table(likelihood_heading, likelihood_rows),
    }


def matrix(count: int) -> dict[str, str]:
    """Return the tables of each jump model on texts drawn from each."""
    documents = copying_documents()
    trees = collect_trees(documents)
    tables: dict[str, list[list[str]]] = {"likelihood": [], "F": []}
    for right, source in enumerate(JUMPS):
        simulation, rng = make_simulation(documents, source), np.random.default_rng(SEED)
        values = np.empty((2, count, len(TRAINED)))
        for number in range(count):
            drawn, held_out = simulation.draw(rng), simulation.draw(rng)
            pairs, others = make_pairs(documents, drawn), make_pairs(documents, held_out)
            words = sum(len(text.summary) for text in held_out)
            for place, jump in enumerate(TRAINED):
                model, aligner = learn(pairs, jump, COPIES, trees)
                rewrites = learned_rewrites(model, simulation.rewrites.words)
                values[0, number, place] = likelihoods(documents, held_out, model.jumps, rewrites)[1] / words
                values[1, number, place] = link_f(aligner, others, held_out, COPIES)
        for rows, numbers in zip(tables.values(), values, strict=True):
            wins = (numbers.argmax(axis=1) == right).sum()
            rows.append([source, *(f"{x:.4f}" for x in numbers.mean(axis=0)), f"{wins} of {count}"])
    heading = ["drawn from", *TRAINED, "right model best"]
    return {f"simulation matrix {name}": markdown_table(heading, rows) for name, rows in tables.items()}


def rewriting(count: int) -> dict[str, str]:
    """Return the table of rewrites and φ that are learned together, from more and more texts."""
    base = make_documents(bundled_texts(), vocabulary=60, size=100)
    rows = []
    for copies in (1, 4, 16):
        simulation = make_simulation(base * copies, "exponential", same=0.3)
        counts = Counter(word for document in simulation.documents for word in document.words)
        frequent = simulation.rewrites.numbers([word for word, _ in counts.most_common(20)])
        truth, every = simulation.rewrites.table, []
        same, others = np.eye(len(truth), dtype=bool)[frequent], (truth > 0)[frequent]
        for drawn, pairs, model, aligner in draws(simulation, "exponential", REWRITES, count):
            learned = learned_rewrites(model, simulation.rewrites.words).table
            error = np.abs(learned - truth)[frequent]
            sources = np.array([source for text in drawn for source in text.sources])
            every.append(
                [len(sources), np.mean(sources < 0), *parameters(model.jumps).values()]
                + [truth[frequent][same].mean(), learned[frequent][same].mean(), error[same].mean()]
                + [error[others & ~same].mean(), link_f(aligner, pairs, drawn, REWRITES)]
            )
        words, *numbers = np.mean(every, axis=0)
        rows.append([f"{words:,.0f}", *(f"{x:.3f}" for x in numbers)])
    heading = ["words", "null, drawn", "φ", "forward", "backward", "r(d\\|d), truth", "r(d\\|d)"]
    heading += ["error of r(d\\|d)", "error of other r", "F"]
    return {"simulation rewrites": markdown_table(heading, rows, 0)}


def phrases(count: int) -> dict[str, str]:
    """Return the table of texts drawn with phrases of several words."""
    documents = copying_documents()
    rows = []
    for lengths, longest in (((1.0, 1.0, 1.0), 3), ((0.8, 0.15, 0.05), 3), ((0.8, 0.15, 0.05), 1)):
        simulation = make_simulation(documents, "exponential", lengths=lengths)
        settings = COPIES | {"max_document_phrase": longest, "max_summary_phrase": longest}
        every = []
        for drawn, pairs, model, aligner in draws(simulation, "exponential", settings, count):
            seen = parameters(fit_to_steps(simulation.jumps, documents, drawn))
            both = zip(seen.values(), parameters(model.jumps).values(), strict=True)
            every.append([*np.ravel(list(both)), link_f(aligner, pairs, drawn, settings)])
        shown = " / ".join(f"{weight:g}" for weight in lengths)
        rows.append([shown, str(longest), *(f"{x:.3f}" for x in np.mean(every, axis=0))])
    heading = ["weights of 1, 2, 3 words", "trained up to"]
    heading += [f"{name}, {side}" for name in ("φ", "forward", "backward") for side in ("drawn", "learned")]
    return {"simulation phrases": markdown_table([*heading, "F"], rows)}


def main() -> None:
    makers = {"recovery": recovery, "matrix": matrix, "rewrites": rewriting, "phrases": phrases}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="*", choices=makers, help="those to make (default: all)")
    parser.add_argument("--draws", type=int, default=10, help="draws from each model (default: 10)")
    options = parser.parse_args()
    counts = {"recovery": options.draws, "rewrites": 3}
    for name in options.tables or makers:
        insert_into_file(PAGE, makers[name](counts.get(name, options.draws // 2)))


if __name__ == "__main__":
    main()
