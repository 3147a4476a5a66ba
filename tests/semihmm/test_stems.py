"""The table over stems in a trained model of the 2004 paper, and on pairs that the model has not seen."""

import numpy as np
from toy_training import CORPUS, PAPER, make, settings
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.model import Model
from vorlage.semihmm.rewrite.instances import Vocabulary, make_instance
from vorlage.semihmm.rewrite.stems import StemTable
from vorlage.semihmm.rewrite.support import build_support
from vorlage.semihmm.train.training import train

OF_2004 = PAPER | {"paper": 2004, "wordnet": False, "null_smoothing": 2}


def test_a_new_word_has_the_table_of_its_stem(tmp_path):
    chosen = settings(**OF_2004)
    model, _ = train(make(CORPUS), "relative", chosen)
    model.save(tmp_path / "model.npz")
    loaded = Model.load(tmp_path / "model.npz")
    trained = loaded.stems
    [(pair, extract)] = make([("selling printer zebra", "sold sell offered")])
    vocabulary = Vocabulary()
    instance = make_instance(pair, extract.sentences, vocabulary)
    support = build_support([instance], vocabulary.words, None, 3, 3)
    table, _ = StemTable.of(vocabulary.words, support.table, "en", chosen.fake_counts)
    found = table.trained_as(trained)
    named = {
        tuple(found.stems[table.phrases[side, 0]] for side in sides): p
        for sides, p in zip(found.pairs.tolist(), found.probabilities().tolist(), strict=True)
    }
    expected = {
        tuple(trained.stems[trained.phrases[side, 0]] for side in sides): p
        for sides, p in zip(trained.pairs.tolist(), trained.probabilities().tolist(), strict=True)
        if (trained.phrases[sides, 1:] < 0).all()
    }
    assert named["sell", "sell"] == expected["sell", "sell"] > 0.2
    row = trained.phrases[:, 0] == trained.stems.index("printer")
    total = trained.totals[row & (trained.phrases[:, 1:] < 0).all(axis=1)].item()
    assert named["printer", "sold"] == 2 / total  # not seen in training: the fake count alone
    assert named["zebra", "sold"] == 1 / 3
    for one, other in ((model, loaded), (loaded, model)):
        links = [Aligner(m).align(pair, extract.sentences).links for m in (one, other)]
        assert links[0] == links[1]
    np.testing.assert_array_equal(model.stems.counts, trained.counts)
