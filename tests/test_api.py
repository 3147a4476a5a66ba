"""Alignments from Python: the same as those of the commands, with posteriors and texts that agree."""

import itertools
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from vorlage import InputError, load_model
from vorlage.corpus import stage as corpus
from vorlage.extract import stage as extract
from vorlage.files.jsonl import read_jsonl
from vorlage.fingerprint import fingerprint
from vorlage.semihmm.decode import stage as align
from vorlage.semihmm.train import stage as train
from vorlage.trees import stage as parse

PAIRS = [
    {
        "id": f"p{i}",
        "document": f"The {a} printer of {b} ships in June. It sells the old printer for less. No one asked.",
        "summary": f"{b} will ship a {a} printer in June.",
    }
    for i, (a, b) in enumerate((a, b) for a in ("fast", "cheap", "new") for b in ("Acme", "Bolt", "Crane"))
]


TWICE = [pair | {"id": f"{pair['id']}-{k}"} for k in range(4) for pair in PAIRS]


@pytest.fixture(scope="module", params=["relative", "syntax"])
def trained(request, tmp_path_factory):
    """A folder with a corpus, its whole documents as extracts, and a trained model."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    corpus.main(
        ["--reader", "jsonl", "--path", str(folder / "pairs.jsonl"), "--output", str(folder / "corpus")]
    )
    both = ["--corpus", str(folder / "corpus/corpus.jsonl"), "--extracts", str(folder / "extracts.jsonl")]
    extract.main([*both[:2], "--output", both[3], "--enabled", "false"])
    trees = ["--trees", str(parse_corpus(folder, both))] if request.param == "syntax" else []
    train.main(
        ["--jump", request.param, *both, *trees, "--wordnet", "false", "--iterations", "4"]
        + ["--model", str(folder / "model.npz"), "--em", str(folder / "em.tsv")]
    )
    align.main(["--model", str(folder / "model.npz"), *both, *trees, "--output", str(folder / "out.jsonl")])
    return folder


def parse_corpus(folder, both):
    """Return the trees of the document sentences, by the parse stage."""
    parse.main([*both, "--output", str(folder / "trees.npz")])
    return folder / "trees.npz"


def read_alignments(folder):
    return [record for _, record in read_jsonl(folder / "out.jsonl")]


def test_alignments_are_those_of_the_training_run(trained):
    model = load_model(trained / "model.npz")
    for pair, record in zip(PAIRS, read_alignments(trained), strict=True):
        aligned = model.align(pair["document"], pair["summary"], id=pair["id"])
        again = json.loads(json.dumps(aligned.to_json()))
        assert again | {"fingerprint": record["fingerprint"]} == record


def test_the_views_of_an_alignment_agree(trained):
    model = load_model(trained / "model.npz")
    aligned = model.align(PAIRS[0]["document"], PAIRS[0]["summary"])
    words = len(aligned.summary_words)
    assert aligned.posteriors.shape == (words, len(aligned.document_words))
    assert {link.summary for link in aligned.links} | set(aligned.null_words) == set(range(words))
    for link in aligned.links:
        assert link.posterior == aligned.posteriors[link.summary, link.document] > 0.4
        assert link.document_word == aligned.document_words[link.document]
    pharaoh = {tuple(map(int, link.split("-"))) for link in aligned.to_pharaoh().split()}
    assert pharaoh == {(link.document, link.summary) for link in aligned.links}
    for phrase in aligned.phrases:
        assert phrase.summary.split() == aligned.summary_words[slice(*phrase.summary_span)]
        assert (phrase.document is None) == (phrase.document_span is None)
    assert f"{len(aligned.links)} links" in repr(aligned)


@pytest.mark.parametrize("decoder", ["posterior", "viterbi"])
def test_posteriors_of_a_word_sum_to_one(trained, decoder):
    model, texts, found = load_model(trained / "model.npz"), (PAIRS[0]["document"], PAIRS[0]["summary"]), {}
    for unigram_null, stretch in itertools.product((0, 0.5, 1), (0, 0.2)):
        settings = {"decoder": decoder, "unigram_null": unigram_null, "stretch_support": stretch}
        for more in ({}, {"phrase_support": 0, "diagonal_discount": 0}):
            aligned = model.align(*texts, **settings, **more)
            sums = aligned.posteriors.sum(axis=1) + aligned.null_posteriors
            np.testing.assert_allclose(sums, 1.0, rtol=1e-9)
            assert min(aligned.posteriors.min(), aligned.null_posteriors.min()) >= 0
            assert aligned.to_json()["null"] == aligned.null_posteriors.tolist()
        found[unigram_null, stretch] = aligned.null_posteriors
    # What the fake counts by frequency rewrite moves to null, in proportion.
    moved = found[1, 0] - found[0, 0]
    assert moved.min() >= 0 and moved.max() > 1e-3
    np.testing.assert_allclose(found[0.5, 0], found[0, 0] + moved / 2, rtol=1e-9)
    assert np.array_equal(found[0, 0], found[0, 0.2]) == (decoder == "viterbi")


def test_a_notebook_shows_an_isolated_frame(trained):
    aligned = load_model(trained / "model.npz").align('<b onclick="x()">No one</b> asked.', "<b>No one</b>.")
    html = aligned._repr_html_()
    assert html.startswith("<iframe") and 'sandbox="allow-scripts allow-downloads"' in html
    assert html.count("<") == 2  # the tags of the frame: the page in it is escaped
    assert "onclick" not in html  # the texts are compressed


def test_settings_of_the_decoder_change_the_links(trained):
    model = load_model(trained / "model.npz")
    few = model.align(PAIRS[1]["document"], PAIRS[1]["summary"], posterior_threshold=0.999)
    many = model.align(PAIRS[1]["document"], PAIRS[1]["summary"], posterior_threshold=0.01)
    assert len(few.links) < len(many.links)
    assert few.alignment.candidates and np.array_equal(few.posteriors, many.posteriors)
    best = model.align(PAIRS[1]["document"], PAIRS[1]["summary"], decoder="viterbi")
    assert best.log_likelihood == few.log_likelihood
    lists = model.align(["One printer .", "No news ."], ["No printer ."], tokenized=True)
    assert lists.document_words == ["One", "printer", ".", "No", "news", "."]


def test_many_pairs_are_aligned_in_order_by_processes(trained):
    model = load_model(trained / "model.npz")
    alone = [model.align(pair["document"], pair["summary"], id=pair["id"]) for pair in TWICE]
    taken = []
    for workers in (1, 2):
        found = list(model.align_many((taken.append(pair) or pair for pair in TWICE), workers=workers))
        assert [pair.to_json() for pair in found] == [pair.to_json() for pair in alone]
        assert all(np.array_equal(a.posteriors, b.posteriors) for a, b in zip(found, alone, strict=True))
    texts = TWICE[0]["document"], TWICE[0]["summary"]
    (first,) = model.align_many([texts], posterior_threshold=0.9)
    assert first.to_json() == model.align(*texts, id="1", posterior_threshold=0.9).to_json()
    pairs = model.align_many(taken.append(pair) or pair for pair in TWICE)
    taken.clear()
    next(pairs)
    assert len(taken) == 1


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        (("one",), "pair 2: give \\(document, summary\\)"),
        ("ab", "pair 2: give \\(document, summary\\)"),
        ({"document": "one"}, "pair 2: no `summary`"),
        ({"document": "one", "summary": 3}, "`summary` must be a string"),
        (("one", " "), "pair 2: empty summary"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_wrong_pair_among_many_is_an_error(trained, pair, says, workers):
    model = load_model(trained / "model.npz")
    with pytest.raises(InputError, match=says):
        list(model.align_many([("A printer.", "Printer."), pair], workers=workers))


def test_threads_share_a_model(trained):
    expected = [load_model(trained / "model.npz").align(p["document"], p["summary"]).to_json() for p in TWICE]
    shared = load_model(trained / "model.npz")
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda pair: shared.align(pair["document"], pair["summary"]).to_json(), TWICE)
    assert list(found) == expected


PROCESSES = """
import json, multiprocessing, sys
from vorlage import load_model

