"""The decompose stage: how each summary sentence was made from its document, by the links of each system.

    vorlage decompose --corpus corpus.jsonl --gold gold.jsonl \\
        --alignments align/*/alignments.jsonl --output decomposition.tsv --systems systems.tsv \\
        --extracts extracts.tsv

answers the questions of Jing (2002) for every system: was a summary sentence made by cutting and pasting, of
how many document sentences, and by which operations. Gold in tokens is a system of its own. Pairs are read
one by one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from vorlage.alignments.alignment import soft_links
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.corpus.gold import Annotations, checked, read_annotations, refuse_unknown
from vorlage.decompose.generality import Generality, open_generality
from vorlage.decompose.operations import decompose
from vorlage.decompose.tables import (
    SENTENCE_COLUMNS,
    SYSTEM_COLUMNS,
    count,
    extract_table,
    sentence_row,
    system_row,
    write_extract_table,
)
from vorlage.extract import evaluate
from vorlage.extract.extracts import Extract
from vorlage.files.tables import Row, write_tsv
from vorlage.score.command_line import add_alignments
from vorlage.score.reference import make_reference
from vorlage.score.systems import GOLD, read_side_by_side
from vorlage.types import LongInts, StrPath


def decompose_all(
    corpus: StrPath,
    alignments: Sequence[StrPath],
    golds: Annotations,
    generality: Generality | None,
    sentence_counts: defaultdict[str, Counter[str]],
    extract_counts: defaultdict[str, dict[str, LongInts]],
) -> Iterator[Row]:
    """Yield a row for each system and summary sentence of a corpus, pair by pair.

    The sure links of gold in tokens are a system of their own. With such gold only annotated pairs count in
    `sentence_counts`, so that all systems have the same ones.

    Args:
        corpus: file of the pairs.
        alignments: a file for each system.
        golds: of the annotated pairs; those that are met are removed.
        generality: tells generalization from paraphrase.
        sentence_counts: by system; the sentences of each pair are added.
        extract_counts: by system and pair; those behind the scores of each implied extract are added.

    Raises:
        InputError: for gold of a pair that the corpus lacks.
    """
    has_token_gold = any(gold.unit == "token" for annotations in golds.values() for gold in annotations)
    for pair, aligned in read_side_by_side(corpus, alignments):
        annotations = checked(pair, golds.pop(pair.id, []))
        in_tokens = [gold for gold in annotations if gold.unit == "token"]
        links = {GOLD: make_reference(pair, in_tokens).sure} if in_tokens else {}
        for alignment in aligned:
            links[alignment.system] = frozenset(
                soft_links(alignment.links, alignment.summary_words, alignment.document_words)
            )
        for system, cells in links.items():
            sentences = decompose(pair, cells, generality)
            if annotations:
                sources = sorted({source for sentence in sentences for source in sentence.sources})
                implied = Extract(pair.id, tuple(sources), ())
                extract_counts[system][pair.id] = evaluate.count(pair, annotations, implied)
            if in_tokens or not has_token_gold:
                sentence_counts[system].update(count(sentences))
            yield from (sentence_row(system, pair.id, sentence) for sentence in sentences)
    refuse_unknown(golds, corpus)


@command
def main(arguments: list[str] | None = None) -> None:
    """Write for each system and summary sentence how the sentence was made, by the links of the system.

    The table has the share of its words that were copied, its source sentences, and the operations.
    """
    parser = CommandParser("decompose", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: no gold)")
    add_alignments(parser)
    parser.add_argument("--output", required=True, help="file to write: a row for each summary sentence")
    parser.add_argument("--systems", help="file to write: a row for each system")
    parser.add_argument(
        "--extracts",
        help="with --gold: file to write, the extracts that the decompositions imply, scored by document",
    )
    options = parser.parse(arguments, outputs=("systems", "extracts"))
    if options.extracts and not options.gold:
        raise InputError("--extracts needs --gold, the gold.jsonl that the extracts are compared with")
    golds = read_annotations(options.gold) if options.gold else {}
    sentence_counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    extract_counts: defaultdict[str, dict[str, LongInts]] = defaultdict(dict)
    rows = decompose_all(
        options.corpus, options.alignments, golds, open_generality(), sentence_counts, extract_counts
    )
    write_tsv(options.output, rows, SENTENCE_COLUMNS)
    names = sorted(sentence_counts, key=lambda system: system != GOLD)
    table = [system_row(system, sentence_counts[system]) for system in names]
    if options.systems:
        write_tsv(options.systems, table, SYSTEM_COLUMNS)
    if options.extracts:
        write_extract_table(options.extracts, extract_table(extract_counts))
    for row in table:
        log.info(f"{row['system']}: decomposed {row['sentences']} summary sentences")
