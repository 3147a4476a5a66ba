"""Annotations from the request to the scores, without a browser."""

import json

import pytest
from annotate.examples import TEXTS, line, link, write_corpus, write_system
from sklearn.metrics import cohen_kappa_score
from vorlage.app.annotate.annotation_task import conflict, open_task
from vorlage.app.annotate.gold_file import NO_LINE, Changed
from vorlage.app.annotate.stage import main
from vorlage.command.errors import InputError
from vorlage.corpus.corpus_file import read_pairs
from vorlage.corpus.stage import main as corpus
from vorlage.score.reference import read_annotated
from vorlage.score.stage import main as score


@pytest.fixture
def task(tmp_path):
    write_corpus(tmp_path / "pairs.jsonl")
    write_system(tmp_path / "toy.jsonl")
    return open_task(
        tmp_path / "pairs.jsonl", tmp_path / "gold.jsonl", [tmp_path / "toy.jsonl"], tokenized=True
    )


def save(task, record, revision=None):
    if revision is None:
        revision = task.pair(record["id"], record["annotator"])["revision"]
    return task.save({"line": record, "revision": revision})["revision"]


def test_tokens_are_those_of_the_corpus_stage(tmp_path):
    raw = {
        "id": "x",
        "document": "Dr. Lee didn't go. (No!)\nIt's $5,000.",
        "summary": ["Lee can't go.", "No."],
    }
    (tmp_path / "raw.jsonl").write_text(json.dumps(raw) + "\n")
    corpus(["--reader", "jsonl", "--path", str(tmp_path / "raw.jsonl"), "--output", str(tmp_path / "made")])
    [pair] = read_pairs(tmp_path / "made" / "corpus.jsonl")
    for path in (tmp_path / "raw.jsonl", tmp_path / "made" / "corpus.jsonl"):
        shown = open_task(path, None).pair("x", "A")
        assert shown["d"]["w"] == pair.document.words and shown["s"]["w"] == pair.summary.words
        assert shown["s"]["b"] == [end for _, end in pair.summary.sentences]


def test_the_index_tells_how_far_an_annotator_has_come(task):
    save(task, line("a", "A", link((0, 1), (0, 1)), seconds=61))
    save(task, line("c", "A", finished=False, null=[0], seconds=5))
    save(task, line("b", "B"))
    index = task.index("A")
    assert [
        (pair["id"], pair["words"], pair.get("finished"), pair.get("seconds")) for pair in index["pairs"]
    ] == [
        ("a", 4, True, 61),
        ("b", 5, None, None),
        ("c", 5, False, 5),
    ]
    assert index["by_doubt"] == [1, 0, 2] and index["annotators"] == ["A", "B"]
    json.dumps(index, allow_nan=False)


def test_annotators_do_not_see_each_other_but_the_adjudicator_sees_both(task):
    save(task, line("b", "A", link((0, 1), (5, 6)), link((1, 2), (1, 2), sure=False), seconds=1))
    save(task, line("b", "B", link((0, 1), (5, 6)), seconds=1))
    save(task, line("b", "C", finished=False, null=[]))
    for name in ("A", "D"):
        assert [start["name"] for start in task.pair("b", name)["starts"]] == ["toy"]
    assert task.pair("b", "D")["line"] is None and task.pair("b", "D")["revision"] == NO_LINE
    assert task.pair("b", "A")["line"]["alignments"] == [
        link((0, 1), (5, 6)),
        link((1, 2), (1, 2), sure=False),
    ]
    first, _ = task.pair("b", "adjudicated")["starts"]
    assert json.loads(json.dumps(first)) == {
        "name": "A and B",
        "links": [[[0, 1], [5, 6], True]],
        "nulls": [2, 3, 4],
        "differences": [[[1, 2], [1, 2], False, "A: possible, B: not linked"]],
    }


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ([], "a save needs `line`"),
        ({"line": line("a", "A")}, "a save needs `line`"),
        (line("nowhere", "A"), "pair 'nowhere' is not in this corpus"),
        (line("a", "A", link((0, 5), (0, 1))), r"summary span \[0, 5\] is out of range"),
        (line("a", "A", link((0, 1), (3, 3))), r"document span \[3, 3\] is out of range"),
        (line("a", "A", link((0, 1), (0, 1), sure="yes")), "must be an object with `summary`"),
        (line("a", "A", finished=False, null=[4]), "null has 4; the summary has 4 tokens"),
        (line("a", "A", finished=False, null=[0]) | {"unit": "char"}, "annotations are in tokens"),
        (line("a", " "), "must be visible text"),
        (line("a", "x\u202ey"), "must be visible text"),
        (line("a", "x" * 81), "at most 80 characters"),
        (line("a", "A", seconds=1.5), "seconds is 1.5"),
        (line("a", "A", finished=None), "finished is None"),
    ],
)
def test_a_save_that_does_not_fit_is_refused(task, request_, message):
    if isinstance(request_, dict) and "line" not in request_:
        request_ = {"line": request_, "revision": NO_LINE}
    with pytest.raises(InputError, match=message):
        task.save(request_)
    assert not task.gold.path.exists()


