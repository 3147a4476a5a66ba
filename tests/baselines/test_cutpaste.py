"""Cut & Paste: its links, the effect of extracts and settings, its scores on real annotations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_pairs import make_pair, run, spans, whole, write
from vorlage.extract.extracts import Extract
from vorlage.settings import CutPaste
from vorlage.text.words import stem
from vorlage.workflow.baselines import cutpaste


def align(pair, extract=None, **settings):
    return cutpaste.align(CutPaste(**settings), False, pair, extract or whole(pair))


PAIR = make_pair(
    ["Prices fell .", "The maker of printers cut prices in March .", "Dealers sold printers ."],
    ["Printer makers said", "the MAKER of Printer cuts prices in May"],
)


def test_equal_words_form_phrases_and_equal_stems_do_not():
    assert spans(align(PAIR)) == [
        ((0, 1), None),  # one word from `printers`, one from `maker`: phrases of one word are cut off
        ((1, 2), None),
        ((2, 3), None),
        ((3, 6), (3, 6)),  # the MAKER of
        ((6, 7), (6, 7)),  # Printer, printers
        ((7, 8), (7, 8)),  # cuts, cut
        ((8, 10), (8, 10)),  # prices in
        ((10, 11), None),
    ]
    without_stems = [link for link in spans(align(PAIR, stem=False)) if link[1]]
    assert without_stems == [((3, 6), (3, 6)), ((8, 10), (8, 10))]


@pytest.mark.parametrize(
    ("document", "summary", "expected"),
    [
        # As many on both sides link; the document's own one inside a phrase belongs to the word behind it.
        ("the maker of the ink left", "a maker of ink left", "0-1=0-1 1-3=1-3 3-4=3-5 4-5=5-6"),
        # One before the phrase does not; one of the summary alone belongs to the word behind it too.
        ("the maker of ink left", "maker of an ink", "0-2=1-3 2-4=3-4"),
        ("maker of ink left", "The maker of ink", "0-2=0-1 2-4=1-3"),
        # Before an added word or the end, it is added.
        ("the maker left the", "the red maker left a", "0-1 1-2 2-4=1-3 4-5"),
    ],
)
def test_ignored_determiners(document, summary, expected):
    links = spans(align(make_pair([document, "ink"], [summary]), determiners=False))
    shown = ["=".join("{}-{}".format(*span) for span in link if span) for link in links]
    assert shown == expected.split()


def test_sentence_numbers_count_the_extract():
    """The weights see the sentence numbers of the extract: without the sentences between, `blue` is near."""
    document = ["blue grey"] + ["-"] * 5 + ["red green", "-", "-", "blue grey"]
    pair = make_pair(document, ["red green blue grey"])
    # Six sentences back and three on both get P6: the earlier one wins.
    assert spans(align(pair))[-1] == ((2, 4), (0, 2))
    # In the extract the last sentence is the next one (P4), and the first is five back (P6).
    assert spans(align(pair, Extract("p", (0, 1, 2, 3, 4, 6, 9), ())))[-1] == ((2, 4), (11, 13))


words = st.sampled_from("The the maker makers , printer Printers sold sells .".split())
texts = st.lists(st.lists(words, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=4)


@given(texts, texts, st.integers(1, 3), st.booleans(), st.data())
def test_every_summary_word_has_one_link_that_the_settings_allow(document, summary, run, stemmed, data):
    pair = make_pair(document, summary)
    numbers = st.integers(0, len(pair.document.sentences) - 1)
    sentences = sorted(data.draw(st.sets(numbers, min_size=1)))
    links = align(pair, Extract("p", tuple(sentences), ()), run=run, stem=stemmed)

    covered = [word for link in links for word in range(*link.summary)]
    assert covered == list(range(len(pair.summary.tokens)))
    allowed = {word for s in sentences for word in range(*pair.document.sentences[s])}
    form = stem if stemmed else str.lower
    source = {}
    for link in links:
        assert link.posterior is None
        assert link.document or link.summary[1] - link.summary[0] == 1
        for i, j in link.cells(pair.summary.words, pair.document.words):
            assert j in allowed
            assert form(pair.summary.words[i]) == form(pair.document.words[j])
            assert i not in source  # a phrase counts as its diagonal
            source[i] = j
    ends = {end for _, end in pair.document.sentences}
    starts = {start for start, _ in pair.summary.sentences}
    lengths = {}
    for i, j in source.items():  # in order of i
        joined = source.get(i - 1) == j - 1 and j not in ends and i not in starts
        lengths[i] = lengths.pop(i - 1) + 1 if joined else 1
    assert all(length >= run for length in lengths.values())


def test_the_name_of_a_system_sets_the_run_and_whole_documents(tmp_path):
    document = ["a red boat left", "nobody came", "two men saw a red boat"]
    pair, short = make_pair(document, ["two men saw a red boat left"]), Extract("p", (0, 1), ())
    files = write(tmp_path, [pair], [short])
    alignments = {}
    for system, run_, extract in (
        ("cutpaste", 2, short),
        ("cutpaste-1", 1, short),
        ("cutpaste-3", 3, short),
        ("cutpaste-document", 2, whole(pair)),
        ("cutpaste-1-document", 1, whole(pair)),
    ):
        (alignments[system],) = run(tmp_path, system, files)
        assert alignments[system].links == align(pair, extract, run=run_)
        assert alignments[system].system == system
    assert run(tmp_path, "cutpaste", files, "--run", "3")[0].links == alignments["cutpaste-3"].links
    assert ((0, 3), (6, 9)) in spans(alignments["cutpaste-document"].links)
    assert len({made.fingerprint for made in alignments.values()}) == 5
