"""SimAlign by its package: the same links for sentences, and documents of any length."""

import shutil

import pytest
from vorlage.baselines.simalign import METHODS, open_simalign
from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.encoder.installed import PACKAGE, PACKAGED, find_model
from vorlage.extract.extracts import Extract
from vorlage.text.tokenize import join_sentences

pytestmark = pytest.mark.embed

SUMMARY = "In Spring the firm sold an old plant and unrecognizable harbourmasters ."
DOCUMENT = "The company sold its old factory in Spring , said unrecognizable harbourmasters ."


@pytest.fixture(scope="module")
def package():
    pytest.importorskip(PACKAGE, reason="the encoder is not installed; `make setup` installs it")
    return pytest.importorskip("simalign", reason="simalign is not installed; `make peers` installs it")


def align(method, document, summary):
    texts = (join_sentences(text, tokenized=True) for text in (document, summary))
    pair = Pair("p", *texts)
    aligner = open_simalign(find_model(PACKAGED), 4, "cpu", f"simalign-{method}")
    extract = Extract("p", tuple(range(len(pair.document.sentences))), ())
    cells = {cell for link in aligner.align(pair, extract).links for cell in link.all_cells()}
    return pair, cells


@pytest.mark.parametrize(("method", "name"), [("argmax", "inter"), ("itermax", "itermax"), ("match", "mwmf")])
def test_sentences_are_linked_as_by_the_package(package, method, name):
    aligner = package.SentenceAligner(find_model(PACKAGED), matching_methods=METHODS[method], layer=4)
    expected = aligner.get_word_aligns(SUMMARY.split(), DOCUMENT.split())[name]
    assert len(expected) >= 8
    assert align(method, [DOCUMENT], [SUMMARY])[1] == set(expected)


def test_a_document_may_be_longer_than_the_encoder_takes(package):
    """The sentence with the source comes after two others, both longer than the encoder takes."""
    long = ["It rained . " * 100, "Boats were late again . " * 60]
    pair, cells = align("argmax", [*long, DOCUMENT], [SUMMARY])
    words = {(pair.summary.words[i], pair.document.words[j]) for i, j in cells}
    assert words >= {("Spring", "Spring"), ("sold", "sold"), ("firm", "company"), ("plant", "factory")}
    start = pair.document.sentences[-1][0]
    assert start == 600
    assert all(j >= start for i, j in cells if pair.summary.words[i] in ("Spring", "sold", "firm", "plant"))


def test_weights_in_a_pickle_are_not_read(package, tmp_path):
    folder = shutil.copytree(find_model(PACKAGED), tmp_path / "model")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(InputError, match="no weights as safetensors"):
        open_simalign(str(folder), 4, "cpu", "simalign-match")
