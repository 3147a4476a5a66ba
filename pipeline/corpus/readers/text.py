"""Plain text: the folders ``documents/`` and ``summaries/`` with equally named files, in UTF-8.

A line break ends a sentence, so lines must not be wrapped: a sentence a line or a paragraph a line. The
id is the path of the file within its folder, without extension.
"""

from pipeline.corpus.readers.folder import check_inside, find_files
from pipeline.corpus.readers.record import Record, read_file
from pipeline.run.errors import InputError

DOCUMENTS, SUMMARIES = "documents", "summaries"


def read(path, settings=None):
    """Yield the records of a folder, sorted by name; a file without its partner is an error."""
    documents, summaries = _names(path, DOCUMENTS), _names(path, SUMMARIES)
    for name in sorted(documents ^ summaries):
        there, missing = (DOCUMENTS, SUMMARIES) if name in documents else (SUMMARIES, DOCUMENTS)
        raise InputError(f"{path / there / name}: has no partner {path / missing / name}; add or remove one")
    for name in sorted(documents):
        document, summary = path / DOCUMENTS / name, path / SUMMARIES / name
        yield Record(name.with_suffix("").as_posix(), str(document), read_file(document), read_file(summary))


def _names(path, side):
    folder = path / side
    if not folder.is_dir():
        raise InputError(
            f"{folder}: no such folder; `corpus.path` must hold the folders {DOCUMENTS} and {SUMMARIES}"
        )
    check_inside(folder, path)
    return {file.relative_to(folder) for file in find_files(folder, root=path)}
