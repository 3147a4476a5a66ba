"""The titles of sections stand in the document above their first sentences, and change nothing else."""

from dataclasses import replace

import pytest
from axe import findings
from reports import HOSTILE, part
from vorlage.alignments.alignment import Alignment, Link
from vorlage.corpus.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.viewer.viewer import pair_data, viewer_page

pytestmark = pytest.mark.slow
DOCUMENT = ["Boats leave at noon.", "They are slow.", "Trains leave at one.", "Cars stay.", "All end here."]


def page_of(folder, *sections):
    """Write the page of a pair whose document has these sections."""
    pair = Pair("a", replace(make_text(DOCUMENT), sections=sections), make_text("Boats leave.\nCars stay."))
    words = pair.document.words, pair.summary.words
    links = [Link((0, 2), (0, 2), 0.9), Link((3, 5), (14, 16), 0.8)]
    path = folder / "page.html"
    path.write_text(viewer_page("a", [pair_data(pair, None, [Alignment("a", "s", None, *words, links, "")])]))
    return path


def lines(page):
    """The tag and the text of each part of the document."""
    script = "pane => [...pane.children].map((part) => [part.localName, part.textContent])"
    return part(page, "document").evaluate(script)


def test_titles_are_headings_and_sections_without_one_a_line(open_page, tmp_path):
    page = open_page(page_of(tmp_path, (0, ""), (1, "1 Boats"), (2, HOSTILE[0]), (4, "")))
    numbered = [["p", f"{number}{sentence}"] for number, sentence in enumerate(DOCUMENT, 1)]
    headings = {1: ["h3", "1 Boats"], 2: ["h3", HOSTILE[0]], 4: ["hr", ""]}
    expected = [line for k, sentence in enumerate(numbered) for line in [headings.get(k), sentence] if line]
    assert lines(page) == expected
    assert page.evaluate("window.hacked") is None
    assert part(page, "summary").locator("h3, hr").count() == 0


def test_words_are_counted_and_linked_as_without_titles(open_page, tmp_path):
    page = open_page(page_of(tmp_path, (0, "1 Boats"), (3, "2 Cars")), "#pair=a&word=summary-3")
    page.wait_for_selector(".word.active")
    assert part(page, "document").locator(".word.hit").all_inner_texts() == ["Cars"]
    assert part(page, "document").locator(".word").count() == len(make_text(DOCUMENT).tokens)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_keeps_to_the_rules_of_access(open_page, tmp_path, scheme):
    page = open_page(page_of(tmp_path, (0, "1 Boats"), (2, ""), (3, "2 Cars")), color_scheme=scheme)
    assert findings(page) == []
