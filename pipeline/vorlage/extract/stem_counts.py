"""Counts in how many sentences of the documents of a corpus each stem occurs.

    vorlage count-stems --corpus corpus.jsonl --output weights.json

The extracts of a part of a corpus need the counts of the whole corpus (`vorlage extract --weights
weights.json`). Memory grows with the number of different stems, about 150 bytes each.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.documents.pair import read_pairs
from vorlage.files.jsonl import read_json
from vorlage.files.outputs import write_text
from vorlage.text.tokenized import Text
from vorlage.text.words import content_stem
from vorlage.types import StrPath


@dataclass
class StemCounts:
    """`sentences`: the number of sentences; `stems`: stem → the number of sentences it occurs in."""

    sentences: int = 0
    stems: Counter[str] = field(default_factory=Counter)

    def add(self, sentences: Iterable[Iterable[str]]) -> None:
        """Count sentences, given as their stems."""
        for stems in sentences:
            self.sentences += 1
            self.stems.update(set(stems))


def content_stems(sentence: Iterable[str], language: str = "en") -> list[str]:
    """Return the stems of the words of a sentence that are not stop words, with repetitions."""
    stems = (content_stem(word, language) for word in sentence)
    return [stem for stem in stems if stem is not None]


def sentence_stems(text: Text) -> list[list[str]]:
    """Return the content stems of each sentence of a text."""
    return [content_stems(words, text.language) for words in text.sentence_words()]


def count_stems(corpus: StrPath) -> StemCounts:
    """Return the counts of a `corpus.jsonl`."""
    counts = StemCounts()
    for pair in read_pairs(corpus):
        counts.add(sentence_stems(pair.document))
    return counts


def read_counts(path: StrPath) -> StemCounts:
    """Read the counts that `vorlage count-stems` wrote; raise `InputError` for another file."""
    record = read_json(path, "counts of stems", "vorlage count-stems")
    if not isinstance(record.get("sentences"), int) or not isinstance(record.get("stems"), dict):
        raise InputError(f"{path}: not counts of stems; make the file with `vorlage count-stems`")
    return StemCounts(record["sentences"], Counter(record["stems"]))


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
