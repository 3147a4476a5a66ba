"""Training against EM by enumeration, and what must hold of any training."""

from types import SimpleNamespace

import numpy as np
import pytest
from naive import NaiveGaussian, NaiveJumps, NaiveModel, NaiveSyntax
from nltk import Tree
from toy_wordnet import ToyReader, distance

from pipeline.corpus.pair import Pair
from pipeline.corpus.text import join_sentences
from pipeline.extract.extracts import Extract
from pipeline.parse.arrays import Trees
from pipeline.parse.sentences import sentence_id
from pipeline.semihmm import em
from pipeline.semihmm.aligner import Aligner, PhraseTable
from pipeline.semihmm.checkpoint import Checkpoint
from pipeline.semihmm.entries import padded
from pipeline.semihmm.jumps import jump_model
from pipeline.semihmm.model import Model
from pipeline.semihmm.senses import Senses
from pipeline.semihmm.train import TRAINING, train
from pipeline.settings import section
from pipeline.words import stem

CORPUS = [
    ("the personal computer sells", "a pc sells"),
    ("machines and computers", "the machine"),
    ("a printer offers the computer", "computers trade"),
    ("the printer", "a printer machine"),
    ("the printers sell", "printers sell"),
]


def settings(**changes):
    values = section("semihmm", {"lexical_threshold": 0, **changes})
    return {key: value for key, value in values.items() if any(key == t.split(".")[0] for t in TRAINING)}


def make(corpus):
    """(Pair, Extract) of each (document, summary), strings whose lines are sentences; whole documents."""
    made = []
    for i, texts in enumerate(corpus):
        document, summary = (join_sentences(text.split("\n"), tokenized=True) for text in texts)
        pair = Pair(f"p{i}", document, summary)
        made.append((pair, Extract(pair.id, tuple(range(len(document.sentences))), ())))
    return made


BRACKETS = [
    "(S (NP (DT the) (NML (JJ personal) (NN computer))) (VP (VBZ sells)))",
    "(NP (NP (NNS machines)) (CC and) (NP (NNS computers)))",
    "(S (NP (DT a) (NN printer)) (VP (VBZ offers) (NP (DT the) (NN computer))))",
    "(NP (DT the) (NN printer))",
    "(S (NP (DT the) (NNS printers)) (VP (VBP sell)))",
]
JUMPS = ("relative", "gaussian", "syntax")


def toy_trees():
    trees = [Tree("TOP", [Tree.fromstring(text)]) for text in BRACKETS]
    return Trees.collect((sentence_id(tree.leaves()), tree) for tree in trees)


def spans_of(tree):
    """{span: label} of the nodes of a tree, of a unary chain the topmost."""
    spans, count = {}, 0

    def visit(node):
        nonlocal count
        if isinstance(node, str):
            count += 1
            return
        first = count
        for child in node:
            visit(child)
        spans[first, count] = node.label()  # the topmost comes last

    visit(tree)
    return spans


def naive_jumps(jump, chosen):
    longest = max(len(d.split()) for d, _ in CORPUS)
    if jump == "syntax":
        spans = [spans_of(Tree.fromstring(text)) for text in BRACKETS]
        return NaiveSyntax(spans, chosen["jump_smoothing"], chosen["null_start"])
    made = NaiveJumps if jump == "relative" else NaiveGaussian
    return made(range(1 - longest, longest + 2), chosen["jump_smoothing"], chosen["null_start"])


