"""Both directions, sentence factors and the encoder's part: in shards, in threads, and in one job."""

import numpy as np
import pytest
from sharded_training import Training, same_models, same_rows, single, write_files
from toy_training import JUMPS, LONGER, Similar, flat_trees, make

from pipeline.align.aligner import Aligner
from pipeline.semihmm.model import Model

# Few invented sentence vectors are as near as those of related sentences, so that support counts little.
ENCODER = {
    "encoder": "true",
    "null_start": 0.2,
    "encoder_temperature": 0.1,
    "encoder_baseline": 0.2,
    "sentence_support": 0.05,
}
# Frequencies are unequal: the words of a shard differ from those of the corpus.
UNEVEN = [
    *LONGER[:5],
    ("the red laser printer\nit was the cheap one", "one printer was red"),
    ("a crane in june\na crane in june", "a crane"),
    ("bolt ships the new laser in june", "the new one ships"),
    *LONGER[9:12],
]


@pytest.fixture
def files(tmp_path):
    return write_files(tmp_path)


@pytest.mark.guarantee("shards")
@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("given", [{}, ENCODER], ids=["factors", "encoder"])
def test_shards_of_both_directions_change_nothing_but_rounding(files, jump, given):
    close = 1e-6 if jump in ("gaussian", "exponential") else 1e-9
    reverse, rows = single(files, "relative", True, name="reverse", **given)
    many_reverse, others = Training(files, "reverse", 3, "relative", True, **given).run()
    same_models(reverse, many_reverse, 1e-9)
    same_rows(rows, others)
    one, rows = single(files, jump, reverse, **given)
    many, others = Training(files, "many", 3, jump, many_reverse, **given).run()
    same_models(one, many, close)
    same_rows(rows, others)
    model = Model.load(many)
    assert model.reverse and (model.mixture.weights[-1] > 0) == (given == ENCODER)
    assert model.reverse.jumps.null > model.jumps.null


@pytest.mark.guarantee("shards")
@pytest.mark.parametrize("reverse", [None, True])
def test_shards_share_the_probability_of_unlisted_word_pairs(tmp_path, reverse):
    """Fake counts by frequency count the whole corpus, not a shard."""
    files, chosen = write_files(tmp_path, UNEVEN), {"lexical_cooccurrence": 4, "lexical_threshold": 0}
    one, rows = single(files, "relative", reverse, **chosen)
    for shards in (2, 5):
        many, others = Training(files, f"by {shards}", shards, "relative", reverse, **chosen).run()
        same_rows(rows, others)
        same_models(one, many, 1e-9)


@pytest.mark.guarantee("same bytes")
@pytest.mark.parametrize("reverse", [None, True])
@pytest.mark.parametrize("prune", [0, 0.3])
def test_threads_change_no_byte(files, reverse, prune):
    made = [
        single(files, "relative", reverse, threads, f"by {threads}", prune=prune, **ENCODER)[0]
        for threads in (1, 2, 5)
    ]
    assert made[0].read_bytes() == made[1].read_bytes() == made[2].read_bytes()


@pytest.mark.guarantee("same bytes")
def test_threads_of_shards_change_no_byte(files):
    one = Training(files, "one", 2, "relative", True, **ENCODER).run()
    other = Training(files, "other", 2, "relative", True, **ENCODER).run(threads=3)
    assert one[0].read_bytes() == other[0].read_bytes() and one[1] == other[1]


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("given", [{}, ENCODER], ids=["factors", "encoder"])
def test_alignment_continues_from_sharded_training(files, jump, given):
    """The likelihood of the trained model is the one that EM would have reported next."""
    model, _ = single(files, jump, iterations=3, lexical_threshold=0, **given)
    _, rows = single(files, jump, name="longer", iterations=4, lexical_threshold=0, **given)
    corpus = make(LONGER)
    trees = flat_trees(corpus)
    aligner = Aligner(Model.load(model), None, lambda sentences: trees, Similar().of)
    total = sum(aligner.align(pair, extract.sentences).log_likelihood for pair, extract in corpus)
    assert total == pytest.approx(float(rows[-1].split("\t")[1]), rel=1e-9)


def test_factors_and_the_encoder_change_the_model(files):
    """Without an effect, the tests above would compare nothing."""
    none = {"sentence_similarity": 0, "sentence_support": 0}
    chosen = {"none": none, "factors": none | {"sentence_similarity": 1.5}, "encoder": ENCODER}
    chosen["support"] = none | {"sentence_support": 0.5}
    weights = [
        Model.load(single(files, "relative", name=name, **given)[0]).mixture.weights
        for name, given in chosen.items()
    ]
    assert not np.allclose(weights[0], weights[1], rtol=1e-6)
    assert not np.allclose(weights[0], weights[3], rtol=1e-6)
    assert weights[2][-1] > 0.01
