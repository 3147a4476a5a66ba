"""The sentences to parse: ``python -m pipeline.parse.sentences``.

    python -m pipeline.parse.sentences --corpus corpus.jsonl --extracts extracts.jsonl
        --output 0-of-2.jsonl 1-of-2.jsonl --text sentences.txt

Every distinct sentence of the extracts once, however many pairs hold it, in the order in which they first
occur. A sentence is known by a hash of its tokens, which also chooses its shard: a corpus that grows leaves
every sentence in its shard.
"""

import argparse
import contextlib
import hashlib
import json
import sys
from dataclasses import dataclass

import numpy as np

from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.jsonl import read_jsonl
from pipeline.io.outputs import replacing
from pipeline.run.errors import InputError, command
from pipeline.run.progress import log, start_log

BUCKETS = 256
ID_DIGITS = 20


@dataclass(frozen=True)
class Sentence:
    """A distinct sentence.

    ``number``: its place in the order of first occurrence. ``pair`` and ``index``: where that is, the id of
    the pair and the sentence of its document, counted from 0. ``tokens``: strings.
    """

    number: int
    pair: str
    index: int
    tokens: tuple

    @property
    def id(self):
        """Twenty hex digits that name the tokens."""
        return sentence_id(self.tokens)

    def to_json(self):
        """One line of a shard."""
        return {"number": self.number, "pair": self.pair, "index": self.index, "tokens": self.tokens}

    @classmethod
    def from_json(cls, record):
        """The inverse of :meth:`to_json`; raises ValueError or TypeError where it is none."""
        if not (type(record["number"]) is type(record["index"]) is int and isinstance(record["pair"], str)):
            raise ValueError("`number` and `index` are whole numbers, `pair` is a text")
        # Interned: a shard repeats few different words millions of times.
        tokens = tuple(map(sys.intern, record["tokens"]))
        return cls(record["number"], record["pair"], record["index"], tokens)


def sentence_id(tokens):
    """Twenty hex digits of a SHA-256 hash over the tokens."""
    return hashlib.sha256(json.dumps(list(tokens)).encode()).hexdigest()[:ID_DIGITS]


def bucket(name):
    """The bucket of a sentence id, 0 … 255."""
    return int(name[:2], 16)


class Seen:
    """The ids of sentences met so far: 19 bytes each, 31 while they are sorted in (measured).

    A set of their texts has 114.
    """

    LEAST = 1 << 16  # ids in the set before they are sorted in

    def __init__(self):
        self._recent, self._sorted = set(), np.empty(0, dtype="S10")

    def __len__(self):
        return len(self._recent) + len(self._sorted)

    def add(self, name):
        """Add an id; whether it is a new one."""
        # An array of bytes drops zeros at their end.
        key = bytes.fromhex(name).rstrip(b"\0")
        place = np.searchsorted(self._sorted, key)
        if key in self._recent or (place < len(self._sorted) and self._sorted[place] == key):
            return False
        self._recent.add(key)
        if len(self._recent) > max(self.LEAST, len(self._sorted) // 8):
            self._sorted = np.concatenate([self._sorted, np.array(list(self._recent), dtype="S10")])
            self._sorted.sort()
            self._recent = set()
        return True


def distinct_sentences(corpus):
    """Yield a :class:`Sentence` for each distinct sentence of the extracts of (Pair, Extract) pairs."""
    seen = Seen()
    for pair, extract in corpus:
        words = pair.document.words
        for index in extract.sentences:
            tokens = tuple(words[slice(*pair.document.sentences[index])])
            number = len(seen)
            if seen.add(sentence_id(tokens)):
                yield Sentence(number, pair.id, index, tokens)


def read_sentences(path):
    """Yield the sentences of a shard in order; raises :class:`InputError` for another file."""
    for number, record in read_jsonl(path):
        try:
            yield Sentence.from_json(record)
        except (KeyError, TypeError, ValueError):
            raise InputError(
                f"{path}, line {number}: not a sentence; "
                "make the file with python -m pipeline.parse.sentences"
            ) from None


def write_sentences(sentences, shards, text):
    """Write sentences to the files ``shards`` and, tokens between single spaces, to the file ``text``.

    Returns how many there are.
    """
    count = 0
    with contextlib.ExitStack() as stack:

        def opened(path):
            return stack.enter_context(
                open(stack.enter_context(replacing(path)), "w", encoding="utf-8", newline="\n")
            )

        files, plain = [opened(path) for path in shards], opened(text)
        for sentence in sentences:
            out = files[bucket(sentence.id) % len(files)]
            out.write(json.dumps(sentence.to_json(), ensure_ascii=False) + "\n")
            plain.write(" ".join(sentence.tokens) + "\n")
            count += 1
    return count


@command
def main(arguments=None):
    """List the distinct sentences of the extracts, in shards."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.parse.sentences", description=main.__doc__)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--output", required=True, nargs="+", help="files to write, a shard each")
    parser.add_argument("--text", required=True, help="file to write, one sentence a line, for other parsers")
    parser.add_argument("--log", help="log file (default: standard error)")
    options = parser.parse_args(arguments)
    start_log(options.log)
    sentences = distinct_sentences(read_extracted_pairs(options.corpus, options.extracts))
    count = write_sentences(sentences, options.output, options.text)
    log.info(f"{count} distinct sentences in {len(options.output)} shards")


if __name__ == "__main__":
    main()
