"""The tables of the report page: which columns of which file, under which headings, how rounded."""

from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from urllib.parse import urlencode

import pandas as pd

from pipeline.io.inputs import open_file
from pipeline.run.errors import InputError

CAPTIONS = Path(__file__).with_name("captions")
SIGNIFICANT = 0.05
NEAR = 5  # words, the longest jumps of the table
WORDS = {"all": "all words", "nonstop": "non-stop words"}
WORDS_SHORT = {"nonstop": "non-stop"}


@dataclass(frozen=True)
class Column:
    """``name`` in the file and ``heading`` on the page; ``kind``: text, long, whole, number or percent.

    ``best``: whether the largest value is marked; ``group``: heading over several columns.
    """

    name: str
    heading: str
    kind: str = "number"
    best: bool = False
    group: str = ""


@dataclass(frozen=True)
class Cell:
    """``text`` as shown, ``value`` to sort by, whether it is the best of its column, and its address."""

    text: str
    value: object
    best: bool = False
    link: str = ""


@dataclass(frozen=True)
class Table:
    """A table ready for the template; ``rows`` are lists of :class:`Cell`."""

    name: str
    caption: str
    columns: list
    rows: list

    @property
    def groups(self):
        """The headings over the columns, with how many each spans, or nothing where there are none."""
        runs = [(group, len(list(found))) for group, found in groupby(self.columns, lambda one: one.group)]
        return runs if len(runs) > 1 else []


def _texts(**headings):
    return [Column(name, heading, "text") for name, heading in headings.items()]


def _numbers(best=True, **headings):
    return [Column(name, heading, best=best) for name, heading in headings.items()]


def _wholes(*names):
    return [Column(name, name.replace("_", " "), "whole") for name in names]


def _percents(**headings):
    return [Column(name, heading, "percent") for name, heading in headings.items()]


SYSTEM = _texts(system="system")
SCORES = {"soft_precision": "SoftP", "recall": "recall", "soft_f": "SoftF"}
HARD = {"hard_precision": "HardP", "hard_f": "HardF"}
PHRASES = {"precision": "precision", "recall": "recall", "f": "F"}
NOTHING = pd.DataFrame()
# Columns of texts, even if they look like numbers.
TEXTS = ["system", "id", "summary", "document", "aligned", "against", "annotator", "signature"]
# The columns of each table that is shown as it stands in its file.
COLUMNS = {
    "statistics": [
        *_texts(pairs="pairs", text="text"),
        *_wholes("documents", "sentences", "words", "unique_words", "unique_words_with_summaries"),
        *_numbers(
            False,
            sentences_per_document="sentences per document",
            words_per_document="words per document",
            words_per_sentence="words per sentence",
        ),
    ],
    "agreement": [
        *_texts(annotator="annotator", against="against", words="words"),
        *_numbers(False, **SCORES, kappa_sure="κ sure", kappa_possible="κ possible"),
        *_wholes("pairs"),
    ],
    "significance": [
        *_texts(system="system", words="words", against="against"),
        *_numbers(False, difference="difference", low="low", high="high", p="p"),
    ],
    "phrase_significance": [
        *_texts(system="system", words="words", against="against"),
        *_numbers(False, difference="difference", low="low", high="high", p="p"),
    ],
    "reliability": [
        *SYSTEM,
        *_numbers(False, low="from", high="to"),
        *_wholes("links"),
        *_numbers(False, posterior="mean posterior", right="share right"),
    ],
    "identity": [
        *_texts(system="system", phrases="links of"),
        *_wholes("links"),
        *_percents(identical="identical", stem_identical="identical up to stem"),
    ],
    "sizes": [
        *SYSTEM,
        *_wholes("links"),
        *_percents(**{shape: shape for shape in ("1–1", "1–n", "n–1", "n–n")}),
        *_percents(summary_1="1 summary word", summary_2="2", summary_3="3", summary_more="more"),
    ],
    "unaligned": [
        *SYSTEM,
        *_wholes("words"),
        *_percents(**{kind: kind for kind in ("unaligned", "punctuation", "function", "content")}),
    ],
    "outcomes": [
        *SYSTEM,
        *_wholes("phrases", "correct", "partial", "incorrect", "null", "null_words", "null_found"),
    ],
    "errors": [
        *_texts(system="system", id="pair"),
        *[
            Column(name, heading, "long")
            for name, heading in (("summary", "summary phrase"), ("document", "true phrase"))
        ],
        Column("aligned", "aligned phrase", "long"),
        *_texts(**{"class": "class"}),
    ],
    "calibration": [
        *SYSTEM,
        *_wholes("links"),
        *_numbers(False, error="expected calibration error", posterior="mean posterior", right="share right"),
    ],
}


def caption(name):
    """What a table or a figure shows, from ``captions/``, where Snakemake's report has it from too."""
    path = CAPTIONS / f"{name}.rst"
    try:
        return " ".join(path.read_text(encoding="utf-8").split())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); it holds the caption") from None


