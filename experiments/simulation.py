"""Draw texts from the semi-HMM itself, train on them, and compare what is learned with the truth:

    python experiments/simulation.py

makes the tables of docs/simulation.md, or those named by `--tables`. `--write FOLDER --jump gaussian` instead
writes a drawn corpus and its true links, `corpus.jsonl` and `gold.jsonl`, for a run of the whole workflow.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from markdown_tables import insert_into_file, markdown_table
from simulation_gold import gold_jumps
from simulation_likelihoods import fit_to_steps, likelihoods
from simulation_models import (
    JUMPS,
    SEED,
    TRAINED,
    bundled_texts,
    collect_trees,
    make_documents,
    make_simulation,
)
from simulation_training import COPIES, REWRITES, learn, learned_rewrites, link_f, make_pairs, make_records
from vorlage.semihmm.jumps.base import JumpModel
from vorlage.semihmm.jumps.relative import Relative
from vorlage.semihmm.jumps.syntax import Syntax

PAGE = Path("docs/simulation.md")
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
        return (
            shown | {"next word": values["next_word"]} | {label: values["labels"][label] for label in SHOWN}
        )
    return shown | {name: value for name, value in values.items() if name != "null"}


def t_value(differences: Sequence[float]) -> str:
    """Return the mean of differences over its standard error."""
    return f"{np.mean(differences) / (np.std(differences, ddof=1) / np.sqrt(len(differences))):.1f}"


def recovery(draws: int) -> dict[str, str]:
    """Return the tables of what is learned of each jump model from its own texts, and of its likelihood."""
    documents = make_documents(bundled_texts(), vocabulary=200, size=200)
    trees = collect_trees(documents)
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
        free = {"relative": None, "syntax": 2 + 2 * len(trees.labels)}.get(jump, len(truth))
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
    trees = collect_trees(documents)
    tables = {"likelihood": [], "F": []}
    for source in JUMPS:
        simulation, rng = make_simulation(documents, source), np.random.default_rng(SEED)
        values = np.empty((2, draws, len(TRAINED)))
        for number in range(draws):
            drawn, held_out = simulation.draw(rng), simulation.draw(rng)
            pairs, others = make_pairs(documents, drawn), make_pairs(documents, held_out)
            words = sum(len(text.summary) for text in held_out)
            for place, jump in enumerate(TRAINED):
                model, aligner = learn(pairs, jump, COPIES, trees)
                rewrites = learned_rewrites(model, simulation.rewrites.words)
                values[0, number, place] = likelihoods(documents, held_out, model.jumps, rewrites)[1] / words
                values[1, number, place] = link_f(aligner, others, held_out, COPIES)
        right = JUMPS.index(source)
        for rows, numbers in zip(tables.values(), values, strict=True):
            wins = (numbers.argmax(axis=1) == right).sum()
            rows.append([source, *(f"{x:.4f}" for x in numbers.mean(axis=0)), f"{wins} of {draws}"])
    heading = ["drawn from", *TRAINED, "right model best"]
    return {f"simulation matrix {name}": markdown_table(heading, rows) for name, rows in tables.items()}


def rewriting(draws: int) -> dict[str, str]:
    """Return the table of rewrites and φ that are learned together, from more and more texts."""
    base = make_documents(bundled_texts(), vocabulary=60, size=100)
    rows = []
    for copies in (1, 4, 16):
        documents = base * copies
        trees = collect_trees(base)
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
    trees = collect_trees(documents)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
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
