"""The measures of the field: worked examples, scikit-learn, and the links of a made system."""

import json

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score
from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.command.errors import InputError
from vorlage.corpus import stage as corpus
from vorlage.corpus.corpus_file import read_pairs
from vorlage.corpus.gold import read_evidence_gold
from vorlage.score.bootstrap import resample
from vorlage.score.field import stage as field
from vorlage.score.field.evidence import from_alignment
from vorlage.score.field.measures import f_of, mean_of, measure_rows, share_of
from vorlage.score.field.published import link_measures
from vorlage.score.field.ranking import auroc, average_precision, calibration_error
from vorlage.score.reference import Reference

ONE = np.ones((1, 60), dtype=np.int64)


@pytest.fixture
def ranked():
    """Scores with ties, labels, and weights of bootstrap samples in which every class occurs."""
    generator = np.random.default_rng(5)
    labels = generator.random(60) < 0.3
    scores = np.round(np.clip(generator.normal(0.4, 0.2, 60) + 0.2 * labels, 0, 1), 1)
    return scores, labels, resample(60, 20, 1)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(auroc, roc_auc_score), (average_precision, average_precision_score)]
)
def test_rankings_are_those_of_scikit_learn(ranked, ours, theirs):
    scores, labels, weights = ranked
    assert ours(scores, labels, ONE)[0] == pytest.approx(theirs(labels, scores))
    expected = [theirs(labels, scores, sample_weight=sample) for sample in weights]
    np.testing.assert_allclose(ours(scores, labels, weights), expected)


def test_rankings_of_one_class():
    scores, labels, one = np.array([0.2, 0.7]), np.array([False, False]), ONE[:, :2]
    assert auroc(scores, labels, one)[0] == 0.5
    assert average_precision(scores, labels, one)[0] == 0
    assert auroc(scores, ~labels, one)[0] == 0.5
    assert average_precision(scores, ~labels, one)[0] == 1


def test_calibration_error_of_a_worked_example():
    # Two bins: 0.1 and 0.15 with half true (mean 0.125), 0.9 with all true.
    scores, labels = np.array([0.1, 0.15, 0.9]), np.array([True, False, True])
    assert calibration_error(scores, labels, ONE[:, :3])[0] == pytest.approx((2 * 0.375 + 0.1) / 3)
    weights = np.array([[0, 2, 1]])
    assert calibration_error(scores, labels, weights)[0] == pytest.approx((2 * 0.15 + 0.1) / 3)


def test_rows_have_intervals_and_differences_of_the_same_samples():
    weights = resample(4, 500, 3)
    right, whole = np.array([1, 0, 2, 2]), np.array([2, 2, 2, 2])
    ours, theirs = share_of(right, whole), share_of(right - np.array([0, 0, 1, 0]), whole)
    first, second = measure_rows({"ours": {"share": ours}, "theirs": {"share": theirs}}, weights)
    assert first["value"] == 5 / 8 and second["value"] == 4 / 8
    assert second["difference"] == pytest.approx(-1 / 8) and np.isnan(first["difference"])
    sampled = (weights @ right) / 8
    assert [first["low"], first["high"]] == pytest.approx(np.quantile(sampled, [0.025, 0.975]).tolist())
    lost = weights[:, 2] / 8
    assert second["difference_low"] == pytest.approx(-np.quantile(lost, 0.975))
    assert second["p"] == pytest.approx(min(1, 2 * ((lost <= 0).sum() + 1) / 501))


def test_f_is_computed_from_the_averages():
    precision, recall = mean_of(np.array([1.0, 0.0])), mean_of(np.array([0.5, 1.0]))
    assert f_of(precision, recall)(ONE[:, :2])[0] == pytest.approx(2 * 0.5 * 0.75 / 1.25)


