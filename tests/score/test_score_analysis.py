"""Compare the analysis of alignments with worked examples, scikit-learn and independent counts."""

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pair_files import write_pairs
from sklearn.calibration import calibration_curve
from vorlage.alignments.alignment import Alignment, Link, soft_links, write_alignments
from vorlage.files.jsonl import write_jsonl
from vorlage.workflow.gold import Gold, GoldLink
from vorlage.workflow.report import columns
from vorlage.workflow.score import analysis, calibration, outcomes, profile
from vorlage.workflow.score.counts import FIELDS, WORDS, count_links, count_shared, oracle_null, scores
from vorlage.workflow.score.reference import make_reference
from vorlage.workflow.score.rows import pairwise_rows
from worked_example import make_gold, make_pair

# Document: 0 The 1 Apple 2 Macintosh 3 was 4 sold 5 by 6 dealers; summary: 0 the 1 Macintosh 2 sold 3 by
# 4 sellers 5 ! The stop words are The, was, by; the, by, !.
DOCUMENT, SUMMARY = "The Apple Macintosh was sold by dealers", "the Macintosh sold by sellers !"
PAIR = make_pair("a", DOCUMENT, SUMMARY)
# Macintosh ← Apple Macintosh; sold by ← sold by; sellers ← dealers.
GOLD = make_gold("a", "A", ((1, 2), (1, 3), True), ((2, 4), (4, 6), True), ((4, 5), (6, 7), False))
REFERENCE = make_reference(PAIR, [GOLD])
LINKS = [
    Link((0, 1), (0, 1), 0.9),  # the ← The: the gold leaves it unaligned
    Link((1, 2), (2, 3), 0.8),  # half of the gold
    Link((2, 4), (4, 6), 0.95),
    Link((4, 5), (3, 4), 0.55),  # sellers ← was
    Link((5, 6), None, 0.7),
]


def sizes(select):
    counted = count_links(LINKS, REFERENCE, select)
    return [dict(zip(FIELDS, row.tolist(), strict=True)) for row in counted]


def test_oracle_null_leaves_out_words_that_the_gold_leaves_unaligned():
    # Soft: (1,2), (2,4), (3,5), (4,3) stay; all but the last are possible.
    everything, content = sizes(oracle_null)
    assert (everything["soft"], everything["soft_possible"], everything["sure"]) == (4, 3, 6)
    assert (content["soft"], content["soft_possible"]) == (2, 2)


def profile_of(links, pair):
    made = profile.Profile()
    made.add(links, pair)
    return {name: [list(row.values())[1:] for row in rows] for name, rows in made.rows("s").items()}


def test_the_profile_of_links():
    tables = profile_of([*LINKS[1:], Link((4, 5), (6, 7)), Link((1, 2), (1, 3)), Link((2, 4), (3, 5))], PAIR)
    identity = [["all", 6, 2 / 6, 2 / 6], ["words", 3, 1 / 3, 1 / 3], ["phrases", 3, 1 / 3, 1 / 3]]
    assert tables["identity"] == identity
    assert tables["sizes"] == [[6, 3 / 6, 1 / 6, 0, 2 / 6, 4 / 6, 2 / 6, 0, 0]]
    assert tables["unaligned"] == [[6, 2 / 6, 1 / 6, 1 / 6, 0]]  # the !
    pair = make_pair("a", "printer sold", "Printers sold")
    rows = profile_of([Link((0, 2), (0, 2))], pair)["identity"]
    assert rows[0] == ["all", 1, 0, 1] and rows[1][:2] == ["words", 0] and np.isnan(rows[1][2:]).all()


spans = st.tuples(st.integers(0, 5), st.integers(1, 2)).map(lambda x: (x[0], x[0] + x[1]))


@given(st.lists(st.builds(Link, spans, spans), max_size=6))
def test_jumps_equal_those_of_a_loop_over_all_pairs_of_links(links):
    found = Counter()
    for place in range(8):
        before = [link for link in links if link.summary[1] == place]
        after = [link for link in links if link.summary[0] == place]
        for one in before:
            for other in after:
                found[other.document[0] - (one.document[1] - 1)] += 1 / (len(before) * len(after))
    assert profile.count_jumps(links) == pytest.approx(found)


