"""The functions of `import vorlage`."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from vorlage.api.aligned import AlignedPair
from vorlage.api.train_pairs import train_pairs
from vorlage.api.trained_model import AUTO, TrainedModel, open_model
from vorlage.attribution.judges import JudgeFunction
from vorlage.attribution.result import Attribution
from vorlage.documents.records import AnyDocument, AnyPair, Side
from vorlage.types import Span, StrPath


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
    return open_model(path, encoder, judge=judge)


def train(
    pairs: Iterable[AnyPair],
    *,
    jump: str = "relative",
    tokenized: bool = False,
    language: str = "en",
    processes: int = 1,
    **settings: Any,
) -> TrainedModel:
    """Train a model on pairs, without annotation, as the workflow does with its default settings.

    It has both directions, and uses the encoder if that is installed. `TrainedModel.save` keeps it.

    Args:
        pairs: `(document, summary)` each, or objects with `id`, `document` and `summary`; each side a string
            or a list of sentences.
        jump: the jump model: relative, gaussian or exponential.
        tokenized: whether single spaces separate tokens.
        language: of the texts, a two-letter code.
        processes: how many work on pairs; more than one helps from some hundred pairs on.
        settings: those of section `semihmm` of the config, such as `iterations=10`.

    Raises:
        InputError: for a pair without text, a repeated id, and an invalid setting.
    """
    return train_pairs(pairs, jump, tokenized, language, processes, settings)


def align(
    document: Side, summary: Side, *, language: str | None = None, document_language: str | None = None
) -> AlignedPair:
    """Align a summary to its document by the model of the package; see `TrainedModel.align`."""
    return _shipped().align(document, summary, language=language, document_language=document_language)


def attribute(
    document: AnyDocument,
    text: Side,
    *,
    span: Span | None = None,
    language: str | None = None,
    document_language: str | None = None,
) -> Attribution:
    """Find the sources of a text by the model of the package; see `TrainedModel.attribute`."""
    return _shipped().attribute(
        document, text, span=span, language=language, document_language=document_language
    )


@cache
def _shipped() -> TrainedModel:
    return load_model()