def test_published_measures_of_a_worked_example():
    # Three pairs: A = {00, 11}, S = {00}, P = {00, 11}; A = {00, 01}, S = P = {00, 11}; all empty.
    words = [["a", "b"], ["c", "d"]]
    golds = [({(0, 0)}, {(0, 0), (1, 1)}), ({(0, 0), (1, 1)}, {(0, 0), (1, 1)}), (set(), set())]
    links = [[((0, 1), (0, 1)), ((1, 2), (1, 2))], [((0, 1), (0, 2))], []]
    references = {str(k): Reference(*words, *map(frozenset, gold)) for k, gold in enumerate(golds)}
    alignments = {
        str(k): Alignment(str(k), "s", None, *words, [Link(*link) for link in of_pair])
        for k, of_pair in enumerate(links)
    }
    found = {name: m(ONE[:, :3])[0] for name, m in link_measures(alignments, references).items()}
    assert found["sure_precision"] == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert found["sure_recall"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert found["possible_precision"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert found["possible_recall"] == pytest.approx((1 + 0.5 + 1) / 3)
    assert found["sure_exact"] == pytest.approx(1 / 3)
    assert found["possible_exact"] == pytest.approx(2 / 3)
    # |A| = 4, |S| = 3, |A ∩ S| = 2, |A ∩ P| = 3.
    assert found["aer"] == pytest.approx(1 - 5 / 7)
    assert found["soft_f"] == pytest.approx(2 * (3 / 4) * (2 / 3) / (3 / 4 + 2 / 3))


DOCUMENT = ["The red boat sank .", "A crew of nine was saved .", "It rained ."]
SUMMARY = "Nine were saved as the boat burned ."
SPANS = {"spans": [{"summary": [0, 15], "passages": [1]}, {"summary": [19, 27], "passages": [2]}]}
MARKS = {"unsupported": [[28, 34, "Unwanted.Extrinsic", "A"], [0, 4, "Benign", "A"]]}
WORDS = {"supported": [True] * 6 + [False, True], "sentences": [[1], [0, 1]]}
FUSED = {
    "spans": [
        {"summary": [[0, 3]], "document": [[6, 9], [9, 11]]},
        {"summary": [[4, 6]], "document": [[0, 3]]},
    ]
}
# Nine–nine 0.9, saved–saved 0.8; "the boat"–"red boat" 0.6; a candidate burned–rained 0.1.
LINKS = [
    Link((0, 1), (8, 9), 0.9),
    Link((1, 2), None, 0.9),
    Link((2, 3), (10, 11), 0.8),
    Link((4, 6), (1, 3), 0.6),
]
CANDIDATES = [Link((6, 7), (13, 14), 0.1), Link((0, 1), (0, 1), 0.05)]


def write_set(folder, gold, system="one", posteriors=True):
    """Write a set of one pair, and the alignments of a system; return the paths."""
    folder.mkdir(exist_ok=True)
    pair = {"id": "a", "document": DOCUMENT, "summary": SUMMARY}
    (folder / "in.jsonl").write_text(json.dumps(pair) + "\n")
    (folder / "gold.jsonl").write_text(json.dumps({"id": "a"} | gold) + "\n")
    tokenized = ["--tokenized", "true"]
    corpus.main(
        ["--reader", "jsonl", "--path", str(folder / "in.jsonl"), *tokenized, "--output", str(folder)]
    )
    # The corpus stage has replaced the gold.
    (folder / "gold.jsonl").write_text(json.dumps({"id": "a"} | gold) + "\n")
    [made] = read_pairs(folder / "corpus.jsonl")
    links = LINKS if posteriors else [link._replace(posterior=None) for link in LINKS]
    words = made.document.words, made.summary.words
    alignment = Alignment("a", system, None, *words, links, "", CANDIDATES if posteriors else [])
    write_alignments(folder / f"{system}.jsonl", [alignment])
    return [folder / name for name in ("corpus.jsonl", "gold.jsonl", f"{system}.jsonl")]


def values(folder, gold, evidence=(), **how):
    """Return the values of the measures of a system on the set of one pair."""
    *files, alignments = write_set(folder, gold, **how)
    rows = field.score(*files, [alignments], evidence, samples=100, seed=1)
    return {(row["system"], row["measure"]): row["value"] for row in rows}


def test_passages_by_the_posteriors_of_links(tmp_path):
    found = values(tmp_path, SPANS)
    # Nine and saved come from the second passage; "the boat" from the first, not the third.
    assert found == {("one", "accuracy"): 0.5}
    [pair] = read_pairs(tmp_path / "corpus.jsonl")
    gold, *_ = read_evidence_gold(tmp_path / "gold.jsonl")
    alignment = Alignment("a", "one", None, pair.document.words, pair.summary.words, LINKS, "", CANDIDATES)
    evidence = from_alignment(alignment, pair, gold)
    np.testing.assert_allclose(evidence.spans[0], [0.05, 1.7, 0])
    # Each word of "the boat" may come from each of "red boat".
    np.testing.assert_allclose(evidence.spans[1], [2.4, 0, 0])
    np.testing.assert_allclose(evidence.words, [0.1, 1, 0.2, 1, 0.4, 0.4, 0.9, 1])
    assert evidence.text == pytest.approx(5.0 / 8)


def test_sentences_and_words_of_claims(tmp_path):
    found = values(tmp_path, WORDS)
    # The sentences score 2.45, 1.7 and 0.1; all three count as found, and two are in a set.
    assert found["one", "best"] == 1
    assert found["one", "precision"] == pytest.approx(2 / 3)
    assert found["one", "recall"] == 1 and found["one", "average_precision"] == 1
    # "burned" has 0.9; of the six other words, "were" and "as" are above it.
    assert found["one", "word_auroc"] == pytest.approx(4 / 6)
    assert found["one", "word_average_precision"] == pytest.approx(1 / 3)
    assert ("one", "text_auroc") not in found


def test_unsupported_words_and_detectors(tmp_path):
    found = values(tmp_path, MARKS | {"detectors": {"judge": 0.25}})
    assert found["one", "word_auroc"] == pytest.approx(4 / 6)
    assert found["one", "text_average_precision"] == 1
    assert found["one", "text_calibration_error"] == pytest.approx(1 - 5 / 8)
    assert found["judge", "text_calibration_error"] == pytest.approx(0.25)
    assert ("judge", "word_auroc") not in found


def test_links_without_posteriors_are_certain(tmp_path):
    found = values(tmp_path, MARKS, posteriors=False)
    assert found["one", "text_calibration_error"] == pytest.approx(1 - 4 / 8)


def test_fused_spans(tmp_path):
    found = values(tmp_path, FUSED)
    # Nine–nine lies in the first source of the first span and saved–saved in the second; of the second span,
    # each of two words has a link to each of "red boat", both inside.
    assert found == {("one", measure): 1 for measure in ("recall", "precision", "f", "all_sources")}
    worse = {"spans": [FUSED["spans"][0], {"summary": [[4, 6]], "document": [[2, 3], [12, 14]]}]}
    found = values(tmp_path, worse)
    assert found["one", "recall"] == 3 / 4 and found["one", "precision"] == 4 / 6
    assert found["one", "all_sources"] == 1 / 2


def test_links_in_tokens_and_characters(tmp_path):
    links = [{"summary": [0, 1], "document": [8, 9]}, {"summary": [5, 6], "document": [2, 3]}]
    found = values(tmp_path, {"alignments": links})
    # A has six links, for "the boat" and "red boat" differ.
    assert found["one", "sure_precision"] == 2 / 6 and found["one", "sure_recall"] == 1
    characters = {"unit": "char", "alignments": [{"summary": [0, 4], "document": [20, 46]}]}
    assert values(tmp_path, characters)["one", "f"] == 1


def write_evidence(folder, **changed):
    record = {"id": "a", "system": "bm25", "spans": [[0.0, 3.0, 1.0], [0.0, 0.0, 0.0]]}
    record |= {"words": None, "text": None} | changed
    (folder / "evidence.jsonl").write_text(json.dumps(record) + "\n")
    return folder / "evidence.jsonl"


def test_evidence_of_a_system_without_links(tmp_path):
    # A span without any score has no passage.
    found = values(tmp_path, SPANS, [write_evidence(tmp_path)])
    assert found["bm25", "accuracy"] == 0.5
    found = values(tmp_path, SPANS, [write_evidence(tmp_path, spans=[[0, 3, 1], [-2, -2, -1]])])
    assert found["bm25", "accuracy"] == 1


def test_evidence_from_links_is_scored_as_the_links(tmp_path):
    found = values(tmp_path, MARKS)
    [pair] = read_pairs(tmp_path / "corpus.jsonl")
    gold, *_ = read_evidence_gold(tmp_path / "gold.jsonl")
    words = pair.document.words, pair.summary.words
    evidence = from_alignment(Alignment("a", "one", None, *words, LINKS, "", CANDIDATES), pair, gold)
    path = write_evidence(tmp_path, spans=[], words=evidence.words.tolist(), text=evidence.text)
    again = values(tmp_path, MARKS, [path])
    assert {name: again["bm25", name] for _, name in found} == {name: v for (_, name), v in found.items()}


def test_gold_out_of_range_names_its_line(tmp_path):
    *files, alignments = write_set(tmp_path, {"spans": [{"summary": [0, 99], "passages": [0]}]})
    with pytest.raises(InputError, match=r"gold.jsonl, line 1: pair a: summary span \[0, 99\] is out of"):
        field.score(*files, [alignments], [], samples=100, seed=1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"spans": [[0, 1, 2]]}, "`spans` must have 2 lists of 3 scores"),
        ({"words": [0.5]}, "`words` must have 8 scores"),
        ({"spans": "none"}, "`spans` is 'none'"),
        ({"id": "b"}, "no evidence for pair a"),
    ],
)
def test_bad_evidence_names_its_line(tmp_path, changed, message):
    *files, alignments = write_set(tmp_path, SPANS)
    path = write_evidence(tmp_path, **changed)
    with pytest.raises(InputError, match=message) as error:
        field.score(*files, [alignments], [path], samples=100, seed=1)
    assert str(error.value).startswith(str(path))