def test_a_conflict_shows_the_other_version(task):
    save(task, line("a", "A", link((0, 1), (0, 1)), seconds=3))
    with pytest.raises(Changed) as refused:
        save(task, line("a", "A", seconds=4), NO_LINE)
    told = conflict(refused.value)
    assert told["line"]["alignments"] == [link((0, 1), (0, 1))] and "another version" in told["error"]
    save(task, line("a", "A", seconds=4), told["revision"])
    assert task.pair("a", "A")["line"]["alignments"] == []


def test_agreement_is_that_of_scikit_learn_without_the_first_pairs(task):
    # Annotated in another order than that of the corpus: the first pair to leave out is c.
    marked = {
        ("c", "A"): [((0, 1), (0, 1), True), ((1, 2), (1, 2), True)],
        ("c", "B"): [],
        ("a", "A"): [((0, 1), (0, 1), True), ((1, 2), (2, 3), True), ((2, 3), (3, 5), False)],
        ("a", "B"): [((0, 1), (0, 1), True), ((1, 2), (2, 3), False)],
        ("b", "A"): [((0, 1), (5, 6), True), ((3, 4), (3, 4), True)],
        ("b", "B"): [((0, 1), (5, 6), True), ((2, 4), (2, 4), True)],
        ("b", "adjudicated"): [],
    }
    for (pair_id, name), links in marked.items():
        save(task, line(pair_id, name, *(link(*found) for found in links), seconds=0))
    save(task, line("a", "C", finished=False, null=[]))

    def decisions(name, ids, sure_only):
        return [
            any(
                i in range(*s) and j in range(*d) for s, d, sure in marked[key, name] if sure or not sure_only
            )
            for key in ids
            for i in range(len(TEXTS[key][1].split(" ")))
            for j in range(len(TEXTS[key][0].split(" ")))
        ]

    for skip, ids in ((0, "cab"), (1, "ab"), (2, "b")):
        rows = {row["words"]: row for row in task.agreement(skip)}
        assert rows["all"]["annotator"] == "A" and rows["all"]["against"] == "B"
        assert rows["all"]["pairs"] == len(ids)
        for column, sure_only in (("kappa_sure", True), ("kappa_possible", False)):
            expected = cohen_kappa_score(decisions("A", ids, sure_only), decisions("B", ids, sure_only))
            assert rows["all"][column] == pytest.approx(expected, abs=1e-12)
    assert task.agreement(3) == []