def test_gold_phrases_are_correct_partial_or_incorrect():
    golds = [GOLD, make_gold("a", "B", ((4, 6), (6, 7), True))]
    reference = make_reference(PAIR, golds)
    found = list(outcomes.classify(LINKS, reference, outcomes.sure_spans(golds)))
    assert found == [
        ((1, 2), [1, 2], [2], "partial"),
        ((2, 4), [4, 5], [4, 5], "correct"),
        ((4, 6), [6], [3], "incorrect"),
    ]
    assert outcomes.count(found, LINKS, reference) == dict(
        phrases=3, correct=1, partial=1, incorrect=1, null=0, null_words=1, null_found=0
    )
    rows = list(outcomes.examples("s", {"a": found}, {"a": reference}, 9, 1))
    assert [(row["summary"], row["document"], row["aligned"]) for row in rows] == [
        ("Macintosh", "Apple Macintosh", "Macintosh"),
        ("sellers !", "dealers", "was"),
    ]
    assert len(list(outcomes.examples("s", {"a": found}, {"a": reference}, 1, 1))) == 1
    assert outcomes.phrase_text([0, 1, 4], DOCUMENT.split()) == "The Apple … sold"
    assert outcomes.phrase_text([], DOCUMENT.split()) == "null"


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_reliability_equals_that_of_scikit_learn(observed):
    posteriors, right = (np.array(part) for part in zip(*observed, strict=True))
    links, mean, share = calibration.reliability(posteriors, right)
    # scikit-learn counts a posterior on a border in the lower bin.
    inner = posteriors * calibration.BINS % 1 != 0
    if not inner.all():
        return
    true, predicted = calibration_curve(right, posteriors, n_bins=calibration.BINS)
    assert share[links > 0] == pytest.approx(true)
    assert mean[links > 0] == pytest.approx(predicted)
    [whole] = calibration.rows("s", posteriors, right)["calibration"]
    weights = links[links > 0] / len(observed)
    assert whole["error"] == pytest.approx((weights * np.abs(true - predicted)).sum())


@given(st.lists(st.lists(st.builds(Link, spans, spans), max_size=5), min_size=1, max_size=3))
def test_systems_agree_as_the_score_with_one_of_them_as_the_gold(systems):
    pair = make_pair("a", "The boat left the old harbour .", "the boat left a harbour . .")
    found = [soft_links(links, pair.summary.words, pair.document.words) for links in systems]
    words = make_reference(pair, [])
    golds = [replace(words, sure=frozenset(links), possible=frozenset(links)) for links in found]
    aligned = [Alignment("a", str(number), None, [], [], links) for number, links in enumerate(systems)]
    names = [made.system for made in aligned]
    rows = pairwise_rows(names, count_shared(pair, aligned))
    made = {(row["words"], row["system"], row["against"]): row["soft_f"] for row in rows}
    for (i, links), (j, gold) in product(enumerate(systems), enumerate(golds)):
        expected = scores(count_links(links, gold))["soft_f"]
        assert [made[kind, str(i), str(j)] for kind in WORDS] == pytest.approx(expected.tolist())


def write(folder, gold):
    write_pairs(folder / "corpus.jsonl", [PAIR])
    write_jsonl(folder / "gold.jsonl", [annotation.to_json() for annotation in gold])
    words = PAIR.document.words, PAIR.summary.words
    for system, links in (("semihmm-relative", LINKS), ("identity", [Link((0, 1), (0, 1))])):
        write_alignments(folder / f"{system}.jsonl", [Alignment("a", system, None, *words, links)])


def run(folder, *more):
    analysis.main(
        ["--corpus", str(folder / "corpus.jsonl"), "--gold", str(folder / "gold.jsonl"), "--output"]
        + [str(folder / "out"), "--alignments", str(folder / "semihmm-relative.jsonl")]
        + [str(folder / "identity.jsonl"), *more]
    )
    return {path.stem: pd.read_table(path) for path in (folder / "out").iterdir()}


def test_the_command_writes_every_table(tmp_path):
    write(tmp_path, [GOLD])
    tables = run(tmp_path)
    assert set(tables) == set(analysis.TABLES) == set(columns.TABLES)
    assert list(tables["sizes"]["system"]) == ["gold", "semihmm-relative", "identity"]
    significance = tables["significance"][["system", "against"]].values.tolist()
    assert significance == [["semihmm-relative", "identity"]] * 2
    assert list(tables["calibration"]["system"]) == ["semihmm-relative"]
    errors = tables["errors"].set_index("system")["class"]
    assert errors["semihmm-relative"] == "partial"


def test_without_token_gold_only_the_systems_are_described(tmp_path):
    spans = GoldLink(((0, 3),), ((0, 3),), True)
    write(tmp_path, [Gold("a", "A", "char", (spans,))])
    tables = run(tmp_path)
    assert list(tables["sizes"]["system"]) == ["semihmm-relative", "identity"]
    assert len(tables["oracle"]) == len(tables["errors"]) == 0
    assert list(tables["pairwise"]["links"]) == [5, 1, 1, 1, 2, 0, 0, 0]
