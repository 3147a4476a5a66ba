"""The functions of `import vorlage`."""

from functools import cache

from vorlage.api.aligned import AlignedPair
from vorlage.api.train_pairs import train
from vorlage.api.trained_model import Attribution, TrainedModel, load_model
from vorlage.documents.records import DocumentInput, TextInput
from vorlage.types import Span

__all__ = ["align", "attribute", "load_model", "train"]


def align(
    document: TextInput,
    summary: TextInput,
    *,
    language: str | None = None,
    document_language: str | None = None,
) -> AlignedPair:
    """Align a summary to its document by the model of the package; see `TrainedModel.align`."""
    return _shipped().align(document, summary, language=language, document_language=document_language)


def attribute(
    document: DocumentInput,
    text: TextInput,
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
