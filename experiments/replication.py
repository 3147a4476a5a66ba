"""Run the settings of the papers and put their numbers beside ours in docs/replication.md and README.md:

    make replication SCISUMMNET=folder ZIFFDAVIS=folder MTREF=folder

The runs are those of the paper on each corpus, and of other extracts; the default settings are those of `make
align`. `docs/replication.tsv` has the numbers of the papers and says where in the results ours are;
`docs/replication-claims.tsv` has what the papers say of them, as inequalities. The tables are in the places
`<!-- replication NAME -->` of the page.
"""

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import variants
import yaml
from claims import judge_claims
from curves import insert_tables
from figures import draw_jumps, draw_systems, save
from markdown_tables import insert_into_file, markdown_table

# The runs, by their folders in the results, with their headings.
RUNS = {
    "sample": "bundled, default settings",
    "replication-sample": "bundled",
    "replication-deletion": "bundled, Marcu's extracts",
    "replication-clauses": "bundled, clauses",
    "replication-scisummnet": "ScisummNet",
    "replication-ziffdavis": "Ziff-Davis",
}
CORPORA = ("replication-sample", "replication-scisummnet", "replication-ziffdavis")
# The runs of each table.
TABLES = {
    "corpora": CORPORA,
    "annotation": CORPORA,
    "scores": CORPORA,
    "errors": CORPORA,
    "sources": CORPORA,
    "extracts": ("sample", "replication-sample", "replication-deletion", "replication-clauses", *CORPORA[1:]),
}
# The run whose numbers the verdicts are about: the first of these that has any.
JUDGED = (*CORPORA, "sample")
# Sets of a folder with gold by one annotator, whose documents are sentences in random order.
MTREF = ("mtref-dev", "mtref-train")
# The runs that decide about the claims, with their headings.
JUDGES = {run: RUNS[run] for run in ("replication-sample", "sample")} | {f"replication-{x}": x for x in MTREF}
CLOSE = 0.25  # relative difference up to which numbers are close
NONE = "–"
PAPERS, PAGE, README = Path("docs/replication.tsv"), Path("docs/replication.md"), Path("README.md")
JUMP_MODELS = Path("docs/jump-models.md")
# The systems of the table in README.md, by their names in `docs/replication.tsv`.
SUMMARY = {
    "Model 4, document as source": "Model 4",
    "HMM, document as source": "HMM",
    "Cut & Paste": "Cut & Paste",
    "semi-HMM, Gaussian jumps": "Gaussian jumps",
    "semi-HMM, relative jumps": "relative jumps",
    "semi-HMM, syntax jumps": "syntax jumps",
    "semi-HMM, syntax jumps, fitted": "fitted",
    "annotator 2": "annotator 2",
}
JUDGEMENTS = Path("docs/results/claims.tsv")
BUNDLED = {"reader": "jsonl", "path": "data/sample/corpus.jsonl", "gold": "data/sample/gold.jsonl"}
PRESETS = ["workflow/presets/paper.yaml", "workflow/presets/replication.yaml"]
SYSTEMS = yaml.safe_load(Path(PRESETS[1]).read_text(encoding="utf-8"))["systems"]
OF_2004 = "of-2004"  # the variant with the model of the 2004 paper
JUMPS = ["relative", "gaussian", "syntax"]
# 100 documents of ScisummNet, without the translation models.
SCISUMMNET = {
    "semihmm": {"jumps": JUMPS},
    "systems": [*(f"semihmm-{jump}" for jump in JUMPS), "cutpaste", "cutpaste-1-document"],
}


