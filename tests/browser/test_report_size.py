"""A page with many pairs unpacks only those that it shows."""

import pytest
from reports import part, wait_for
from vorlage.alignments.alignment import Alignment, Link
from vorlage.alignments.doubt import entropy
from vorlage.corpus.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.viewer.viewer import pair_data, viewer_page

pytestmark = pytest.mark.slow
PAIRS = 1000
COUNT = """() => {
    window.unpacked = 0;
    const Stream = window.DecompressionStream;
    window.DecompressionStream = function (...given) { window.unpacked += 1; return new Stream(...given); };
}"""


def made_pair(number):
    """Return the data of a pair whose link is the less probable, the higher its number."""
    pair = Pair(f"p{number}", make_text(f"Boat {number} left."), make_text("A boat left."))
    link = Link((1, 2), (0, 1), 1 - number / (2 * PAIRS))
    words = pair.document.words, pair.summary.words
    return pair_data(pair, None, [Alignment(pair.id, "s", None, *words, [link], "")])


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    path = tmp_path_factory.mktemp("many") / "many.html"
    path.write_text(viewer_page("many", map(made_pair, range(PAIRS))))
    return path


def test_only_pairs_that_are_shown_are_unpacked(open_page, many):
    page = open_page(many, f"#pair=p{PAIRS - 1}&system=s")
    wait_for(page, "place", f"{PAIRS} of {PAIRS}")
    page.evaluate(COUNT)
    part(page, "order").select_option("doubt")
    posteriors = [made_pair(number)["systems"]["s"][0][0][4] for number in range(PAIRS)]
    doubts = [round(entropy(posterior), 3) for posterior in posteriors]
    wait_for(page, "search", f"p{doubts.index(max(doubts))}")
    assert part(page, "previous").is_disabled()
    part(page, "only").select_option("below")
    wait_for(page, "message", "Nothing")
    part(page, "below").fill("0.75")
    part(page, "below").press("Enter")
    below = sum(posterior < 0.75 for posterior in posteriors)
    page.wait_for_function(
        "end => document.querySelector('[data-part=place]').textContent.endsWith(end)",
        arg=f" of {below} (all: {PAIRS})",
    )
    assert page.evaluate("window.unpacked") <= 3
    # A search in the texts unpacks the pairs that pass the other filters, and finds the only one.
    part(page, "contains").fill(f"boat {PAIRS - 8} left")
    part(page, "contains").press("Enter")
    wait_for(page, "search", f"p{PAIRS - 8}")
    wait_for(page, "place", "1 of 1 ")
    assert below <= page.evaluate("window.unpacked") <= below + 5


def test_the_first_pair_does_not_wait_for_the_others(open_page, many):
    """The scripts come before the pairs, and a pair is complete once the next one has begun."""
    html = many.read_text()
    assert html.rindex("<script>") < html.index('class="pair"')
    page = open_page(many)
    assert part(page, "place").inner_text().startswith(f"1 of {PAIRS}")
    assert page.locator("#ids option").count() == 0
