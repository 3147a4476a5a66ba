"""JSON lines: one object a line with ``id``, ``document`` and ``summary``.

Each side is a string or a list of sentences. Character offsets of gold count in the string; for a list,
in its sentences joined by one line break each. Other fields are passed over.
"""

from pipeline.corpus.readers.record import Record
from pipeline.io.jsonl import from_line, read_lines
from pipeline.run.errors import InputError, shown


def read(path, settings=None):
    """Yield the records of a JSON-lines file, in its order."""
    for number, line in read_lines(path):
        if line.strip():
            # Half of a surrogate pair spoils the pair that has it, not the file.
            yield make_record(from_line(path, number, line, halves=True), f"{path}, line {number}")


def make_record(record, where):
    """The record of a dict; raises :class:`InputError` for a field that is missing or of another type."""
    for key in ("id", "document", "summary"):
        if key not in record:
            raise InputError(f"{where}: no `{key}`; each line needs `id`, `document` and `summary`")
    if not isinstance(record["id"], str):
        raise InputError(f"{where}: `id` is {shown(record['id'])}; make it a string")
    return Record(record["id"], where, _side(record, "document", where), _side(record, "summary", where))


def _side(record, key, where):
    value = record[key]
    sentences = value if isinstance(value, list) else [value]
    if not all(isinstance(sentence, str) for sentence in sentences):
        raise InputError(
            f"{where}: pair {record['id']}: `{key}` must be a string or a list of strings, its sentences"
        )
    return value
