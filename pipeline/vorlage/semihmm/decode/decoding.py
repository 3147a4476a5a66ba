"""The settings of the decoder."""

from typing import NamedTuple

from vorlage.settings import read_by, section
from vorlage.types import JsonObject


class Decoding(NamedTuple):
    """How links are taken from posteriors: the settings of section `semihmm` that the decoder reads."""

    decoder: str
    posterior_threshold: float
    gap_threshold: float
    unigram_null: float
    stretch_support: float
    phrase_support: float
    diagonal_discount: float
    candidate_threshold: float

    @classmethod
    def from_settings(cls, settings: JsonObject) -> "Decoding":
        """Return the decoding of a completed section `semihmm`."""
        return cls(**{key: settings[key] for key in read_by("decode")})


DEFAULTS = Decoding.from_settings(section("semihmm", {}))
