"""Compare the analysis of alignments with worked examples, scikit-learn and independent counts."""

import csv
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.corpus.corpus_file import write_pairs
from vorlage.corpus.gold import Gold, GoldLink
from vorlage.corpus.pair import Pair
from vorlage.files.jsonl import write_jsonl
from vorlage.report import catalogue
from vorlage.score import analysis, calibration, outcomes, profile
from vorlage.score.bootstrap import difference, resample, soft_f_interval
from vorlage.score.counts import FIELDS, count_links, non_identical, oracle_null
from vorlage.score.metrics import scores
from vorlage.score.reference import make_reference
from vorlage.score.rows import soft_f
from vorlage.text.tokenize import join_sentences

# Document: 0 The 1 Apple 2 Macintosh 3 was 4 sold 5 by 6 dealers; summary: 0 the 1 Macintosh 2 sold 3 by
# 4 sellers 5 ! The stop words are The, was, by; the, by, !.
DOCUMENT, SUMMARY = "The Apple Macintosh was sold by dealers", "the Macintosh sold by sellers !"
PAIR = Pair("a", join_sentences([DOCUMENT], tokenized=True), join_sentences([SUMMARY], tokenized=True))
GOLD = Gold(
    "a",
    "A",
    "token",
    (
        GoldLink(((1, 2),), ((1, 3),), True),  # Macintosh ← Apple Macintosh
        GoldLink(((2, 4),), ((4, 6),), True),  # sold by ← sold by
        GoldLink(((4, 5),), ((6, 7),), False),  # sellers ← dealers
    ),
)
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


def test_links_between_equal_words_are_left_out_of_both_sides():
    # Different words are (1,1), (2,5), (3,4) in the sure gold, and also (4,6) in the possible gold. The
    # system has only (4,3), and under the hard rule also (2,5) and (3,4).
    everything, _ = sizes(non_identical)
    assert everything == dict(
        sure=3, soft=1, soft_possible=0, soft_sure=0, hard=3, hard_possible=2, hard_sure=2
    )


def test_shares_of_identity_and_sizes():
    links = [*LINKS, Link((4, 5), (6, 7)), Link((1, 2), (1, 3)), Link((2, 4), (3, 5))]
    counts = Counter(profile.link_kinds(links, SUMMARY.split(), DOCUMENT.split()))
    rows = {row["phrases"]: row for row in profile.identity_rows("s", counts)}
    assert rows["all"] == {
        "system": "s",
        "phrases": "all",
        "links": 7,
        "identical": pytest.approx(3 / 7),
        "stem_identical": pytest.approx(3 / 7),
    }
    assert (rows["words"]["links"], rows["phrases"]["links"]) == (4, 3)
    row = profile.size_row("s", counts)
    assert [row[shape] for shape in profile.SHAPES] == pytest.approx([4 / 7, 1 / 7, 0, 2 / 7])
    assert [row[size] for size in profile.SIZES] == pytest.approx([5 / 7, 2 / 7, 0, 0])


def test_equal_stems_count_as_stem_identical():
    counts = Counter(profile.link_kinds([Link((0, 2), (0, 2))], ["Printers", "sold"], ["printer", "sold"]))
    row = next(profile.identity_rows("s", counts))
    assert (row["identical"], row["stem_identical"]) == (0, 1)


def test_unaligned_words_by_kind():
    row = profile.unaligned_row(
        "s", profile.unaligned_words([Link((1, 2), (2, 3)), Link((2, 3), None)], SUMMARY.split())
    )
    assert row["words"] == 6
    assert [row[kind] for kind in ("unaligned", *profile.WORD_KINDS)] == pytest.approx(
        [5 / 6, 1 / 6, 2 / 6, 2 / 6]
    )


