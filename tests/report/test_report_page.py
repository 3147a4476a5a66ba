"""The report page: its data, its tables and its figures, without a browser."""

import base64
import gzip
import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.alignments import Alignment, Link, write_alignments
from pipeline.corpus.corpus_file import write_pairs
from pipeline.corpus.gold import Gold, GoldLink
from pipeline.corpus.pair import Pair
from pipeline.corpus.tokenize import make_text
from pipeline.report import catalogue, figures, frames, page, selection, viewer
from pipeline.run.errors import InputError
from pipeline.score import jump_histogram, systems

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
    given = alignment(candidates=[Link((4, 5), (0, 1), 0.12345)], nulls=nulls)
    data = viewer.pair_data(PAIR, gold, [given, alignment("bare")])
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
    ]


def test_gold_in_characters_is_shown_as_tokens():
    unit, spans = selection.gold_spans(PAIR, [CHARACTERS])
    assert PAIR.document.words[7:10] == ["A", "gale", "!"]
    assert (unit, spans) == ("char", [[[[0, 2]], [[1, 2], [7, 9]], 1]])
    assert selection.gold_spans(PAIR, [CHARACTERS, TOKENS])[0] == "token"
    assert selection.gold_spans(PAIR, []) is None


def test_scores_of_a_pair():
    # Two links of "Boats left", both possible, one of them sure.
    assert selection.pair_f(PAIR, [TOKENS], [alignment(links=LINKS[:2])]) == {"s": 1.0}
    # Boats is found, left is not in "boats" nor in "A gale".
    found = selection.pair_f(PAIR, [CHARACTERS], [alignment(links=LINKS[:2])])["s"]
    assert found == pytest.approx(2 * 0.5 * 0.5 / (0.5 + 0.5))
    assert selection.pair_f(PAIR, None, [alignment()]) is None


def test_pairs_with_gold_come_first(tmp_path):
    corpus = [Pair(name, PAIR.document, PAIR.summary) for name in "abcdef"]
    write_pairs(tmp_path / "corpus.jsonl", corpus)

    def chosen(most, *golds):
        return "".join(selection.choose_pairs(tmp_path / "corpus.jsonl", set(golds), most))

    assert chosen(9) == "abcdef"
    assert chosen(9, "c", "e") == "ceabdf"
    assert chosen(3, "c", "e") == "cea"
    assert chosen(1, "c", "e") == "c"
    assert chosen(0, "c") == ""


def test_the_pair_that_a_system_lacks_is_named(tmp_path):
    write_pairs(tmp_path / "corpus.jsonl", [PAIR])
    write_alignments(tmp_path / "one.jsonl", [alignment()])
    write_alignments(tmp_path / "two.jsonl", [replace(alignment("t"), id="b")])
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    with pytest.raises(InputError, match=r"two\.jsonl: pair a is missing"):
        list(systems.read_side_by_side(tmp_path / "corpus.jsonl", paths, {"a"}))
    assert list(systems.read_side_by_side(tmp_path / "corpus.jsonl", paths, set())) == []
    assert next(systems.read_side_by_side(tmp_path / "corpus.jsonl", paths[:1], {"a"}))[1] == [alignment()]


@given(st.recursive(st.text(), st.lists))
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
    assert "base-uri 'none'; form-action 'none'" in policy
    assert "default-src 'none'" in policy and "unsafe-inline'; script-src 'sha256-" in policy
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
        [["two", "all", "one", -0.27, 0.002], ["two", "nonstop", "one", 0.1, 0.3]],
        columns=["system", "words", "against", "difference", "p"],
    )
    made = page.score_table("scores", SCORES, differences, page.SCORES)
    assert made.groups == [("", 1), ("all words", 5), ("non-stop words", 5)]
    one, two = ([cell.text for cell in row] for row in made.rows)
    assert one[:6] == ["one", "0.500", "0.400", "0.444", "0.400–0.500", "best baseline"]
    assert two[5] == "worse" and two[10] == "not different"
    assert [cell.best for cell in made.rows[0]][1:4] == [False, True, True]
    assert page.score_table("scores", pd.DataFrame(), pd.DataFrame(), page.SCORES) is None


