"""Reads the words without support of WiCE (Kamoi et al. 2023): `non_supported_tokens/dev.jsonl`.

One claim of Wikipedia per line: `claim_tokens`, `non_supported_spans` (true for a token that the evidence
does not support), `evidence` (the sentences of the cited page) and `supporting_sentences` (sets of their
numbers, from 0). The id is in `meta`.
"""

from collections.abc import Iterator
from pathlib import Path

from vorlage.corpus.layouts.example import Example, in_layout
from vorlage.corpus.readers.files import find_files
from vorlage.files.jsonl import read_jsonl


def read(path: Path) -> Iterator[Example]:
    """Yield the claims of a file or of all files below a folder."""
    for file in find_files(path, "*.jsonl"):
        for number, claim in read_jsonl(file):
            where = f"{file}, line {number}"
            with in_layout(where, "WiCE"):
                supported = [not missing for missing in claim["non_supported_spans"]]
                gold = {"supported": supported, "sentences": claim["supporting_sentences"]}
                text = " ".join(claim["claim_tokens"])
                yield Example(claim["meta"]["id"], where, claim["evidence"], text, gold)
