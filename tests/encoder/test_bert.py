"""The forward pass in NumPy against one that is written out, and against torch."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from networks import CONFIG, PIECES, hidden_states, write_encoder
from safetensors.numpy import load_file, save_file
from vorlage.command.errors import InputError
from vorlage.encoder.bert import Bert
from vorlage.encoder.installed import PACKAGE, PACKAGED, check_packaged, find_model
from vorlage.encoder.transformer import open_encoder

TEXTS = [[2, 5, 3], [2, 7, 9, 30, 8, 3], [2, 3]]


@pytest.mark.parametrize(
    ("kind", "prefix", "first", "changed"),
    [
        ("bert", "", 0, {}),
        ("bert", "bert.", 0, {"num_attention_heads": 4, "intermediate_size": 20}),
        ("xlm-roberta", "roberta.", 2, {"pad_token_id": 1}),
    ],
)
def test_hidden_states_are_those_of_the_paper(kind, prefix, first, changed, tmp_path):
    config, weights = write_encoder(tmp_path, prefix, model_type=kind, **changed)
    network = Bert(str(tmp_path))
    found = network.hidden_states(TEXTS, [0, 1, 2, 3])
    expected = [hidden_states(config, weights, text, first) for text in TEXTS]
    np.testing.assert_allclose(found, np.concatenate(expected, axis=1), atol=2e-5)
    np.testing.assert_array_equal(network.hidden_states(TEXTS, [2, -1]), found[[2, 3]])
    assert (network.size, network.layers, network.longest) == (8, 3, 12 - first)


def test_large_and_tiny_numbers_neither_overflow_nor_vanish(tmp_path):
    config, weights = write_encoder(tmp_path)
    for scale in (1e-4, 30.0):
        changed = {name: array * np.float32(scale) for name, array in weights.items()}
        save_file(changed, tmp_path / "model.safetensors")
        found = Bert(str(tmp_path)).hidden_states(TEXTS[:1], [3])[0]
        expected = hidden_states(config, changed, TEXTS[0])[3]
        np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5 * np.abs(expected).max())


def test_vectors_do_not_depend_on_the_threads_or_on_other_sentences(tmp_path):
    write_encoder(tmp_path)
    words = [word for k in range(60) for word in ("the", "cab"[k % 3 :], "dead", ".")]
    spans = [(4 * k, 4 * k + 4) for k in range(60)]
    one = open_encoder(str(tmp_path), 2).encode_both(words, spans)
    two = open_encoder(str(tmp_path), 2, threads=3).encode_both(words, spans)
    for found, expected in zip(two, one, strict=True):
        np.testing.assert_array_equal(found, expected)
    alone = open_encoder(str(tmp_path), 2).encode(words[:4], [(0, 4)])
    np.testing.assert_allclose(one[0][:4], alone, atol=1e-5)


def error_of(folder, layer=1, device="cpu"):
    with pytest.raises(InputError) as error:
        open_encoder(str(folder), layer, device)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_folder_that_is_no_encoder_is_named(tmp_path):
    assert "config.json: cannot be read" in error_of(tmp_path)
    (tmp_path / "config.json").write_text("[1]")
    assert "config.json: not a JSON object" in error_of(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    assert "model.safetensors: cannot be read as safetensors" in error_of(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG | {"hidden_size": "8"}))
    assert "`hidden_size` is '8'" in error_of(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG | {"num_attention_heads": 3}))
    assert "3 heads do not divide 8" in error_of(tmp_path)


def test_damaged_weights_are_named(tmp_path):
    _, weights = write_encoder(tmp_path)
    path, name = tmp_path / "model.safetensors", "encoder.layer.1.output.dense.weight"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "cannot be read as safetensors" in error_of(tmp_path)
    path.write_bytes(b"")
    assert "cannot be read as safetensors" in error_of(tmp_path)
    save_file({key: array for key, array in weights.items() if key != name}, path)
    assert f"has no {name}" in error_of(tmp_path)
    save_file(weights | {name: weights[name].T.copy()}, path)
    assert f"{name} has the shape (16, 8), but config.json says (8, 16)" in error_of(tmp_path)
    save_file(weights | {name: weights[name] * np.float32("nan")}, path)
    assert f"{name} has numbers that are not finite" in error_of(tmp_path)


def test_a_tokenizer_that_does_not_fit_is_named(tmp_path):
    write_encoder(tmp_path)
    path = tmp_path / "tokenizer.json"
    whole = path.read_text()
    path.write_text(whole[:200])
    assert "tokenizer.json: cannot be read as a tokenizer" in error_of(tmp_path)
    path.unlink()
    assert "tokenizer.json: cannot be read as a tokenizer" in error_of(tmp_path)
    write_encoder(tmp_path, vocab_size=len(PIECES) - 1)
    last = len(PIECES) - 1
    assert f"has pieces up to number {last}, but the network only up to {last - 1}" in error_of(tmp_path)


def test_a_wrong_layer_is_named(tmp_path):
    write_encoder(tmp_path)
    assert "`embed.layer` is 4, but" in error_of(tmp_path, 4) and "layers 0 to 3" in error_of(tmp_path, 4)


def test_another_network_or_device_needs_torch(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    write_encoder(tmp_path, model_type="mpnet")
    assert "needs torch; install it with `make embed`" in error_of(tmp_path)
    write_encoder(tmp_path)
    assert "needs torch; install it with `make embed`" in error_of(tmp_path, device="cuda")


@pytest.fixture(scope="module")
def packaged():
    pytest.importorskip(PACKAGE, reason="the encoder is not installed; `make setup` installs it")
    return find_model(PACKAGED)


def test_the_installed_encoder_is_the_one_that_was_tested(packaged, tmp_path, monkeypatch):
    check_packaged(packaged)
    folder = shutil.copytree(packaged, tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.word_embeddings.weight"][0, 0] += 1
    save_file(weights, folder / "model.safetensors")
    monkeypatch.setattr("vorlage.encoder.installed._packaged", lambda: str(folder))
    assert "not the file of the encoder" in error_of(folder)


@pytest.mark.embed
@pytest.mark.parametrize("kind", ["packaged", "bert", "xlm-roberta"])
def test_vectors_are_those_of_torch(kind, packaged, tmp_path):
    pytest.importorskip("torch", reason="torch is not installed; `make embed` installs it")
    pytest.importorskip("transformers", reason="transformers is not installed; `make embed` installs it")
    from vorlage.encoder.torch_network import TorchNetwork

    folder, texts = packaged, [[101, 1996, 4937, 7719, 102], [101, 102], [101, *range(2000, 2300), 102]]
    if kind != "packaged":
        folder, texts = tmp_path, TEXTS
        write_encoder(tmp_path, model_type=kind, pad_token_id=int(kind != "bert"), max_position_embeddings=20)
    ours, theirs = Bert(str(folder)), TorchNetwork(str(folder), "cpu")
    layers = range(ours.layers + 1)
    found, expected = ours.hidden_states(texts, layers), theirs.hidden_states(texts, layers)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert np.abs(found - expected).max() < 3e-5
    assert (ours.size, ours.layers, ours.pieces) == (theirs.size, theirs.layers, theirs.pieces)


def test_encoders_in_several_threads_give_the_same_vectors(tmp_path):
    write_encoder(tmp_path)
    encoder, words = open_encoder(str(tmp_path), 2, threads=2), ["the", "cab", "dead", "."] * 40
    spans = [(4 * k, 4 * k + 4) for k in range(40)]
    alone = encoder.encode(words, spans)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: encoder.encode(words, spans), range(8)):
            np.testing.assert_array_equal(found, alone)
