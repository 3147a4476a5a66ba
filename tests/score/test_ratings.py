"""Ratings of extracts and decompositions."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from vorlage.score.agreement import main
from vorlage.score.ratings import Rating, rating_table

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
