"""Run the settings of the papers and put their numbers beside ours in docs/replication.md and README.md:

    make replication SCISUMMNET=folder ZIFFDAVIS=folder MTREF=folder

The runs are those of the paper on each corpus, and of other extracts; the default settings are those of `make
align`. `docs/replication.tsv` has the numbers of the papers and says where in the results ours are;
`docs/replication-claims.tsv` has what the papers say of them, as inequalities. What the runs give is in
`docs/results/replication.tsv` and `claims.tsv`, where rows of a corpus that is left out stay, and in the
places `<!-- replication NAME -->` of the page.
"""

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import curves
import pandas as pd
import variants
import yaml
from claims import claims_table, judge_claims
from figures import draw_jumps, draw_systems, save
from markdown_tables import insert_into_file, markdown_table, with_range
from runs import alignments_of, update

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
TABLES = dict.fromkeys(("corpora", "annotation", "scores", "errors", "sources"), CORPORA)
TABLES["extracts"] = tuple(RUNS)
# The run whose numbers the verdicts are about: the first of these that has any.
JUDGED = (*CORPORA, "sample")
# Sets of a folder with gold by one annotator, whose documents are sentences in random order.
MTREF = ("mtref-dev", "mtref-train")
# The runs that decide about the claims, with their headings.
JUDGES = {run: RUNS[run] for run in ("replication-sample", "sample")} | {f"replication-{x}": x for x in MTREF}
# The runs whose SoftF stands beside that of the papers.
COMPARED = {"replication-sample": "here, settings of the paper", "sample": "here, default settings"}
CLOSE = 0.25  # relative difference up to which numbers are close
NONE = "–"
RESULTS, DOCS = Path("results"), Path("docs")
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


def snakemake(config: dict[str, Any], *targets: object, paper: bool = True) -> list[str]:
    """Return the command of a run with some sections of the config; `paper`: with the preset `paper`."""
    presets = ["--configfile", *PRESETS] if paper else []
    sections = [f"{section}={json.dumps(values)}" for section, values in config.items()]
    options = [*presets, *(["--config", *sections] if sections else [])]
    return ["snakemake", "--cores", "all", *options, *(["--", *map(str, targets)] if targets else [])]


def runs(
    scisummnet: str | None, ziffdavis: str | None, ziffdavis_gold: str | None, mtref: str | None
) -> Iterator[list[str]]:
    """Yield the command of each run; the corpora that have to be fetched may be None."""
    yield snakemake({}, paper=False)
    of_2004 = {OF_2004: variants.rewrite_variants()["variants"][OF_2004]}
    compared = {"variants": of_2004, "systems": [*SYSTEMS, f"{OF_2004}-relative"]}
    yield snakemake(compared)
    for name in MTREF if mtref else ():
        corpus = {"name": f"replication-{name}", "reader": "jsonl", "tokenized": True}
        corpus |= {"path": f"{mtref}/{name}/corpus.jsonl", "gold": f"{mtref}/{name}/gold.jsonl"}
        systems = [x for x in compared["systems"] if x != "cutpaste-document"]  # that would be cutpaste
        config = compared | {"corpus": corpus, "extract": {"enabled": False}, "systems": systems}
        folder = RESULTS / f"replication-{name}/score"
        yield snakemake(config, folder / "scores.tsv", folder / "implied_extracts.tsv")
    for name, unit in (("deletion", "sentence"), ("clauses", "clause")):
        corpus = {"name": f"replication-{name}"} | BUNDLED
        extracts = f"results/replication-{name}/extract/evaluation.tsv"
        yield snakemake({"corpus": corpus, "extract": {"method": "deletion", "unit": unit}}, extracts)
    for name in variants.EXTRACTS:
        config, run = variants.extract_variants(name), RESULTS / name
        extracts = (run / f"variants/{variant}/extract/evaluation.tsv" for variant in config["variants"])
        aligned = (alignments_of(run, system) for system in config["systems"])
        yield snakemake(config, *aligned, *extracts, paper=name == variants.PAPER)
    config = variants.rewrite_variants()
    yield snakemake(config, *(alignments_of(RESULTS / variants.PAPER, x) for x in config["systems"]))
    if scisummnet:
        corpus = {"name": "replication-scisummnet", "reader": "scisummnet", "path": scisummnet}
        corpus["select"] = {"sample": 100, "unusable": "drop"}
        yield snakemake({"corpus": corpus} | SCISUMMNET)
    if ziffdavis:
        corpus = {"name": "replication-ziffdavis", "reader": "ziffdavis", "path": ziffdavis}
        corpus |= {"gold": ziffdavis_gold, "select": {"shortest": 2000, "unusable": "drop"}}
        yield snakemake({"corpus": corpus})


def measure(papers: pd.DataFrame) -> pd.DataFrame:
    """Return what each run has for the numbers of the papers, in rows of run, table, number and value."""
    rows = [
        [heading, number["table"], number["quantity"], value]
        for run, heading in RUNS.items()
        for _, number in papers.iterrows()
        if (value := find_values(RESULTS / run, number)) != NONE
    ]
    return pd.DataFrame(rows, columns=["run", "table", "number", "value"])


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


