"""A trained model that aligns pairs and attributes texts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from importlib.util import find_spec
from typing import ClassVar, NamedTuple

from vorlage.api.alignment_model import AlignerOpener, AlignmentModel, find_openers, in_language_of_model
from vorlage.api.attribution import Attribution
from vorlage.api.batches import AlignmentInput, align_all, make_input, map_batches, until_error
from vorlage.attribution.attribute import attribute
from vorlage.attribution.judges import Judge, JudgeFunction, open_judge
from vorlage.attribution.result import Documents, check_span
from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.documents.records import (
    DEFAULT_ID,
    DocumentInput,
    PairInput,
    Record,
    TextInput,
    as_records,
    check_id,
    make_multidocument,
    pair_label,
    raw_text,
)
from vorlage.encoder.installed import JUDGE, find_judge
from vorlage.files.inputs import as_path
from vorlage.text.detect import Languages
from vorlage.text.tokenize import make_text
from vorlage.text.tokenized import Text
from vorlage.types import Span, StrPath

AUTO = "auto"  # the judge that was fetched, if one was


class AttributionInput(NamedTuple):
    """A text and its documents.

    `alignment`: what is aligned; `pair`: the documents as one, and the text, in the languages that they have;
    `text`: the characters that the user gave; the rest is as for `vorlage.attribution.attribute.attribute`.
    """

    alignment: AlignmentInput
    pair: Pair
    documents: Documents
    text: str
    span: Span | None
    judge: Judge | None
    marks: bool


class TrainedModel(AlignmentModel):
    """A trained semi-HMM that aligns pairs and attributes texts. `judge`: as for `vorlage.load_model`."""

    _KEPT: ClassVar[tuple[str, ...]] = (*AlignmentModel._KEPT, "_judge_name")

    def __init__(
        self,
        opener: AlignerOpener,
        multilingual: AlignerOpener | None = None,
        judge: str | JudgeFunction | None = None,
    ) -> None:
        super().__init__(opener, multilingual)
        self._judge_name = judge
        self._judge  # noqa: B018 - opens it, as the aligner

    @cached_property
    def _judge(self) -> Judge | None:
        return open_judge(self._judge_name) if self._judge_name else None

    def attribute(
        self,
        document: DocumentInput,
        text: TextInput,
        *,
        id: str = DEFAULT_ID,
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
                as a retriever returns them, see `vorlage.documents.retrieved.name_documents`. Of several,
                those that are empty are left out, with a note.
            text: a string or a list of sentences.
            span: the characters of the text to attribute, half-open; None for all phrases.
            marks: whether to check the marks of citations, `Attribution.citations`, in several documents.

        Raises:
            InputError: for an empty text or document, and for a span outside of the text.
        """
        check_id(id, DEFAULT_ID)
        record = make_multidocument({"id": id, "document": document, "text": text}, pair_label(id))
        languages = Languages(language, document_language)
        [attribution] = attribute_all([self.attribution_input(record, tokenized, languages, marks, span)])
        return attribution

    def attribute_many(
        self,
        pairs: Iterable[PairInput],
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
        languages = Languages(language, document_language)
        attribute = partial(self.attribute_records, tokenized=tokenized, languages=languages, marks=marks)
        return map_batches(attribute, as_records(pairs), processes)

    def attribute_records(
        self, records: Iterable[Record], tokenized: bool, languages: Languages, marks: bool
    ) -> Iterator[Attribution]:
        """Yield the attributions of some records, which are aligned at once; arguments as for `attribute`."""
        return attribute_all(
            self.attribution_input(record, tokenized, languages, marks) for record in records
        )

    def attribution_input(
        self, record: Record, tokenized: bool, languages: Languages, marks: bool, span: Span | None = None
    ) -> AttributionInput:
        """Return a record as it is attributed; a side with tokens is split anew."""
        document, text = (
            side.raw if isinstance(side, Text) else side for side in (record.document, record.summary)
        )
        assert document is not None and text is not None
        raw = raw_text(text)
        try:
            if span is not None:
                check_span(span, raw)
            aligner, language, document_language = self._choose_aligner(raw, raw_text(document), languages)
        except InputError as error:
            raise InputError(f"{pair_label(record.id, record.where)}: {error}") from None
        documents = Documents.merge(document, tokenized, document_language)
        pair = Pair(record.id, documents.text, make_text(text, tokenized, language))
        judge = self._judge if pair.language == "en" else None
        alignment = make_input(aligner, in_language_of_model(aligner, pair, languages))
        return AttributionInput(alignment, pair, documents, raw, span, judge, marks)


def open_model(
    path: StrPath | None = None,
    encoder: str | None = None,
    judge: StrPath | JudgeFunction | None = AUTO,
) -> TrainedModel:
    """Load a trained model; the arguments are those of `vorlage.load_model`."""
    openers = find_openers(path, encoder)
    if judge == AUTO:
        judge = JUDGE if find_judge(JUDGE) and find_spec("onnxruntime") else None
    return TrainedModel(*openers, judge if judge is None or callable(judge) else as_path(judge, "judge"))


def attribute_all(inputs: Iterable[AttributionInput]) -> Iterator[Attribution]:
    """Yield the attributions of texts, in order."""
    texts, error = until_error(inputs)
    for text, aligned in zip(texts, align_all(text.alignment for text in texts), strict=True):
        aligned = replace(aligned, pair=text.pair)  # in its own languages, which the checks read
        many_languages = text.alignment.aligner.model.many_languages
        result = attribute(
            aligned, text.documents, text.text, text.span, text.judge, many_languages, text.marks
        )
        yield Attribution(**vars(result))
    if error:
        raise error
