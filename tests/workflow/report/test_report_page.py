"""The report page: its data, its tables and its figures, without a browser."""

import base64
import gzip
import json
import re
from dataclasses import replace
from html import unescape

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.alignments.alignment import Alignment, Link, binary_entropy
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.views import viewer
from vorlage.workflow.gold import Gold, GoldLink
from vorlage.workflow.report import figures, frames, page, selection, stage, style
from vorlage.workflow.score import analysis
from vorlage.workflow.tables import write_tsv

PAIR = Pair("a", make_text("Two boats left, she said. A gale!"), make_text("Boats left.\nA gale."))
TOKENS = Gold(
    "a", "A", "token", (GoldLink(((0, 1),), ((1, 2),), True), GoldLink(((1, 2),), ((2, 3),), False))
)
CHARACTERS = Gold("a", "A", "char", (GoldLink(((0, 10),), ((4, 9), (26, 32)), True),))
LINKS = [Link((0, 2), (1, 3), 0.87654), Link((2, 3), None, 0.5), Link((3, 5), (8, 10), None)]


def alignment(system="s", links=LINKS, candidates=(), nulls=()):
    words = PAIR.document.words, PAIR.summary.words
    return Alignment("a", system, None, *words, list(links), "", list(candidates), list(nulls))


def test_the_viewer_reads_all_of_a_pair():
    gold = selection.gold_spans(PAIR, [TOKENS])
    nulls = [0.01234, 0.25, 0.5, 0, 0.9876, 1]
    aligned = alignment(candidates=[Link((4, 5), (0, 1), 0.12345)], nulls=nulls)
    aligned = replace(aligned, stretches=[Link((0, 2), (1, 3), 0.9)])
    data = viewer.pair_data(PAIR, gold, [aligned, alignment("bare")])
    text = data["s"]
    assert text["w"] == ["Boats", "left", ".", "A", "gale", "."]
    assert text["b"] == [3, 6]
    rebuilt = "".join(" " * (g == "1") + w for w, g in zip(text["w"], text["g"], strict=True))
    assert rebuilt == "Boats left. A gale."
    assert data["gold"] == [[[[0, 1]], [[1, 2]], 1], [[[1, 2]], [[2, 3]], 0]]
    assert data["systems"]["s"] == [
        [[0, 2, 1, 3, 0.877, 1], [2, 3, -1, -1, 0.5, 0], [3, 5, 8, 10, None, 0]],
        [[4, 0, 0.123]],
        [0.012, 0.25, 0.5, 0, 0.988, 1],
        [[0, 2, 1, 3]],
    ]


def test_gold_in_characters_is_shown_as_tokens():
    unit, spans = selection.gold_spans(PAIR, [CHARACTERS])
    assert PAIR.document.words[7:10] == ["A", "gale", "!"]
    assert (unit, spans) == ("char", [[[[0, 2]], [[1, 2], [7, 9]], 1]])
    assert selection.gold_spans(PAIR, [CHARACTERS, TOKENS])[0] == "token"
    assert selection.gold_spans(PAIR, []) is None


def test_scores_of_a_pair():
    # Two links of "Boats left", both possible, one of them sure.
    assert selection.score_pair(PAIR, [TOKENS], [alignment(links=LINKS[:2])]) == {"s": 1.0}
    # Boats is found, left is not in "boats" nor in "A gale".
    found = selection.score_pair(PAIR, [CHARACTERS], [alignment(links=LINKS[:2])])["s"]
    assert found == pytest.approx(2 * 0.5 * 0.5 / (0.5 + 0.5))
    assert selection.score_pair(PAIR, None, [alignment()]) is None


@given(st.lists(st.text()))
def test_json_in_a_script_cannot_end_it(value):
    text = viewer.script_json(["</script><!--", "\u2028", value])
    assert json.loads(text) == ["</script><!--", "\u2028", value]
    assert not re.search("[<>&\u2028\u2029]", text)


