"""A corpus in several parts: the same results as in one part."""

import pytest

pytestmark = pytest.mark.slow

IN_PARTS = ("--set-scatter", "pairs=3")
# The report contains the name of the corpus, so no other word may contain it.
NAME = "xyzzy"


def files(toy, name, meant=None):
    """Return path → bytes of the results of a corpus, without logs and times, with its name replaced."""
    folder = toy.folder / "results" / name
    return {
        str(path.relative_to(folder)): path.read_bytes().replace(name.encode(), (meant or name).encode())
        for path in folder.rglob("[!.]*")
        if path.is_file() and not {"logs", "benchmarks"} & set(path.parts) and path.name != "em.tsv"
    }


@pytest.fixture(scope="module")
def in_parts(toy):
    outcome = toy.snakemake("--cores", "2", *IN_PARTS, corpus={"name": NAME})
    assert outcome.status == 0, outcome.text
    return outcome


def test_results_in_parts_are_the_same_bytes(toy, in_parts):
    whole, parts = files(toy, "toy"), files(toy, NAME, "toy")
    assert {"score/scores.tsv", "report/index.html", "align/hmm-gdfa/alignments.jsonl"} <= whole.keys()
    assert [path for path in whole if whole[path] != parts.get(path)] == []


def test_each_part_has_a_job_and_leaves_nothing_behind(toy, in_parts):
    counts = in_parts.counts
    assert [counts[rule] for rule in ("extract", "cutpaste", "symmetrize")] == [3] * 3
    assert counts["align"] == 9 and counts["corpus"] == counts["count_stems"] == 1
    results = toy.folder / "results" / NAME
    assert not list(results.glob("[!lb]*/**/*-of-3.json*"))


def test_a_single_part_needs_no_extra_jobs(toy):
    counts = toy.snakemake("-n", corpus={"name": "new"}).counts
    assert counts["extract"] == 1 and counts["align"] == 3
    assert not counts.keys() & {"gather", "count_stems"}


def test_an_edit_reruns_all_parts_and_nothing_else(toy, in_parts):
    corpus = {"name": NAME}
    assert toy.snakemake("-n", *IN_PARTS, corpus=corpus).counts == {}
    with toy.edited("pipeline/vorlage/baselines/cutpaste.py", "\nimport ", "\nEDITED = 1\nimport "):
        counts = toy.snakemake("-n", *IN_PARTS, corpus=corpus).counts
    assert counts["cutpaste"] == 3
    assert not counts.keys() & {"corpus", "extract", "align", "identity", "train_translation", "statistics"}


def test_without_gold_parts_give_the_same_tables(toy):
    tables = [f"results/{{}}/score/{table}.tsv" for table in ("identity", "sizes", "unaligned", "jumps")]
    for name, options in (("plain", ()), ("parted", IN_PARTS)):
        targets = [table.format(name) for table in tables]
        corpus = {"name": name, "gold": None}
        outcome = toy.snakemake(
            "--cores", "2", *targets, *options, corpus=corpus, systems=["cutpaste", "identity"]
        )
        assert outcome.status == 0, outcome.text
    whole, parts = files(toy, "plain"), files(toy, "parted")
    assert len(whole["score/jumps.tsv"].splitlines()) > 5
    assert [path for path in whole if whole[path] != parts.get(path)] == []


def test_the_size_of_the_corpus_decides_the_parts(toy):
    """A sparse file of 200 MB takes no space on the disk."""
    large = toy.folder / "large.jsonl"
    with open(large, "wb") as out:
        out.truncate(200 * 10**6)
    corpus = {"name": "large", "path": "large.jsonl", "gold": None}
    counts = toy.snakemake("-n", corpus=corpus).counts
    assert counts["extract"] == 3 and counts["parse"] == 3
    large.unlink()
    folder = toy.folder / "large"
    (folder / "below").mkdir(parents=True)
    for path in (folder / "one", folder / "below" / "two"):
        with open(path, "wb") as out:
            out.truncate(192 * 10**6)
    corpus |= {"path": "large", "reader": "text"}
    counts = toy.snakemake("-n", corpus=corpus).counts
    assert counts["extract"] == 6 and counts["parse"] == 6