def runs(
    scisummnet: str | None, ziffdavis: str | None, ziffdavis_gold: str | None, mtref: str | None
) -> Iterator[list[str]]:
    """Yield the arguments of each run of Snakemake; the corpora that have to be fetched may be None."""
    yield ["--cores", "all"]
    paper = ["--cores", "all", "--configfile", *PRESETS]
    of_2004 = {OF_2004: variants.rewrite_variants()["variants"][OF_2004]}
    compared = {"variants": of_2004, "systems": [*SYSTEMS, f"{OF_2004}-relative"]}
    yield [*paper, "--config", *_assignments(compared)]
    for name in MTREF if mtref else ():
        corpus = {"name": f"replication-{name}", "reader": "jsonl", "tokenized": True}
        corpus |= {"path": f"{mtref}/{name}/corpus.jsonl", "gold": f"{mtref}/{name}/gold.jsonl"}
        whole = {"corpus": corpus, "extract": {"enabled": False}}
        systems = [x for x in compared["systems"] if x != "cutpaste-document"]  # that would be cutpaste
        config = compared | whole | {"systems": systems}
        made = f"results/replication-{name}/score/implied_extracts.tsv"
        yield [*paper, "--config", *_assignments(config), "--", made]
    for name, unit in (("deletion", "sentence"), ("clauses", "clause")):
        marcu = {"corpus": {"name": f"replication-{name}"} | BUNDLED}
        marcu |= {"extract": {"method": "deletion", "unit": unit}}
        yield [*paper, "--config", *_assignments(marcu), "--until", "evaluate_extracts"]
    results = Path("results")
    for name, arguments in (("sample", ["--cores", "all"]), ("replication-sample", paper)):
        config = variants.extract_variants(name)
        files = [variants.alignments_of(results / name, system) for system in config["systems"]]
        files += [results / f"{name}/variants/{v}/extract/evaluation.tsv" for v in config["variants"]]
        yield [*arguments, "--config", *_assignments(config), "--", *map(str, files)]
    config = variants.rewrite_variants()
    files = [variants.alignments_of(results / variants.PAPER, system) for system in config["systems"]]
    yield [*paper, "--config", *_assignments(config), "--", *map(str, files)]
    if scisummnet:
        corpus = {"name": "replication-scisummnet", "reader": "scisummnet", "path": scisummnet}
        corpus["select"] = {"sample": 100, "unusable": "drop"}
        yield [*paper, "--config", *_assignments({"corpus": corpus} | SCISUMMNET)]
    if ziffdavis:
        corpus = {"name": "replication-ziffdavis", "reader": "ziffdavis", "path": ziffdavis}
        corpus |= {"gold": ziffdavis_gold, "select": {"shortest": 2000, "unusable": "drop"}}
        yield [*paper, "--config", *_assignments({"corpus": corpus})]


def _assignments(config: dict[str, Any]) -> list[str]:
    return [f"{section}={json.dumps(values)}" for section, values in config.items()]


def find_values(folder: Path, number: "pd.Series[Any]") -> str:
    """Return what the run in `folder` has for a row of `docs/replication.tsv`, or a dash.

    `number`: names the `file`, the `row` of it by conditions `column=value`, and the `columns`. It may name
    several rows, separated by semicolons, as are the numbers of the paper then.
    """
    path = folder / number["file"]
    if not path.is_file():
        return NONE
    found = []
    for row, paper in zip(number["row"].split("; "), number["paper"].split("; "), strict=True):
        table = pd.read_table(path)
        for condition in row.split():
            column, value = condition.split("=", 1)
            table = table[table[column].astype(str) == value]
        if table.empty:
            return NONE
        values = [table[column].iloc[0] for column in number["columns"].split()]
        found.append("/".join(map(show, values, paper.split("/"))))
    return "; ".join(found)


def show(value: Any, paper: str) -> str:
    """Return `value` with as many decimals as the number of the paper, or three if this is not a number."""
    if pd.isna(value):
        return NONE
    if not isinstance(value, float):
        return f"{value:,}"
    decimals = re.search(r"\.(\d+)$", paper)
    return f"{value:.{len(decimals[1]) if decimals else 3}f}"


def compare(papers: pd.DataFrame, results: Path, name: str) -> str:
    """Return the Markdown table `name`: rows for the numbers of the papers, columns for runs and a verdict.

    A run without any of the numbers has no column. The verdict is about the first of `JUDGED` that has them.
    """
    numbers = papers[papers["table"] == name]
    shown = numbers[["quantity", "place", "paper"]].set_axis(["number", "in", "paper"], axis=1)
    for run in TABLES[name]:
        values = [find_values(results / run, row) for _, row in numbers.iterrows()]
        if set(values) != {NONE}:
            shown[RUNS[run]] = values
    missing = shown[(shown.iloc[:, 3:] == NONE).all(axis=1)]["number"]
    if len(missing):
        raise SystemExit(f"error: {results}: no run has “{missing.iloc[0]}”; run it again")
    judged = [RUNS[run] for run in JUDGED if RUNS[run] in shown]
    shown["verdict"] = [
        verdict(row["paper"], next(row[run] for run in judged if row[run] != NONE))
        for _, row in shown.iterrows()
    ]
    return markdown_table(list(shown), shown.to_numpy().tolist())


