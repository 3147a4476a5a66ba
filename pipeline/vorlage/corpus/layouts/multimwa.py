"""Reads MultiMWA (Lan, Jiang & Xu 2021): TSV files such as `mtref-dev.tsv`.

One pair of tokenized sentences per line. The columns that are read: 1 the id, 2 and 4 the sentences, 8 and 9
the sure and the possible links, `i-j` of tokens counted from 0. The first sentence is the document.
"""

from collections.abc import Iterator
from pathlib import Path

from vorlage.corpus.layouts.example import Example, in_layout, token_links
from vorlage.corpus.readers.files import find_files
from vorlage.files.inputs import read_lines


def read(path: Path) -> Iterator[Example]:
    """Yield the examples of a file or of all files below a folder."""
    for file in find_files(path, "*.tsv"):
        for number, line in read_lines(file, newline="\n"):
            if not line.strip():
                continue
            where = f"{file}, line {number}"
            with in_layout(where, "MultiMWA"):
                name, document, _, summary, _, _, _, sure, possible, *_ = line.rstrip("\r\n").split("\t")
                gold = {"annotator": "multimwa", "alignments": token_links(sure, possible)}
                yield Example(f"{file.stem}-{name}", where, [document], [summary], gold)
