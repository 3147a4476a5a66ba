"""Corpus statistics, as in the tables of Daumé & Marcu (2005, Sections 2 and 5.1).

    python -m pipeline.extract.statistics --corpus corpus.jsonl --extracts extracts.jsonl --output s.tsv

One row for the summaries, the extracts and the documents of all pairs, and of the pairs with gold where
there are any. Words are tokens, punctuation included; unique words are counted in lower case.
"""

import argparse
import csv
from dataclasses import dataclass, field

from pipeline.corpus.gold import read_gold
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.outputs import replacing
from pipeline.run.errors import command
from pipeline.run.progress import start_log

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
    """Counts over texts of one kind; ``vocabulary``: their lower-cased words."""

    documents: int = 0
    sentences: int = 0
    words: int = 0
    vocabulary: set = field(default_factory=set)

    def add(self, sentences):
        """Count one text, given as lists of words, one for each sentence."""
        self.documents += 1
        self.sentences += len(sentences)
        for words in sentences:
            self.words += len(words)
            self.vocabulary.update(word.lower() for word in words)

    def row(self, summaries):
        """The values of ``COLUMNS`` from ``documents`` on; ``summaries``: the tally of the summaries."""
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


def count(extracted_pairs, annotated):
    """Tallies of all pairs and of those whose id is in ``annotated``: (pairs, text) → :class:`Tally`.

    ``extracted_pairs``: an iterable of (Pair, Extract). Without annotated pairs there are no tallies of them.
    """
    tallies = {}
    for pair, extract in extracted_pairs:
        documents = _sentences(pair.document)
        texts = {
            "summaries": _sentences(pair.summary),
            "extracts": [documents[sentence] for sentence in extract.sentences],
            "documents": documents,
        }
        for pairs in ("all", "annotated") if pair.id in annotated else ("all",):
            for text, sentences in texts.items():
                tallies.setdefault((pairs, text), Tally()).add(sentences)
    return tallies


def _sentences(text):
    return [text.words[start:end] for start, end in text.sentences]


def write_statistics(path, tallies):
    """Write a row for each tally to a TSV file, all pairs first."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, delimiter="\t", lineterminator="\n")
        table.writerow(COLUMNS)
        for (pairs, text), tally in sorted(tallies.items(), key=lambda entry: entry[0][0]):
            table.writerow((pairs, text, *tally.row(tallies[pairs, "summaries"])))


@command
def main(arguments=None):
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.extract.statistics", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: no annotated pairs)")
    parser.add_argument("--output", required=True, help="table to write, statistics.tsv")
    parser.add_argument("--log", help="log file (default: standard error)")
    options = parser.parse_args(arguments)
    start_log(options.log)
    annotated = {gold.id for _, gold in read_gold(options.gold)} if options.gold else set()
    write_statistics(options.output, count(read_extracted_pairs(options.corpus, options.extracts), annotated))


if __name__ == "__main__":
    main()
