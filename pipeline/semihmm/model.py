"""A trained model: its parameters, normalised, and the file that holds them."""

import json
from dataclasses import dataclass, fields

import numpy as np

from pipeline.errors import InputError
from pipeline.npz import read_npz
from pipeline.outputs import replacing
from pipeline.semihmm.jumps import jump_model
from pipeline.semihmm.rewrite import Mixture
from pipeline.strict_json import parse_json

FORMAT = 1
MAKER = "python -m pipeline.semihmm.train"


@dataclass(frozen=True)
class Lexicon:
    """The lexical table t, sparse: a pair that is not listed has its fake counts alone.

    V is the size of the vocabulary. ``rows`` (V+1) int64: the listed pairs of document word d are
    ``rows[d] : rows[d+1]``, with ``summary`` (summary word, int32, sorted) and ``counts`` (expected uses,
    float64). ``totals`` (V): Σ (count + fake) of each document word, 0 for one in no document.
    ``phrases`` (m, 2, K) int32: (document, summary) phrases of more than one word, padded with −1, with
    ``phrase_counts`` (m) and ``phrase_totals`` (m, of the document phrase).
    """

    rows: np.ndarray
    summary: np.ndarray
    counts: np.ndarray
    totals: np.ndarray
    phrases: np.ndarray
    phrase_counts: np.ndarray
    phrase_totals: np.ndarray


@dataclass(frozen=True)
class Null:
    """r(word | ∅): ``probability`` (V), 0 for words in no summary; ``unseen`` for any word not in one."""

    probability: np.ndarray
    unseen: float


@dataclass(frozen=True)
class Model:
    """Everything needed to align a new pair.

    ``jump``: name of the jump model, ``jumps`` its parameters. ``words``: the vocabulary of the training
    corpus, lower-cased. ``readings`` (R, 4) int64: WordNet offsets of the first senses of the summary
    phrases of the training corpus, by part of speech, −1 for none, and ``reading_counts`` (R) how many
    phrases have each; both empty without WordNet. ``settings``: section ``semihmm`` of the config.
    ``parser``: settings of the parser whose trees it was trained on, empty for none. ``fingerprint``: what
    the model was trained by.
    """

    jump: str
    jumps: object
    mixture: Mixture
    null: Null
    lexicon: Lexicon
    words: list
    readings: np.ndarray
    reading_counts: np.ndarray
    settings: dict
    wordnet: str
    parser: dict
    fingerprint: str

    def save(self, path):
        """Write the model to ``path``, an npz without pickles; the same model gives the same bytes."""
        arrays = {
            "format": np.int64(FORMAT),
            "jump": _encode(self.jump),
            **self.jumps.to_arrays(),
            "mixture_weights": self.mixture.weights,
            "mixture_eta": np.float64(self.mixture.eta),
            "null_probability": self.null.probability,
            "null_unseen": np.float64(self.null.unseen),
            **{f"lexicon_{field.name}": getattr(self.lexicon, field.name) for field in fields(Lexicon)},
            "words": _encode("\n".join(self.words)),
            "readings": self.readings,
            "reading_counts": self.reading_counts,
            "settings": _encode(json.dumps(self.settings, sort_keys=True)),
            "wordnet": _encode(self.wordnet),
            "parser": _encode(json.dumps(self.parser, sort_keys=True)),
            "fingerprint": _encode(self.fingerprint),
        }
        with replacing(path) as temporary, open(temporary, "wb") as out:
            np.savez_compressed(out, **arrays)

    @classmethod
    def load(cls, path):
        """Read a model; raises :class:`InputError` when the file is missing or is not a model."""
        arrays = read_npz(path, "a model", MAKER)
        try:
            jump = _decode(arrays["jump"])
            return cls(
                jump,
                jump_model(jump).from_arrays(arrays),
                Mixture(arrays["mixture_weights"], float(arrays["mixture_eta"])),
                Null(arrays["null_probability"], float(arrays["null_unseen"])),
                Lexicon(**{field.name: arrays[f"lexicon_{field.name}"] for field in fields(Lexicon)}),
                _decode(arrays["words"]).split("\n"),
                arrays["readings"],
                arrays["reading_counts"],
                parse_json(_decode(arrays["settings"])),
                _decode(arrays["wordnet"]),
                parse_json(_decode(arrays["parser"])),
                _decode(arrays["fingerprint"]),
            )
        except (KeyError, ValueError, TypeError):
            raise InputError(f"{path}: not a model; make one with `{MAKER}`") from None


def _encode(text):
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _decode(array):
    return array.tobytes().decode()
