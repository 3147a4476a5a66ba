"""A trained model: its parameters, normalised, and the file that holds them."""

import json
import re
from dataclasses import dataclass, field, fields
from typing import NamedTuple

import numpy as np

from pipeline.io.npz import read_npz
from pipeline.io.outputs import replacing
from pipeline.io.strict_json import parse_json
from pipeline.run.errors import InputError
from pipeline.semihmm.checks import check_counts, check_distribution, check_lexicon, check_shape
from pipeline.semihmm.jumps.base import jump_model
from pipeline.semihmm.phrases.rewrite import PARTS, Mixture
from pipeline.settings import schema, section

FORMAT = 3
MAKER = "python -m pipeline.train"
# The settings of training that aligning reads as well.
ALIGNING = (
    "max_document_phrase",
    "max_summary_phrase",
    "fake_counts",
    "wordnet",
    "sentence_similarity",
    "encoder",
    "encoder_temperature",
    "beam",
)
# Those that two models have to have in common to align together.
COMMON = ("wordnet", "sentence_similarity", "encoder")
REVERSE = "reverse_"  # before the names of the arrays of the model of the other direction


@dataclass(frozen=True)
class Lexicon:
    """The lexical table t, sparse: a pair that is not listed has its fake counts alone.

    V is the size of the vocabulary. ``rows`` (V+1) int64: the listed pairs of document word d are
    ``rows[d] : rows[d+1]``, with ``summary`` (summary word, int32, sorted) and ``counts`` (expected uses,
    float64). ``totals`` (V): Σ (count + fake) of each document word, 0 for one in no document.
    ``phrases`` (m, 2, K) int32: (document, summary) phrases of more than one word, padded with −1, with
    ``phrase_counts`` (m) and ``phrase_totals`` (m, of the document phrase). ``frequency`` (V) int64: of each
    word in the summaries of training, by which fake counts are spread.
    """

    rows: np.ndarray
    summary: np.ndarray
    counts: np.ndarray
    totals: np.ndarray
    phrases: np.ndarray
    phrase_counts: np.ndarray
    phrase_totals: np.ndarray
    frequency: np.ndarray

    def spread(self, unigram, known):
        """The share of ``unigram`` fake counts of words, float64; ``known``: their numbers, −1 for a new one.

        A word in no summary of training has that of half an occurrence.
        """
        frequency = np.where(known >= 0, self.frequency[known], 0)
        return unigram * np.where(frequency > 0, frequency, 0.5) / max(self.frequency.sum(), 1)


@dataclass(frozen=True)
class Null:
    """r(word | ∅): ``probability`` (V), 0 for words in no summary; ``unseen`` for any word not in one."""

    probability: np.ndarray
    unseen: float


class Origin(NamedTuple):
    """What a model was made from, as fingerprints; empty for none.

    ``wordnet``: of the WordNet files; ``corpus``: of ``corpus.jsonl``; ``fingerprint``: of all that decides
    the model: code, settings and inputs.
    """

    wordnet: str = ""
    corpus: str = ""
    fingerprint: str = ""


