"""The corpus stage as a command: its files, its selection of pairs and its errors."""

import json
import os
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vorlage.documents.pair import read_pairs
from vorlage.settings import Select
from vorlage.workflow.gold import read_gold
from vorlage.workflow.stages.corpus import main, select
from vorlage.workflow.stages.gold import main as gold_main


def record(name, document="One two. Three.", summary="One."):
    return {"id": name, "document": document, "summary": summary}


def gold(name, summary=(0, 1), document=(0, 1), **more):
    return {"id": name, "alignments": [{"summary": summary, "document": document}]} | more


def jsonl(path, lines):
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def run(tmp_path, pairs, golds=None, **options):
    """Run the stage on JSON lines, with the ids of their gold; return its output folder."""
    options = {"reader": "jsonl", "path": jsonl(tmp_path / "pairs.jsonl", pairs)} | options
    if golds is not None:
        options["gold"] = jsonl(tmp_path / "gold.jsonl", golds)
    output = tmp_path / "results" / "corpus"
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    main([*arguments, "--output", str(output), "--log", str(tmp_path / "log")])
    return output


def run_gold(tmp_path, output, golds):
    """Run the command for gold on the output of the stage; return what it writes."""
    path = jsonl(tmp_path / "gold.jsonl", golds)
    files = {"corpus": output / "corpus.jsonl", "rejected": output / "rejected.tsv", "gold": path}
    arguments = [f"--{name}={file}" for name, file in files.items()]
    gold_main([*arguments, "--output", str(tmp_path / "out.jsonl"), "--log", str(tmp_path / "log")])
    return list(read_gold(tmp_path / "out.jsonl"))


def kept(output):
    return [pair.id for pair in read_pairs(output / "corpus.jsonl")]


def rejected(output):
    table = pd.read_table(output / "rejected.tsv", dtype=str)
    assert list(table.columns) == ["id", "reason"]
    return dict(table.to_numpy().tolist())


def test_the_stage_writes_pairs_and_rejected(tmp_path):
    output = run(tmp_path, [record("b"), record("a", ["1 < 2", "Yes."])])
    assert sorted(os.listdir(output)) == ["corpus.jsonl", "rejected.tsv"]
    b, a = read_pairs(output / "corpus.jsonl")
    assert (b.id, b.document.words, b.summary.words) == ("b", ["One", "two", ".", "Three", "."], ["One", "."])
    assert (a.id, a.document.raw, a.document.sentences) == ("a", "1 < 2\nYes.", ((0, 3), (3, 5)))
    assert rejected(output) == {}
    assert os.listdir(output.parent) == ["corpus"]


def test_gold_is_that_of_the_pairs_of_the_corpus(tmp_path):
    marked = gold("a", [[0, 2], [3, 4]], [4, 7], unit="char", annotator="A")
    pairs = [record("b"), record("a", ["1 < 2", "Yes."]), record("c", "")]
    output = run(tmp_path, pairs, **{"select.unusable": "drop"})
    golds = [line.to_json() for line in run_gold(tmp_path, output, [marked, gold("c"), gold("b")])]
    sure = {"summary": [[0, 2], [3, 4]], "document": [4, 7], "sure": True}
    assert golds[0] == marked | {"alignments": [sure]}
    assert golds[1]["unit"] == "token" and golds[1]["id"] == "b" and len(golds) == 2


def test_unusable_pairs_can_be_dropped(tmp_path):
    pairs = [record("a", "  "), record("b"), record("c", summary=[" ", ""]), record("d", [])]
    output = run(tmp_path, pairs, **{"select.unusable": "drop"})
    assert kept(output) == ["b"]
    assert rejected(output) == {"a": "empty document", "c": "empty summary", "d": "empty document"}


def test_unusable_pairs_end_the_stage_and_are_all_listed(tmp_path, stops):
    message = stops(run, tmp_path, [record("a"), record("b", summary=""), record("c", "\n")])
    assert message.startswith(f"error: {tmp_path}/pairs.jsonl, line 2: pair b: empty summary; ")
    assert "corpus.select.unusable: drop" in message
    output = tmp_path / "results" / "corpus"
    assert os.listdir(output) == ["rejected.tsv"]
    assert rejected(output) == {"b": "empty summary", "c": "empty document"}