def test_a_system_in_two_files_is_refused(tmp_path):
    *files, alignments = write_set(tmp_path, SPANS)
    with pytest.raises(InputError, match=r"evidence.jsonl: system 'one' is in another file too"):
        field.score(*files, [alignments], [write_evidence(tmp_path, system="one")], samples=100, seed=1)


def test_evidence_cannot_replace_links(tmp_path):
    *files, alignments = write_set(tmp_path, FUSED)
    with pytest.raises(InputError, match="evidence has no links"):
        field.score(*files, [alignments], [write_evidence(tmp_path)], samples=100, seed=1)


def test_gold_of_another_corpus_is_refused(tmp_path):
    *files, alignments = write_set(tmp_path, SPANS)
    with open(files[1], "a") as gold:
        gold.write(json.dumps({"id": "b"} | SPANS) + "\n")
    with pytest.raises(InputError, match="gold for pair b, which is not in"):
        field.score(*files, [alignments], [], samples=100, seed=1)


def test_the_command_writes_a_row_for_each_measure(tmp_path):
    files = dict(zip(("--corpus", "--gold", "--alignments"), write_set(tmp_path, FUSED), strict=True))
    output = tmp_path / "field.tsv"
    field.main([*(str(x) for item in files.items() for x in item), "--output", str(output)])
    header, *rows = output.read_text().splitlines()
    assert header.split("\t") == list(field.COLUMNS) and len(rows) == 4
