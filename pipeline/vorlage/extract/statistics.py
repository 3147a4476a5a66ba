"""Counts documents, sentences and words, as in the tables of Daumé & Marcu (2005, Sections 2 and 5.1).

    vorlage statistics --corpus corpus.jsonl --extracts extracts.jsonl --output s.tsv

The table has a row each for the summaries, the extracts and the documents of all pairs, and the same rows for
the pairs with gold, if there are any. Words are tokens, punctuation included; unique words are counted in
lower case.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.corpus.gold import read_gold
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract, read_extracted_pairs
from vorlage.files.tables import write_table
from vorlage.types import StrPath

COLUMNS = (
    "pairs",  # all | annotated
    "text",  # summaries | extracts | documents
    "documents",
    "sentences",
    "words",
    "unique_words",
    "unique_words_with_summaries",  # of these texts and their summaries together
    "sentences_per_document",
    "words_per_document",
    "words_per_sentence",
)


@dataclass
class Tally:
    """Counts over texts of one kind; `vocabulary` holds their lower-cased words."""

    documents: int = 0
    sentences: int = 0
    words: int = 0
    vocabulary: set[str] = field(default_factory=set)

    def add(self, sentences: Sequence[list[str]]) -> None:
        """Count one text, given as one list of words for each sentence."""
        self.documents += 1
        self.sentences += len(sentences)
        for words in sentences:
            self.words += len(words)
            self.vocabulary.update(word.lower() for word in words)

    def row(self, summaries: "Tally") -> tuple[int | str, ...]:
        """Return the values of `COLUMNS` from `documents` on; `summaries`: the tally of summaries."""
        return (
            self.documents,
            self.sentences,
            self.words,
            len(self.vocabulary),
            len(self.vocabulary | summaries.vocabulary),
            f"{self.sentences / self.documents:.2f}",
            f"{self.words / self.documents:.2f}",
            f"{self.words / self.sentences:.2f}",
        )


# By pairs (all, annotated) and text (summaries, extracts, documents).
Tallies: TypeAlias = dict[tuple[str, str], Tally]


def count(extracted_pairs: Iterable[tuple[Pair, Extract]], annotated: Container[str]) -> Tallies:
    """Return the tallies of all pairs, and of the pairs whose id is in `annotated` if there are any."""
    tallies: Tallies = {}
    for pair, extract in extracted_pairs:
        documents = pair.document.sentence_words()
        texts = {
            "summaries": pair.summary.sentence_words(),
            "extracts": [documents[sentence] for sentence in extract.sentences],
            "documents": documents,
        }
        for pairs in ("all", "annotated") if pair.id in annotated else ("all",):
            for text, sentences in texts.items():
                tallies.setdefault((pairs, text), Tally()).add(sentences)
    return tallies


def write_statistics(path: StrPath, tallies: Tallies) -> None:
    """Write a row for each tally to a TSV file, all pairs first."""
    rows = (
        (pairs, text, *tally.row(tallies[pairs, "summaries"]))
        for (pairs, text), tally in sorted(tallies.items(), key=lambda entry: entry[0][0])
    )
    write_table(path, COLUMNS, rows)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Count the documents, sentences and words of a corpus and its extracts."""
    parser = CommandParser("statistics", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: no annotated pairs)")
    parser.add_argument("--output", required=True, help="table to write, statistics.tsv")
    options = parser.parse(arguments)
    annotated = {gold.id for gold in read_gold(options.gold)} if options.gold else set()
    write_statistics(options.output, count(read_extracted_pairs(options.corpus, options.extracts), annotated))
