"""Counts in how many sentences of the documents each stem occurs.

This module opens no file; the command `vorlage.extract.stems` does.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from vorlage.text.tokenized import Text
from vorlage.text.words import content_stem


@dataclass
class StemCounts:
    """`sentences`: the number of sentences; `stems`: stem → the number of sentences it occurs in."""

    sentences: int = 0
    stems: Counter[str] = field(default_factory=Counter)

    def add(self, document: Text) -> None:
        """Count the sentences of a document."""
        self.add_stems(content_stems(words, document.language) for words in document.sentence_words())

    def add_stems(self, sentences: Iterable[list[str]]) -> None:
        """Count sentences, given as lists of stems."""
        for stems in sentences:
            self.sentences += 1
            self.stems.update(set(stems))

    def add_counts(self, other: "StemCounts") -> None:
        """Add the counts of other documents."""
        self.sentences += other.sentences
        self.stems.update(other.stems)


def content_stems(sentence: Iterable[str], language: str = "en") -> list[str]:
    """Return the stems of the words of a sentence that are not stop words, with repetitions."""
    stems = (content_stem(word, language) for word in sentence)
    return [stem for stem in stems if stem is not None]