def summarize(papers: pd.DataFrame, results: Path) -> str:
    """Return the Markdown table of SoftF over all words: a column for each system, a row for each source."""
    numbers = papers[papers["table"] == "scores"].set_index("quantity").loc[list(SUMMARY)]
    rows = {"the paper, Ziff-Davis": list(numbers["paper"])}
    for name, run in (("settings of the paper", "replication-sample"), ("default settings", "sample")):
        rows[f"here, {name}"] = [find_values(results / run, row) for _, row in numbers.iterrows()]
    # Precision, recall and F of all words, then of non-stop words.
    cells = [[name, *(value.split("; ")[0].split("/")[-1] for value in row)] for name, row in rows.items()]
    return markdown_table(["SoftF", *SUMMARY.values()], cells)


def verdict(paper: str, ours: str) -> str:
    """Return how our numbers compare with those of a paper: `close`, `higher`, `lower` or `mixed`.

    Numbers are close if none differs by more than `CLOSE` of the paper's. Words instead of numbers are not
    compared.
    """
    sides = (map(number_of, re.split("/|; ", side)) for side in (paper, ours))
    pairs = list(zip(*sides, strict=False))
    pairs = [(theirs, own) for theirs, own in pairs if theirs is not None and own is not None]
    differences = [own - theirs for theirs, own in pairs if abs(own - theirs) > CLOSE * theirs + 1e-9]
    if not pairs:
        return NONE
    if not differences:
        return "close"
    return "higher" if min(differences) > 0 else "lower" if max(differences) < 0 else "mixed"


def number_of(text: str) -> float | None:
    """Return the number of a text such as `0.42`, `2,033`, `13k`, `2.5m` or `7.2 million`, if it is one."""
    match = re.fullmatch(r"(?:at least )?([\d,]*\.?\d+)(k|m| million)?", text)
    return float(match[1].replace(",", "")) * {"k": 1e3, None: 1}.get(match[2], 1e6) if match else None


def draw_figures(papers: pd.DataFrame, results: Path) -> None:
    """Draw SoftF of the systems beside the numbers of the papers, and jumps of gold and models."""
    runs = ("replication-sample", "sample")
    tables = [pd.read_table(results / run / "score/scores.tsv") for run in runs]
    tables = [table[table["words"] == "all"].set_index("system") for table in tables]
    rows = []
    for number in papers[papers["table"] == "scores"].itertuples():
        system = number.row.split()[0].removeprefix("system=")
        values = [
            tuple(table.loc[system, ["soft_f", "low", "high"]]) if system in table.index else None
            for table in tables
        ]
        rows.append((number.quantity, float(number.paper.split("; ")[0].split("/")[-1]), values))
    headings = ["here, settings of the paper", "here, default"]
    save("replication-systems", lambda: draw_systems(rows, headings))
    save(
        "jump-models-learned", lambda: draw_jumps(results / runs[0], ("relative", "gaussian", "exponential"))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scisummnet", metavar="FOLDER", help="ScisummNet (default: leave it out)")
    parser.add_argument("--ziffdavis", metavar="FOLDER", help="Ziff-Davis (default: leave it out)")
    parser.add_argument("--ziffdavis-gold", metavar="FILE", help="gold of Ziff-Davis (default: none)")
    parser.add_argument("--mtref", metavar="FOLDER", help="of mtref-dev, mtref-train (default: skip them)")
    options = parser.parse_args()
    if not options.mtref:
        print("mtref: skipped, as no folder is given; earlier results stay in the table of claims")
    for arguments in runs(**vars(options)):
        subprocess.run(["snakemake", *arguments], check=True)
    papers = pd.read_table(PAPERS)
    results = Path("results")
    tables = {name: compare(papers, results, name) for name in TABLES}
    judges = {name: results / run for run, name in JUDGES.items() if (results / run / "align").is_dir()}
    judgements, cells = judge_claims(judges)
    judgements.to_csv(JUDGEMENTS, sep="\t", index=False, float_format="%.4f")
    tables["claims"] = markdown_table(
        ["the paper says", "in", "its numbers", *judges], cells, 3 + len(judges)
    )
    tables["extract methods"] = variants.extract_table(results)
    tables["rewrites"] = variants.rewrite_table(results)
    insert_into_file(Path("docs/results.md"), {"scores sample": variants.score_table(results)})
    insert_into_file(PAGE, {f"replication {name}": table for name, table in tables.items()})
    insert_into_file(README, {"replication summary": summarize(papers, results)})
    draw_figures(papers, results)
    insert_tables(JUMP_MODELS)


if __name__ == "__main__":
    main()
