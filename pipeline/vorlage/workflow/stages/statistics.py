"""Counts documents, sentences and words, as in the tables of Daumé & Marcu (2005, Sections 2 and 5.1).

    vorlage statistics --corpus corpus.jsonl --extracts extracts.jsonl --output s.tsv --pairs overlap.tsv

The table has a row each for the summaries, the extracts and the documents of all pairs, and the same rows for
the pairs with gold, if there are any. Words are tokens, punctuation included; unique words are counted in
lower case. A summary sentence is made by deletion if all its words come in the same order in one sentence of
the document, so that deleting stretches of words is enough to make it (Daumé & Marcu 2005, Section 1.2).
With `--pairs`, a second table says of each pair how much of its summary is copied.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from operator import eq

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.documents.pair import Pair, read_pairs
from vorlage.extract.extracts import Extract, read_extracted_pairs
from vorlage.workflow.gold import read_gold
from vorlage.workflow.tables import Row, write_tsv

MAX_NGRAM = 4


@dataclass
class TextCounts:
    """Counts over texts of one kind; `vocabulary` holds their lower-cased words.

    `made_by_deletion`: summary sentences that are made by deletion from a sentence of these texts.
    """

    documents: int = 0
    sentences: int = 0
    words: int = 0
    made_by_deletion: int = 0
    vocabulary: set[str] = field(default_factory=set)

    def add(self, sentences: Sequence[list[str]], summary: Sequence[list[str]]) -> None:
        """Count one text and the sentences of its summary that are made from it by deletion.

        Args:
            sentences: the words of each sentence, lower-cased.
            summary: the same of its summary.
        """
        self.documents += 1
        self.sentences += len(sentences)
        self.words += sum(map(len, sentences))
        for part in summary:
            rests = map(iter, sentences)  # what follows the words that are found
            self.made_by_deletion += any(all(word in rest for word in part) for rest in rests)
        self.vocabulary.update(word for words in sentences for word in words)

    def row(self, summaries: "TextCounts") -> Row:
        """Return a row of the table, without what it counts; `summaries`: the counts of summaries."""
        return {
            "documents": self.documents,
            "sentences": self.sentences,
            "words": self.words,
            "unique_words": len(self.vocabulary),
            "unique_words_with_summaries": len(self.vocabulary | summaries.vocabulary),  # of both together
            "sentences_per_document": f"{self.sentences / self.documents:.2f}",
            "words_per_document": f"{self.words / self.documents:.2f}",
            "words_per_sentence": f"{self.words / self.sentences:.2f}",
            "summary_words_per_word": f"{summaries.words / self.words:.3f}",  # the compression rate
            "sentences_per_summary_sentence": f"{self.sentences / summaries.sentences:.2f}",
            "summary_sentences": summaries.sentences,
            "made_by_deletion": self.made_by_deletion,  # of these
            "share_made_by_deletion": f"{self.made_by_deletion / summaries.sentences:.3f}",
        }


def count_texts(
    extracted_pairs: Iterable[tuple[Pair, Extract]], annotated: Container[str]
) -> dict[tuple[str, str], TextCounts]:
    """Return the tallies of all pairs, and of those whose id is in `annotated`, by pairs and text."""
    tallies: dict[tuple[str, str], TextCounts] = defaultdict(TextCounts)
    for pair, extract in extracted_pairs:
        documents, summary = (
            [[word.lower() for word in words] for words in text.sentence_words()]
            for text in (pair.document, pair.summary)
        )
        texts = {
            "summaries": summary,
            "extracts": [documents[sentence] for sentence in extract.sentences],
            "documents": documents,
        }
        for pairs in ("all", "annotated") if pair.id in annotated else ("all",):
            for text, sentences in texts.items():
                tallies[pairs, text].add(sentences, summary)
    return tallies


def measure_overlap(pair: Pair) -> Row:
    """Return how much of a summary is copied from its document.

    `coverage` and `density`: the means, over the words of the summary, of being in a copied fragment and of
    the length of this fragment (Grusky et al. 2018, Figure 3). `novel_n`: the share of the n-grams of the
    summary that the document lacks.
    """
    summary, document = ([word.lower() for word in text.words] for text in (pair.summary, pair.document))
    places = defaultdict[str, list[int]](list)
    for place, word in enumerate(document):
        places[word].append(place)
    start, fragments = 0, list[int]()
    while start < len(summary):
        lengths = (_count_common_words(summary, start, document, place) for place in places[summary[start]])
        fragments.append(max(lengths, default=0))
        start += max(fragments[-1], 1)
    row: Row = {"id": pair.id, "coverage": sum(fragments) / len(summary)}
    row["density"] = sum(length**2 for length in fragments) / len(summary)
    for n in range(1, MAX_NGRAM + 1):
        known = set(zip(*(document[k:] for k in range(n)), strict=False))
        grams = list(zip(*(summary[k:] for k in range(n)), strict=False))
        row[f"novel_{n}"] = sum(gram not in known for gram in grams) / max(len(grams), 1)
    return row


def _count_common_words(summary: Sequence[str], start: int, document: Sequence[str], place: int) -> int:
    """Return how many words from two places on are the same."""
    same = map(eq, islice(summary, start, None), islice(document, place, None))
    return sum(1 for _ in takewhile(bool, same))


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Count the documents, sentences and words of a corpus and its extracts."""
    parser = CommandParser("statistics", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: no annotated pairs)")
    parser.add_argument("--output", required=True, help="table to write, statistics.tsv")
    parser.add_argument("--pairs", help="table to write with a row for each pair (default: none)")
    options = parser.parse(arguments, ["pairs"])
    annotated = {gold.id for gold in read_gold(options.gold)} if options.gold else set()
    tallies = count_texts(read_extracted_pairs(options.corpus, options.extracts), annotated)
    rows: list[Row] = [
        {"pairs": pairs, "text": text, **tally.row(tallies[pairs, "summaries"])}
        for (pairs, text), tally in sorted(tallies.items(), key=lambda entry: entry[0][0])
    ]
    write_tsv(options.output, rows)
    if options.pairs:
        columns = "id", "coverage", "density", *(f"novel_{n}" for n in range(1, MAX_NGRAM + 1))
        write_tsv(options.pairs, map(measure_overlap, read_pairs(options.corpus)), columns)
