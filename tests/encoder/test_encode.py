"""Similarities of words and sentences, and their files."""

import hashlib
import pickle
import shutil

import numpy as np
import pytest
from vorlage.command.errors import InputError
from vorlage.corpus.corpus_file import write_pairs
from vorlage.corpus.pair import Pair
from vorlage.encoder import stage
from vorlage.encoder.kept import KeptSimilarities
from vorlage.encoder.similarities import Similarities, measure, shape_of, write_similarities
from vorlage.encoder.similarity_store import SimilarityStore
from vorlage.extract.extracts import Extract, write_extracts
from vorlage.files.arrays import lines_to_array
from vorlage.files.parts import Part
from vorlage.text.tokenize import join_sentences

SIZE = 8


class HashingEncoder:
    """A fake encoder, whose vectors are hashes of the words and sentences.

    `seen`: the texts that were encoded.
    """

    def __init__(self, layer=4):
        self.about, self.seen = {"model": "0123456789ab", "layer": layer}, []

    def encode_both(self, words, sentences):
        self.seen.append(list(words))
        of_words = np.array([self.vector(word) for word in words], dtype=np.float32).reshape(-1, SIZE)
        of_sentences = [self.vector(" ".join(words[start:end])) for start, end in sentences]
        return of_words, np.array(of_sentences, dtype=np.float32).reshape(-1, SIZE)

    @staticmethod
    def vector(text):
        vector = np.frombuffer(hashlib.sha256(text.encode()).digest()[:SIZE], dtype=np.uint8) - 127.5
        return vector / np.linalg.norm(vector)


def make_pair(name, document, summary):
    texts = (join_sentences(text, tokenized=True) for text in (document, summary))
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


def error_of(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        stage.main([str(argument) for argument in arguments])
    error = capsys.readouterr().err
    assert end.value.code == 1 and error.startswith("error: ") and error.count("\n") == 1
    return error


def test_each_cosine_belongs_to_its_words_and_sentences():
    encoder = HashingEncoder()
    pair, kept = PAIRS[0], KEPT[0]
    found = measure(encoder, pair, kept)
    words = [pair.document.words[p] for p in Extract("boats", kept, ()).positions(pair.document)]
    assert found.words.dtype == np.float16 and found.sentences.dtype == np.float32
    assert found.words.shape == (5, 10) and found.sentences.shape == (2, 2)
    assert shape_of(pair, kept) == (5, 10, 2, 2)
    for i, ours in enumerate(pair.summary.words):
        for j, theirs in enumerate(words):
            assert found.words[i, j] == pytest.approx(encoder.vector(ours) @ encoder.vector(theirs), abs=1e-3)
    for i, ours in enumerate(["Two left .", "Back !"]):
        for j, theirs in enumerate(["Two boats left .", "One came back at noon ."]):
            assert found.sentences[i, j] == pytest.approx(
                encoder.vector(ours) @ encoder.vector(theirs), abs=1e-6
            )


def test_only_the_requested_sentences_are_encoded():
    encoder = HashingEncoder()
    measure(encoder, PAIRS[0], iter((2,)))
    assert encoder.seen == [["Two", "left", ".", "Back", "!"], ["One", "came", "back", "at", "noon", "."]]


def test_the_cosines_of_a_word_or_a_sentence_without_a_vector_are_zero():
    class EncoderWithGaps(HashingEncoder):
        @staticmethod
        def vector(text):
            return np.zeros(SIZE) if "." in text else HashingEncoder.vector(text)

    found = measure(EncoderWithGaps(), PAIRS[0], KEPT[0])
    assert not found.words[2].any() and not found.words[:, [3, 9]].any()
    assert found.words[[0, 1, 3, 4]][:, [0, 1, 2, 4, 5, 6, 7, 8]].all()
    assert not found.sentences.any()


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_the_store_returns_what_was_measured_for_any_number_of_parts(files, tmp_path, of):
    store = SimilarityStore(encode_parts(files, tmp_path / "encode", of))
    assert store.about == HashingEncoder().about
    for pair, kept in reversed(list(zip(PAIRS, KEPT, strict=True))):
        found, meant = store.get(pair.id, shape_of(pair, kept)), measure(HashingEncoder(), pair, kept)
        for ours, theirs in zip(found, meant, strict=True):
            assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)


