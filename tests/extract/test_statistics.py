"""Corpus statistics against values counted by hand."""

import json

import pandas as pd
import pytest
from pair_files import write_pairs
from tokenized_pairs import make_pair
from vorlage.workflow.stages.statistics import main


@pytest.fixture
def files(tmp_path):
    """Two pairs: a (annotated) and b, tokenized by hand."""
    a = make_pair("a", ["The dog barked .", "It slept .", "The end ."], ["A dog slept ."])
    b = make_pair("b", ["the cat", "Dog !", "A , b"], ["The cat .", "b"])
    write_pairs(tmp_path / "corpus.jsonl", [a, b])
    extracts = [
        {"id": "a", "sentences": [0, 1], "by_summary_sentence": [[0]]},
        {"id": "b", "sentences": [2], "by_summary_sentence": [[2], [2]]},
    ]
    (tmp_path / "extracts.jsonl").write_text("\n".join(map(json.dumps, extracts)))
    link = {"summary": [0, 1], "document": [0, 1]}
    (tmp_path / "gold.jsonl").write_text(json.dumps({"id": "a", "alignments": [link]}))
    return tmp_path


def table(files, *more):
    names = [f"--{name}={files / name}.jsonl" for name in ("corpus", "extracts")]
    main([*names, f"--output={files / 'statistics.tsv'}", *more])
    return pd.read_csv(files / "statistics.tsv", sep="\t", index_col=["pairs", "text"])


def test_statistics(files):
    # Vocabularies, lower-cased. Summaries: a dog slept . the cat b; of a: a dog slept .
    # Extracts: the dog barked . it slept a , b. Documents: also end cat !
    # "b" is all that is left of "A , b", and no other summary sentence is made by deletion.
    found = table(files, "--gold", f"{files}/gold.jsonl")
    assert found.T.to_dict("list") == {
        ("all", "summaries"): [2, 3, 8, 7, 7, 1.5, 4.0, 2.67, 1.0, 1.0, 3, 3, 1.0],
        ("all", "extracts"): [2, 3, 10, 9, 10, 1.5, 5.0, 3.33, 0.8, 1.0, 3, 1, 0.333],
        ("all", "documents"): [2, 6, 17, 12, 12, 3.0, 8.5, 2.83, 0.471, 2.0, 3, 1, 0.333],
        ("annotated", "summaries"): [1, 1, 4, 4, 4, 1.0, 4.0, 4.0, 1.0, 1.0, 1, 1, 1.0],
        ("annotated", "extracts"): [1, 2, 7, 6, 7, 2.0, 7.0, 3.5, 0.571, 2.0, 1, 0, 0.0],
        ("annotated", "documents"): [1, 3, 10, 7, 8, 3.0, 10.0, 3.33, 0.4, 3.0, 1, 0, 0.0],
    }


def test_how_much_of_each_summary_is_copied(files):
    # Fragments of a: dog | slept . of "a dog slept ."; of b: the cat | b of "the cat . b".
    table(files, f"--pairs={files / 'overlap.tsv'}")
    found = pd.read_csv(files / "overlap.tsv", sep="\t", index_col="id")
    assert list(found.columns) == ["coverage", "density", "novel_1", "novel_2", "novel_3", "novel_4"]
    assert found.loc["a"].tolist() == pytest.approx([3 / 4, 5 / 4, 1 / 4, 2 / 3, 1, 1], abs=1e-6)
    assert found.loc["b"].tolist() == pytest.approx([3 / 4, 5 / 4, 1 / 4, 2 / 3, 1, 1], abs=1e-6)
