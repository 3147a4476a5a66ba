"""A trained model that aligns pairs and attributes texts, and the attribution of a text."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

from rich.console import Console, ConsoleOptions, RenderResult

from vorlage.api.aligned import AlignedPair
from vorlage.api.alignment_model import AlignerOpener, AlignmentModel, find_openers, in_language_of_model
from vorlage.api.batches import AlignmentRequest, align_all, make_request, map_batches, until_error
from vorlage.attribution.attribute import attribute
from vorlage.attribution.citations import correct_marks
from vorlage.attribution.judges import Judge, JudgeFunction, open_judge
from vorlage.attribution.result import AttributionResult, Documents, check_span
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
from vorlage.types import JsonObject, Span, StrPath
from vorlage.views.console import shown_text
from vorlage.views.tables import attribution_json, markdown, word_rows
from vorlage.views.terminal import draw_attribution
from vorlage.views.viewer import notebook_frame, viewer_page
from vorlage.views.viewer_data import attribution_data

if TYPE_CHECKING:
    import pandas

WIDTH = 80  # columns of what `print` shows
AUTO = "auto"  # the judge that was fetched, if one was


class Attribution(AttributionResult):
    """The sources of a text in its documents: an `AttributionResult` with the forms in which it is shown."""

    def to_json(self) -> JsonObject:
        """Return the attribution as a JSON object; the sources of sentences, whole ones, have no quotes."""
        return attribution_json(self)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        return draw_attribution(self, console)

    def __str__(self) -> str:
        """Return what the terminal shows, without colours."""
        return shown_text(self, WIDTH)

    def to_markdown(self, marks: bool = False) -> str:
        """Return the text with footnotes for findings and sources, or alone with its `marks` put right."""
        if marks:
            return correct_marks(self.text.raw, self.documents.given, self.citations)
        return markdown(self)

    def to_dataframe(self) -> "pandas.DataFrame":
        """Return a table with a row for each word: its state, and the finding that it is in."""
        import pandas

        return pandas.DataFrame(list(word_rows(self))).convert_dtypes()

    def viewer_data(self) -> JsonObject:
        """Return what the viewer shows of the attribution."""
        return attribution_data(self)

    def to_html(self) -> str:
        """Return a standalone HTML page that shows the text with its sources."""
        return viewer_page(self.id, [self.viewer_data()], "attribution")

    def _repr_html_(self) -> str:
        return notebook_frame(self.to_html(), "Attribution")


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
        [attribution] = self.attribute_records([record], tokenized, languages, marks, span)
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
        self,
        records: Iterable[Record],
        tokenized: bool,
        languages: Languages,
        marks: bool,
        span: Span | None = None,
    ) -> Iterator[Attribution]:
        """Yield the attributions of some records, which are aligned at once; arguments as for `attribute`."""
        texts, error = until_error(
            self._open_text(record, tokenized, languages, marks, span) for record in records
        )
        for (_, finish), aligned in zip(texts, align_all(request for request, _ in texts), strict=True):
            yield finish(aligned)
        if error:
            raise error

    def _open_text(
        self, record: Record, tokenized: bool, languages: Languages, marks: bool, span: Span | None
    ) -> tuple[AlignmentRequest, Callable[[AlignedPair], Attribution]]:
        """Return what is aligned for a record, and what attributes its text when it is aligned.

        A side with tokens is split anew.
        """
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

        def finish(aligned: AlignedPair) -> Attribution:
            own = replace(aligned, pair=pair)  # in its own languages, which the checks read
            many_languages = aligner.model.many_languages
            return Attribution(**vars(attribute(own, documents, raw, span, judge, many_languages, marks)))

        return make_request(aligner, in_language_of_model(aligner, pair, languages)), finish


def load_model(
    path: StrPath | None = None, encoder: str | None = None, *, judge: StrPath | JudgeFunction | None = AUTO
) -> TrainedModel:
    """Load a trained model, or the one that comes with the package.

    A syntax model opens the parser that it was trained with.

    Args:
        path: a `model.npz`; None for the model of the package.
        encoder: the name or the folder of the encoder, for a model trained with one; by default, that of the
            config.
        judge: what says whether its sources support a sentence in English: the folder or the name of a
            classifier, or a function from sources and a sentence to a probability, see
            `vorlage.attribution.judges.open_judge`; None for none. By default, it is the one that `vorlage
            fetch --judge` has downloaded, if any.

    Raises:
        InputError: for a file that is not a model, and for a missing parser, encoder or judge.
    """
    openers = find_openers(path, encoder)
    if judge == AUTO:
        judge = JUDGE if find_judge(JUDGE) and find_spec("onnxruntime") else None
    return TrainedModel(*openers, judge if judge is None or callable(judge) else as_path(judge, "judge"))
