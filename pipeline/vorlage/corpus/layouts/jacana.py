"""Reads the JSON of Jacana (Yao et al. 2013), in which it has the MSR and the Edinburgh corpus.

A file is a list of pairs of tokenized sentences: `name`, `source`, `target`, `sureAlign` and
`possibleAlign` with links `i-j` of a source and a target token, counted from 0. The source is the
document.
"""

from collections.abc import Iterator
from pathlib import Path

from vorlage.corpus.layouts.example import Example, in_layout, read_json_list, token_links
from vorlage.corpus.readers.files import find_files


def read(path: Path) -> Iterator[Example]:
    """Yield the examples of a file or of all files below a folder."""
    for file in find_files(path, "*.json"):
        for number, pair in enumerate(read_json_list(file, "Jacana")):
            where = f"{file}, pair {number}"
            with in_layout(where, "Jacana"):
                links = token_links(pair["sureAlign"], pair["possibleAlign"])
                gold = {"annotator": "jacana", "alignments": links}
                name = f"{file.stem}-{pair['name']}"
                yield Example(name, where, [pair["source"]], [pair["target"]], gold)
