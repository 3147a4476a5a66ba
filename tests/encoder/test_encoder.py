"""The encoder that is installed: vectors against those of transformers."""

import numpy as np
import pytest
from vorlage.encoder.installed import PACKAGE, PACKAGED
from vorlage.encoder.transformer import open_encoder


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
        assert np.allclose(whole, unit(states_of(peer, sentence)[-1].mean(axis=0)), atol=1e-5)


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
    assert np.allclose(wholes[1], unit(np.concatenate(windows).mean(axis=0)), atol=1e-5)
    assert np.allclose(wholes[0], unit(states_of(peer, words[:2])[-1].mean(axis=0)), atol=1e-5)


@pytest.mark.embed
def test_words_without_pieces_and_empty_texts_have_zero_vectors(encoder):
    words, wholes = encoder.encode_both(["\u200b", "Rain", "\u200b"], [(0, 1), (1, 3)])
    assert not words[[0, 2]].any() and not wholes[0].any()
    assert np.linalg.norm(wholes[1]) == pytest.approx(1, abs=1e-5)
    words, wholes = encoder.encode_both([], [])
    assert words.shape == wholes.shape == (0, encoder._network.size)