@given(st.dictionaries(st.text(), st.text()))
def test_packed_data_are_the_data(data):
    text = viewer.pack(data)
    assert json.loads(gzip.decompress(base64.b64decode(text))) == data
    assert re.fullmatch("[A-Za-z0-9+/=]+", text) and viewer.pack(data) == text


def test_the_standalone_page_blocks_other_scripts():
    html = viewer.viewer_page("a", [viewer.pair_data(PAIR, None, [alignment()])])
    policy = unescape(re.search('Content-Security-Policy" content="([^"]+)"', html)[1])
    assert {"default-src 'none'", "base-uri 'none'", "form-action 'none'"} <= set(policy.split("; "))
    assert policy.split("; ")[-1].startswith("script-src 'sha256-") and "script-src 'unsafe" not in policy
    assert "http://" not in html.replace("http://www.w3.org/2000/svg", "") and "https://" not in html


SCORES = pd.DataFrame(
    [
        ["one", "all", 0.5, 0.4, 0.444, 0.4, 0.5],
        ["one", "nonstop", 0.6, 0.4, 0.48, 0.4, 0.5],
        ["two", "all", 0.7, 0.1, 0.175, 0.1, 0.2],
        ["two", "nonstop", 0.6, 0.1, 0.171, 0.1, 0.2],
    ],
    columns=["system", "words", "soft_precision", "recall", "soft_f", "low", "high"],
)


def test_the_table_of_scores_has_a_row_for_each_system():
    differences = pd.DataFrame(
        [
            ["two", "all", "one", -0.27, -0.31, -0.22, 0.002],
            ["two", "nonstop", "one", 0.1, -0.05, 0.2, 0.3],
        ],
        columns=["system", "words", "against", "difference", "low", "high", "p"],
    )
    made = page.score_table("scores", frames.describe_systems(SCORES, {}), differences, page.SCORES)
    assert made.groups == [("", 2, False), ("all words", 5, False), ("non-stop words", 5, True)]
    one, two = ([cell.text for cell in row] for row in made.rows)
    assert one[:7] == ["one", "–", "0.500", "0.400", "0.444", "0.400–0.500", "best baseline"]
    assert two[6] == "worse: -0.270 (-0.310 to -0.220)"
    assert two[11] == "not different: +0.100 (-0.050 to +0.200)"
    assert [cell.best for cell in made.rows[0]][2:5] == [False, True, True]
    assert page.score_table("scores", pd.DataFrame(), pd.DataFrame(), page.SCORES) is None


def test_without_gold_the_page_says_how_systems_differ(tmp_path):
    # "one" links two of six words, by one link of equal and one of different words; "two" one of these.
    links = {"one": [Link((0, 1), (1, 2)), Link((4, 5), (0, 1))], "two": [Link((4, 5), (0, 1))]}
    described = analysis.describe_alignments(
        [(PAIR, [alignment(name, found) for name, found in links.items()])]
    )
    for name, rows in described.items():
        write_tsv(tmp_path / f"{name}.tsv", rows, analysis.TABLES[name])
    (tmp_path / "statistics.tsv").write_text("pairs\n")
    for part, time in (("1-of-2", 1.25), ("2-of-2", 2)):
        (tmp_path / "align").mkdir(exist_ok=True)
        (tmp_path / f"align/{part}.tsv").write_text(f"s\tio_in\n{time}\t-\n")
    about = {"one": {"extract": "documents", "benchmarks": [f"{tmp_path}/align/*.tsv"]}}
    tables = page.make_tables(tmp_path, tmp_path / "statistics.tsv", about)
    assert tables["scores"] is None
    assert [[cell.text for cell in row] for row in tables["systems"].rows] == [
        ["one", "documents", "0.333", "66.7 %", "50.0 %", "50.0 %", "3.2"],
        ["two", "–", "0.167", "83.3 %", "0.0 %", "100.0 %", "–"],
    ]
    # One of the two links of "one" is right by "two": precision 1/2, recall 1.
    assert [[cell.text for cell in row] for row in tables["pairwise"].rows] == [
        ["one", "–", "0.667"],
        ["two", "0.667", "–"],
    ]
    printed = stage.format_scores(tmp_path, about).splitlines()
    assert printed[0].split()[:3] == ["system", "extract", "links"]
    assert printed[1].split() == ["one", "documents", "0.333", "0.667", "0.500", "0.500", "3.2"]


