"""Compare κ with that of scikit-learn over a list of every cell; check the command."""

import json
import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from pair_files import write_pairs
from sklearn.metrics import cohen_kappa_score
from vorlage.files.jsonl import write_jsonl
from vorlage.text.words import is_stop_word
from vorlage.workflow.score import agreement
from vorlage.workflow.score.agreement import kappa, main
from vorlage.workflow.score.ratings import Rating, rating_table
from worked_example import make_gold, make_pair


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_kappa_equals_that_of_scikit_learn(decisions):
    first, second = zip(*decisions, strict=True)
    if len({*first, *second}) < 2:
        return
    got = kappa(sum(a and b for a, b in decisions), sum(first), sum(second), len(decisions))
    assert got == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


def test_kappa_of_many_cells_and_without_variation():
    # p = 1 - 2000/7.2e6, e = 1 - 2 q (1 - q) with q = 3000/7.2e6, so κ = 1 - 2000 / (6000 (1 - q)).
    assert kappa(2000, 3000, 3000, 7_200_000) == pytest.approx(1 - 1 / 3 / (1 - 3000 / 7.2e6), rel=1e-12)
    assert math.isnan(kappa(0, 0, 0, 7_200_000)) and math.isnan(kappa(9, 9, 9, 9))


PAIRS = [
    make_pair("a0", "The Apple Macintosh was sold by dealers", "the Macintosh sold by sellers"),
    make_pair("a1", "Sales rose .", "sales ."),
]
MARKED = {
    ("a0", "A"): [((1, 2), (1, 3), True), ((2, 4), (4, 6), True), ((0, 1), (0, 1), False)],
    ("a0", "B"): [((1, 2), (2, 3), True), ((2, 3), (4, 5), True), ((4, 5), (6, 7), False)],
    ("a1", "A"): [((0, 1), (0, 1), True), ((1, 2), (2, 3), True)],
    ("a1", "B"): [((0, 1), (0, 1), True), ((1, 2), (2, 3), False)],
}


def write(folder, marked):
    write_pairs(folder / "corpus.jsonl", PAIRS)
    golds = [make_gold(key, name, *links) for (key, name), links in marked.items()]
    write_jsonl(folder / "gold.jsonl", (gold.to_json() for gold in golds))


def run(folder, *options):
    paths = [f"--{name}={folder / name}.jsonl" for name in ("corpus", "gold")]
    agreement.main([*paths, *options, "--output", str(folder / "agreement.tsv")])
    table = pd.read_table(folder / "agreement.tsv")
    assert tuple(table.columns) == agreement.COLUMNS
    return {(row["annotator"], row["words"]): row for row in table.to_dict("records")}


def cells(annotator, sure_only, nonstop):
    """Return for every cell in turn whether the annotator linked it."""
    return [
        any((sure or not sure_only) and i in range(*s) and j in range(*d) for s, d, sure in links)
        for (key, name), links in MARKED.items()
        if name == annotator
        for pair in [PAIRS[int(key[1])]]
        for i, word in enumerate(pair.summary.words)
        for j, other in enumerate(pair.document.words)
        if not (nonstop and (is_stop_word(word) or is_stop_word(other)))
    ]


def test_command_writes_the_table(tmp_path, capsys):
    write(tmp_path, MARKED)
    rows = run(tmp_path)
    assert list(rows) == [("A", "all"), ("A", "nonstop"), ("B", "all"), ("B", "nonstop")]
    # A as the hypothesis: (1,1) (1,2) (0,0); the equal phrases (2,4) (3,5); then (0,0) (1,2) of the second
    # pair. Of these 7 links B marked (1,2) (2,4) and both of the second pair; B is sure of 3 links.
    assert rows["A", "all"]["soft_precision"] == pytest.approx(4 / 7, abs=1e-6)
    assert rows["A", "all"]["recall"] == 1
    for (annotator, words), row in rows.items():
        assert row["against"] == ("B" if annotator == "A" else "A") and row["pairs"] == 2
        sure, possible = ([cells(name, only, words == "nonstop") for name in "AB"] for only in (True, False))
        others = [
            [p and not s for p, s in zip(*both, strict=True)] for both in zip(possible, sure, strict=True)
        ]
        columns = {"kappa_sure": sure, "kappa_possible": possible, "kappa_only_possible": others}
        for column, decisions in columns.items():
            assert any(map(any, decisions))
            assert row[column] == pytest.approx(cohen_kappa_score(*decisions), abs=1e-6)
            assert row["cells"] == len(decisions[0])
    assert "kappa_sure" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("selected", "annotators", "pairs"),
    [
        (MARKED.keys() - {("a0", "B")}, "AB", 1),
        ([("a0", "A"), ("a1", "A")], "", 0),
        ([*MARKED, ("a0", "adjudicated")], ["A", "B", "adjudicated"], 1),
    ],
)
def test_only_pairs_that_both_annotated_count(tmp_path, capsys, selected, annotators, pairs):
    write(tmp_path, {key: MARKED.get(key, []) for key in sorted(selected)})
    rows = run(tmp_path)
    assert {annotator for annotator, _ in rows} == set(annotators)
    assert not rows or rows["A", "all"]["pairs"] == pairs
    assert ("no pair has token gold by two annotators" in capsys.readouterr().err) == (not rows)


RATING = {"id": "a", "form": "extracts", "system": "extract", "annotator": "A"}
RATED = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12)


@given(RATED)
def test_kappa_is_that_of_nltk(rated):
    ratings = [
        Rating("a", number, "extracts", "extract", annotator, rating)
        for number, pair in enumerate(rated)
        for annotator, rating in zip("AB", pair, strict=True)
    ]
    *_, row = rating_table(ratings)
    task = AnnotationTask([(r.annotator, r.sentence, r.rating) for r in ratings])
    if row["kappa"] == row["kappa"]:  # not where all ratings are the same
        assert row["kappa"] == pytest.approx(task.kappa_pairwise("A", "B"))
    else:
        assert len({rating for pair in rated for rating in pair}) == 1


def test_the_mean_of_the_paper(tmp_path, capsys):
    # Daumé & Marcu (2005), Section 5.1: of twenty, five were rated 1 and fifteen 2.
    lines = [RATING | {"sentence": k, "rating": 1 + (k < 15)} for k in range(20)]
    (tmp_path / "ratings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    main(["--ratings", str(tmp_path / "ratings.jsonl"), "--output", str(tmp_path / "table.tsv")])
    header, row = (line.split("\t") for line in (tmp_path / "table.tsv").read_text().splitlines())
    found = dict(zip(header, row, strict=True))
    assert (found["mean"], found["shares"], found["sentences"]) == ("1.750000", "0.000 0.250 0.750", "20")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rating": 3}, "rating is 3; extracts are rated from 0 to 2"),
        ({"form": "links"}, "form is 'links'; it is one of extracts, decompositions"),
        ({"sentence": -1}, "`sentence` is -1"),
    ],
)
def test_malformed_ratings_are_named(change, message, tmp_path, stops):
    line = RATING | {"sentence": 0, "rating": 2}
    (tmp_path / "ratings.jsonl").write_text(json.dumps(line | change))
    error = stops(main, [f"--ratings={tmp_path}/ratings.jsonl", f"--output={tmp_path}/table.tsv"])
    assert f"ratings.jsonl, line 1: {message}" in error
    assert not (tmp_path / "table.tsv").exists()