@pytest.mark.guarantee("exact")
@pytest.mark.parametrize(
    ("jump", "wordnet", "pruned"),
    [
        ("relative", True, {}),
        ("relative", False, {}),
        ("gaussian", False, {}),
        ("syntax", False, {}),
        ("relative", True, {"lexical_cooccurrence": 2}),
        ("syntax", False, {"lexical_cooccurrence": 3}),
        ("relative", False, {"lexical_prune": 0.1, "lexical_cooccurrence": 2}),
    ],
)
def test_em_agrees_with_enumeration(jump, wordnet, pruned):
    chosen = settings(iterations=3, wordnet=wordnet, **pruned)
    reader = Senses(ToyReader()) if wordnet else None
    trees = toy_trees() if jump == "syntax" else None
    model, iterations = train(make(CORPUS), jump, chosen, reader, trees=trees)
    plain = NaiveModel(
        [(d.split(), s.split()) for d, s in CORPUS],
        chosen,
        stem,
        distance if wordnet else lambda d, s: None,
        naive_jumps(jump, chosen),
    )
    # The mean and deviation come from a numerical search on either side.
    close = 1e-6 if jump == "gaussian" else 1e-10
    for iteration in iterations:
        assert iteration.log_posterior == pytest.approx(plain.objective(), rel=close)
        plain.step()
    assert model.jumps.null == pytest.approx(plain.jumps.phi, rel=close)
    if jump == "relative":
        np.testing.assert_allclose(model.jumps.table, list(plain.jumps.factors.values()), rtol=1e-10)
    if jump == "syntax":
        wanted = {f"{label}-{way}": factor for (label, way), factor in plain.jumps.factors.items()}
        assert model.jumps.describe()["labels"] == pytest.approx(wanted, rel=1e-10)
    if jump == "gaussian":
        assert model.jumps.mean == pytest.approx(plain.jumps.mean, abs=1e-3)
        assert model.jumps.deviation == pytest.approx(plain.jumps.deviation, rel=1e-3)
        return
    assert model.mixture.eta == pytest.approx(plain.eta, rel=1e-9)
    np.testing.assert_allclose(
        model.mixture.weights,
        [plain.weights[part] for part in ("id", "stem", "wn", "rw")],
        rtol=1e-8,
        atol=1e-14,
    )
    null = dict(zip(model.words, model.null.probability, strict=True))
    assert {word: p for word, p in null.items() if p} == pytest.approx(plain.null, rel=1e-9)
    # The rewrite probabilities of the trained model, phrase pairs of every length included.
    aligner = Aligner(model, reader, lambda sentences: trees)
    for number, (pair, extract) in enumerate(make(CORPUS)):
        instance, support, inputs = aligner.prepare(pair, extract.sentences)
        for t, s in enumerate(pair.summary.words):
            for j, d in enumerate(pair.document.words):
                r = inputs.words[inputs.summary[t], inputs.document[j]]
                assert r == pytest.approx(plain.rewrite((d,), (s,)), rel=1e-9)
        for (t, k, j, span), r in zip(inputs.phrases.tolist(), inputs.phrase_r, strict=True):
            d, s = tuple(pair.document.words[j : j + span]), tuple(pair.summary.words[t : t + k])
            assert r == pytest.approx(plain.rewrite(d, s), rel=1e-9)
        links = {
            (t, j): p
            for (t, k, j, span), p in plain.sums(number, *_words(pair)).phrases.items()
            if k == span == 1
        }
        posteriors = aligner.posteriors(instance, support, inputs)[1]
        for (t, j), posterior in links.items():
            assert posteriors.words[t, j] == pytest.approx(posterior, rel=1e-9)


def _words(pair):
    return pair.document.words, pair.summary.words


def test_the_longer_phrases_of_the_toy_are_used():
    """Guards the test above: it must have phrase pairs of several shapes to compare."""
    reader = Senses(ToyReader())
    model, _ = train(make(CORPUS), "relative", settings(iterations=1), reader)
    shapes = set()
    for pair, extract in make(CORPUS):
        _, _, inputs = Aligner(model, reader).prepare(pair, extract.sentences)
        shapes |= {(k, span) for _, k, _, span in inputs.phrases.tolist()}
    assert shapes >= {(1, 2), (2, 2)}


