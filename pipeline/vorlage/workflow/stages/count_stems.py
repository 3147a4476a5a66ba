"""Counts in how many sentences of the documents of a corpus each stem occurs.

    vorlage count-stems --corpus corpus.jsonl --output weights.json

The extracts of a part of a corpus need the counts of the whole corpus (`vorlage extract --weights
weights.json`).
"""

import json
from collections.abc import Sequence

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.extract.cosine import count_stems
from vorlage.files.outputs import write_text


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Count in how many sentences each stem of a corpus occurs."""
    parser = CommandParser("count-stems", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--output", required=True, help="file to write, JSON")
    options = parser.parse(arguments)
    counts = count_stems(options.corpus)
    record = {"sentences": counts.sentences, "stems": dict(sorted(counts.stems.items()))}
    write_text(options.output, json.dumps(record) + "\n")
    log.info(f"stems: {len(counts.stems)} in {counts.sentences} sentences")
