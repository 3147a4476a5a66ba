"""CNN and Daily Mail stories (Hermann et al. 2015): ``.story`` files, highlights marked ``@highlight``.

The document is what stands before the first mark, a paragraph a line; the summary is the highlights,
each a line. The id is the name of the file.
"""

from pipeline.corpus.readers.record import Record, find_files, read_file

MARK = "@highlight"


def read(path, settings=None):
    """Yield the records of a ``.story`` file or of all those below a folder, sorted by path."""
    for file in find_files(path, "*.story"):
        lines = [line.strip() for line in read_file(file).splitlines() if line.strip()]
        start = lines.index(MARK) if MARK in lines else len(lines)
        highlights = [line for line in lines[start:] if line != MARK]
        yield Record(file.stem, str(file), "\n".join(lines[:start]), "\n".join(highlights))
