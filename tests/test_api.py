"""Alignments from Python: the same as those of the commands, with posteriors and texts that agree."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import joblib
import numpy as np
import pytest
import vorlage
from printers import PAIRS, make_files
from vorlage import load_model, train
from vorlage.semihmm.decode.load import SHIPPED

TWICE = [pair | {"id": f"{pair['id']}-{k}"} for k in range(2) for pair in PAIRS]
TEXTS = PAIRS[1]["document"], PAIRS[1]["summary"]


@pytest.fixture(scope="module")
def model(printers):
    """A trained model."""
    return load_model(printers / "model.npz")


def test_the_views_of_an_alignment_agree(model):
    aligned = model.align(*TEXTS)
    words = len(aligned.summary_words)
    assert aligned.posteriors.shape == (words, len(aligned.document_words))
    assert {link.summary for link in aligned.links} | set(aligned.null_words) == set(range(words))
    for link in aligned.links:
        assert link.posterior == aligned.posteriors[link.summary, link.document] > 0.4
        assert link.document_word == aligned.document_words[link.document]
    pharaoh = {tuple(map(int, link.split("-"))) for link in aligned.to_pharaoh().split()}
    assert pharaoh == {(link.document, link.summary) for link in aligned.links}
    table = aligned.to_dataframe()
    assert list(table.itertuples(index=False, name=None)) == [tuple(link) for link in aligned.links]
    for phrase in aligned.phrases:
        assert phrase.summary.split() == aligned.summary_words[slice(*phrase.summary_span)]
        assert (phrase.document is None) == (phrase.document_span is None)
    assert f"{len(aligned.links)} links" in repr(aligned)


def test_a_notebook_shows_an_isolated_frame(model):
    aligned = model.align('<b onclick="x()">No one</b> asked.', "<b>No one</b>.")
    html = aligned._repr_html_()
    assert html.startswith("<iframe") and 'sandbox="allow-scripts allow-downloads"' in html
    assert html.count("<") == 2  # the tags of the frame: the page in it is escaped
    assert "onclick" not in html  # the texts are compressed


def test_settings_of_the_decoder_change_the_links(model):
    few = model.align(*TEXTS, posterior_threshold=0.999)
    many = model.align(*TEXTS, posterior_threshold=0.01)
    assert len(few.links) < len(many.links)
    assert few.alignment.candidates and np.array_equal(few.posteriors, many.posteriors)
    assert model.align(*TEXTS, decoder="viterbi").log_likelihood == few.log_likelihood
    lists = model.align(["One printer .", "No news ."], ["No printer ."], tokenized=True)
    assert lists.document_words == ["One", "printer", ".", "No", "news", "."]


@pytest.mark.parametrize(("jump", "processes"), [("relative", 2), ("syntax", 1)])
def test_many_pairs_are_aligned_in_order(model, tmp_path, jump, processes):
    if jump == "syntax":
        model = load_model(make_files(tmp_path, jump) / "model.npz")
    alone = [model.align(pair["document"], pair["summary"], id=pair["id"]) for pair in TWICE]
    found = list(model.align_many(iter(TWICE), processes=processes))
    assert [pair.to_json() for pair in found] == [pair.to_json() for pair in alone]
    assert all(np.array_equal(a.posteriors, b.posteriors) for a, b in zip(found, alone, strict=True))
    (first,) = model.align_many([TEXTS], posterior_threshold=0.9)
    assert first.to_json() == model.align(*TEXTS, id="1", posterior_threshold=0.9).to_json()


def test_pairs_that_are_aligned_at_once_share_no_new_words_and_phrases():
    """The fake counts of a new word's row are those of its own pair."""
    model = load_model(SHIPPED / "without-encoder.npz")
    pairs = [
        ("The zorvex sold quanters.", "A zorvex sold a quanter."),
        ("Few quanters fell.", "Few quanters fell."),
        ("No quanters and few quanters fell.", "A quanter fell, and quanters fell."),
    ]
    alone = [model.align(*pair, id=str(i)).to_json() for i, pair in enumerate(pairs, start=1)]
    assert [found.to_json() for found in model.align_many(pairs)] == alone


def test_threads_share_a_model(model):
    expected = [model.align(pair["document"], pair["summary"]).to_json() for pair in TWICE]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda pair: model.align(pair["document"], pair["summary"]).to_json(), TWICE)
    assert list(found) == expected


def answers(model, texts):
    """Return what a model finds about two texts."""
    aligned, attributed = model.align(*texts), model.attribute(*texts)
    return aligned.to_json(), aligned.posteriors.tobytes(), attributed.to_json()


def copies(value):
    """Return a value in the three ways in which it is copied."""
    return copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("name", ["shipped", "with WordNet", "trained"])
def test_a_copy_of_a_model_gives_the_same_answers(name, tmp_path):
    if name == "shipped":
        model = load_model()
    else:
        model = load_model(make_files(tmp_path, wordnet="true") / "model.npz")
    if name == "trained":
        model = train([tuple(TEXTS)] * 2, encoder=False, iterations=2)
    expected = answers(model, TEXTS)
    for path in tmp_path.rglob("model.npz"):
        path.unlink()  # a copy needs no file
    assert [answers(copied, TEXTS) for copied in copies(model)] == [expected] * 3


def test_the_functions_of_the_package_use_its_model():
    assert vorlage.align(*TEXTS).to_json() == load_model().align(*TEXTS).to_json()
    assert vorlage.attribute(*TEXTS).to_json() == load_model().attribute(*TEXTS).to_json()


def test_copies_of_results_are_equal(model):
    for result in (model.align(*TEXTS), model.attribute(*TEXTS)):
        assert [copied.to_json() for copied in copies(result)] == [result.to_json()] * 3


@pytest.mark.slow
def test_other_pools_take_a_model(model):
    expected = [answers(model, TEXTS)] * 2
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(partial(answers, model), [TEXTS] * 2)) == expected
    # Arrays as small as these are mapped from disk, unless they are hidden from it.
    pool = joblib.Parallel(2, max_nbytes=10)
    assert pool(joblib.delayed(answers)(model, TEXTS) for _ in range(2)) == expected
