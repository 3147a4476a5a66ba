"""The distinct sentences of extracts, and the ids by which their trees are found."""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract

ID_DIGITS = 20


class Sentence(NamedTuple):
    """A sentence: its tokens, and the first `pair` that has it, as sentence `number` of its document."""

    pair: str
    number: int
    tokens: tuple[str, ...]


def sentence_id(tokens: Iterable[str]) -> str:
    """Return twenty hex digits of a SHA-256 hash of the tokens."""
    return hashlib.sha256(json.dumps(list(tokens)).encode()).hexdigest()[:ID_DIGITS]


def distinct_sentences(pairs: Iterable[tuple[Pair, Extract]]) -> Iterator[Sentence]:
    """Yield each distinct sentence of the extracts of pairs, in the order of first occurrence."""
    seen = set()
    for pair, extract in pairs:
        for index in extract.sentences:
            # Interned: a corpus repeats few different words millions of times.
            tokens = tuple(map(sys.intern, pair.document.words[slice(*pair.document.sentences[index])]))
            name = sentence_id(tokens)
            if name not in seen:
                seen.add(name)
                yield Sentence(pair.id, index, tokens)