def make_table(name, frame, columns=None):
    """The :class:`Table` of a data frame, or None where it has no rows."""
    if not len(frame):
        return None
    columns = columns or COLUMNS[name]
    missing = [column.name for column in columns if column.name not in frame]
    if missing:
        raise InputError(f"the table `{name}` has no column {missing[0]}; make it again with this version")
    largest = {column.name: frame[column.name].max() for column in columns if column.best and len(frame) > 1}
    rows = []
    for row in frame.to_dict("records"):
        best = {key for key, value in largest.items() if row[key] == value}
        rows.append([_cell(row, column, column.name in best) for column in columns])
    return Table(name, caption(name), columns, rows)


def _cell(row, column, best):
    value = row[column.name]
    link = ""
    if column.name == "id":
        link = "#" + urlencode({"pair": value, "system": row["system"], "word": f"summary-{row['first']}"})
    if isinstance(value, float) and pd.isna(value):
        return Cell("–", "")
    return Cell(_shown(value, column.kind), value, best, link)


def _shown(value, kind):
    if kind in ("text", "long"):
        return WORDS_SHORT.get(value, str(value))
    return {"whole": f"{value:,.0f}", "number": f"{value:.3f}", "percent": f"{100 * value:.1f} %"}[kind]


def score_table(name, scores, differences, measures, more=None):
    """The main results, a row for each system, or None where nothing was scored.

    ``scores``: a table with columns ``system``, ``words``, ``low``, ``high`` and ``measures`` (name →
    heading), of which the interval is of the last; ``more``: measures after the interval;
    ``differences``: of the paired bootstrap, or no rows.
    """
    more = more or {}
    columns = list(SYSTEM)
    for words, label in WORDS.items():
        group = _numbers(**{f"{key} {words}": heading for key, heading in measures.items()})
        group += _texts(**{f"interval {words}": "95 % interval"})
        if len(differences):
            group += _texts(**{f"mark {words}": "against the best baseline"})
        group += _numbers(**{f"{key} {words}": heading for key, heading in more.items()})
        columns += [replace(column, group=label) for column in group]
    return make_table(name, _wide(scores, [*measures, *more], differences), columns)


def _wide(scores, measures, differences):
    rows = []
    for system, found in scores.groupby("system", sort=False) if len(scores) else ():
        row = {"system": system}
        for words, one in found.set_index("words").iterrows():
            row |= {f"{name} {words}": one[name] for name in measures}
            known = pd.notna(one["low"])
            row[f"interval {words}"] = f"{one['low']:.3f}–{one['high']:.3f}" if known else "–"
            row[f"mark {words}"] = _mark(differences, system, words)
        rows.append(row)
    return pd.DataFrame(rows)


def _mark(differences, system, words):
    if not len(differences):
        return ""
    found = differences[(differences["words"] == words) & (differences["system"] == system)]
    if not len(found):
        return "is the best"
    if pd.isna(found["p"].item()):
        return "–"
    if found["p"].item() >= SIGNIFICANT:
        return "not different"
    return "better" if found["difference"].item() > 0 else "worse"


def read_table(folder, name):
    """A table of the score stage as a data frame, or one without rows where there is none.

    Columns of numbers are numbers, ``nan`` among them, all others are texts as they stand in the file.
    """
    path = Path(folder) / f"{name}.tsv"
    return read_tsv(path) if path.exists() else NOTHING


def read_tsv(path):
    """A file of tab-separated values, as :func:`read_table` has it; :class:`InputError` for another."""
    try:
        with open_file(path, encoding="utf-8") as file:
            frame = pd.read_table(file, dtype=str, keep_default_na=False)
    except ValueError as error:
        raise InputError(f"{path}: is no table ({error}); make it again") from None
    for column in frame.columns.difference(TEXTS):
        numbers = pd.to_numeric(frame[column], errors="coerce")
        if (numbers.notna() | frame[column].eq("nan")).all():
            frame[column] = numbers
    return frame


def tables(folder, statistics):
    """The tables of the page by name; one without rows is None.

    ``folder``: of the score stage; raises :class:`InputError` where it has no analysis.
    """
    if not (Path(folder) / "identity.tsv").exists():
        raise InputError(f"{folder}: has no identity.tsv; make the tables: python -m pipeline.score.analysis")
    scored = ("scores", "phrases", "oracle", "nonidentical")
    read = {name: read_table(folder, name) for name in (*scored, *COLUMNS, "jumps")}
    read["statistics"] = read_tsv(statistics)
    made = {name: make_table(name, read[name]) for name in COLUMNS}
    made["jumps"] = make_table("jumps", *_near_jumps(read["jumps"]))
    made["scores"] = score_table("scores", read["scores"], read["significance"], SCORES, HARD)
    made["phrases"] = score_table("phrases", read["phrases"], read["phrase_significance"], PHRASES)
    for name in ("oracle", "nonidentical"):
        made[name] = score_table(name, read[name], NOTHING, SCORES)
    return made


def _near_jumps(jumps):
    """Shares of the jumps of up to ``NEAR`` words, a row for each system, and its columns."""
    if not len(jumps):
        return NOTHING, SYSTEM
    near = range(-NEAR, NEAR + 1)
    shares = jumps[jumps["jump"].isin(near)].pivot(index="system", columns="jump", values="share")
    shares = shares.reindex(jumps["system"].unique()).reindex(columns=near).fillna(0.0)
    names = {place: f"{place:+d}" if place else "0" for place in near}
    columns = [*SYSTEM, *_percents(**{name: name for name in names.values()})]
    return shares.rename(columns=names).reset_index(names="system"), columns
