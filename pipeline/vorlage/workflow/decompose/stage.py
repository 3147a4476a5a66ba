"""The decompose stage: how each summary sentence was made from its document, by the links of each system.

    vorlage decompose --corpus corpus.jsonl --gold gold.jsonl \\
        --alignments align/*/alignments.jsonl --output decomposition.tsv --systems systems.tsv \\
        --extracts extracts.tsv

answers the questions of Jing (2002) for every system: was a summary sentence made by cutting and pasting, of
how many document sentences, and by which operations. Gold in tokens is a system of its own. Pairs are read
one by one.

The automatic extract of a document is all document sentences that its summary sentences were made from. The
gold extract, which human judges chose in Jing (2002, Section 4.1, Table 1), comes from the gold links here:
see `vorlage.workflow.score.extracts`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from vorlage.alignments.alignment import soft_links
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.extract.extracts import Extract
from vorlage.files.outputs import replacing
from vorlage.text.wordnet import open_wordnet
from vorlage.types import LongInts, StrPath
from vorlage.workflow.decompose.operations import (
    OPERATIONS,
    Hypernymy,
    SentenceDecomposition,
    decompose,
)
from vorlage.workflow.gold import GoldByPair, read_annotations, refuse_unknown_gold, select_checked_gold
from vorlage.workflow.score.counts import share
from vorlage.workflow.score.extracts import count_overlap, evaluation_table
from vorlage.workflow.score.reference import make_reference
from vorlage.workflow.score.systems import GOLD, add_alignments_option, read_side_by_side
from vorlage.workflow.tables import Row, write_tsv

SENTENCE_COLUMNS = tuple(
    """system id sentence words linked copied cut_and_pasted
    sources source_sentences operations""".split()
)
# Classes of numbers of source sentences (Section 5.2).
SOURCE_CLASSES = ("sources_0", "sources_1", "sources_2_3", "sources_more")
SYSTEM_COLUMNS = ("system", "sentences", "cut_and_pasted", *SOURCE_CLASSES, *OPERATIONS)
EXTRACT_COLUMNS = "id document_sentences extract_sentences gold_sentences precision recall f".split()


def sentence_row(system: str, sentence: SentenceDecomposition) -> Row:
    """Return the row of a summary sentence; `linked` and `copied` are shares of its words."""
    words = sentence.words
    values = (
        *(system, sentence.pair.id, sentence.number, len(words)),
        *(share(sum(i in sentence.links for i in words), len(words)), share(sentence.copied, len(words))),
        *("yes" if sentence.is_cut_and_pasted else "no", len(sentence.sources)),
        *(" ".join(map(str, sentence.sources)), " ".join(sentence.operations)),
    )
    return dict(zip(SENTENCE_COLUMNS, values, strict=True))


def count_sentences(sentences: Iterable[SentenceDecomposition]) -> Counter[str]:
    """Return how many sentences of a summary are in each column of `SYSTEM_COLUMNS`, by its name."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        sources = len(sentence.sources)
        source_class = SOURCE_CLASSES[min(sources, 2) if sources <= 3 else 3]
        counts.update(("sentences", source_class, *sentence.operations))
        counts["cut_and_pasted"] += sentence.is_cut_and_pasted
    return counts


def write_implied_extracts(path: StrPath, counts: Mapping[str, Mapping[str, LongInts]]) -> None:
    """Write the scores of the extracts of all systems: a row for each document, then `average` and `all`.

    `average` is the mean over the documents, as in Table 1, in which an empty extract has an F of 0 and no
    precision; `all` counts the sentences of all documents together.

    Args:
        path: the table, with four digits; what is not defined is `nan`.
        counts: those of `count_overlap`, by system and pair. The gold comes first.
    """
    tables = [pd.DataFrame(columns=["system", *EXTRACT_COLUMNS])]
    for system in sorted(counts, key=lambda system: system != GOLD):
        table = evaluation_table(list(counts[system]), list(counts[system].values()))[EXTRACT_COLUMNS]
        table.insert(0, "system", system)
        tables.append(table)
    with replacing(path) as temporary:
        pd.concat(tables[1:] or tables).to_csv(
            temporary, sep="\t", index=False, float_format="%.4g", na_rep="nan"
        )


