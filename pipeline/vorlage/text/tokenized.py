"""A tokenized text, and its form in `corpus.jsonl`; `vorlage.text.tokenize` makes it."""

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import eq, itemgetter, le, lt
from typing import TypeAlias

import numpy as np

from vorlage.text.normal import normal_form
from vorlage.types import Ints, JsonObject, Span

SectionStart: TypeAlias = tuple[int, str]  # the number of its first sentence, and its title


@dataclass(frozen=True)
class Text:
    """A tokenized text.

    `raw`: the text. `tokens`: half-open character spans into `raw`, in order. `sentences`: half-open
    spans of token indices, never empty, which cover all tokens in order. `language`: its two-letter code.
    `sections`: the number of the first sentence of each section, ascending, and its title, which may be
    empty. The first sentences of a text may be in no section.
    """

    raw: str
    tokens: tuple[Span, ...]
    sentences: tuple[Span, ...]
    language: str = "en"
    sections: tuple[SectionStart, ...] = ()

    @cached_property
    def words(self) -> list[str]:
        """The tokens in their normal form, in which equal words are equal strings."""
        # Interned: a corpus repeats few different words millions of times.
        written = (self.raw[start:end] for start, end in self.tokens)
        return list(map(sys.intern, written if self.raw.isascii() else map(normal_form, written)))

    @property
    def written(self) -> list[str]:
        """The tokens as written."""
        return self.words if self.raw.isascii() else [self.raw[start:end] for start, end in self.tokens]

    @cached_property
    def sentence_numbers(self) -> list[int]:
        """The number of the sentence of each token."""
        return number_sentences(self.sentences).tolist()

    def sentence_words(self) -> list[list[str]]:
        """Return the words of each sentence."""
        return [self.words[start:end] for start, end in self.sentences]

    def characters(self, span: Span) -> Span:
        """Return the span of the characters of a span of tokens."""
        return self.tokens[span[0]][0], self.tokens[span[1] - 1][1]

    def tokens_in(self, span: Span) -> range:
        """Return the tokens that share a character with a span of characters."""
        first = bisect_right(self.tokens, span[0], key=itemgetter(1))
        return range(first, bisect_left(self.tokens, span[1], key=itemgetter(0)))

    def to_json(self) -> JsonObject:
        """Return the form stored in `corpus.jsonl`, which names neither English nor a lack of sections."""
        record: JsonObject = {"text": self.raw, "tokens": self.tokens, "sentences": self.sentences}
        if self.language != "en":
            record["language"] = self.language
        if self.sections:
            record["sections"] = self.sections
        return record

    @classmethod
    def from_json(cls, record: JsonObject) -> "Text":
        """Return the text of its stored form; raise KeyError, TypeError or ValueError if that is invalid."""
        raw, tokens, sentences = record["text"], record["tokens"], record["sentences"]
        spans = _spans(tokens, len(raw)), _spans(sentences, len(tokens), whole=True)
        sections = tuple((first, title) for first, title in record.get("sections", ()))
        return cls(raw, *spans, record.get("language", "en"), sections)


def number_sentences(sentences: Iterable[Span]) -> Ints:
    """Return the number of the sentence of each word, int32; `sentences`: consecutive spans of words."""
    sizes = [end - start for start, end in sentences]
    return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def trim(text: str, span: Span, characters: str | None = None) -> Span:
    """Return a span of a text without these characters at its ends, white space by default."""
    part = text[slice(*span)]
    start = span[0] + len(part) - len(part.lstrip(characters))
    return start, max(start, span[0] + len(part.rstrip(characters)))


def _spans(pairs: Iterable[Iterable[int]], size: int, whole: bool = False) -> tuple[Span, ...]:
    """Return half-open spans of 0 … `size` as tuples.

    Raise ValueError unless they ascend and, if `whole`, cover 0 … `size`.
    """
    spans = tuple((start, end) for start, end in pairs)
    ends = list(chain.from_iterable(spans))
    if not set(map(type, ends)) <= {int}:
        raise ValueError("spans are pairs of whole numbers")
    bounds, follows = [0, *ends, size], eq if whole else le
    if not (all(map(lt, ends[::2], ends[1::2])) and all(map(follows, bounds[::2], bounds[1::2]))):
        raise ValueError(f"spans do not ascend within {size}")
    return spans