def test_concatenated_parts_equal_the_whole_byte_for_byte(files, tmp_path):
    whole = encode_parts(files, tmp_path / "whole", 1) / "1-of-1"
    parts = encode_parts(files, tmp_path / "parts", 3)
    for name in ("words", "sentences", "shapes", "ids"):
        loaded = [np.load(parts / f"{number}-of-3" / f"{name}.npy") for number in (1, 2, 3)]
        assert np.concatenate(loaded).tobytes() == np.load(whole / f"{name}.npy").tobytes()


def test_a_store_ignores_folders_that_are_not_parts(folder):
    (folder / "notes").mkdir()
    (folder / ".3-of-3.17.part").mkdir()
    store = SimilarityStore(str(folder))
    assert store.get("bread", (3, 5, 1, 1)).words.shape == (3, 5)


def test_a_store_pickles_as_its_path(folder):
    store = SimilarityStore(folder)
    meant = store.get("boats", (5, 10, 2, 2))
    copied = pickle.dumps(store)
    assert len(copied) < 500
    assert np.array_equal(pickle.loads(copied).get("boats", (5, 10, 2, 2)).words, meant.words)


@pytest.mark.parametrize(
    ("name", "shape", "meant"),
    [
        (
            "nobody",
            (5, 10, 2, 2),
            "has no pair nobody; encode the corpus again with `vorlage encode`",
        ),
        (
            "boats",
            (10, 5, 2, 2),
            "another extract, 5 × 10 words in 2 × 2 sentences instead of 10 × 5 words in 2 × 2 sentences",
        ),
        ("boats", (5, 10, 1, 4), "pair boats was encoded with another extract"),
        ("bread", (5, 10, 2, 2), "pair bread was encoded with another extract"),
    ],
)
def test_another_pair_or_extract_is_refused(folder, name, shape, meant):
    with pytest.raises(InputError, match=meant) as error:
        SimilarityStore(folder).get(name, shape)
    assert str(folder) in str(error.value)


def test_parts_that_do_not_belong_together_are_refused(files, folder, tmp_path):
    with pytest.raises(InputError, match="has no similarities of words; make them with"):
        SimilarityStore(tmp_path / "nowhere")
    with pytest.raises(InputError, match="has no similarities of words"):
        SimilarityStore(folder / "1-of-3")
    (folder / "2-of-3").rename(folder / "away")
    with pytest.raises(InputError, match="part 2-of-3 is missing; make it with `vorlage encode`"):
        SimilarityStore(folder)
    stage.encode(HashingEncoder(layer=5), *files, folder / "2-of-3", Part(2, 3))
    with pytest.raises(InputError, match="its parts are from different encoders; encode the corpus again"):
        SimilarityStore(folder)
    stage.encode(HashingEncoder(), *files, folder / "2-of-3", Part(3, 3))
    with pytest.raises(InputError, match="contains a pair twice; encode the corpus again"):
        SimilarityStore(folder)
    stage.encode(HashingEncoder(), *files, folder / "1-of-1")
    with pytest.raises(InputError, match="mixes parts of different divisions; remove the folder and encode"):
        SimilarityStore(folder)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("about", lines_to_array(["{"])),
        ("ids", lines_to_array(["one"])),
        ("ids", np.full(4, 255, dtype=np.uint8)),
        ("shapes", np.zeros((4, 4), dtype=np.int32)),
        ("shapes", np.full((4, 4), -1, dtype=np.int32)),
        ("words", np.zeros(3, dtype=np.float16)),
        ("words", np.zeros(118, dtype=np.float32)),
        ("sentences_at", np.zeros(5, dtype=np.int64)),
    ],
)
def test_inconsistent_arrays_are_refused(files, tmp_path, name, array):
    folder = encode_parts(files, tmp_path / "encode", 1)
    assert len(np.load(folder / "1-of-1" / "words.npy")) == 118
    np.save(folder / "1-of-1" / f"{name}.npy", array)
    with pytest.raises(InputError, match="1-of-1: not similarities of words, or damaged; encode the"):
        SimilarityStore(folder).get("boats", (5, 10, 2, 2))


def test_a_folder_without_an_array_is_refused(folder):
    (folder / "1-of-3" / "words.npy").unlink()
    with pytest.raises(InputError, match=r"words.npy: cannot be read .*; make it with `vorlage encode`"):
        SimilarityStore(folder).get("boats", (5, 10, 2, 2))
    shutil.rmtree(folder / "2-of-3")
    (folder / "2-of-3").mkdir()
    with pytest.raises(InputError, match=r"about.npy: cannot be read"):
        SimilarityStore(folder)


