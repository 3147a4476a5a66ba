"""Without the package of checks, an attribution has sources, and what the links say of the words."""

import sys

from vorlage import load_model
from vorlage.extensions import offers
from vorlage.semihmm.decode.load import SHIPPED

DOCUMENT = "The union did not accept the offer in May. The mill sold 300 boats."
TEXT = "The union did accept the offer in June. A golden parrot sang two psalms yesterday. Hello!"


def test_an_attribution_without_checks_has_sources_and_what_has_none(monkeypatch):
    model = load_model(SHIPPED / "without-encoder.npz")
    whole = model.attribute(DOCUMENT, TEXT)
    monkeypatch.setitem(sys.modules, "vorlage.checks", None)
    assert offers("CHECKER") == []
    found = model.attribute(DOCUMENT, TEXT)
    assert {"negation", "number"} & {part.kind for part in whole.unsupported}
    assert {part.kind for part in found.unsupported} == {"no source"}
    assert "parrot" in " ".join(part.quote for part in found.unsupported)
    assert [each.linked for each in found.sentences] == [each.linked for each in whole.sentences]
    assert [each.sources for each in found.sentences[:2]] == [each.sources for each in whole.sentences[:2]]
    assert "vorlage.checks is missing" in found.notes[0]
