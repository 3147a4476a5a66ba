"""What is aligned and attributed: pairs of texts with the model for their languages."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from vorlage.attribution.documents import Documents
from vorlage.attribution.judges import Judge
from vorlage.command.errors import InputError
from vorlage.command.progress import warn_once
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import pair_label
from vorlage.encoder.installed import MULTILINGUAL, how_to_get
from vorlage.extract.long_pairs import choose_sentences
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.model import Model
from vorlage.settings import Decoding, validate
from vorlage.text.detect import (
    UNKNOWN,
    Languages,
    check_language,
    find_languages,
    language_name,
    name_languages,
)
from vorlage.types import Span


class AlignmentInput(NamedTuple):
    """A pair, the document sentences that it is aligned to, and how."""

    aligner: Aligner
    pair: Pair
    sentences: Sequence[int]
    decoding: Decoding


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


def make_input(
    aligner: Aligner, pair: Pair, sentences: Sequence[int] | None = None, decoding: Decoding | None = None
) -> AlignmentInput:
    """Return a pair as it is aligned; arguments as for `vorlage.api.trained_model.TrainedModel.align_pair`.

    Raises:
        InputError: for a pair in a language other than that of the model, and for one that is too long.
    """
    model = aligner.model
    if pair.language != model.language and not model.many_languages:
        languages = " and ".join(sorted({pair.summary.language, pair.document.language}))
        raise InputError(
            f"{pair_label(pair.id)}: its language is {languages}, that of the model "
            f"{model.language or 'two others'}; use a model of its language, or the one for many "
            f"({how_to_get(MULTILINGUAL)} installs it)"
        )
    chosen = choose_sentences(pair) if sentences is None else sentences
    return AlignmentInput(aligner, pair, chosen, decoding or usual_decoding(model))


def usual_decoding(model: Model) -> Decoding:
    """Return the settings of the decoder that a model has by default."""
    return validate(Decoding, {}, encoder=model.settings.encoder)


def choose_aligner(
    usual: Aligner, open_other: Callable[[], Aligner | None], text: str, document: str, given: Languages
) -> tuple[Aligner, str, str]:
    """Return what aligns a text to its document, and their two languages, which are found if not given.

    Args:
        usual: what aligns texts of its language.
        open_other: opens what aligns texts of other languages, if there is anything.
        text: the characters of the text.
        document: those of its document.
        given: the languages, as far as the user gives them.

    Raises:
        InputError: a language is not a two-letter code.
    """
    own, named = usual.model.language, given.text or given.document
    for name, code in zip(("language", "document_language"), given, strict=True):
        if code is not None:
            check_language(code, name)
    found = given if all(given) else find_languages(text, document, named or own or "en")
    here, there = (code or guess or named or UNKNOWN for code, guess in zip(given, found, strict=True))
    if here == there == own:
        return usual, here, there
    aligner = usual if usual.model.many_languages else open_other()
    said = f"the {name_languages(here, there)}"
    if not (aligner or named):
        how = f"install the encoder for other languages with {how_to_get(MULTILINGUAL)}"
        said += f", but the model is for {language_name(own)}: {how}"
    if aligner or not named:
        warn_once(said)
    return aligner or usual, here, there


def in_language_of_model(aligner: Aligner, pair: Pair, given: Languages) -> Pair:
    """Return a pair as a model of one language reads it: in that language, unless the user gives another."""
    is_own = aligner.model.many_languages or any(given)
    return pair if is_own else pair.in_language(aligner.model.language)
