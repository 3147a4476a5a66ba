"""The lines of a corpus in parts that are kept for scoring, and files that do not belong together."""

import json
from pathlib import Path

import pytest
from vorlage.alignments.alignment import Alignment, Link
from vorlage.corpus.pair import Pair
from vorlage.score import analysis, profile, scored
from vorlage.score.analysis import TABLES
from vorlage.text.tokenize import join_sentences

IDS = [f"p{number}" for number in range(8)]
OTHER = "is by another system, or was made with other code"


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def pair(name):
    summary = " ".join([name, "boat", "it"][int(name[1:]) % 3 :])
    sides = [f"Some boat {name} some boat {name}"], [summary]
    return Pair(name, *(join_sentences(side, tokenized=True) for side in sides))


def alignment(name, system, fingerprint="f"):
    words = pair(name).document.words, pair(name).summary.words
    places = [(i, j) for i in range(len(words[1])) for j in (i, 2 * i)]
    links = [Link((i, i + 1), (j, j + 1)) for i, j in places]
    return Alignment(name, system, None, *words, links, fingerprint).to_json()


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "corpus.jsonl", (pair(name).to_json() for name in IDS))
    for system in ("one", "two"):
        write(tmp_path / f"{system}.jsonl", (alignment(name, system) for name in IDS))
    links = [{"summary": [0, 1], "document": [0, 1]}]
    write(tmp_path / "gold.jsonl", ({"id": name, "alignments": links} for name in ("p1", "p6")))
    return tmp_path


def select(folder, part, pairs, count=3):
    files = [str(folder / f"{part}.{name}") for name in ("corpus", "one", "two")]
    options = ["--corpus", folder / "corpus.jsonl", "--gold", folder / "gold.jsonl", "--part", part]
    systems = ["--alignments", folder / "one.jsonl", folder / "two.jsonl"]
    scored.main([*map(str, [*options, *systems, "--pairs", pairs]), "--output", *files[:count]])
    return files


@pytest.mark.parametrize("parts", [1, 3, 20])
@pytest.mark.parametrize(
    ("pairs", "kept"), [(0, "p0 p1 p6"), (2, "p0 p1 p2 p3 p6"), (9, "p0 p1 p2 p3 p4 p5 p6 p7")]
)
def test_pairs_with_gold_and_the_first_others_are_kept(folder, parts, pairs, kept):
    files = [select(folder, f"{number + 1}-of-{parts}", pairs) for number in range(parts)]
    for source, made in zip(("corpus", "one", "two"), zip(*files, strict=True), strict=True):
        lines = "".join(Path(path).read_text() for path in made).splitlines()
        assert [json.loads(line)["id"] for line in lines] == kept.split()
        assert set(lines) <= set((folder / f"{source}.jsonl").read_text().splitlines())


@pytest.mark.parametrize(
    ("records", "says"),
    [
        ([alignment(name, "two") for name in IDS[:-1]], "two.jsonl: has fewer lines than another"),
        (
            [alignment(name, "two") for name in ["p1", "p0", *IDS[2:]]],
            "line 1: is pair p1 where the corpus has p0",
        ),
        ([alignment(name, "x" if name == "p7" else "two") for name in IDS], f"line 8: pair p7: {OTHER}"),
        ([alignment(name, "two", "fg"[name == "p5"]) for name in IDS], f"line 6: pair p5: {OTHER}"),
        ([{"alignments": []}] * 8, "line 1: is pair None where the corpus has p0"),
    ],
    ids=["short", "order", "system", "fingerprint", "no alignment"],
)
def test_alignments_that_do_not_fit_are_refused(folder, capsys, records, says):
    write(folder / "two.jsonl", records)
    with pytest.raises(SystemExit) as stop:
        select(folder, "1-of-1", 2)
    error = capsys.readouterr().err.splitlines()[-1]
    assert stop.value.code == 1 and error.startswith("error: ") and says in error
    assert not list(folder.glob("1-of-1*"))


def test_a_system_that_changes_between_parts_is_refused(folder, capsys):
    write(folder / "two.jsonl", [alignment(name, "two", "fg"[name > "p3"]) for name in IDS])
    select(folder, "1-of-2", 2)
    with pytest.raises(SystemExit):
        select(folder, "2-of-2", 2)
    assert f"line 5: pair p4: {OTHER}" in capsys.readouterr().err


def test_outputs_must_match_the_inputs_in_number(folder, capsys):
    with pytest.raises(SystemExit):
        select(folder, "1-of-1", 2, count=2)
    assert "--output names 2 files; give 3" in capsys.readouterr().err


@pytest.mark.parametrize("parts", [2, 3, 20])
def test_profiles_of_parts_add_up(folder, parts):
    files = ["--corpus", str(folder / "corpus.jsonl")]
    files += ["--alignments", str(folder / "two.jsonl"), str(folder / "one.jsonl")]
    for number in range(1, parts + 1):
        name = f"{number}-of-{parts}"
        profile.main([*files, "--part", name, "--output", str(folder / f"profiles/{name}.json")])
    analysis.main([*files, "--output", str(folder / "whole")])
    summed = ["--profiles", str(folder / "profiles"), "--of", str(parts)]
    analysis.main([*files, *summed, "--output", str(folder / "sum")])
    for table in TABLES:
        whole = (folder / f"whole/{table}.tsv").read_text()
        assert (folder / f"sum/{table}.tsv").read_text() == whole
    assert len((folder / "sum/jumps.tsv").read_text().splitlines()) > 6


@pytest.mark.parametrize("content", ["", "[]", '{"one": {"phrases": []}}', '{"one": 3}'])
def test_a_file_that_is_not_a_profile_ends_with_one_line(folder, capsys, content):
    (folder / "1-of-1.json").write_text(content)
    files = ["--corpus", "c", "--alignments", "a", "--output", str(folder / "sum")]
    with pytest.raises(SystemExit):
        analysis.main([*files, "--profiles", str(folder), "--of", "1"])
    assert "1-of-1.json: not profiles of systems" in capsys.readouterr().err
