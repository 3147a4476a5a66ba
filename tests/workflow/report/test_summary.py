"""What a run found, in a few lines."""

import pytest
from vorlage.views.viewer import Entry, PairNumbers
from vorlage.workflow.report import stage
from vorlage.workflow.tables import write_tsv

SYSTEMS = {"one": 0.5, "two": 0.7, "three": 0.6, "annotator-A": 0.9}


@pytest.fixture
def folder(tmp_path):
    """A folder of the score stage with `SYSTEMS`, of which `three` is the best baseline."""
    write_scores(tmp_path, **SYSTEMS)
    found = {"system": "two", "against": "three", "difference": 0.1, "low": 0.0, "high": 0.2}
    rows = [found | {"words": words, "p": p} for words, p in (("nonstop", 0.5), ("all", 0.01))]
    write_tsv(tmp_path / "significance.tsv", rows)
    return tmp_path


def write_scores(folder, **systems):
    rows = [
        {"system": name, "words": words, "low": 0.1, "high": 0.95, "pairs": 2}
        | dict.fromkeys(("soft_precision", "recall", "soft_f"), f)
        for name, f in systems.items()
        for words in ("all", "nonstop")
    ]
    write_tsv(folder / "scores.tsv", rows)


def test_an_annotator_is_not_the_best_system(folder):
    assert stage.find_best_system(folder) == ("two", "SoftF", 0.7, 0.1, 0.95, 2, "three", 0.1, True)


def test_the_best_system_may_be_the_best_baseline(folder):
    write_scores(folder, **SYSTEMS | {"three": 0.8})
    assert stage.find_best_system(folder).against is None


def test_phrases_count_where_the_gold_is_in_characters(tmp_path):
    rows = [
        {"system": "one", "words": "all", "precision": 0.2, "recall": 0.4, "f": 0.3}
        | {"low": 0.1, "high": 0.5, "pairs": 2}
    ]
    write_tsv(tmp_path / "phrases.tsv", rows)
    assert stage.find_best_system(tmp_path)[:3] == ("one", "F", 0.3)
    assert stage.format_scores(tmp_path, {"one": {"extract": "cosine 3"}}).splitlines()[1].split() == [
        *("one", "cosine", "3"),
        *"0.200 0.400 0.300 0.100–0.500".split(),
    ]


def test_what_changed_since_the_last_run(folder):
    runs = folder / "runs.jsonl"
    settings = {"semihmm": {"beam": 1.0}, "seed": 1}
    assert stage.record_run(runs, folder, settings) == []
    first = runs.read_bytes()
    assert stage.record_run(runs, folder, settings) == [] and runs.read_bytes() == first
    write_scores(folder, **SYSTEMS | {"one": 0.6, "four": 0.1})
    expected = ["semihmm.beam 1.0 → 0.5", "one 0.500 → 0.600", "four – → 0.100"]
    changed = {"semihmm": {"beam": 0.5}, "seed": 1}
    assert stage.record_run(runs, folder, changed) == expected
    # Made again, the page still says what changed last.
    assert stage.record_run(runs, folder, changed) == expected


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (["one", "two"], ["two", "four"], "+ four − one"),
        (["one"], ["one", "two", "four"], "+ two, four"),
        (["one", "two"], ["two"], "− one"),
        (["one", "two"], ["two", "one"], "reordered"),
        ([1, 2], [1, 3], "+ 3 − 2"),
        ([], ["one"], "+ one"),
        (None, ["one", "two"], "– → one, two"),
        (False, True, "false → true"),
        ("cosine", "deletion", "cosine → deletion"),
        (3, 0.5, "3 → 0.5"),
    ],
)
def test_changed_settings_are_said_in_words_of_the_config(folder, before, after, said):
    runs = folder / "runs.jsonl"
    stage.record_run(runs, folder, {"systems": before, "seed": 1})
    assert stage.record_run(runs, folder, {"systems": after, "seed": 1}) == [f"systems {said}"]


def entry(id, f, doubt):
    return Entry(
        id,
        {"s": f} if f is not None else None,
        ["s"],
        f is not None,
        {"s": PairNumbers(doubt, 0, 0.5, 0)},
        "",
    )


def test_the_worst_pairs_come_first():
    scored = [entry(str(n), f, 0.1) for n, f in enumerate([0.5, 0.2, None, 0.9, 0.3, 0.4, 0.8])]
    assert [id for id, _ in stage.find_worst_pairs(scored, "s")] == ["1", "4", "5", "0", "6"]
    perfect = [entry(str(n), f, 0.1) for n, f in enumerate([1.0, 0.02])]
    assert stage.find_worst_pairs(perfect, "s") == [("1", 0.02)]
    assert stage.find_worst_pairs(perfect[:1], "s") == []
    doubtful = [entry(str(n), None, doubt) for n, doubt in enumerate([0.5, None, 0.9])]
    assert stage.find_worst_pairs(doubtful, "s") == [("2", 0.9), ("0", 0.5)]
