"""An example of a public data set, its texts with its gold; and how the files of a set are read."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from vorlage.command.errors import InputError
from vorlage.documents.records import TextInput
from vorlage.files.inputs import read_lines
from vorlage.files.jsonl import read_jsonl
from vorlage.types import JsonObject
from vorlage.workflow.reader import find_files, read_json_file


class Example(NamedTuple):
    """A pair with its gold; `gold` is a line of a gold file without the id."""

    id: str
    document: TextInput
    summary: TextInput
    gold: JsonObject


# The examples of a file or folder, with their places for messages.
Examples: TypeAlias = Iterator[tuple[str, Example]]
# Makes an example of a record, the name of its file without the ending, and its number; None without gold.
MakeExample: TypeAlias = Callable[[Any, str, int], Example | None]


def read_set(folder: Path) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Yield the record and the gold of each text of a folder with `corpus.jsonl` and `gold.jsonl`."""
    golds = {record["id"]: record for _, record in read_jsonl(folder / "gold.jsonl")}
    for _, record in read_jsonl(folder / "corpus.jsonl"):
        if record["id"] in golds:
            yield record, golds[record["id"]]


@contextmanager
def in_layout(where: str) -> Iterator[None]:
    """Raise `InputError` for a missing field or a value of the wrong type inside the block."""
    try:
        yield
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{where}: not in the layout of the set ({error!r}); get the file again") from None


def read_examples(path: Path, ending: str, make: MakeExample, key: str | None = None) -> Examples:
    """Yield the examples of a file, or of all files below a folder.

    Args:
        path: the file or folder.
        ending: of the files: `jsonl` with a record a line, `json` with a list of records, `tsv`.
        make: makes an example of a record.
        key: of the list, in JSON files that are objects.
    """
    for file in find_files(path, f"*.{ending}"):
        for number, record in _records(file, ending, key):
            where = f"{file}, {'example' if ending == 'json' else 'line'} {number}"
            with in_layout(where):
                example = make(record, file.stem, number)
            if example:
                yield where, example


def _records(file: Path, ending: str, key: str | None) -> Iterator[tuple[int, Any]]:
    if ending == "jsonl":
        yield from read_jsonl(file)
    elif ending == "tsv":
        for number, line in read_lines(file, newline="\n"):
            if line.strip():
                yield number, line.rstrip("\r\n").split("\t")
    else:
        with in_layout(str(file)):
            value = read_json_file(file)
            records = value if key is None else value[key]
            if not isinstance(records, list):
                raise TypeError(f"{type(records).__name__} instead of a list")
        yield from enumerate(records)
