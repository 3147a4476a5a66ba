"""Sources that `vorlage attribute --json` has found, checked against the texts that they are of."""

from collections.abc import Iterator

from vorlage.attribution.documents import Documents
from vorlage.attribution.viewer_data import attribution_data
from vorlage.command.errors import InputError
from vorlage.text.tokenized import Text
from vorlage.types import JsonObject

KEYS = frozenset({"sentences", "spans", "unsupported"})


def has_sentences_of(record: JsonObject, text: Text) -> bool:
    """Return whether the sentences of an attribution are sentences of a text; not if it is malformed."""
    sentences = [[text.tokens[first][0], text.tokens[end - 1][1]] for first, end in text.sentences]
    try:
        return all(part["text"] in sentences for part in record["sentences"])
    except (KeyError, TypeError):
        return False


def sources_data(record: JsonObject, documents: Documents, text: Text, where: str) -> JsonObject:
    """Return what the viewer shows of an attribution that was read from a file.

    Raise `InputError` for a record that is malformed, and for one of other texts: every quote must be
    at its place, and every sentence must be one of the text.
    """
    try:
        if not has_sentences_of(record, text):
            raise InputError(
                f"{where}: its sentences are not those of the text; open the text it was made of"
            )
        for quote, found in _quotes(record, documents, text):
            if quote.split() != found.split():
                raise InputError(
                    f"{where}: quotes {quote[:80]!r}, where the texts have {found[:80]!r}; open the texts it "
                    "was made of"
                )
        for source in _sources(record):
            if not 0 <= source["sentence"] < _sentences_of(source, documents):
                raise InputError(f"{where}: the document has no sentence {source['sentence']}")
        return attribution_data(record, text, documents)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError(
            f"{where}: not sources of a text ({error!r}); make them with `vorlage attribute --json`"
        ) from None


def _quotes(record: JsonObject, documents: Documents, text: Text) -> Iterator[tuple[str, str]]:
    """Yield each quote, and what the texts have at its place."""
    for span in [*record["spans"], *record["unsupported"]]:
        yield span["quote"], text.raw[slice(*span["text"])]
        for source in span.get("sources", ()):
            start = documents.characters[_number(source, documents)]
            first, end = source["document"]
            yield source["quote"], documents.text.raw[start + first : start + end]


def _sources(record: JsonObject) -> Iterator[JsonObject]:
    for part in [*record["sentences"], *record["spans"]]:
        yield from part["sources"]


def _number(part: JsonObject, documents: Documents) -> int:
    """Return the number of the document that a source names; raise ValueError for an unknown name."""
    return documents.names.index(part["name"]) if "name" in part else 0


def _sentences_of(source: JsonObject, documents: Documents) -> int:
    """Return how many sentences the document of a source has."""
    ends = [*documents.sentences[1:], len(documents.text.sentences)]
    number = _number(source, documents)
    return ends[number] - documents.sentences[number]
