"""Similarities of words and sentences, and their files."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from pair_files import write_pairs
from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.encoder.similarities import SimilarityStore, measure, measure_all
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.files.parts import Part
from vorlage.text.tokenize import make_text
from vorlage.workflow.stages import encode as stage

SIZE = 8


class HashingEncoder:
    """A fake encoder, whose vectors are hashes of the words and sentences."""

    def __init__(self, layer=4):
        self.about = {"model": "0123456789ab", "layer": layer}

    def encode_both(self, words, sentences):
        of_words = np.array([self.vector(word) for word in words], dtype=np.float32).reshape(-1, SIZE)
        of_sentences = [self.vector(" ".join(words[start:end])) for start, end in sentences]
        return of_words, np.array(of_sentences, dtype=np.float32).reshape(-1, SIZE)

    @staticmethod
    def vector(text):
        vector = np.frombuffer(hashlib.sha256(text.encode()).digest()[:SIZE], dtype=np.uint8) - 127.5
        return vector / np.linalg.norm(vector)


def make_pair(name, document, summary):
    texts = (make_text(text, tokenized=True) for text in (document, summary))
    return Pair(name, *texts)


PAIRS = [
    make_pair(
        "boats", ["Two boats left .", "It rained .", "One came back at noon ."], ["Two left .", "Back !"]
    ),
    make_pair("bread", ["Her shop opens .", "Prices rose in May ."], ["Prices rose ."]),
    make_pair("../x, y", ["A train stopped ."], ["Snow ."]),
    make_pair(
        "school", ["It closes .", "Pupils move on .", "Who knows ?", "Well ."], ["Pupils move .", "So ."]
    ),
]
KEPT = [(0, 2), (1,), (0,), (0, 1, 3)]


@pytest.fixture
def files(tmp_path):
    """Return a `corpus.jsonl` and its `extracts.jsonl`."""
    write_pairs(tmp_path / "corpus.jsonl", PAIRS)
    extracts = (Extract(pair.id, kept, ()) for pair, kept in zip(PAIRS, KEPT, strict=True))
    write_extracts(tmp_path / "extracts.jsonl", extracts)
    return tmp_path / "corpus.jsonl", tmp_path / "extracts.jsonl"


def encode_parts(files, folder, of, encoder=None):
    for number in range(1, of + 1):
        part = Part(number, of)
        stage.encode(encoder or HashingEncoder(), *files, folder / str(part), part)
    return folder


@pytest.fixture
def folder(files, tmp_path):
    return encode_parts(files, tmp_path / "encode", 3)


def test_each_cosine_belongs_to_its_words_and_sentences():
    encoder = HashingEncoder()
    pair, kept = PAIRS[0], KEPT[0]
    found = measure(encoder, pair, kept)
    words = [pair.document.words[p] for p in Extract("boats", kept, ()).positions(pair.document)]
    assert found.words.dtype == np.float16 and found.sentences.dtype == np.float32
    assert found.words.shape == (5, 10) and found.sentences.shape == (2, 2)
    for i, ours in enumerate(pair.summary.words):
        for j, theirs in enumerate(words):
            assert found.words[i, j] == pytest.approx(encoder.vector(ours) @ encoder.vector(theirs), abs=1e-3)
    for i, ours in enumerate(["Two left .", "Back !"]):
        for j, theirs in enumerate(["Two boats left .", "One came back at noon ."]):
            assert found.sentences[i, j] == pytest.approx(
                encoder.vector(ours) @ encoder.vector(theirs), abs=1e-6
            )


def test_pairs_measured_together_are_those_measured_alone():
    together = measure_all(HashingEncoder(), zip(PAIRS, KEPT, strict=True))
    for found, pair, kept in zip(together, PAIRS, KEPT, strict=True):
        for ours, theirs in zip(found, measure(HashingEncoder(), pair, kept), strict=True):
            assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)


@pytest.mark.parametrize("of", [1, 3, 7])
def test_the_store_returns_what_was_measured_for_any_number_of_parts(files, tmp_path, of):
    store = SimilarityStore(encode_parts(files, tmp_path / "encode", of))
    assert store.about == HashingEncoder().about
    for pair, kept in reversed(list(zip(PAIRS, KEPT, strict=True))):
        found, meant = store.get(pair, kept), measure(HashingEncoder(), pair, kept)
        for ours, theirs in zip(found, meant, strict=True):
            assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)


def test_another_pair_or_extract_is_refused(folder):
    store = SimilarityStore(folder)
    for pair, sentences, meant in (
        (replace(PAIRS[0], id="nobody"), (0, 2), "has no pair nobody; encode the corpus again with"),
        (PAIRS[0], (0, 1), "pair boats was encoded with another extract"),
    ):
        with pytest.raises(InputError, match=f"{folder}: {meant}"):
            store.get(pair, sentences)


@pytest.mark.parametrize("name", ["words.f2", "sentences.f4"])
@pytest.mark.parametrize(
    "change",
    [lambda a: a * np.nan, lambda a: a + 9, lambda a: a[:-1], lambda a: np.append(a, a)],
    ids=["no numbers", "no cosines", "fewer", "more"],
)
def test_numbers_that_are_no_similarities_of_the_pairs_are_refused(files, tmp_path, name, change):
    path = encode_parts(files, tmp_path / "encode", 1) / "1-of-1" / name
    change(np.fromfile(path, f"<{path.suffix[1:]}")).astype(f"<{path.suffix[1:]}").tofile(path)
    with pytest.raises(InputError, match="encode (the corpus )?again with"):
        SimilarityStore(path.parents[1]).get(PAIRS[0], KEPT[0])


def run(files, *options):
    stage.main([str(word) for word in ("--corpus", files[0], "--extracts", files[1], *options)])


def test_the_command_reports_errors_in_one_line(files, tmp_path, stops, monkeypatch):
    output = ("--output", tmp_path / "made" / "1-of-1")
    error = stops(run, files, *output, "--model", "we/small")
    assert "we/small is neither a folder nor installed; install it with `vorlage fetch --encoder" in error
    monkeypatch.setattr(stage, "open_encoder", lambda model, layer, device: HashingEncoder())
    assert "does not name a part" in stops(run, files, *output, "--part", "4-of-3")
    assert "embed.layer" in stops(run, files, *output, "--layer", "-1")
    write_extracts(files[1], [Extract(pair.id, (7,), ()) for pair in PAIRS])
    error = stops(run, files, *output)
    assert "the extract of boats names sentences its document does not have" in error
    assert not list((tmp_path / "made").glob("*"))
