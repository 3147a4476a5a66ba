"""Lists the sentences to parse: `vorlage sentences`.

    vorlage sentences --corpus corpus.jsonl --extracts extracts.jsonl
        --output 0-of-2.jsonl 1-of-2.jsonl --text sentences.txt

Each distinct sentence of the extracts is listed once, in the order of first occurrence, no matter how many
pairs contain it. Its id is a hash of its tokens, which also determines its shard: when a corpus grows, every
sentence stays in its shard.
"""

import contextlib
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract, read_extracted_pairs
from vorlage.files.jsonl import read_jsonl
from vorlage.files.outputs import replacing
from vorlage.types import JsonObject, StrPath

BUCKETS = 256
ID_DIGITS = 20


@dataclass(frozen=True)
class Sentence:
    """A distinct sentence.

    `number`: its place in the order of first occurrence. `pair` and `index`: the first occurrence, as
    the id of a pair and the number of the sentence in its document, counted from 0.
    """

    number: int
    pair: str
    index: int
    tokens: tuple[str, ...]

    @property
    def id(self) -> str:
        """The `sentence_id` of the tokens."""
        return sentence_id(self.tokens)

    def to_json(self) -> JsonObject:
        """Return one line of a shard."""
        return {"number": self.number, "pair": self.pair, "index": self.index, "tokens": self.tokens}

    @classmethod
    def from_json(cls, record: JsonObject) -> "Sentence":
        """Return the sentence of a line of a shard; raise KeyError, TypeError or ValueError for another."""
        if not (type(record["number"]) is type(record["index"]) is int and isinstance(record["pair"], str)):
            raise ValueError("`number` and `index` must be whole numbers, `pair` must be a string")
        # Interned: a shard repeats few different words millions of times.
        tokens = tuple(map(sys.intern, record["tokens"]))
        return cls(record["number"], record["pair"], record["index"], tokens)


def sentence_id(tokens: Iterable[str]) -> str:
    """Return twenty hex digits of a SHA-256 hash of the tokens."""
    return hashlib.sha256(json.dumps(list(tokens)).encode()).hexdigest()[:ID_DIGITS]


def bucket(name: str) -> int:
    """Return the bucket of a sentence id, 0 … 255."""
    return int(name[:2], 16)


class SeenIds:
    """A set of sentence ids: 19 bytes each, 31 while they are sorted (measured). A set of texts takes 114."""

    # The fewest ids that are sorted into the array at once.
    SORT_AT = 1 << 16

    def __init__(self) -> None:
        self._recent: set[bytes] = set()
        self._sorted = np.empty(0, dtype="S10")

    def __len__(self) -> int:
        return len(self._recent) + len(self._sorted)

    def add(self, name: str) -> bool:
        """Add an id, and return whether it is new."""
        # An array of bytes drops trailing zeros.
        key = bytes.fromhex(name).rstrip(b"\0")
        place = np.searchsorted(self._sorted, key)
        if key in self._recent or (place < len(self._sorted) and self._sorted[place] == key):
            return False
        self._recent.add(key)
        if len(self._recent) > max(self.SORT_AT, len(self._sorted) // 8):
            self._sorted = np.concatenate([self._sorted, np.array(list(self._recent), dtype="S10")])
            self._sorted.sort()
            self._recent = set()
        return True


def distinct_sentences(pairs: Iterable[tuple[Pair, Extract]]) -> Iterator[Sentence]:
    """Yield a `Sentence` for each distinct sentence of the extracts of pairs."""
    seen = SeenIds()
    for pair, extract in pairs:
        words = pair.document.words
        for index in extract.sentences:
            tokens = tuple(words[slice(*pair.document.sentences[index])])
            number = len(seen)
            if seen.add(sentence_id(tokens)):
                yield Sentence(number, pair.id, index, tokens)


def read_sentences(path: StrPath) -> Iterator[Sentence]:
    """Yield the sentences of a shard in order; raise `InputError` for another file."""
    for number, record in read_jsonl(path):
        try:
            yield Sentence.from_json(record)
        except (KeyError, TypeError, ValueError):
            raise InputError(
                f"{path}, line {number}: not a sentence; make the file with `vorlage sentences`"
            ) from None


def write_sentences(sentences: Iterable[Sentence], shards: Sequence[StrPath], text: StrPath) -> int:
    """Write sentences to the files `shards`, and their tokens, separated by spaces, to the file `text`.

    Return the number of sentences.
    """
    count = 0
    with contextlib.ExitStack() as stack:

        def opened(path: StrPath) -> TextIO:
            temporary = stack.enter_context(replacing(path))
            return stack.enter_context(open(temporary, "w", encoding="utf-8", newline="\n"))

        files, plain = [opened(path) for path in shards], opened(text)
        for sentence in sentences:
            out = files[bucket(sentence.id) % len(files)]
            out.write(json.dumps(sentence.to_json(), ensure_ascii=False) + "\n")
            plain.write(" ".join(sentence.tokens) + "\n")
            count += 1
    return count


@command
def main(arguments: list[str] | None = None) -> None:
    """List the distinct sentences of the extracts, in shards."""
    parser = CommandParser("sentences", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--output", required=True, nargs="+", help="files to write, one for each shard")
    parser.add_argument("--text", required=True, help="file for other parsers, one sentence per line")
    options = parser.parse(arguments)
    sentences = distinct_sentences(read_extracted_pairs(options.corpus, options.extracts))
    count = write_sentences(sentences, options.output, options.text)
    log.info(f"{count} distinct sentences in {len(options.output)} shards")
