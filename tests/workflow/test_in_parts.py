"""A corpus in several parts: the same results as in one part."""

import pytest
from toy import PAGE_SECONDS

pytestmark = pytest.mark.slow

IN_PARTS = ("--set-scatter", "pairs=3")
# The report contains the name of the corpus, so no other word may contain it.
NAME = "xyzzy"


def files(folder, name, instead=None):
    """Return path → bytes of the results of a corpus, with another name, without logs and times."""
    folder = folder / "results" / name
    return {
        str(path.relative_to(folder)): PAGE_SECONDS.sub(
            b"", path.read_bytes().replace(name.encode(), (instead or name).encode())
        )
        for path in folder.rglob("[!.]*")
        if path.is_file() and not {"logs", "benchmarks"} & set(path.parts) and path.name != "em.tsv"
    }


def test_results_in_parts_are_the_same_bytes(toy, finished_toy):
    outcome = toy.snakemake("--cores", "2", "--printshellcmds", *IN_PARTS, corpus={"name": NAME})
    assert outcome.status == 0, outcome.text
    counts = outcome.counts
    assert [counts[rule] for rule in ("extract", "baseline", "symmetrize", "align")] == [3, 3, 3, 9]
    assert counts["corpus"] == counts["count_stems"] == 1
    # Other tests leave results of variants in `toy`.
    whole, parts = files(finished_toy, "toy"), files(toy.folder, NAME, "toy")
    assert {"score/scores.tsv", "report/index.html", "align/ibm1-gdfa/alignments.jsonl"} <= whole.keys()
    assert [path for path in whole if whole[path] != parts.get(path)] == []
    assert not list((toy.folder / "results" / NAME).glob("[!lb]*/**/*-of-3.json*"))  # but of logs, benchmarks
    assert toy.snakemake("-n", *IN_PARTS, corpus={"name": NAME}).counts == {}


def test_the_size_of_the_corpus_decides_the_parts(toy):
    """Sparse files take no space on the disk."""
    for path, megabytes in (("large/one", 192), ("large/below/two", 192)):
        (toy.folder / path).parent.mkdir(parents=True, exist_ok=True)
        with open(toy.folder / path, "wb") as out:
            out.truncate(megabytes * 10**6)
    corpus = {"name": "large", "path": "large", "reader": "text", "gold": None}
    counts = toy.planned(corpus=corpus)
    assert counts["extract"] == counts["parse"] == 6
    counts = toy.planned(corpus={"name": "new"})
    assert counts["extract"] == 1 and not counts.keys() & {"gather", "count_stems"}
