"""What annotators start from: a system's links, or those of two annotators."""

from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import Alignment, Link
from vorlage.app.annotate.starts import adjudicate, start_from_system
from vorlage.workflow.gold import Gold, GoldLink


def link(summary, document, sure=True):
    return GoldLink((summary,), (document,), sure)


def gold(annotator, *links):
    return Gold("a", annotator, "token", links)


def test_a_system_starts_with_words_of_equal_phrases_and_whole_other_phrases():
    document, summary = "the Old mill in Ulm burned down".split(), "the old mill was lost , sadly".split()
    links = [
        Link((0, 3), (0, 3), 0.9),  # equal words, ignoring case
        Link((4, 5), (5, 7), 0.4),  # a phrase, and unlikely
        Link((3, 4), None, 0.8),
        Link((5, 6), (3, 4), None),
    ]
    start = start_from_system(Alignment("a", "toy", None, document, summary, links))
    assert start.name == "toy" and start.nulls == () and start.differences == ()
    assert start.links == (
        *(link((k, k + 1), (k, k + 1)) for k in range(3)),
        link((4, 5), (5, 7), sure=False),
        link((5, 6), (3, 4)),
    )


SPANS = st.tuples(st.integers(0, 5), st.integers(1, 2)).map(lambda span: (span[0], span[0] + span[1]))
LINKS = st.lists(st.builds(link, SPANS, SPANS, st.booleans()), max_size=6)


def marks(links):
    """Return the status of each word pair in plain Python: sure if any link is."""
    found = {}
    for one in links:
        for i in range(*one.summary[0]):
            for j in range(*one.document[0]):
                found[i, j] = found.get((i, j), False) or one.sure
    return found


@given(LINKS, LINKS)
def test_what_is_kept_is_agreed_and_what_is_agreed_is_kept(first, second):
    start = adjudicate(gold("A", *first), gold("B", *second), 8)
    mine, theirs = marks(first), marks(second)
    agreed = {cell for cell in mine if mine[cell] == theirs.get(cell)}
    kept = marks(start.links)
    assert set(kept) <= agreed
    assert all(mine[cell] or not sure for cell, sure in kept.items())
    # Every word pair that anyone marked is kept or among the differences, and no word is lost.
    shown = set(kept) | set(marks([found for found, _ in start.differences]))
    assert shown == set(mine) | set(theirs)
    assert set(start.nulls) == set(range(8)) - {i for i, _ in shown}
    if first == second:
        assert start.differences == () and kept.keys() == mine.keys()