def test_jumps_start_at_the_last_word_of_the_phrase_before():
    assert profile.count_jumps(LINKS) == {2: 2, -2: 1}
    assert profile.count_jumps([Link((0, 1), (3, 5)), Link((1, 2), (5, 6)), Link((1, 2), (0, 1))]) == {
        1: 0.5,
        -4: 0.5,
    }


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
    golds = [GOLD, Gold("a", "B", "token", (GoldLink(((4, 6),), ((6, 7),), True),))]
    reference = make_reference(PAIR, golds)
    found = list(outcomes.classify(LINKS, reference, outcomes.sure_spans(golds)))
    assert found == [
        ((1, 2), [1, 2], [2], "partial"),
        ((2, 4), [4, 5], [4, 5], "correct"),
        ((4, 6), [6], [3], "incorrect"),
    ]
    counts = outcomes.count(found, LINKS, reference)
    assert outcomes.row("s", counts) == dict(
        system="s", phrases=3, correct=1, partial=1, incorrect=1, null=0, null_words=1, null_found=0
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
    whole, _ = calibration.rows("s", posteriors, right)
    weights = links[links > 0] / len(observed)
    assert whole["error"] == pytest.approx((weights * np.abs(true - predicted)).sum())


def test_candidates_count_in_the_calibration():
    alignment = Alignment("a", "s", -1.0, [], [], LINKS, "", [Link((4, 5), (6, 7), 0.3)])
    posteriors, right = calibration.observe(alignment, REFERENCE)
    assert dict(zip(posteriors.tolist(), right.tolist(), strict=True)) == {
        **{0.9: False, 0.8: True, 0.95: True, 0.55: False, 0.3: True}
    }
    assert calibration.observe(Alignment("a", "s", None, [], [], [Link((0, 1), (0, 1))]), REFERENCE) is None


def test_paired_bootstrap_equals_a_loop_over_samples():
    random = np.random.default_rng(3)
    sure = random.integers(5, 9, 12)
    systems = []
    for gain in (1, 0):
        right = random.integers(0, 4, 12) + gain
        systems.append(np.stack([sure, right + 2, right, right, right + 2, right, right], axis=1))
    weights = resample(12, 300, 7)
    gains = []
    for sample in weights:
        f = [scores(sum(n * row for n, row in zip(sample, counts, strict=True))).soft.f for counts in systems]
        gains.append(f[0] - f[1])
    low, high, p = difference(*systems, weights, soft_f)
    assert (low, high) == pytest.approx(np.percentile(gains, [2.5, 97.5]))
    worse, better = sum(gain <= 0 for gain in gains), sum(gain >= 0 for gain in gains)
    assert p == pytest.approx(min(1, 2 * min(worse + 1, better + 1) / 301))
    assert difference(systems[0], systems[0], weights, soft_f) == (0, 0, 1)


def write(folder, gold):
    write_pairs(folder / "corpus.jsonl", [PAIR])
    write_jsonl(folder / "gold.jsonl", [one.to_json() for one in gold])
    words = PAIR.document.words, PAIR.summary.words
    for system, links in (("semihmm-relative", LINKS), ("identity", [Link((0, 1), (0, 1))])):
        write_alignments(folder / f"{system}.jsonl", [Alignment("a", system, None, *words, links)])


def run(folder, *more):
    analysis.main(
        ["--corpus", str(folder / "corpus.jsonl"), "--gold", str(folder / "gold.jsonl"), "--output"]
        + [str(folder / "out"), "--alignments", str(folder / "semihmm-relative.jsonl")]
        + [str(folder / "identity.jsonl"), *more]
    )
    tables = {}
    for path in (folder / "out").iterdir():
        with open(path, encoding="utf-8") as lines:
            tables[path.stem] = list(csv.DictReader(lines, delimiter="\t"))
    return tables


def test_the_command_writes_every_table(tmp_path):
    write(tmp_path, [GOLD])
    tables = run(tmp_path)
    assert set(tables) == set(analysis.TABLES) == set(catalogue.TABLES)
    assert [row["system"] for row in tables["sizes"]] == ["gold", "semihmm-relative", "identity"]
    assert {(row["system"], row["against"]) for row in tables["significance"]} == {
        ("semihmm-relative", "identity")
    }
    assert [row["system"] for row in tables["calibration"]] == ["semihmm-relative"]
    assert [row["class"] for row in tables["errors"] if row["system"] == "semihmm-relative"] == ["partial"]


def test_without_token_gold_only_the_systems_are_described(tmp_path):
    spans = GoldLink(((0, 3),), ((0, 3),), True)
    write(tmp_path, [Gold("a", "A", "char", (spans,))])
    tables = run(tmp_path)
    assert [row["system"] for row in tables["sizes"]] == ["semihmm-relative", "identity"]
    assert tables["oracle"] == tables["errors"] == []


def test_a_single_pair_has_no_interval_and_no_p_value():
    counts = np.array([[3, 3, 2, 2, 3, 2, 2]])
    assert np.isnan(difference(counts, counts, resample(1, 100, 1), soft_f)).all()
    assert np.isnan(soft_f_interval(counts, resample(1, 100, 1))).all()
