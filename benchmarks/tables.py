"""The tables of docs/experiments.md, from docs/experiments.tsv and docs/experiments-order.tsv."""

import numpy as np
import pandas as pd
from variants import OF_DEFAULT, OF_ENCODER, PEERS, RELATIVE, SETS, SYSTEMS, VARIANTS

WHOLE = {"mtref-train": "all", "mtref-dev": "all", "edinburgh-train": "all", "spark-dev": "phrases"}
SHORT = {
    "mtref-train": "mt-train",
    "mtref-dev": "mt-dev",
    "edinburgh-train": "edinburgh",
    "spark-dev": "spark",
}
WORDS = ("all", "nonstop", "nonidentical", "phrases", "phrases-nonstop")
HEADS = {"all": "all", "nonstop": "non-stop", "nonidentical": "not equal", "phrases": "all"}
HEADS["phrases-nonstop"] = "non-stop"
MAIN = ("former", "paper", "default", "encoder")
COSTLY = ("hmm-doc", "model4-doc", "eflomal-intersect", "embed")


def tables(scores, order):
    """The text of each table by the name of its place in the page; ``scores``, ``order``: data frames."""
    return {
        "experiments results": results(scores),
        "experiments gains": gains(scores),
        "experiments order": order_of_families(order),
        "experiments ablations default": ablations(scores, "default", OF_DEFAULT),
        "experiments ablations encoder": ablations(scores, "encoder", OF_ENCODER),
        "experiments calibration": calibration(scores),
        "experiments cost": cost(scores),
    }


def rows_shown():
    """``(variant, system, label)`` of the rows of the tables of all systems."""
    for system in SYSTEMS:
        yield PEERS, system, system
    for variant in MAIN:
        jumps = VARIANTS[variant][1].get("jumps", ["relative"])
        for jump in jumps:
            yield variant, f"semihmm-{jump}", f"{variant}, {jump}" if len(jumps) > 1 else variant


def results(scores):
    """F of every system on every set, ± half its 95 % interval; the best of each column is bold."""
    columns = [(name, words) for name in SETS for words in WORDS if _has(scores, name, words)]
    found = {
        label: [
            [_value(scores, name, variant, system, words, column) for column in ("f", "low", "high")]
            for name, words in columns
        ]
        for variant, system, label in rows_shown()
    }
    best = [max(f for f, _, _ in values) for values in zip(*found.values(), strict=True)]
    heads = [SHORT[name] if WHOLE[name] == words else HEADS[words] for name, words in columns]
    body = [
        [label, *(_plus_minus(*value, value[0] == top) for value, top in zip(values, best, strict=True))]
        for label, values in found.items()
    ]
    return markdown(["system", *heads], body, 1)


def _plus_minus(f, low, high, bold):
    """`0.852 ± 9`, the half interval in thousandths."""
    return f"{'**' * bold}{f:.3f}{'**' * bold} ± {1000 * (high - low) / 2:.0f}"


def gains(scores):
    """What the default and the encoder gain over the best peer."""
    body = []
    columns = [(name, words) for name in SETS for words in WORDS if _has(scores, name, words)]
    for name, words in columns:
        for variant in ("default", "encoder"):
            row = _row(scores, name, variant, RELATIVE, words)
            body.append(
                [SHORT[name], HEADS[words], variant, *map(_three, row[["precision", "recall", "f"]])]
                + [_between(row["low"], row["high"]), row["against"], f"{row['difference']:+.3f}"]
                + [_between(row["difference_low"], row["difference_high"], "+"), _three(row["p"])]
            )
    heads = ["set", "words", "preset", "precision", "recall", "F", "95 %", "best peer", "gain", "95 %", "p"]
    return markdown(heads, body, 3, left=(7,))


def order_of_families(order):
    """Whether each family is better than the next."""
    body = [
        [SHORT[row["set"]], HEADS[row["words"]], _called(row["family"], row["system"]), _three(row["f"])]
        + [_called(row["other_family"], row["other"]), _three(row["other_f"]), f"{row['difference']:+.3f}"]
        + [_between(row["low"], row["high"], "+"), _three(row["p"])]
        for _, row in order.iterrows()
    ]
    heads = ["set", "words", "this", "F", "against", "F", "difference", "95 %", "p"]
    return markdown(heads, body, 3, left=(4,))


def ablations(scores, whole, changes):
    """F with one setting changed, and the change of F, on the words of each set and in calibration."""
    columns = [(name, words) for name in SETS for words in (WHOLE[name], "nonidentical")]
    columns = [column for column in columns if _has(scores, *column)]
    heads = [SHORT[name] if WHOLE[name] == words else HEADS[words] for name, words in columns]
    variants = {"all as it is": whole, **{_spelled(new): f"{whole}-{name}" for name, new in changes.items()}}
    body = []
    for label, variant in variants.items():
        cells = []
        for name, words in columns:
            f, full = (_value(scores, name, v, RELATIVE, words, "f") for v in (variant, whole))
            cells.append(f"{f:.3f}" if variant == whole else f"{f:.3f} ({f - full:+.3f})")
        body.append([label, *cells])
    return markdown(["setting", *heads], body, 1)


def calibration(scores):
    """The expected calibration error on the sets with gold in tokens."""
    sets = [name for name in SETS if _has(scores, name, "all")]
    body = []
    for variant in VARIANTS:
        errors = [_value(scores, name, variant, RELATIVE, "all", "ece") for name in sets]
        if not np.isnan(errors).any():
            body.append([variant, *map(_three, errors)])
    return markdown(["variant", *(SHORT[name] for name in sets)], body, 1)


def cost(scores):
    """Seconds of encoding, training and aligning."""
    body = []
    for variant, system, label in rows_shown():
        if variant == PEERS and system not in COSTLY:
            continue
        cells = []
        for name in SETS:
            taken = [
                _value(scores, name, variant, system, WHOLE[name], column)
                for column in ("encoding", "training", "aligning")
            ]
            cells.append(" + ".join(f"{seconds:.0f}" for seconds in taken))
        body.append([label, *cells])
    return markdown(["system", *(SHORT[name] for name in SETS)], body, 1)


def markdown(heads, body, texts, left=()):
    """A Markdown table; the first ``texts`` columns and those in ``left`` are texts, the others numbers."""
    rules = ["---" if i < texts or i in left else "---:" for i in range(len(heads))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, rules, *body])


def _value(scores, name, variant, system, words, column):
    return float(_row(scores, name, variant, system, words)[column])


def _row(scores, name, variant, system, words):
    """The row of a system; raises KeyError where there is none."""
    keys = {"set": name, "variant": variant, "system": system, "words": words}
    found = scores[(scores[list(keys)] == list(keys.values())).all(axis=1)]
    if not len(found):
        raise KeyError(f"no row {keys}; run benchmarks/experiments.py for all sets and variants")
    return found.iloc[0]


def _called(family, system):
    return family if family in VARIANTS else system


def _has(scores, name, words):
    return bool(((scores["set"] == name) & (scores["words"] == words)).any())


def _spelled(changed):
    """Settings as the config has them."""
    parts = [
        f"{key}: {{{', '.join(f'{k}: {v}' for k, v in value.items())}}}"
        if isinstance(value, dict)
        else f"{key}: {str(value).lower()}"
        for key, value in changed.items()
    ]
    return "`" + ", ".join(parts) + "`"


def _three(value):
    return "–" if pd.isna(value) else f"{value:.3f}"


def _between(low, high, sign=""):
    return f"{low:{sign}.3f} … {high:{sign}.3f}"