def test_select_by_length_then_shortest_then_sample(tmp_path):
    # Document tokens: a 9, b 1, c 5, d 2, e 3, f 4; the summary of d is too long.
    sizes = dict(a=9, b=1, c=5, d=2, e=3, f=4)
    pairs = [record(name, "x " * size, "s " * (4 if name == "d" else 1)) for name, size in sizes.items()]
    limits = {"select.max_document_words": 8, "select.max_summary_words": 3, "select.shortest": 2}
    output = run(tmp_path, pairs, [gold("c"), gold("d")], **limits)
    assert kept(output) == ["b", "c", "e"]
    assert rejected(output) == {
        "a": "document of 9 words, more than max_document_words 8",
        "d": "summary of 4 words, more than max_summary_words 3",
        "f": "not among the 2 shortest documents",
    }


LIMITS = ("max_document_words", "max_summary_words", "shortest", "sample")
sizes = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=2), st.tuples(*[st.integers(1, 6)] * 2))
limit = st.none() | st.integers(1, 8)


@given(st.data(), sizes, st.fixed_dictionaries(dict.fromkeys(LIMITS, limit)), st.integers(0, 3))
def test_select_against_its_definition(data, sizes, rules, seed):
    annotated = data.draw(st.sets(st.sampled_from(sorted(sizes)))) if sizes else set()
    left = set(sizes) - set(select(sizes, annotated, Select(**rules), seed))
    maximal = [rules[name] or 9 for name in LIMITS[:2]]
    eligible = {name for name, words in sizes.items() if words[0] <= maximal[0] and words[1] <= maximal[1]}
    shorter = {n: sum((sizes[m][0], m) < (sizes[n][0], n) for m in eligible) for n in eligible}
    short = {n for n in eligible if rules["shortest"] is None or shorter[n] < rules["shortest"]}
    short |= annotated & eligible
    assert annotated & eligible <= left <= short
    if rules["sample"] is None:
        assert left == short
    else:
        size = min(rules["sample"], len(short))
        assert size <= len(left) <= size + len(annotated & short)
        one_more = Select(**rules | {"sample": rules["sample"] + 1})
        assert left <= set(sizes) - set(select(sizes, annotated, one_more, seed))


def test_a_sample_depends_on_the_seed_alone():
    sizes = {str(name): (1, 1) for name in range(10)}
    reverse = dict(reversed(sizes.items()))
    drawn = Counter()
    for seed in range(400):
        left = set(sizes) - set(select(sizes, set(), Select(sample=3), seed))
        assert left == set(sizes) - set(select(reverse, set(), Select(sample=3), seed)) and len(left) == 3
        drawn.update(left)
    # Each is drawn 120 times of 400 on average, with a standard deviation of 9.
    assert all(80 <= drawn[name] <= 160 for name in sizes)


GOOD = [record(str(number)) for number in range(6)]


@pytest.mark.parametrize(
    ("pairs", "options", "says"),
    [
        ([*GOOD, "{not json}"], {}, "pairs.jsonl, line 7: not valid JSON"),
        ([*GOOD, record("3")], {}, "pairs.jsonl, line 7: id 3 comes twice, first at "),
        ([], {}, "pairs.jsonl: no pairs in it"),
        (GOOD, {"path": "nowhere.jsonl"}, "nowhere.jsonl: cannot be read (No such file or directory)"),
        (GOOD, {"reader": "pdf"}, '`corpus.reader` is "pdf"'),
        (GOOD, {"select.max_document_words": "1"}, "all 6 pairs are left out"),
        (GOOD, {"threads": 0}, "--threads is 0"),
    ],
)
def test_invalid_input_gives_one_line_and_no_output(tmp_path, stops, pairs, options, says):
    assert says in stops(run, tmp_path, pairs, **options)
    assert not list(tmp_path.glob("results/corpus/*"))


def test_gold_of_an_unknown_pair_gives_one_line_and_no_output(tmp_path, stops):
    output = run(tmp_path, [record("pair-1", "One.", "One.")])
    message = "gold.jsonl, line 2: gold for pair pair1, which is not in the corpus; remove or correct it; "
    error = stops(run_gold, tmp_path, output, [gold("pair-1"), gold("pair1")])
    assert message + "did you mean pair-1?" in error
    assert not (tmp_path / "out.jsonl").exists()


def test_processes_give_the_same_bytes(tmp_path):
    pairs = [record(str(i), f"It's {i}. “Yes”, he said.", ["One."] * (i % 3)) for i in range(9)]
    options = {"select.unusable": "drop", "select.max_summary_words": 3}
    made = []
    for threads in (1, 2):
        output = run(tmp_path, pairs, threads=threads, **options)
        made.append({path.name: path.read_bytes() for path in output.iterdir()})
    assert made[0] == made[1] and len(made[0]) == 2
    # The pairs without a summary and with too long a summary, in the order of the corpus.
    assert list(rejected(output)) == ["0", "2", "3", "5", "6", "8"]
    assert kept(output) == ["1", "4", "7"]
