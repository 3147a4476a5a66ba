"""The page of experiments has the tables of their files; these are made as the score stage makes its own."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from experiment_tables import tables
from markdown import insert
from variants import PEERS, PRESETS, SETS, VARIANTS, config_of, systems_of
from vorlage.baselines import cutpaste, identity
from vorlage.corpus import stage as corpus
from vorlage.extract import stage as extract
from vorlage.score import stage as score
from vorlage.settings import complete

import experiments

SAMPLE = Path(__file__).parents[2] / "data" / "sample"


@pytest.fixture(scope="module")
def written():
    """The two files of the experiments."""
    files = experiments.OUTPUT, experiments.order_file(experiments.OUTPUT)
    return [pd.read_table(path) for path in files]


def test_the_tables_of_the_page_are_those_of_the_files(written):
    text = experiments.PAGE.read_text(encoding="utf-8")
    for mark, table in tables(*written).items():
        assert insert(text, mark, table) == text, "run python benchmarks/experiments.py --tables"


def test_every_variant_was_run_on_every_set(written):
    scores, order = written
    found = set(scores[["set", "variant", "system"]].itertuples(index=False, name=None))
    variants = (PEERS, *VARIANTS)
    assert found == {(name, v, system) for name in SETS for v in variants for system in systems_of(v)}
    assert set(order["set"]) == set(SETS)


@pytest.mark.parametrize("variant", [PEERS, *VARIANTS])
def test_the_schema_has_every_setting_of_a_variant(variant, tmp_path):
    (tmp_path / "set").mkdir()
    for name in ("corpus", "gold"):
        (tmp_path / "set" / f"{name}.jsonl").write_bytes((SAMPLE / f"{name}.jsonl").read_bytes())
    config = config_of(tmp_path, "set", variant)
    completed = complete(config)
    assert completed["semihmm"]["jumps"] and completed["systems"] == systems_of(variant)
    preset = VARIANTS[variant].preset if variant != PEERS else None
    if preset:
        complete(config | yaml.safe_load((PRESETS / f"{preset}.yaml").read_text()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Results of two systems on the bundled corpus."""
    made = tmp_path_factory.mktemp("results") / "sample-peers"
    files = ["--path", str(SAMPLE / "corpus.jsonl"), "--gold", str(SAMPLE / "gold.jsonl")]
    corpus.main(["--reader", "jsonl", *files, "--output", str(made / "corpus")])
    given = ["--corpus", str(made / "corpus/corpus.jsonl")]
    extract.main([*given, "--enabled", "false", "--output", str(made / "extract/extracts.jsonl")])
    given += ["--extracts", str(made / "extract/extracts.jsonl")]
    identity.main([*given, "--output", str(made / "align/identity/alignments.jsonl")])
    output = str(made / "align/cutpaste-1/alignments.jsonl")
    cutpaste.main([*given, "--run", "1", "--output", output])
    return made


def test_scores_are_those_of_the_score_stage(folder, monkeypatch):
    systems = ["identity", "cutpaste-1"]
    monkeypatch.setattr(experiments, "systems_of", lambda variant: systems)
    rows, order = experiments.score_set("sample", {PEERS: folder})
    found = pd.DataFrame(rows).set_index(["system", "words"])
    files = [folder / "corpus" / f"{name}.jsonl" for name in ("corpus", "gold")]
    paths = [folder / "align" / system / "alignments.jsonl" for system in systems]
    expected = score.score(*files, paths, experiments.SAMPLES, experiments.SEED)
    for row in expected[: 2 * len(systems)]:  # without the rows of the annotators
        made = found.loc[(alignment_name(row["system"]), row["words"])]
        for new, old in (("precision", "soft_precision"), ("f", "soft_f"), ("low", "low"), ("high", "high")):
            assert made[new] == row[old]
    best = found.xs("all", level="words")["f"].astype(float).idxmax()
    assert set(found[found["against"] != ""]["against"].xs("all", level="words")) == {best}
    assert not order


def alignment_name(system):
    """What the workflow calls Cut & Paste with runs of one word."""
    return "cutpaste-1" if system.startswith("cutpaste") else system


def test_a_system_without_posteriors_has_no_calibration_error(folder):
    gold = folder / "corpus/gold.jsonl"
    annotated, ids = experiments.read_annotated(folder / "corpus/corpus.jsonl", gold)
    _, references = experiments.measures_of(annotated, True)
    path = folder / "align/identity/alignments.jsonl"
    _, found = experiments.read_system(path, annotated, ids)
    assert experiments.calibration_error(found, references) == ""


def test_no_row_of_the_files_is_beyond_its_interval(written):
    scores, order = written
    inside = scores[["low", "f", "high"]].to_numpy()
    assert (np.diff(inside) >= -0.005).all()
    assert ((order["low"] <= order["difference"]) & (order["difference"] <= order["high"])).all()
