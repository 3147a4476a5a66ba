"""Identifies the WordNet in a folder."""

from pathlib import Path

from pipeline.io.jsonl import read_json
from pipeline.types import StrPath


def wordnet_digest(folder: StrPath) -> str:
    """Return the digest of the WordNet files that ``python -m pipeline.wordnet`` put into a folder."""
    record = read_json(Path(folder) / "wordnet.json", "the record of a WordNet", "python -m pipeline.wordnet")
    return record["sha256"]