method, path, pairs = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
model = load_model(path)

def align(pair):
    return model.align(pair["document"], pair["summary"]).to_json()

if __name__ == "__main__":
    align(pairs[0])  # a process that is forked has a model that is in use
    with multiprocessing.get_context(method).Pool(2) as pool:
        print(json.dumps(pool.map(align, pairs)))
"""


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_of_a_user_align_as_one(trained, tmp_path, method):
    model = load_model(trained / "model.npz")
    expected = [model.align(pair["document"], pair["summary"]).to_json() for pair in PAIRS]
    (tmp_path / "script.py").write_text(PROCESSES)
    command = [sys.executable, "script.py", method, trained / "model.npz", json.dumps(PAIRS)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == json.dumps(expected) + "\n"


def test_invalid_input_is_an_error(trained):
    model = load_model(trained / "model.npz")
    with pytest.raises(InputError, match="pair x: empty summary; give some text"):
        model.align("A text.", "  ", id="x")
    for wrong in (5, ["a", 3], "half \ud800 of one"):
        with pytest.raises(InputError, match="document"):
            model.align(wrong, "Text.")
    with pytest.raises(InputError, match="decoder"):
        model.align("A text.", "Text.", decoder="best")
    with pytest.raises(InputError, match=r"nothing\.npz: cannot be read"):
        load_model(trained / "nothing.npz")


def test_no_fingerprint_follows_the_imports_of_the_package():
    assert not {"vorlage.api", "vorlage.alignments.export"} & set(fingerprint("vorlage.corpus"))
