"""The embedding aligner: windows, mutual matches, and a real encoder where it is installed."""

import shutil

import numpy as np
import pytest
from vorlage.baselines import embed
from vorlage.baselines.word_vectors import VectorAligner
from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.encoder.installed import PACKAGE, PACKAGED, find_model
from vorlage.encoder.transformer import TransformerEncoder, windows
from vorlage.extract.extracts import Extract
from vorlage.text.tokenize import join_sentences


def test_mutual_matches():
    document = np.eye(3)[[0, 1, 1, 2]]
    summary = np.array([[0.8, 0.6, 0], [0, 0.6, 0.8], [0.9, 0.1, 0], [0, 0, 0]])
    # Row 2 is nearer to document row 0 than row 0 is; row 0 then has no match, and a zero row never has one.
    assert embed.match_mutually(summary, document) == {1: [3], 2: [0]}
    assert embed.match_mutually(np.eye(2), np.eye(2)[[0, 0, 1]]) == {0: [0], 1: [2]}


def test_a_sentence_is_a_window_unless_it_is_too_long():
    sizes = [1, 1, 2, 1, 9, 1]
    assert windows([(0, 2), (2, 6)], sizes, 20) == [(0, 2), (2, 6)]
    assert windows([(0, 2), (2, 6)], sizes, 3) == [(0, 2), (2, 4), (4, 5), (5, 6)]


@pytest.fixture(scope="module")
def encoder():
    pytest.importorskip(PACKAGE, reason="the encoder is not installed; `make setup` installs it")
    return TransformerEncoder(find_model(PACKAGED), 4)


def make_pair(document, summary):
    texts = (join_sentences(text, tokenized=True) for text in (document, summary))
    return Pair("p", *texts)


@pytest.mark.embed
def test_paraphrases_are_linked(encoder):
    pair = make_pair(
        ["The cat slept .", "The company sold its old factory in Spring .", "It rained ."],
        ["In Spring the firm sold a plant ."],
    )
    aligner = VectorAligner(encoder.encode, embed.match_mutually, "embed")
    made = aligner.align(pair, Extract("p", (0, 1), ((1, 0),)))
    cells = {cell for link in made.links for cell in link.all_cells()}
    words = {(pair.summary.words[i], pair.document.words[j]) for i, j in cells}
    assert words >= {("Spring", "Spring"), ("firm", "company"), ("sold", "sold"), ("plant", "factory")}
    assert all(4 <= j < 13 for i, j in cells if pair.summary.words[i] != ".")
    assert len({i for i, _ in cells}) == len({j for _, j in cells}) == len(cells)


@pytest.mark.embed
def test_sentences_are_encoded_one_by_one(encoder):
    words = "The harbour closed . Boats left on Monday .".split()
    together = encoder.encode(words, [(0, 4), (4, 9)])
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert np.allclose(together[:4], encoder.encode(words[:4], [(0, 4)]), atol=1e-5)
    assert np.allclose(together[4:], encoder.encode(words[4:], [(0, 5)]), atol=1e-5)


@pytest.mark.embed
def test_the_vector_of_a_word_is_the_mean_of_its_pieces(encoder):
    """Compare with transformers on one sentence."""
    torch = pytest.importorskip("torch", reason="torch is not installed; `make torch` installs it")
    auto = pytest.importorskip(
        "transformers", reason="transformers is not installed; `make torch` installs it"
    )
    tokenizer, network = (
        kind.from_pretrained(encoder._folder) for kind in (auto.AutoTokenizer, auto.AutoModel)
    )
    words = ["unrecognizable", "\u200b", "harbourmasters", "."]
    found = encoder.encode(words, [(0, 4)])
    made = tokenizer([words], is_split_into_words=True, return_tensors="pt")
    with torch.inference_mode():
        states = network(**made, output_hidden_states=True).hidden_states[4][0].numpy()
    for k in (0, 2, 3):
        pieces = [p for p, word in enumerate(made.word_ids(0)) if word == k]
        assert len(pieces) > 1 or k == 3
        mean = states[pieces].mean(axis=0)
        assert np.allclose(found[k], mean / np.linalg.norm(mean), atol=1e-5)
    assert not found[1].any()  # no pieces


@pytest.mark.embed
def test_a_wrong_model_or_layer_is_named(encoder, tmp_path):
    with pytest.raises(InputError, match="config.json: cannot be read"):
        TransformerEncoder(str(tmp_path), 4)
    with pytest.raises(InputError, match=r"`embed.layer` is 7, .* layers 0 to 6"):
        TransformerEncoder(find_model(PACKAGED), 7)


@pytest.mark.embed
def test_weights_in_a_pickle_are_not_read(encoder, tmp_path):
    torch = pytest.importorskip("torch", reason="torch is not installed; `make torch` installs it")
    folder = shutil.copytree(find_model(PACKAGED), tmp_path / "model")
    (folder / "model.safetensors").unlink()
    torch.save({"embeddings.word_embeddings.weight": torch.zeros(30522, 384)}, folder / "pytorch_model.bin")
    with pytest.raises(InputError, match="cannot be read as safetensors"):
        TransformerEncoder(str(folder), 4)
    with pytest.raises(InputError, match="cannot be loaded.*safetensors"):
        TransformerEncoder(str(folder), 4, "meta")


@pytest.mark.embed
def test_an_encoder_that_is_not_here_is_not_downloaded(encoder):
    with pytest.raises(InputError, match=r"config.json: cannot be read .* \(`embed.model`"):
        TransformerEncoder("nobody/no-such-encoder", 4)
