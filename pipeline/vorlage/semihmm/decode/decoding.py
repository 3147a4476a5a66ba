"""The settings of the decoder."""

from importlib.metadata import version
from typing import NamedTuple

from vorlage.fingerprint import digest
from vorlage.semihmm.model import Model
from vorlage.settings import SemiHmm


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
    def of(cls, settings: SemiHmm) -> "Decoding":
        """Return the decoding of a section `semihmm`."""
        return cls(*(getattr(settings, key) for key in cls._fields))


DEFAULTS = Decoding.of(SemiHmm())


def make_stamp(model: Model, decoding: Decoding) -> str:
    """Return the fingerprint in every line of the output: of this version, the decoding and the model."""
    return digest((version("vorlage"), decoding, model.origin.fingerprint))
