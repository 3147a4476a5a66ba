"""Texts drawn from known parameters: the package learns them again, and agrees with plain likelihoods."""

import numpy as np
import pytest
from simulation import COPIES, learn, learned_rewrites, make_pairs, whole_document
from simulation_texts import (
    JUMPS,
    SEED,
    bundled_texts,
    collect_trees,
    fit_to_steps,
    likelihoods,
    make_documents,
    make_simulation,
)

UNLIKELY = 4.0  # standard errors


@pytest.fixture(scope="module")
def documents():
    return make_documents(bundled_texts(), vocabulary=200, size=60)[::2]


@pytest.mark.parametrize("jump", JUMPS)
def test_a_model_learns_what_its_texts_were_drawn_from(documents, jump):
    trees = collect_trees(documents)
    simulation = make_simulation(documents, jump)
    drawn = simulation.draw(np.random.default_rng(SEED))
    pairs = make_pairs(documents, drawn)
    model, aligner = learn(pairs, jump, COPIES, trees)

    # log Pr by matrices of the definitions is that of the compiled recursions.
    rewrites = learned_rewrites(model, simulation.rewrites.words)
    whole, given = likelihoods(documents, drawn, model.jumps, rewrites)
    scores = [aligner.align(pair, whole_document(pair).sentences).log_likelihood for pair in pairs]
    assert sum(scores) == pytest.approx(whole, rel=1e-9)

    # φ is that of the drawn steps, within the error of a share of so many words.
    seen, words = fit_to_steps(simulation.jumps, documents, drawn), sum(len(text.summary) for text in drawn)
    error = np.sqrt(seen.null_probability * (1 - seen.null_probability) / words)
    assert abs(model.jumps.null_probability - seen.null_probability) < UNLIKELY * error
    assert abs(model.jumps.null_probability - simulation.jumps.null_probability) < UNLIKELY * error
    # Twice the gain of three parameters has mean 3 and hardly exceeds 20; a table has one a distance.
    sizes = {"relative": len(getattr(model.jumps, "table", ())), "syntax": 2 * len(trees.labels)}
    gain = 2 * (whole - likelihoods(documents, drawn, simulation.jumps, rewrites)[0])
    assert 0 < gain < 20 + sizes.get(jump, 0)
    if jump == "relative":
        chance, learned = (jumps.table[1 - jumps.smallest] for jumps in (simulation.jumps, model.jumps))
        assert abs(learned - chance) < UNLIKELY * np.sqrt(chance / words) * 1.5
    if jump == "syntax":
        uses = words * 0.2  # of the next word, less than in any draw
        assert abs(np.log(model.jumps.next_word / simulation.jumps.next_word)) < UNLIKELY / np.sqrt(uses)

    # The right model explains other draws better than wrong ones do.
    other = simulation.draw(np.random.default_rng(SEED + 1))
    wrong, _ = learn(pairs, "gaussian" if jump != "gaussian" else "exponential", COPIES, trees)
    values = [
        likelihoods(documents, other, m.jumps, learned_rewrites(m, simulation.rewrites.words))[1]
        for m in (model, wrong)
    ]
    assert np.isfinite(given) and values[0] > values[1]
