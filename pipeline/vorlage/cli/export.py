"""Convert alignments to the formats of other programs: `vorlage export`.

    vorlage export --alignments alignments.jsonl --format pharaoh --output links.txt

pharaoh       a line for each pair: links i-j of document token i and summary token j, counted from 0
tsv           a row for each phrase pair, with character offsets and text
jsonl         a line for each pair: both texts, and spans in characters
html          the viewer with one pair, as a standalone page
sentences     training data for sentence extraction: the source sentences of each summary sentence
compressions  training data for sentence compression: which words of the source sentences were kept
reductions    examples of summary sentences cut from one document sentence, with the operations of Jing (2002)
combinations  the same for summary sentences that were merged from several document sentences

All formats but pharaoh need --corpus, the corpus.jsonl of the corpus stage.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, starmap

from vorlage.alignments.alignment import Alignment, check_tokens, read_alignments
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.corpus.pair import Pair, read_pairs
from vorlage.decompose.borrowed import EXAMPLES, make_examples
from vorlage.decompose.operations import open_generality
from vorlage.files.jsonl import to_line
from vorlage.files.outputs import write_lines, write_text
from vorlage.files.tables import write_table
from vorlage.text.tokenized import Text
from vorlage.text.words import is_stop_word
from vorlage.types import JsonObject, StrPath
from vorlage.viewer.viewer import pair_data, viewer_page

COLUMNS = (
    *("id", "summary_start", "summary_end", "summary"),
    *("document_start", "document_end", "document", "posterior"),
)


def phrase_rows(alignment: Alignment, pair: Pair) -> Iterator[list[str | int]]:
    """Yield a row with the columns `COLUMNS` for each phrase pair.

    A null word has a row without a document phrase.
    """
    for link in alignment.links:
        start, end = pair.summary.characters(link.summary)
        source: list[str | int] = ["", "", ""]
        if link.document:
            first, last = pair.document.characters(link.document)
            source = [first, last, pair.document.raw[first:last]]
        posterior = "" if link.posterior is None else f"{link.posterior:.6f}"
        yield [pair.id, start, end, pair.summary.raw[start:end], *source, posterior]


def in_characters(alignment: Alignment, pair: Pair) -> Iterator[JsonObject]:
    """Yield both texts and the links with spans in characters, in the format of gold in characters."""
    yield {
        "id": pair.id,
        "system": alignment.system,
        "unit": "char",
        "document": pair.document.raw,
        "summary": pair.summary.raw,
        "alignments": [
            {
                "summary": pair.summary.characters(link.summary),
                "document": link.document and pair.document.characters(link.document),
                "posterior": link.posterior,
            }
            for link in alignment.links
        ],
    }


def sentence_labels(alignment: Alignment, pair: Pair) -> Iterator[JsonObject]:
    """Yield training data for a sentence extractor.

    `document` and `summary`: their sentences. `sources`: for each summary sentence, the document
    sentences that its non-stop words are linked to, as `[sentence, number of words]`, most words first.
    `labels`: for each document sentence, 1 if it is the first source of a summary sentence, else 0.
    """
    links = {
        (i, pair.document.sentence_numbers[j])
        for i, j in alignment.word_links()
        if not is_stop_word(pair.summary.words[i], pair.summary.language)
    }
    sources = []
    for first, end in pair.summary.sentences:
        words = Counter(sentence for i, sentence in links if first <= i < end)
        sources.append(sorted(([s, n] for s, n in words.items()), key=lambda source: (-source[1], source[0])))
    first_sources = {ranked[0][0] for ranked in sources if ranked}
    yield {
        "id": pair.id,
        "document": _sentences(pair.document),
        "summary": _sentences(pair.summary),
        "sources": sources,
        "labels": [int(sentence in first_sources) for sentence in range(len(pair.document.sentences))],
    }


def compressions(alignment: Alignment, pair: Pair) -> Iterator[JsonObject]:
    """Yield training data for a sentence compressor, an object for each summary sentence.

    `sources`: the document sentences that its words are linked to, in document order, each with its
    `tokens` and with `kept`, which is 1 for each linked token and 0 for the others.
    """
    links, sentences = alignment.word_links(), _sentences(pair.summary)
    for number, (first, end) in enumerate(pair.summary.sentences):
        linked = {j for i, j in links if first <= i < end}
        yield {
            "id": pair.id,
            "sentence": number,
            "summary": sentences[number],
            "sources": [
                {
                    "sentence": source,
                    "tokens": pair.document.words[start:stop],
                    "kept": [int(token in linked) for token in range(start, stop)],
                }
                for source, (start, stop) in enumerate(pair.document.sentences)
                if linked & set(range(start, stop))
            ],
        }


def _sentences(text: Text) -> list[str]:
    return [text.raw[slice(*text.characters(span))] for span in text.sentences]


def read_aligned_pairs(alignments: StrPath, corpus: StrPath) -> Iterator[tuple[Alignment, Pair]]:
    """Yield each alignment of a file with its pair; the file may lack pairs of the corpus.

    Raise `InputError` for an alignment of a pair that is unknown, out of order or of other tokens.
    """
    pairs = read_pairs(corpus)
    for alignment in read_alignments(alignments):
        pair = next((pair for pair in pairs if pair.id == alignment.id), None)
        if pair is None:
            raise InputError(
                f"{alignments}: pair {alignment.id} is not in {corpus}, or not in this order; give the "
                "corpus that was aligned, and keep its order"
            )
        check_tokens(alignment, pair, alignments)
        yield alignment, pair


# The formats with JSON objects: what they have of each pair.
RECORDS: dict[str, Callable[[Alignment, Pair], Iterable[JsonObject]]] = {
    "jsonl": in_characters,
    "sentences": sentence_labels,
    "compressions": compressions,
}


def _write_page(options: argparse.Namespace, pairs: Iterable[tuple[Alignment, Pair]]) -> None:
    if not options.id:
        raise InputError("--format html: name the pair to show with --id")
    for alignment, pair in pairs:
        if pair.id == options.id:
            write_text(options.output, viewer_page(pair.id, [pair_data(pair, None, [alignment])]))
            return
    raise InputError(f"{options.alignments}: has no pair with the id {options.id}; check --id")


@command
def main(arguments: list[str] | None = None) -> None:
    """Convert alignments to the formats of other programs."""
    formats = ("pharaoh", "tsv", "html", *RECORDS, *EXAMPLES)
    parser = CommandParser("export", main, description=__doc__, log=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--alignments", required=True, help="alignments.jsonl of any system")
    parser.add_argument("--corpus", help="corpus.jsonl of the corpus stage")
    parser.add_argument("--format", required=True, choices=formats, help="format to write")
    parser.add_argument("--id", help="html: id of the pair")
    parser.add_argument("--output", required=True, help="file to write")
    options = parser.parse(arguments)
    if options.format == "pharaoh":
        alignments = read_alignments(options.alignments)
        write_lines(options.output, (alignment.to_pharaoh() for alignment in alignments))
        return
    if not options.corpus:
        raise InputError(f"--format {options.format} needs --corpus, the corpus.jsonl that was aligned")
    pairs = read_aligned_pairs(options.alignments, options.corpus)
    if options.format == "tsv":
        write_table(options.output, COLUMNS, chain.from_iterable(starmap(phrase_rows, pairs)))
    elif options.format == "html":
        _write_page(options, pairs)
    else:
        form = RECORDS.get(options.format)
        records = form or partial(make_examples, options.format, generality=open_generality())
        write_lines(options.output, map(to_line, chain.from_iterable(starmap(records, pairs))))
