"""The page on which people rate extracts and decompositions."""

import json

import pytest
from vorlage.app.annotate.stage import main as annotate
from vorlage.workflow.score.ratings import read_ratings

pytestmark = pytest.mark.slow
PAIR = {
    "id": "a",
    "document": "Ann sold the <b>mill</b>. Bo left. It rained.",
    "summary": "Ann sold it. Bo left.",
}


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "corpus.jsonl").write_text(json.dumps(PAIR))
    extract = {"id": "a", "sentences": [0, 1], "by_summary_sentence": [[0], [1, 0]]}
    (tmp_path / "extracts.jsonl").write_text(json.dumps(extract))
    return tmp_path


def test_ratings_are_kept_and_downloaded(corpus, open_page):
    page_file = corpus / "page.html"
    options = ("--rate", "extracts", "--extracts", str(corpus / "extracts.jsonl"), "--html", str(page_file))
    annotate([str(corpus / "corpus.jsonl"), *options])
    page = open_page(page_file, selector="h1")
    page.get_by_text("Enter your name as annotator").wait_for()
    page.keyboard.type("A")
    page.keyboard.press("Tab")
    first, second = page.get_by_role("radiogroup").all()
    assert page.locator("fieldset li").all_inner_texts() == [
        "Ann sold the <b>mill</b>.",
        "Ann sold the <b>mill</b>.",
        "Bo left.",
    ]
    first.get_by_label("1: some").check()
    page.get_by_role("button", name="Next unrated").click()
    page.keyboard.press("ArrowLeft")  # from the first answer to the last
    assert second.get_by_label("2: all").is_checked()
    assert page.get_by_role("button", name="Next unrated").is_disabled()
    sizes = [box.bounding_box() for box in page.get_by_role("radio").all()]
    assert all(min(size["width"], size["height"]) >= 24 for size in sizes)
    page.reload()
    assert page.locator('[data-part="place"]').inner_text() == "2 of 2 rated"
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(corpus / "ratings.jsonl")
    ratings = read_ratings([corpus / "ratings.jsonl"])
    assert [(r.id, r.sentence, r.annotator, r.rating) for r in ratings] == [
        ("a", 0, "A", 1),
        ("a", 1, "A", 2),
    ]