@dataclass(frozen=True)
class Model:
    """Everything needed to align a new pair.

    ``jump``: name of the jump model, ``jumps`` its parameters. ``words``: the vocabulary of the training
    corpus, lower-cased. ``readings`` (R, 4) int64: WordNet offsets of the first senses of the summary
    phrases of the training corpus, by part of speech, −1 for none, and ``reading_counts`` (R) how many
    phrases have each; both empty without WordNet. ``settings``: section ``semihmm`` of the config.
    ``parser``: settings of the parser whose trees it was trained on, empty for none. ``encoder``: what the
    similarities were measured with, see :mod:`pipeline.encode.similarities`, empty for none. ``reverse``: a
    model of the other direction, which generates the document from the summary, whose posteriors are put
    together with those of this one; None for none.
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
    parser: dict
    origin: Origin
    encoder: dict = field(default_factory=dict)
    reverse: "Model | None" = None

    def save(self, path):
        """Write the model to ``path``, an npz without pickles; the same model gives the same bytes."""
        with replacing(path) as temporary, open(temporary, "wb") as out:
            np.savez_compressed(out, **self._to_arrays())

    def _to_arrays(self):
        return {
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
            "parser": _encode(json.dumps(self.parser, sort_keys=True)),
            "encoder": _encode(json.dumps(self.encoder, sort_keys=True)),
            **{name: _encode(digest) for name, digest in self.origin._asdict().items()},
            **{f"{REVERSE}{name}": array for name, array in self._reverse_arrays().items()},
        }

    def _reverse_arrays(self):
        return self.reverse._to_arrays() if self.reverse else {}

    @classmethod
    def load(cls, path):
        """Read a model; raises :class:`InputError` when the file is missing or no model of use."""
        arrays = read_npz(path, "a model", MAKER)
        try:
            version = int(arrays["format"])
            model = cls._from_arrays(arrays) if version == FORMAT else None
        except (KeyError, ValueError, TypeError, OverflowError):
            raise InputError(f"{path}: not a model; make one with `{MAKER}`") from None
        if model is None:
            raise InputError(
                f"{path}: a model of format {version}, and format {FORMAT} is wanted; train it again"
            )
        try:
            model.check()
            _check_same(arrays, model._to_arrays())
        except (ValueError, InputError) as error:
            raise InputError(f"{path}: a damaged model, {error}; train it again") from None
        return model

    @classmethod
    def _from_arrays(cls, arrays):
        reverse = {n.removeprefix(REVERSE): array for n, array in arrays.items() if n.startswith(REVERSE)}
        jump = _decode(arrays["jump"])
        if jump not in schema()["properties"]["semihmm"]["properties"]["jumps"]["items"]["enum"]:
            raise ValueError(f"no jump model {jump!r}")
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
            parse_json(_decode(arrays["parser"])),
            Origin(*(_decode(arrays[name]) for name in Origin._fields)),
            parse_json(_decode(arrays["encoder"])),
            cls._from_arrays(reverse) if reverse else None,
        )

    def check(self):
        """Raise ValueError, or :class:`InputError`, for what no training gives.

        All numbers are finite, what is a distribution sums to one, words have numbers of the vocabulary, and
        settings are such as the schema allows.
        """
        words = len(self.words)
        self.jumps.check()
        check_shape("weights of the rewrite model", self.mixture.weights, (len(PARTS),))
        check_distribution("weights of the rewrite model", self.mixture.weights)
        check_counts("eta and the null probability of an unseen word", [self.mixture.eta, self.null.unseen])
        check_shape("null probabilities of words", self.null.probability, (words,))
        check_distribution("null probabilities of words", self.null.probability)
        check_lexicon(self.lexicon, words)
        check_shape("readings", self.readings, (None, 4))
        check_shape("counts of readings", self.reading_counts, (len(self.readings),))
        check_counts("counts of readings", self.reading_counts)
        if self.readings.dtype.kind != "i" or self.readings.min(initial=0) < -1:
            raise ValueError("readings are no offsets of WordNet")
        if len(set(self.words)) < words:
            raise ValueError("its vocabulary has a word twice")
        if not isinstance(self.settings, dict) or not isinstance(self.parser, dict):
            raise ValueError("its settings are none")
        completed = section("semihmm", self.settings)
        if any(self.settings.get(key) != completed[key] for key in {*ALIGNING, *self.settings}):
            raise ValueError("its settings are not complete")
        section("parse", self.parser)
        if not isinstance(self.encoder, dict) or bool(self.encoder) != self.settings["encoder"]:
            raise ValueError("its encoder is none")
        for digest in filter(None, self.origin):
            if not re.fullmatch("[0-9a-f]+", digest):
                raise ValueError(f"{digest!r} is no fingerprint")
        if self.reverse:
            self.reverse.check()
            check_reverse(self.reverse, self.settings, self.encoder)


def check_reverse(reverse, settings, encoder):
    """Raise ValueError unless ``reverse`` may be the other direction of a model of these ``settings``."""
    if reverse.reverse or reverse.jumps.TREES:
        raise ValueError("its model of the other direction is none")
    if reverse.encoder != encoder or any(reverse.settings[key] != settings[key] for key in COMMON):
        raise ValueError("its model of the other direction has other settings or another encoder")


def _check_same(read, made):
    """Raise ValueError unless the arrays that were read are of the types that are written."""
    for name in read.keys() | made.keys():
        types = [(arrays[name].dtype, arrays[name].shape) for arrays in (read, made) if name in arrays]
        if len(types) < 2 or types[0] != types[1]:
            raise ValueError(f"the array {name} is another than it must be")


def _encode(text):
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _decode(array):
    return array.tobytes().decode()
