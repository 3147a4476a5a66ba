"""Counts in how many sentences of the documents each stem occurs.

This module opens no file; the command :mod:`pipeline.extract.stems` does.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.corpus.tokenized import Text
from pipeline.text.words import content_stem


@dataclass
class StemCounts:
    """``sentences``: the number of sentences; ``stems``: stem → the number of sentences it occurs in."""

    sentences: int = 0
    stems: Counter[str] = field(default_factory=Counter)

    def add(self, document: Text) -> None:
        """Count the sentences of a document."""
        self.add_sentences(document.sentence_words(), document.language)

    def add_sentences(self, sentences: Iterable[list[str]], language: str = "en") -> None:
        """Count sentences, given as lists of words."""
        for sentence in sentences:
            self.sentences += 1
            self.stems.update(set(content_stems(sentence, language)))

    def add_counts(self, other: "StemCounts") -> None:
        """Add the counts of other documents."""
        self.sentences += other.sentences
        self.stems.update(other.stems)


def content_stems(sentence: Iterable[str], language: str = "en") -> list[str]:
    """Return the stems of the words of a sentence that are not stop words, with repetitions."""
    stems = (content_stem(word, language) for word in sentence)
    return [stem for stem in stems if stem is not None]