def compare(papers: pd.DataFrame, measured: pd.DataFrame, name: str) -> str:
    """Return the Markdown table `name`: rows for the numbers of the papers, columns for runs and a verdict.

    A run without any of the numbers has no column. The verdict is about the first of `JUDGED` that has them.
    """
    numbers = papers[papers["table"] == name]
    shown = numbers[["quantity", "place", "paper"]].set_axis(["number", "in", "paper"], axis=1)
    ours = measured[measured["table"] == name].pivot(index="number", columns="run", values="value")
    runs = [RUNS[run] for run in TABLES[name] if RUNS[run] in ours]
    shown = shown.join(ours[runs], on="number")
    missing = shown[shown[runs].isna().all(axis=1)]["number"]
    if len(missing):
        raise SystemExit(f"error: {RESULTS}: no run has “{missing.iloc[0]}”; run it again")
    judged = shown[[RUNS[run] for run in JUDGED if RUNS[run] in runs]].bfill(axis=1).iloc[:, 0]
    shown["verdict"] = list(map(verdict, shown["paper"], judged))
    return markdown_table(list(shown), shown.fillna(NONE).to_numpy().tolist())


def f_of(numbers: str) -> str:
    """Return the F over all words of precision, recall and F of all, then of non-stop words."""
    return numbers.split("; ")[0].split("/")[-1]


def soft_f(numbers: pd.DataFrame, run: str) -> pd.DataFrame:
    """Return SoftF over all words, low and high of the systems that rows of scores name; NaN for none."""
    scores = pd.read_table(RESULTS / run / "score/scores.tsv")
    scores = scores[scores["words"] == "all"].set_index("system")[["soft_f", "low", "high"]]
    return scores.reindex(numbers["row"].str.extract("^system=(\\S+)")[0])


def summarize(papers: pd.DataFrame) -> str:
    """Return the Markdown table of SoftF over all words: a row for each system, a column for each source."""
    numbers = papers[papers["table"] == "scores"].set_index("quantity").loc[list(SUMMARY)]
    columns = [list(SUMMARY.values()), list(map(f_of, numbers["paper"]))]
    for run in COMPARED:
        rows = soft_f(numbers, run).itertuples(index=False)
        columns.append([NONE if pd.isna(row.soft_f) else with_range(*row) for row in rows])
    heading = ["SoftF", "the paper, Ziff-Davis", *COMPARED.values()]
    return markdown_table(heading, zip(*columns, strict=True))


def verdict(paper: str, ours: str) -> str:
    """Return how our numbers compare with those of a paper: `close`, `higher`, `lower` or `mixed`.

    Numbers are close if none differs by more than `CLOSE` of the paper's. Words instead of numbers are not
    compared.
    """
    sides = (map(number_of, re.split("/|; ", side)) for side in (paper, ours))
    pairs = [pair for pair in zip(*sides, strict=False) if None not in pair]
    gains = [own - theirs for theirs, own in pairs if abs(own - theirs) > CLOSE * theirs + 1e-9]
    if not gains:
        return "close" if pairs else NONE
    return "higher" if min(gains) > 0 else "lower" if max(gains) < 0 else "mixed"


def number_of(text: str) -> float | None:
    """Return the number of a text such as `0.42`, `2,033`, `13k`, `2.5m` or `7.2 million`, if it is one."""
    match = re.fullmatch(r"(?:at least )?([\d,]*\.?\d+)(k|m| million)?", text)
    return float(match[1].replace(",", "")) * {"k": 1e3, None: 1}.get(match[2], 1e6) if match else None


def draw_figures(papers: pd.DataFrame) -> None:
    """Draw SoftF of the systems beside the numbers of the papers, and jumps of gold and models."""
    numbers = papers[papers["table"] == "scores"]
    shown = {label: soft_f(numbers, run) for run, label in COMPARED.items()}
    of_papers = dict(zip(numbers["quantity"], numbers["paper"].map(f_of).astype(float), strict=True))
    save("replication-systems", partial(draw_systems, of_papers, shown))
    learned = ("relative", "gaussian", "exponential")
    save("jump-models-learned", partial(draw_jumps, RESULTS / "replication-sample", learned))


def make_tables(papers: pd.DataFrame) -> dict[Path, dict[str, str]]:
    """Return the tables of all pages by their places; `papers`: the numbers of the papers."""
    measured = update(DOCS / "results/replication.tsv", measure(papers), "run")
    judges = {name: RESULTS / run for run, name in JUDGES.items() if (RESULTS / run / "align").is_dir()}
    judgements = update(DOCS / "results/claims.tsv", judge_claims(judges), "run")
    tables = {name: compare(papers, measured, name) for name in TABLES} | {
        "claims": claims_table(judgements, list(JUDGES.values())),
        "extract methods": variants.extract_table(RESULTS),
        "rewrites": variants.rewrite_table(RESULTS),
    }
    return {
        DOCS / "replication.md": {f"replication {name}": table for name, table in tables.items()},
        DOCS / "results.md": {"scores sample": variants.score_table(RESULTS)},
        Path("README.md"): {"replication summary": summarize(papers)},
        curves.PAGE: curves.tables(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scisummnet", metavar="FOLDER", help="ScisummNet (default: leave it out)")
    parser.add_argument("--ziffdavis", metavar="FOLDER", help="Ziff-Davis (default: leave it out)")
    parser.add_argument("--ziffdavis-gold", metavar="FILE", help="gold of Ziff-Davis (default: none)")
    parser.add_argument("--mtref", metavar="FOLDER", help="of mtref-dev, mtref-train (default: skip them)")
    options = parser.parse_args()
    for path in filter(None, vars(options).values()):
        if not Path(path).exists():
            parser.error(f"{path}: no such file or folder")
    if not options.mtref:
        print("mtref: skipped, as no folder is given; its columns in the table of claims stay")
    for command in runs(**vars(options)):
        if subprocess.run(command, check=False).returncode:
            raise SystemExit("error: the run above failed, so no page was written; run it again")
    papers = pd.read_table(DOCS / "replication.tsv")
    draw_figures(papers)
    for page, tables in make_tables(papers).items():
        insert_into_file(page, tables)


if __name__ == "__main__":
    main()
