"""The tables of docs/experiments.md, from docs/experiments.tsv and docs/experiments-order.tsv."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from variants import OF_DEFAULT, OF_ENCODER, PEERS, RELATIVE, SETS, SYSTEMS, VARIANTS

# The words that the main score of a set counts.
MAIN_WORDS = {"mtref-train": "all", "mtref-dev": "all", "edinburgh-train": "all", "spark-dev": "phrases"}
SET_TITLES = {
    "mtref-train": "mt-train",
    "mtref-dev": "mt-dev",
    "edinburgh-train": "edinburgh",
    "spark-dev": "spark",
}
WORD_TITLES = {
    "all": "all",
    "nonstop": "non-stop",
    "nonidentical": "not equal",
    "phrases": "all",
    "phrases-nonstop": "non-stop",
}
MAIN_VARIANTS = ("former", "paper", "default", "encoder")
COSTLY_PEERS = ("hmm-doc", "model4-doc", "eflomal-intersect", "embed")


def tables(scores: pd.DataFrame, order: pd.DataFrame) -> dict[str, str]:
    """Return the text of each table by the name of its place in the page."""
    return {
        "experiments results": results(scores),
        "experiments gains": gains(scores),
        "experiments order": order_of_families(order),
        "experiments ablations default": ablations(scores, "default", OF_DEFAULT),
        "experiments ablations encoder": ablations(scores, "encoder", OF_ENCODER),
        "experiments calibration": calibration(scores),
        "experiments cost": cost(scores),
    }


def rows_shown() -> Iterator[tuple[str, str, str]]:
    """Yield `(variant, system, label)` for each row of the tables of all systems."""
    for system in SYSTEMS:
        yield PEERS, system, system
    for variant in MAIN_VARIANTS:
        jumps = VARIANTS[variant].jumps
        for jump in jumps:
            yield variant, f"semihmm-{jump}", f"{variant}, {jump}" if len(jumps) > 1 else variant


def results(scores: pd.DataFrame) -> str:
    """Return F of every system on every set, ± half its 95 % interval; the best of each column is bold."""
    columns = _columns(scores)
    values = {
        label: [
            [_value(scores, name, variant, system, words, column) for column in ("f", "low", "high")]
            for name, words in columns
        ]
        for variant, system, label in rows_shown()
    }
    best = [max(f for f, _, _ in column) for column in zip(*values.values(), strict=True)]
    body = [
        [label, *(_plus_minus(*value, value[0] == top) for value, top in zip(row, best, strict=True))]
        for label, row in values.items()
    ]
    return markdown(["system", *_titles(columns)], body, 1)


def _plus_minus(f: float, low: float, high: float, bold: bool) -> str:
    """Return `0.852 ± 9`: F and half its interval in thousandths."""
    return f"{'**' * bold}{f:.3f}{'**' * bold} ± {1000 * (high - low) / 2:.0f}"


def gains(scores: pd.DataFrame) -> str:
    """Return what the default and the encoder gain over the best peer."""
    body = []
    for name, words in _columns(scores):
        for variant in ("default", "encoder"):
            row = _row(scores, name, variant, RELATIVE, words)
            body.append(
                [SET_TITLES[name], WORD_TITLES[words], variant]
                + [*map(_three, row[["precision", "recall", "f"]])]
                + [_between(row["low"], row["high"]), row["against"], f"{row['difference']:+.3f}"]
                + [_between(row["difference_low"], row["difference_high"], "+"), _three(row["p"])]
            )
    heads = ["set", "words", "preset", "precision", "recall", "F", "95 %", "best peer", "gain", "95 %", "p"]
    return markdown(heads, body, 3, left=(7,))


def order_of_families(order: pd.DataFrame) -> str:
    """Return whether each family is better than the next."""
    body = [
        [SET_TITLES[row["set"]], WORD_TITLES[row["words"]], _title(row["family"], row["system"])]
        + [_three(row["f"]), _title(row["other_family"], row["other"]), _three(row["other_f"])]
        + [f"{row['difference']:+.3f}", _between(row["low"], row["high"], "+"), _three(row["p"])]
        for _, row in order.iterrows()
    ]
    heads = ["set", "words", "this", "F", "against", "F", "difference", "95 %", "p"]
    return markdown(heads, body, 3, left=(4,))


def ablations(scores: pd.DataFrame, whole: str, changes: Mapping[str, Mapping[str, Any]]) -> str:
    """Return F with one setting changed, and the change of F, for the main words and those not equal."""
    columns = [(name, words) for name in SETS for words in (MAIN_WORDS[name], "nonidentical")]
    columns = [column for column in columns if _has(scores, *column)]
    variants = {"all as it is": whole}
    variants |= {_as_config(changed): f"{whole}-{name}" for name, changed in changes.items()}
    body = []
    for label, variant in variants.items():
        cells = []
        for name, words in columns:
            f, full = (_value(scores, name, v, RELATIVE, words, "f") for v in (variant, whole))
            cells.append(f"{f:.3f}" if variant == whole else f"{f:.3f} ({f - full:+.3f})")
        body.append([label, *cells])
    return markdown(["setting", *_titles(columns)], body, 1)


def calibration(scores: pd.DataFrame) -> str:
    """Return the expected calibration error on the sets with gold in tokens."""
    sets = [name for name in SETS if _has(scores, name, "all")]
    body = []
    for variant in VARIANTS:
        errors = [_value(scores, name, variant, RELATIVE, "all", "ece") for name in sets]
        if not np.isnan(errors).any():
            body.append([variant, *map(_three, errors)])
    return markdown(["variant", *(SET_TITLES[name] for name in sets)], body, 1)


def cost(scores: pd.DataFrame) -> str:
    """Return the seconds of encoding, training and aligning."""
    body = []
    for variant, system, label in rows_shown():
        if variant == PEERS and system not in COSTLY_PEERS:
            continue
        cells = []
        for name in SETS:
            seconds = [
                _value(scores, name, variant, system, MAIN_WORDS[name], column)
                for column in ("encoding", "training", "aligning")
            ]
            cells.append(" + ".join(f"{value:.0f}" for value in seconds))
        body.append([label, *cells])
    return markdown(["system", *(SET_TITLES[name] for name in SETS)], body, 1)


def markdown(heads: list[str], body: list[list[str]], texts: int, left: Collection[int] = ()) -> str:
    """Return a Markdown table; the first `texts` columns and those in `left` are text, others numbers."""
    rules = ["---" if i < texts or i in left else "---:" for i in range(len(heads))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, rules, *body])


def _columns(scores: pd.DataFrame) -> list[tuple[str, str]]:
    """Return the sets and the words that were scored on each."""
    return [(name, words) for name in SETS for words in WORD_TITLES if _has(scores, name, words)]


def _titles(columns: list[tuple[str, str]]) -> list[str]:
    """Return the heads of columns: the name of a set for its main words."""
    return [SET_TITLES[name] if MAIN_WORDS[name] == words else WORD_TITLES[words] for name, words in columns]


def _value(scores: pd.DataFrame, name: str, variant: str, system: str, words: str, column: str) -> float:
    return float(_row(scores, name, variant, system, words)[column])


def _row(scores: pd.DataFrame, name: str, variant: str, system: str, words: str) -> pd.Series:
    """Return the row of a system; raise KeyError if it is missing."""
    keys = {"set": name, "variant": variant, "system": system, "words": words}
    rows = scores[(scores[list(keys)] == list(keys.values())).all(axis=1)]
    if not len(rows):
        raise KeyError(f"no row {keys}; run benchmarks/experiments.py for all sets and variants")
    return rows.iloc[0]


def _title(family: str, system: str) -> str:
    return family if family in VARIANTS else system


def _has(scores: pd.DataFrame, name: str, words: str) -> bool:
    return bool(((scores["set"] == name) & (scores["words"] == words)).any())


def _as_config(changed: Mapping[str, Any]) -> str:
    """Return settings as the config spells them, as code."""
    parts = [
        f"{key}: {{{', '.join(f'{k}: {v}' for k, v in value.items())}}}"
        if isinstance(value, dict)
        else f"{key}: {str(value).lower()}"
        for key, value in changed.items()
    ]
    return "`" + ", ".join(parts) + "`"


def _three(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:.3f}"


def _between(low: float, high: float, sign: str = "") -> str:
    return f"{low:{sign}.3f} … {high:{sign}.3f}"
