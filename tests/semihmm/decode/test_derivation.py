"""The best path as a derivation; `twins.py` compares its steps with the enumeration."""

import numpy as np
import pytest
from toy_training import CORPUS, Similar, make, settings
from vorlage.api.derivation import derive
from vorlage.documents.pair import Pair
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.train.training import Resources, train
from vorlage.text.tokenize import make_text

MODEL, _ = train(
    make(CORPUS),
    "relative",
    settings(encoder=True, wordnet=False),
    Resources(None, None, Similar()),
)


@pytest.mark.parametrize(
    ("language", "parts"), [("en", {"id", "stem", "rw", "encoder"}), ("de", {"id", "encoder"})]
)
def test_the_parts_of_a_rewrite_sum_to_it(language, parts):
    """Across languages, only identity and the encoder rewrite words."""
    document = make_text("the printer sells machines", tokenized=True, language=language)
    pair = Pair("a", document, make_text("printer machines sold", tokenized=True))
    aligner = Aligner(MODEL, None, None, Similar().get_all)
    [prepared] = aligner.prepare([(pair, [0])])
    found = aligner.by_part(pair, [0])
    assert {part.name for part in found} == parts
    for name in ("word_rewrites", "phrase_rewrites"):
        total = sum(getattr(inputs, name) for inputs in found.values())
        np.testing.assert_allclose(total, getattr(prepared.whole, name), rtol=1e-12)
    derivation = derive(aligner, pair, [0])
    total = sum(step.log_jump + step.log_rewrite for step in derivation.steps)
    assert total == pytest.approx(derivation.log_probability, rel=1e-10)