def test_an_error_links_to_its_place_in_the_viewer():
    row = {"system": "s", "id": "a/b&c", "first": 3, "last": 4, "summary": "x", "document": "nan"}
    row |= {"aligned": "null", "class": "partial"}
    cell = page.make_table("errors", pd.DataFrame([row])).rows[0][1]
    assert cell.link == "#pair=a%2Fb%26c&system=s&word=summary-3"


def test_every_table_and_figure_has_a_caption():
    for name in (*page.COLUMNS, "scores", "phrases", "oracle", "nonidentical", "jumps", "learned", "em"):
        assert len(page.caption(name)) > 20
    assert set(catalogue.FIGURES) == set(figures.figures("nowhere", []))
    for name in (*catalogue.FIGURES, *catalogue.TABLES):
        assert len(page.caption(name)) > 20
    with pytest.raises(InputError, match="the caption cannot be read"):
        page.caption("nothing")


def test_texts_that_look_like_numbers_stay_texts(tmp_path):
    (tmp_path / "errors.tsv").write_text("id\tsummary\tdocument\tfirst\tp\n0001\t007\tnan\t3\tnan\n")
    frame = frames.read_table(tmp_path, "errors")
    assert frame[["id", "summary", "document"]].to_numpy().tolist() == [["0001", "007", "nan"]]
    assert frame["first"].tolist() == [3] and np.isnan(frame["p"]).all()


def test_a_folder_without_the_analysis_is_an_error(tmp_path):
    with pytest.raises(InputError, match="has no identity.tsv"):
        page.tables(tmp_path, tmp_path / "statistics.tsv")
    (tmp_path / "identity.tsv").write_text("")
    with pytest.raises(InputError, match="identity.tsv: not a table"):
        page.tables(tmp_path, tmp_path / "statistics.tsv")


def test_the_table_of_jumps_has_the_shortest_ones():
    table = pd.DataFrame([row for row in jump_histogram.rows("s", {1: 3.0, -2: 1.0, 40: 4.0})])
    made = page.make_table("jumps", *page._near_jumps(table))
    shown = {column.heading: cell.text for column, cell in zip(made.columns, made.rows[0], strict=True)}
    assert (shown["+1"], shown["-2"], shown["0"]) == ("37.5 %", "12.5 %", "0.0 %") and len(shown) == 12


def test_one_pair_gives_no_interval_and_no_comparison():
    differences = pd.DataFrame(
        [["two", words, "one", 0.2, float("nan")] for words in ("all", "nonstop")],
        columns=["system", "words", "against", "difference", "p"],
    )
    scores = SCORES.assign(low=float("nan"), high=float("nan"))
    made = page.score_table("scores", scores, differences, page.SCORES)
    assert [cell.text for cell in made.rows[1]][4:6] == ["–", "–"]


def test_figures_show_the_numbers_of_the_tables():
    counted = {"gold": {1: 3.0, -2: 1.0}, "s": {1: 1.0, 40: 1.0}}
    table = pd.DataFrame(
        [row for system, found in counted.items() for row in jump_histogram.rows(system, found)]
    )
    axis = figures.draw_jumps(table).axes[0]
    heights = {
        round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in axis.patches if bar.get_height()
    }
    assert heights[1] == 0.75 and heights[-2] == 0.25
    scored = figures.draw_scores(SCORES, "soft_f", "SoftF").axes[0]
    assert sorted(x for line in scored.containers for x in line[0].get_xdata()) == sorted(SCORES["soft_f"])
    bins = pd.DataFrame(
        [["s", 0.5, 0.6, 3, 0.55, 0.4]], columns=["system", "low", "high", "links", "posterior", "right"]
    )
    errors = pd.DataFrame([["s", 0.15]], columns=["system", "error"])
    lines = figures.draw_calibration(bins, errors).axes[0].get_lines()
    assert np.array(lines[1].get_data()).ravel().tolist() == [0.55, 0.4]


def test_the_same_figure_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        figures.save_all(lambda: figures.draw_scores(SCORES, "soft_f", "SoftF"), tmp_path, name)
    for ending in (".svg", ".png", ".dark.svg"):
        assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()
    assert (tmp_path / "one.svg").read_bytes() != (tmp_path / "one.dark.svg").read_bytes()
