"""A part of the rewrite mixture that is defined here alone: for phrases that begin with the same letter."""

import numpy as np
import pytest
from toy_training import CORPUS, PAPER, make, settings
from toy_wordnet import ToyReader
from twins import Twins, check
from vorlage.api.derivation import derive
from vorlage.cli.describe import describe
from vorlage.semihmm import mixture
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.mixture import EntryPart
from vorlage.semihmm.model import Model
from vorlage.semihmm.table import phrase_texts, row_of_entries
from vorlage.semihmm.train.em import Iteration
from vorlage.semihmm.train.training import Resources, train
from vorlage.semihmm.wordnet import WordNetDistances

VALUE = 0.6
UNSEEN = [("the plump quay rots", "plum quince roams")]  # no two words have one stem


def letter_values(inputs):
    table = inputs.pairs.table
    letters = np.array([text[0] for text in phrase_texts(inputs.pairs.words, table.longer)])
    return VALUE * (letters[row_of_entries(table)] == letters[table.partners])


FIRST_LETTER = EntryPart(name="letter", label="first letter", values=letter_values)


def by_letter(d, s):
    return VALUE * (d[0][0] == s[0][0])


@pytest.fixture(autouse=True)
def _mixed_in(monkeypatch):
    monkeypatch.setattr(mixture, "PARTS", (*mixture.PARTS, FIRST_LETTER))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"wordnet": "first"},
        {"paper": 2004, "null_state": "jumps-phrases", "null_smoothing": 2},
        {"encoder": True, "encoder_temperature": 0.2},
    ],
)
def test_em_posteriors_and_derivations_are_those_of_enumeration(changes):
    chosen = settings(**PAPER | {"wordnet": False} | changes)
    twins = check(Twins(CORPUS, "relative", chosen, size=2, more={"letter": by_letter}))
    assert 0.01 < twins.parameters.weight(FIRST_LETTER) < 1


def test_it_is_saved_loaded_and_explained(tmp_path):
    resources = Resources(WordNetDistances(ToyReader()))
    model, iterations = train(make(CORPUS), "relative", settings(), resources)
    assert Iteration.header().split("\t")[-3:] == ["lambda_letter", "eta", "seconds"]
    assert len(iterations[0].row().split("\t")) == len(Iteration.header().split("\t"))
    objective = [iteration.log_posterior for iteration in iterations]
    assert objective == sorted(objective)
    model.save(tmp_path / "model.npz")
    loaded = Model.load(tmp_path / "model.npz")
    assert describe(loaded)["lambda"] == describe(model)["lambda"]
    assert describe(loaded)["lambda"]["letter"] == float(model.parameters.weights[-1]) > 0
    [(pair, extract)] = make(UNSEEN)
    derivation = derive(Aligner(loaded, resources.wordnet), pair, extract.sentences)
    assert "first letter" in {step.kind for step in derivation.steps}
    found = [Aligner(made, resources.wordnet).align(pair, extract.sentences) for made in (model, loaded)]
    assert found[0] == found[1]


def test_a_model_that_does_not_know_it_gives_it_no_weight(tmp_path, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(mixture, "PARTS", mixture.PARTS[:-1])
        model, _ = train(make(CORPUS), "relative", settings(wordnet=False), Resources())
        model.save(tmp_path / "model.npz")
        [(pair, extract)] = make(UNSEEN)
        expected = Aligner(model).align(pair, extract.sentences)
    loaded = Model.load(tmp_path / "model.npz")
    assert describe(loaded)["lambda"]["letter"] == 0
    assert Aligner(loaded).align(pair, extract.sentences) == expected