@pytest.mark.parametrize(
    ("count", "text"),
    # Some of Tables 2 and 5 of Daumé & Marcu 2005, and the places where the unit changes.
    [(0, "0"), (45, "45"), (999, "999"), (2_000, "2k"), (6_400, "6.4k"), (9_949, "9.9k"), (9_950, "10k")]
    + [(999_499, "999k"), (999_500, "1m"), (2_500_000, "2.5m")],
)
def test_counts_are_printed_as_in_the_paper(count, text):
    assert frames.abbreviate(count) == text


def test_captions_of_pages_without_gold_do_not_mention_gold():
    without = "doubts pairwise systems identity sizes unaligned jumps learned head_to_head em sizes_of_texts"
    assert [name for name in without.split() if "gold" in page.read_caption(name).lower()] == []
    entries = [
        viewer.Entry("a", scores, ["s"], bool(scores), {"s": viewer.PairNumbers(0.5, 0, 0.5, 0)}, "")
        for scores in (None, {"s": 0.25})
    ]
    doubts, pairs = (page.pair_table([entry]) for entry in entries)
    assert doubts.caption.startswith("The mean entropy") and doubts.rows[0][1].text == "0.500"
    assert pairs.caption.startswith("F of each system on each pair.") and pairs.rows[0][1].text == "0.250"


def test_an_error_links_to_its_place_in_the_viewer():
    row = {"system": "s", "id": "a/b&c", "first": 3, "last": 4, "summary": "x", "document": "nan"}
    row |= {"aligned": "null", "class": "partial"}
    cell = page.make_table("errors", pd.DataFrame([row])).rows[0][1]
    assert cell.link == "#pair=a%2Fb%26c&system=s&word=summary-3"


def test_a_table_is_written_in_latex():
    row = {"system": "my_system & co", "links": 1200, "error": 0.0625, "posterior": 0.5, "right": 1.0}
    latex = page.make_table("calibration", pd.DataFrame([row])).to_latex()
    assert r"my\_system \& co & 1,200 & 0.062 & 0.500 & 1.000 \\" in latex
    assert r"\toprule" in latex and latex.count("{") == latex.count("}")


def test_the_same_figure_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        figures.save_figure(lambda: figures.draw_scores(SCORES, "soft_f", "SoftF"), tmp_path, name)
    for ending in (".svg", ".png", ".pdf", ".dark.svg"):
        assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()
    light, dark = (
        set(re.findall("#[0-9a-f]{6}", (tmp_path / name).read_text())) for name in ("one.svg", "one.dark.svg")
    )
    assert {style.DARK[colour.upper()].lower() for colour in light} == dark


def test_the_index_has_the_numbers_of_each_system():
    gold = selection.gold_spans(PAIR, [TOKENS])
    data = viewer.pair_data(PAIR, gold, [alignment(), alignment("one", [Link((0, 1), (3, 4), 0.25)])])
    numbers = viewer.pair_numbers(data)
    # Boats–boats is sure in the gold and left–left possible; "A gale" is linked, which the gold lacks.
    doubt = (2 * binary_entropy(0.877) + binary_entropy(0.5)) / 3
    assert numbers["s"] == (pytest.approx(doubt, abs=1e-3), 2, 0.5, 2)
    # The link is wrong, and no other word lacks a sure link.
    assert numbers["one"] == (pytest.approx(binary_entropy(0.25), abs=1e-3), 5, 0.25, 1)


def test_the_page_shows_every_column_of_the_score_stage():
    links_to_words = {"first", "last"}
    for name in {*analysis.TABLES} & {*page.COLUMNS}:
        assert {*analysis.TABLES[name]} - links_to_words <= {column.name for column in page.COLUMNS[name]}