LONGER = [
    (
        f"the {a} printer of {b} ships in june\nit sells the old {c} printer for less",
        f"{b} sells a {a} printer in june",
    )
    for a in ("fast", "cheap", "new", "slow")
    for b in ("acme", "bolt", "crane")
    for c in ("laser", "matrix")
]


def flat_trees(corpus):
    """A tree for every document sentence: pairs of words below a root."""
    found = {}
    for pair, _ in corpus:
        for first, last in pair.document.sentences:
            words = pair.document.words[first:last]
            pairs = [
                Tree(f"P{i % 5}", [Tree("W", [w]) for w in words[i : i + 2]]) for i in range(0, len(words), 2)
            ]
            found[sentence_id(words)] = Tree("TOP", [Tree("S", pairs)])
    return Trees.collect(found.items())


@pytest.mark.parametrize("jump", JUMPS)
def test_the_objective_never_falls(jump):
    corpus = make(LONGER)
    trees = flat_trees(corpus) if jump == "syntax" else None
    _, iterations = train(corpus, jump, settings(iterations=40), Senses(ToyReader()), trees=trees)
    values = [iteration.log_posterior for iteration in iterations]
    assert len(values) == 40
    assert all(b >= a - 1e-9 * abs(a) for a, b in zip(values, values[1:], strict=False))
    assert values[-1] > values[0]


def test_a_fall_of_the_objective_is_an_error():
    with pytest.raises(ArithmeticError, match="fell"):
        em._check(-100.0, -100.1, 2, exact=True)


def test_tolerance_stops_early():
    _, iterations = train(
        make(LONGER), "relative", settings(iterations=40, tolerance=1e-4), Senses(ToyReader())
    )
    assert 2 < len(iterations) < 40


