"""Claims about systems: what decides them, compared with all bootstrap samples of a small corpus."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from claims import Judgement, Run, claims_table, judge
from runs import update

PAIRS = ("one", "two", "three")
WORDS = "a b c d"
GOLD = [(0, 0), (1, 1), (2, 2)]
# The links of each system by pair.
SYSTEMS = {
    "good": [GOLD, GOLD, [(0, 0), (1, 1)]],
    "bad": [[(0, 1)], [(0, 0), (1, 2)], [(0, 1), (1, 1)]],
    "other": [[(0, 0)], GOLD, [(3, 3)]],
}


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


@pytest.fixture
def run(tmp_path):
    links = [{"summary": [i, i + 1], "document": [j, j + 1], "sure": True} for i, j in GOLD]
    pairs = [{"id": key, "document": [WORDS], "summary": [WORDS], "tokenized": True} for key in PAIRS]
    write(tmp_path / "corpus/corpus.jsonl", pairs)
    write(tmp_path / "corpus/gold.jsonl", [{"id": k, "annotator": "A", "alignments": links} for k in PAIRS])
    for system, made in SYSTEMS.items():
        rows = [
            {
                "id": key,
                "system": system,
                "log_likelihood": None,
                "document_tokens": WORDS.split(),
                "summary_tokens": WORDS.split(),
                "alignments": [{"summary": [i, i + 1], "document": [j, j + 1]} for i, j in cells],
            }
            for key, cells in zip(PAIRS, made, strict=True)
        ]
        write(tmp_path / f"align/{system}/alignments.jsonl", rows)
    return Run(tmp_path)


def f_score(made, sample):
    """Return F over the pairs of a sample, from its definition."""
    found = sum(len(made[k]) for k in sample)
    right = sum(len(set(made[k]) & set(GOLD)) for k in sample)
    return 2 * right / (found + len(GOLD) * len(sample))


@pytest.mark.parametrize(
    "first, second, verdict",
    [("good", "bad", "holds"), ("bad", "good", "does not hold"), ("good", "other", "undecided")],
)
def test_a_verdict_is_that_of_all_samples(run, first, second, verdict):
    judged = judge(run, f"soft_f {first}", f"soft_f {second}")
    samples = list(product(range(3), repeat=3))
    gains = [f_score(SYSTEMS[first], x) - f_score(SYSTEMS[second], x) for x in samples]
    low, high = np.quantile(gains, [0.025, 0.975], method="inverted_cdf")
    assert judged.verdict == verdict
    assert judged[:2] == pytest.approx([f_score(SYSTEMS[x], range(3)) for x in (first, second)])
    assert judged[2:] == pytest.approx((low, high), abs=1e-12)


def test_the_best_system_and_one_that_is_missing(run):
    scores = [("annotator-A", "all", 0.9), ("bad", "all", 0.3), ("good", "all", 0.8), ("bad", "nonstop", 0.9)]
    (run.folder / "score").mkdir()
    table = pd.DataFrame(scores, columns=["system", "words", "soft_f"])
    table.to_csv(run.folder / "score/scores.tsv", sep="\t", index=False)
    assert judge(run, "soft_f best", "soft_f good")[:2] == judge(run, "soft_f good", "soft_f good")[:2]
    assert judge(run, "soft_f good", "soft_f absent") is None
    assert judge(run, "soft_f annotator-A", "soft_f good") is None  # nobody else has annotated


def test_an_interval_at_0_decides_nothing():
    assert Judgement(0.5, 0.5, 0.0, 0.0).verdict == "undecided"
    assert str(Judgement(0.5, 0.25, 0.1, 0.4)) == "holds: 0.500, 0.250 (+0.100 to +0.400)"


def test_a_run_that_is_left_out_keeps_its_column(tmp_path):
    claim = "The semi-HMM is better than the HMM"
    columns = ["claim", "run", *Judgement._fields, "verdict"]
    rows = {x: [claim, x, 0.5, 0.25, low, 0.4, "holds"] for x, low in (("a", 0.1), ("b", 0.2))}
    for made in (["a", "b"], ["a"]):
        table = update(tmp_path / "claims.tsv", pd.DataFrame([rows[x] for x in made], columns=columns), "run")
    line = next(line for line in claims_table(table, ["b", "a"]).splitlines() if f"| {claim} |" in line)
    cells = "holds: 0.500, 0.250 (+0.200 to +0.400) | holds: 0.500, 0.250 (+0.100 to +0.400)"
    assert line == f"| {claim} | 2005 §5.2, §6 | 0.548, 0.271 | {cells} |"
