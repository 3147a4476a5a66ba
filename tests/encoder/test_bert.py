"""The forward pass in bytes against one that is written out, and against torch without rounding."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from networks import hidden_states, write_encoder
from safetensors.numpy import load_file, save_file
from vorlage.command.errors import InputError
from vorlage.encoder import transformer
from vorlage.encoder.bert import Bert
from vorlage.encoder.installed import PACKAGE, PACKAGED, find_model
from vorlage.encoder.transformer import open_encoder

WORDS = "embeddings.word_embeddings.weight"
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


def test_vectors_do_not_depend_on_other_sentences_or_on_threads(tmp_path, monkeypatch):
    write_encoder(tmp_path)
    encoder, numbers = open_encoder(str(tmp_path), 2), np.random.default_rng(0)
    lengths = numbers.integers(1, 9, 100)
    words = ["the cab dead a bad bead . zz".split()[k] for k in numbers.integers(0, 8, lengths.sum())]
    ends = np.cumsum([0, *lengths]).tolist()
    spans = list(pairwise(ends))
    together = encoder.encode_both(words, spans)
    np.testing.assert_array_equal(encoder.encode(words, spans), together[0])
    for remembered in (1000, 10):  # words; with 10, only those of the sentence before
        monkeypatch.setattr(transformer, "REMEMBERED", remembered)
        other = open_encoder(str(tmp_path), 2)
        for i in numbers.permutation(100).tolist():
            start, end = spans[i]
            of_words, whole = other.encode_both(words[start:end], [(0, end - start)])
            np.testing.assert_array_equal(of_words, together[0][start:end])
            np.testing.assert_array_equal(whole[0], together[1][i])
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(lambda _: encoder.encode(words, spans), range(8)):
            np.testing.assert_array_equal(vectors, together[0])


def cut(path):
    path.write_bytes(path.read_bytes()[:200])


def change_weights(path, name, change):
    """Write the weights with one of them changed, or without it."""
    weights = load_file(path)
    weights[name] = change(weights[name])
    save_file({name: array for name, array in weights.items() if array is not None}, path)


NARROW = "encoder.layer.1.output.dense.weight"
DAMAGES = {
    "no config": (lambda f: (f / "config.json").unlink(), "config.json: cannot be read"),
    "short config": (
        lambda f: (f / "config.json").write_text('{"model_type": "bert"}'),
        "an encoder without num_attention_heads",
    ),
    "broken weights": (lambda f: cut(f / "model.safetensors"), "cannot be read as safetensors"),
    "a weight less": (
        lambda f: change_weights(f / "model.safetensors", NARROW, lambda array: None),
        f"an encoder without {NARROW}",
    ),
    "fewer pieces": (
        lambda f: change_weights(f / "model.safetensors", WORDS, lambda array: array[:-1].copy()),
        "tokenizer.json: has more pieces than the network",
    ),
    "broken tokenizer": (lambda f: cut(f / "tokenizer.json"), "cannot be read as a tokenizer"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_wrong_with_a_folder_is_named(damage, tmp_path):
    write_encoder(tmp_path)
    change, message = DAMAGES[damage]
    change(tmp_path)
    assert message in error_of(tmp_path)


def error_of(folder, layer=1, device="cpu"):
    with pytest.raises(InputError) as error:
        open_encoder(str(folder), layer, device)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_wrong_layer_and_a_missing_torch_are_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    write_encoder(tmp_path)
    assert "`embed.layer` is 4, but" in error_of(tmp_path, 4) and "layers 0 to 3" in error_of(tmp_path, 4)
    assert "needs torch; install it with `make torch`" in error_of(tmp_path, device="cuda")
    write_encoder(tmp_path, model_type="mpnet")
    assert "needs torch; install it with `make torch`" in error_of(tmp_path)


@pytest.fixture(scope="module")
def packaged():
    pytest.importorskip(PACKAGE, reason="the encoder is not installed; `make setup` installs it")
    return find_model(PACKAGED)


@pytest.mark.embed
@pytest.mark.parametrize("kind", ["packaged", "bert", "xlm-roberta"])
def test_vectors_are_those_of_torch(kind, packaged, tmp_path):
    pytest.importorskip("torch", reason="torch is not installed; `make torch` installs it")
    pytest.importorskip("transformers", reason="transformers is not installed; `make torch` installs it")
    folder, texts = packaged, [[101, 1996, 4937, 7719, 102], [101, 102], [101, *range(2000, 2300), 102]]
    if kind != "packaged":
        folder, texts = tmp_path, TEXTS
        write_encoder(tmp_path, model_type=kind, pad_token_id=int(kind != "bert"), max_position_embeddings=20)
    ours, theirs = Bert(str(folder)), transformer.TorchNetwork(str(folder), "cpu")
    layers = range(ours.layers + 1)
    found, expected = ours.hidden_states(texts, layers), theirs.hidden_states(texts, layers)
    products = np.einsum("lps,lps->lp", found, expected)
    lengths = np.linalg.norm(found, axis=2) * np.linalg.norm(expected, axis=2)
    np.testing.assert_allclose(found[0], expected[0], atol=1e-5)
    assert (products / lengths).min() > 0.98  # of matrices rounded to bytes
    assert (ours.size, ours.layers, ours.pieces) == (theirs.size, theirs.layers, theirs.pieces)


@pytest.fixture(scope="module")
def encoder():
    pytest.importorskip(PACKAGE, reason="the encoder is not installed; `make setup` installs it")
    return open_encoder(PACKAGED, 4)


@pytest.fixture(scope="module")
def peer(encoder):
    """Return the tokenizer and the network of the encoder, as transformers reads them."""
    pytest.importorskip("torch", reason="torch is not installed; `make torch` installs it")
    auto = pytest.importorskip(
        "transformers", reason="transformers is not installed; `make torch` installs it"
    )
    return [kind.from_pretrained(encoder._folder) for kind in (auto.AutoTokenizer, auto.AutoModel)]


def states_of(peer, words):
    """Return the means of the pieces of words, (words, size), in each hidden layer, by transformers."""
    import torch

    tokenizer, network = peer
    made = tokenizer([words], is_split_into_words=True, return_tensors="pt")
    with torch.inference_mode():
        layers = network.eval()(**made, output_hidden_states=True).hidden_states
    pieces = [[p for p, word in enumerate(made.word_ids(0)) if word == k] for k in range(len(words))]
    return [np.array([layer[0].numpy()[found].mean(axis=0) for found in pieces]) for layer in layers]


def unit(vector):
    return vector / np.linalg.norm(vector)


@pytest.mark.embed
def test_vectors_of_sentences_are_means_of_the_last_layer(encoder, peer):
    sentences = [
        "The harbourmasters closed the harbour .".split(),
        "Unrecognizable boats left on Monday .".split(),
    ]
    words = [word for sentence in sentences for word in sentence]
    found, wholes = encoder.encode_both(words, [(0, 6), (6, 12)])
    assert wholes.dtype == np.float32 and wholes.shape == (2, encoder._network.size)
    assert np.array_equal(found, encoder.encode(words, [(0, 6), (6, 12)]))
    for whole, sentence in zip(wholes, sentences, strict=True):
        assert np.allclose(whole, unit(states_of(peer, sentence)[-1].mean(axis=0)), atol=0.03)


@pytest.mark.embed
def test_a_sentence_longer_than_a_window_has_the_mean_of_all_its_words(encoder, peer):
    words = ["Rain", "."] + [f"boat{k}" for k in range(400)]
    sizes = [len(peer[0].tokenize(word)) for word in words[2:]]
    assert sum(sizes) > 2 * encoder._most_pieces
    _, wholes = encoder.encode_both(words, [(0, 2), (2, len(words))])
    windows, start = [], 2
    for word in range(2, len(words) + 1):
        if word == len(words) or sum(sizes[start - 2 : word - 1]) > encoder._most_pieces:
            windows.append(states_of(peer, words[start:word])[-1])
            start = word
    assert len(windows) > 2
    assert np.allclose(wholes[1], unit(np.concatenate(windows).mean(axis=0)), atol=0.03)
    assert np.allclose(wholes[0], unit(states_of(peer, words[:2])[-1].mean(axis=0)), atol=0.03)


@pytest.mark.embed
def test_words_without_pieces_and_empty_texts_have_zero_vectors(encoder):
    words, wholes = encoder.encode_both(["\u200b", "Rain", "\u200b"], [(0, 1), (1, 3)])
    assert not words[[0, 2]].any() and not wholes[0].any()
    assert np.linalg.norm(wholes[1]) == pytest.approx(1, abs=1e-5)
    words, wholes = encoder.encode_both([], [])
    assert words.shape == wholes.shape == (0, encoder._network.size)