def test_similarities_are_written_whole_or_not_at_all(tmp_path):
    def found():
        yield Similarities(np.zeros((1, 2), np.float16), np.zeros((1, 1), np.float32))
        raise InputError("no more")

    with pytest.raises(InputError, match="no more"):
        write_similarities(tmp_path / "1-of-1", {}, ["a", "b"], [(1, 2, 1, 1)] * 2, found())
    with pytest.raises(ValueError, match="words.npy must have"):
        write_similarities(
            tmp_path / "1-of-1",
            {},
            ["a"],
            [(1, 4, 1, 1)],
            [Similarities(np.zeros((1, 2), np.float16), np.zeros((1, 1), np.float32))],
        )
    assert not list(tmp_path.iterdir())


def test_the_command_reports_errors_in_one_line(files, tmp_path, capsys, monkeypatch):
    given = ["--corpus", files[0], "--extracts", files[1], "--output", tmp_path / "made" / "1-of-1"]
    error = error_of(capsys, *given, "--model", "we/small")
    assert "the encoder we/small is neither a folder nor installed; download it with `python -m" in error
    encoder = HashingEncoder()
    monkeypatch.setattr(stage, "open_encoder", lambda model, layer, device, threads: encoder)
    assert "does not name a part" in error_of(capsys, *given, "--part", "4-of-3")
    assert "embed.layer" in error_of(capsys, *given, "--layer", "-1")
    write_extracts(files[1], [Extract(pair.id, (7,), ()) for pair in PAIRS])
    assert "the extract of boats names sentences its document does not have" in error_of(capsys, *given)
    write_pairs(files[0], [make_pair("a\nb", ["A ."], ["A ."])])
    write_extracts(files[1], [Extract("a\nb", (0,), ())])
    assert "must be some text on one line" in error_of(capsys, *given)
    files[0].write_text('{"id": "a"}\n')
    assert "corpus.jsonl, line 1: not a tokenized pair" in error_of(capsys, *given)
    assert not (tmp_path / "made").exists() and not encoder.seen


def test_the_command_takes_a_part(files, tmp_path, monkeypatch):
    monkeypatch.setattr(stage, "open_encoder", lambda model, layer, device, threads: HashingEncoder(layer))
    for part in ("1-of-2", "2-of-2"):
        given = ["--corpus", files[0], "--extracts", files[1], "--output", tmp_path / "made" / part]
        stage.main([str(word) for word in (*given, "--part", part, "--layer", 2, "--log", tmp_path / "log")])
    store = SimilarityStore(tmp_path / "made")
    assert store.about == {"model": "0123456789ab", "layer": 2}
    assert store.get("../x, y", (2, 4, 1, 1)).words.shape == (2, 4)
    assert "encode: 2/2 pairs" in (tmp_path / "log").read_text()


def test_pairs_that_were_encoded_before_are_not_encoded_again(files, tmp_path):
    first, second, other = HashingEncoder(), HashingEncoder(), HashingEncoder(2)
    for encoder, name in ((first, "one"), (second, "two"), (other, "three")):
        stage.encode(encoder, *files, tmp_path / name / "1-of-1", store=tmp_path / "kept")
    assert first.seen == other.seen and len(first.seen) == 2 * len(PAIRS) and not second.seen
    stage.encode(HashingEncoder(), *files, tmp_path / "none" / "1-of-1")
    stores = [SimilarityStore(tmp_path / name) for name in ("one", "two", "none")]
    for pair, kept in zip(PAIRS, KEPT, strict=True):
        found = [store.get(pair.id, shape_of(pair, kept)) for store in stores]
        for one in found[1:]:
            np.testing.assert_array_equal(one.words, found[0].words)
            np.testing.assert_array_equal(one.sentences, found[0].sentences)


def test_another_extract_or_a_damaged_file_is_encoded_again(tmp_path):
    encoder, pair = HashingEncoder(), PAIRS[0]
    kept = KeptSimilarities(tmp_path, encoder)
    first, other = kept.measure(pair, (0, 2)), kept.measure(pair, (0, 1))
    assert len(encoder.seen) == 4 and kept.taken == 0 and first.words.shape != other.words.shape
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert len(files) == 2
    for damage in (b"", b"PK", files[0].read_bytes()[:-30]):
        for path in files:
            path.write_bytes(damage)
        np.testing.assert_array_equal(kept.measure(pair, (0, 2)).words, first.words)
    assert len(encoder.seen) == 10 and kept.taken == 0
    np.testing.assert_array_equal(kept.measure(pair, (0, 2)).words, first.words)
    assert len(encoder.seen) == 10 and kept.taken == 1
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == files
