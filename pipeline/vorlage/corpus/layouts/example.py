"""An example of a public data set: its texts with its gold; and what the modules of its layouts share."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from vorlage.command.errors import InputError
from vorlage.corpus.readers.files import read_json_file
from vorlage.corpus.records import Side
from vorlage.types import JsonObject


class Example(NamedTuple):
    """A pair with its gold; `gold` is a line of a gold file without the id. `where`: for messages."""

    id: str
    where: str
    document: Side
    summary: Side
    gold: JsonObject


@contextmanager
def in_layout(where: str, layout: str) -> Iterator[None]:
    """Raise `InputError` for a missing field or a value of the wrong type inside the block."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{where}: not in the layout of {layout} ({error!r}); get the file again") from None


def read_json_list(path: Path, layout: str, key: str | None = None) -> list[Any]:
    """Return the list of a JSON file or, of an object, the list `key`.

    Raise `InputError` for a file without one.
    """
    with in_layout(str(path), layout):
        value = read_json_file(path)
        found = value if key is None else value[key]
        if not isinstance(found, list):
            raise TypeError(f"{type(found).__name__} instead of a list")
    return found


def token_links(sure: str, possible: str) -> list[JsonObject]:
    """Return gold alignments for links `i-j` of document token i and summary token j, separated by spaces.

    A link that is sure and possible is sure. Raise ValueError for other text.
    """
    links: dict[tuple[int, int], bool] = {}
    for text, is_sure in ((possible, False), (sure, True)):
        for link in text.split():
            i, j = map(int, link.split("-"))
            links[i, j] = is_sure
    return [
        {"summary": [j, j + 1], "document": [i, i + 1], "sure": is_sure}
        for (i, j), is_sure in sorted(links.items())
    ]


def take_marks(text: str, marks: Sequence[tuple[int, int, int, int, int]]) -> tuple[str, list[JsonObject]]:
    """Return a text without its marks, and its marked spans as gold of passages.

    `marks`: of each mark, in order, where it starts, where its text starts and ends, where it ends, and the
    passage. Spans have no white space at their ends; those without other characters are left out.
    """
    kept, spans, done, length = [], list[JsonObject](), 0, 0
    for start, first, last, end, passage in marks:
        kept += [text[done:start], text[first:last]]
        length += start - done
        inside = text[first:last]
        left = length + len(inside) - len(inside.lstrip())
        right = length + len(inside.rstrip())
        if left < right:
            spans.append({"summary": [left, right], "passages": [passage]})
        length, done = length + last - first, end
    return "".join([*kept, text[done:]]), spans
