"""Which WordNet a folder holds."""

from pathlib import Path

from pipeline.io.jsonl import read_json


def wordnet_digest(folder):
    """The digest of the WordNet files that ``python -m pipeline.wordnet`` put into a folder."""
    found = read_json(Path(folder) / "wordnet.json", "the record of a WordNet", "python -m pipeline.wordnet")
    return found["sha256"]