@pytest.mark.guarantee("same bytes")
def test_threads_and_repetition_change_no_byte(tmp_path):
    files = []
    for name, threads in (("one", 1), ("two", 2), ("again", 2)):
        model, _ = train(make(LONGER), "relative", settings(iterations=5), Senses(ToyReader()), threads)
        files.append(tmp_path / name)
        model.save(files[-1])
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("tolerance", [0, 1e-3])
def test_an_interrupted_training_goes_on_and_ends_the_same(tmp_path, monkeypatch, jump, tolerance):
    corpus = make(LONGER)
    trees, chosen = flat_trees(corpus), settings(iterations=6, tolerance=tolerance, wordnet=False)

    def run(name, key="k"):
        checkpoint = Checkpoint(tmp_path / "checkpoint.npz", key)
        model, iterations = train(corpus, jump, chosen, trees=trees, checkpoint=checkpoint)
        model.save(tmp_path / name)
        return iterations

    whole = run("whole.npz")
    (tmp_path / "checkpoint.npz").unlink()
    real = Checkpoint.save
    for last in range(1, len(whole) + 1):

        def save(self, parameters, iterations, kept, last=last):
            real(self, parameters, iterations, kept)
            if len(iterations) == last:
                raise KeyboardInterrupt

        monkeypatch.setattr(Checkpoint, "save", save)
        with pytest.raises(KeyboardInterrupt):
            run("stopped.npz")
        began = []
        monkeypatch.setattr(Checkpoint, "save", lambda self, *state, began=began: began.append(len(state[1])))
        assert [i.row().rsplit("\t", 1)[0] for i in run("resumed.npz")] == [
            i.row().rsplit("\t", 1)[0] for i in whole
        ]
        assert began == list(range(last + 1, len(whole) + 1))
        assert (tmp_path / "resumed.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()
        (tmp_path / "checkpoint.npz").unlink()


def test_the_state_of_another_training_and_a_broken_one_are_not_taken_up(tmp_path):
    corpus, chosen = make(LONGER), settings(iterations=2, wordnet=False)
    path = tmp_path / "checkpoint.npz"
    train(corpus, "relative", chosen, checkpoint=Checkpoint(path, "one"))
    assert Checkpoint(path, "one").load(jump_model("relative"))[1][-1].iteration == 2
    assert Checkpoint(path, "other").load(jump_model("relative")) is None
    path.write_bytes(path.read_bytes()[:1000])
    assert Checkpoint(path, "one").load(jump_model("relative")) is None
    path.unlink()
    assert Checkpoint(path, "one").load(jump_model("relative")) is None


@pytest.mark.parametrize("jump", JUMPS)
def test_a_saved_model_aligns_like_the_one_in_memory(tmp_path, jump):
    corpus = make(LONGER)
    senses, trees = Senses(ToyReader()), flat_trees(corpus)
    model, _ = train(corpus, jump, settings(iterations=4), senses, trees=trees)
    model.save(tmp_path / "model.npz")
    loaded = Aligner(Model.load(tmp_path / "model.npz"), Senses(ToyReader()), lambda sentences: trees)
    kept = Aligner(model, senses, lambda sentences: trees)
    for pair, extract in corpus:
        assert loaded.align(pair, extract.sentences) == kept.align(pair, extract.sentences)


@pytest.mark.parametrize("jump", JUMPS)
def test_alignment_continues_where_training_ended(jump):
    """The likelihood of the trained model under `align` is the next one that EM would have reported."""
    corpus = make(LONGER)
    senses, trees = Senses(ToyReader()), flat_trees(corpus)
    model, _ = train(corpus, jump, settings(iterations=4), senses, trees=trees)
    _, iterations = train(corpus, jump, settings(iterations=5), senses, trees=trees)
    aligner = Aligner(model, senses, lambda sentences: trees)
    total = sum(aligner.align(p, e.sentences).log_likelihood for p, e in corpus)
    assert total == pytest.approx(iterations[-1].log_likelihood, rel=1e-10)


def test_unknown_words_and_longer_documents_are_aligned():
    corpus = make(LONGER)
    model, _ = train(corpus, "relative", settings(iterations=5), Senses(ToyReader()))
    ((new, extract),) = make([("zyx " * 40 + "quasar printer", "a quasar printer of zzz")])
    alignment = Aligner(model, Senses(ToyReader())).align(new, extract.sentences)
    assert np.isfinite(alignment.log_likelihood)
    links = {
        cell
        for link in alignment.links
        for cell in link.cells(alignment.summary_words, alignment.document_words)
    }
    assert {(1, 40), (2, 41)} <= links


def test_phrases_are_found_in_the_table_by_their_words_alone():
    pairs = {((3, 1), (3, 1)): (2.5, 9.0), ((3, 1), (4, 1)): (0.5, 9.0), ((3, 1, 2), (3, 1, 2)): (1.5, 4.0)}
    table = PhraseTable(
        SimpleNamespace(
            phrases=np.stack([[padded([d, (0, 0, 0)])[0], padded([s, (0, 0, 0)])[0]] for d, s in pairs]),
            phrase_counts=np.array([count for count, _ in pairs.values()]),
            phrase_totals=np.array([total for _, total in pairs.values()]),
        )
    )
    # (3, 1, 2, 5) is longer than any in the table, and -2 a word that it does not know.
    asked = padded([(3, 1), (3, 1, 2), (3, 1, 2, 5), (3, -2), (9, 9), (0, 0)])
    assert table.totals(asked, np.arange(6.0)).tolist() == [9.0, 4.0, 2.0, 3.0, 4.0, 5.0]
    assert table.counts(asked, asked).tolist() == [2.5, 1.5, 0, 0, 0, 0]
    assert table.counts(padded([(3, 1)]), padded([(4, 1)])).tolist() == [0.5]
    none = SimpleNamespace(
        phrases=np.empty((0, 2, 1), np.int32), phrase_counts=np.empty(0), phrase_totals=np.empty(0)
    )
    assert PhraseTable(none).totals(asked, np.arange(6.0)).tolist() == list(range(6))