def test_the_score_stage_reads_finished_gold_as_it_is(task, tmp_path, capsys):
    save(task, line("a", "A", link((0, 1), (0, 1)), link((2, 3), (4, 5)), start="toy", seconds=9))
    save(task, line("b", "A", link((0, 1), (5, 6)), finished=False, null=[1]))
    corpus(
        ["--reader", "jsonl", "--path", str(tmp_path / "pairs.jsonl"), "--tokenized", "true"]
        + ["--gold", str(task.gold.path), "--output", str(tmp_path / "made")]
    )
    pairs = str(tmp_path / "made" / "corpus.jsonl")
    for gold in (task.gold.path, tmp_path / "made" / "gold.jsonl"):
        annotated, _ = read_annotated(pairs, gold)
        assert list(annotated) == ["a"]
        arguments = ["--corpus", pairs, "--gold", str(gold), "--alignments", str(tmp_path / "toy.jsonl")]
        score([*arguments, "--bootstrap", "100", "--output", str(tmp_path / "scores.tsv")])
        row = (tmp_path / "scores.tsv").read_text().splitlines()[1].split("\t")
        # The system links all four words, and one of these links is among the two of the gold.
        assert [row[1], float(row[2]), float(row[3])] == ["all", 0.25, 0.5]
    assert "left out 1 unfinished annotations" in capsys.readouterr().err


def test_adjudicated_gold_replaces_that_of_the_annotators(task, tmp_path):
    corpus(
        ["--reader", "jsonl", "--path", str(tmp_path / "pairs.jsonl"), "--tokenized", "true"]
        + ["--output", str(tmp_path / "made")]
    )
    save(task, line("a", "A", link((0, 1), (0, 1))))
    save(task, line("a", "B", link((1, 2), (2, 3))))
    save(task, line("b", "A", link((0, 1), (5, 6))))
    pairs = tmp_path / "made" / "corpus.jsonl"

    def annotators(**options):
        annotated, _ = read_annotated(pairs, task.gold.path, **options)
        return {key: [gold.annotator for gold in golds] for key, (_, golds) in annotated.items()}

    assert annotators() == {"a": ["A", "B"], "b": ["A"]}
    save(task, line("a", "adjudicated", link((1, 2), (2, 3))))
    assert annotators() == {"a": ["adjudicated"], "b": ["A"]}
    assert annotators(every_annotator=True)["a"] == ["A", "B", "adjudicated"]


def test_gold_and_systems_of_another_corpus_are_refused(tmp_path):
    pairs = write_corpus(tmp_path / "pairs.jsonl")
    other = dict(TEXTS) | {"a": ("The mill .", "The mill .")}
    with pytest.raises(InputError, match="tokens are not those of the corpus"):
        open_task(pairs, None, [write_system(tmp_path / "other.jsonl", texts=other)], tokenized=True)
    with pytest.raises(InputError, match="pair d is not in"):
        system = write_system(tmp_path / "more.jsonl", texts=TEXTS | {"d": ("x", "x")})
        open_task(pairs, None, [system], tokenized=True)
    (tmp_path / "gold.jsonl").write_text(json.dumps(line("c", "A", link((0, 1), (9, 10)))) + "\n")
    with pytest.raises(InputError, match=r"gold.jsonl, line 1: pair c, alignment 0: document span \[9, 10\]"):
        open_task(pairs, tmp_path / "gold.jsonl", tokenized=True)
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InputError, match="no pairs"):
        open_task(tmp_path / "empty.jsonl", None)
    with pytest.raises(InputError, match="no gold file was given"):
        open_task(pairs, None, tokenized=True).save({"line": line("a", "A"), "revision": ""})


def test_the_command_writes_the_same_page_twice_and_ends_with_one_line_for_bad_input(tmp_path, capsys):
    pairs = write_corpus(tmp_path / "pairs.jsonl")
    pages = [tmp_path / "1.html", tmp_path / "2.html"]
    for page in pages:
        main([str(pairs), "--tokenized", "--html", str(page)])
    assert pages[0].read_bytes() == pages[1].read_bytes()
    with pytest.raises(SystemExit) as ended:
        main([str(tmp_path / "none.jsonl"), "--html", str(tmp_path / "3.html")])
    assert ended.value.code == 1 and not (tmp_path / "3.html").exists()
    assert capsys.readouterr().err.splitlines()[-1].startswith("error: ")