def decompose_corpus(
    corpus: StrPath,
    alignments: Sequence[StrPath],
    gold_by_pair: GoldByPair,
    hypernymy: Hypernymy | None,
    sentence_counts: defaultdict[str, Counter[str]],
    extract_counts: defaultdict[str, dict[str, LongInts]],
) -> Iterator[Row]:
    """Yield a row for each system and summary sentence of a corpus, pair by pair.

    The sure links of gold in tokens are a system of their own. With such gold only annotated pairs count in
    `sentence_counts`, so that all systems have the same ones.

    Args:
        corpus: file of the pairs.
        alignments: a file for each system.
        gold_by_pair: of the annotated pairs; those that are met are removed.
        hypernymy: tells generalization from paraphrase.
        sentence_counts: by system; the sentences of each pair are added.
        extract_counts: by system and pair; those behind the scores of each implied extract are added.

    Raises:
        InputError: for gold of a pair that the corpus lacks.
    """
    has_token_gold = any(gold.unit == "token" for golds in gold_by_pair.values() for gold in golds)
    for pair, aligned in read_side_by_side(corpus, alignments):
        golds = select_checked_gold(pair, gold_by_pair.pop(pair.id, []))
        token_golds = [gold for gold in golds if gold.unit == "token"]
        links = {a.system: soft_links(a.links, a.summary_words, a.document_words) for a in aligned}
        if token_golds:
            links = {GOLD: set(make_reference(pair, token_golds).sure)} | links
        for system, cells in links.items():
            sentences = decompose(pair, cells, hypernymy)
            if golds:
                sources = sorted({source for sentence in sentences for source in sentence.sources})
                implied_extract = Extract(pair.id, tuple(sources), ())
                extract_counts[system][pair.id] = count_overlap(pair, golds, implied_extract)
            if token_golds or not has_token_gold:
                sentence_counts[system].update(count_sentences(sentences))
            yield from (sentence_row(system, sentence) for sentence in sentences)
    refuse_unknown_gold(gold_by_pair, corpus)


@command
def main(arguments: list[str] | None = None) -> None:
    """Write for each system and summary sentence how the sentence was made, by the links of the system.

    The table has the share of its words that were copied, its source sentences, and the operations.
    """
    parser = CommandParser("decompose", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", help="gold.jsonl of the corpus stage (default: no gold)")
    add_alignments_option(parser)
    parser.add_argument("--output", required=True, help="file to write: a row for each summary sentence")
    parser.add_argument("--systems", help="file to write: a row for each system")
    parser.add_argument(
        "--extracts",
        help="with --gold: file to write, the extracts that the decompositions imply, scored by document",
    )
    options = parser.parse(arguments, outputs=("systems", "extracts"))
    if options.extracts and not options.gold:
        raise InputError("--extracts needs --gold, the gold.jsonl that the extracts are compared with")
    gold_by_pair = read_annotations(options.gold) if options.gold else {}
    sentence_counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    extract_counts: defaultdict[str, dict[str, LongInts]] = defaultdict(dict)
    rows = decompose_corpus(
        options.corpus,
        options.alignments,
        gold_by_pair,
        Hypernymy(open_wordnet()),
        sentence_counts,
        extract_counts,
    )
    write_tsv(options.output, rows, SENTENCE_COLUMNS)
    table: list[Row] = []
    for system in sorted(sentence_counts, key=lambda system: system != GOLD):
        counts = sentence_counts[system]
        shares = {name: share(counts[name], counts["sentences"]) for name in SYSTEM_COLUMNS[2:]}
        table.append({"system": system, "sentences": counts["sentences"], **shares})
    if options.systems:
        write_tsv(options.systems, table, SYSTEM_COLUMNS)
    if options.extracts:
        write_implied_extracts(options.extracts, extract_counts)
    for row in table:
        log.info(f"{row['system']}: decomposed {row['sentences']} summary sentences")
