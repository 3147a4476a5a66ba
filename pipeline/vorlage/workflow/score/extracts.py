"""Measures how much of the gold the extracts keep and how well they choose sentences, document by document.

    vorlage evaluate-extracts --corpus corpus.jsonl --gold gold.jsonl --extracts extracts.jsonl \\
        --output evaluation.tsv

A gold link is kept if its document word is in the extract. A link is a pair of a summary word and a document
word or, for gold in characters, a pair of a proposition of the summary and one word of its source. A link
counts as one of non-stop words if neither word (for gold in characters: the document word) is a stop word.

The gold extract comes from the gold links, where Jing (2002, Section 4.1) had it from human judges: it is the
document sentences that a sure link between non-stop words reaches. The links of several annotators are
joined.
"""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import pandas as pd

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract, read_extracted_pairs
from vorlage.files.outputs import replacing
from vorlage.text.words import is_stop_word
from vorlage.types import LongInts, StrPath
from vorlage.workflow.gold import TOKENS, Gold, read_annotations, refuse_unknown_gold, select_checked_gold

LINKS = ("sure", "sure_nonstop", "possible", "possible_nonstop")


def count_overlap(pair: Pair, golds: Sequence[Gold], extract: Extract) -> LongInts:
    """Return the counts of sentences and gold links behind the measures of one pair: an array of length 12.

    The counts are the sentences of the document, of the extract, of the gold extract, and of both extracts;
    then the gold links of each kind in `LINKS`; then how many of them the extract keeps. `golds`: one of
    each annotator.
    """
    sentence_of = pair.document.sentence_numbers
    kinds = []  # the document sentence of each link, by kind of link
    for sure_only in (True, False):
        links = _gold_links(pair, golds, sure_only)
        kinds.append([sentence_of[word] for _, word, _ in links])
        kinds.append([sentence_of[word] for _, word, content in links if content])
    gold, chosen = set(kinds[1]), set(extract.sentences)
    sentences = [len(pair.document.sentences), len(chosen), len(gold), len(chosen & gold)]
    return np.array(
        sentences + [len(kind) for kind in kinds] + [sum(s in chosen for s in kind) for kind in kinds]
    )


def compute_measures(counts: Sequence[LongInts]) -> pd.DataFrame:
    """Return the columns of the table from counts (documents × 12), with a row for each document.

    `precision`, `recall` and `f` compare the extract with the gold extract (Jing 2002, Section 4.1);
    `sure_kept` and so on are shares of gold links. A share of no links is NaN, and so is a comparison with
    an empty gold extract.
    """
    numbers = np.asarray(counts, dtype=float).reshape(-1, 12)
    document, extract, gold, both = numbers[:, :4].T
    both = np.where(gold > 0, both, np.nan)
    with np.errstate(invalid="ignore"):
        table = {
            "document_sentences": document,
            "extract_sentences": extract,
            "gold_sentences": gold,
            "precision": both / extract,
            "recall": both / gold,
            "f": 2 * both / (extract + gold),
        }
        for name, kept, links in zip(LINKS, numbers[:, 8:].T, numbers[:, 4:8].T, strict=True):
            table[f"{name}_kept"] = kept / links
    return pd.DataFrame(table)


def evaluate_extracts(corpus: StrPath, gold: StrPath, extracts: StrPath) -> pd.DataFrame:
    """Return the table of `evaluation_table` for the pairs with gold; without gold it is empty."""
    gold_by_pair = read_annotations(gold)
    ids, counts = [], []
    for pair, extract in read_extracted_pairs(corpus, extracts):
        if pair.id in gold_by_pair:
            ids.append(pair.id)
            counts.append(count_overlap(pair, select_checked_gold(pair, gold_by_pair.pop(pair.id)), extract))
    refuse_unknown_gold(gold_by_pair, corpus)
    return evaluation_table(ids, counts)


def evaluation_table(ids: Sequence[str], counts: Sequence[LongInts]) -> pd.DataFrame:
    """Return the measures of each document, by its `counts` (`count_overlap`), then two rows for the corpus.

    `average` is the mean over the documents, as in Jing's Table 1; `all` counts sentences and links of
    all documents together.
    """
    table = compute_measures(counts)
    if ids:
        table = pd.concat([table, table.mean().to_frame().T, compute_measures([np.sum(counts, axis=0)])])
    table.insert(0, "id", [*ids, "average", "all"] if ids else [])
    return table


def _gold_links(pair: Pair, golds: Iterable[Gold], sure_only: bool) -> set[tuple[Hashable, int, bool]]:
    """Return the gold links, and whether each is between non-stop words.

    A link is a pair of a summary token (for gold in characters: the spans of the proposition) and a document
    token.
    """
    summary, document = (
        [not is_stop_word(word, text.language) for word in text.words]
        for text in (pair.summary, pair.document)
    )
    links: set[tuple[Hashable, int, bool]] = set()
    for gold in golds:
        if gold.unit == TOKENS:
            links |= {(i, j, summary[i] and document[j]) for i, j in gold.cells(sure_only)}
            continue
        for link in gold.links:
            for span in link.document if link.sure or not sure_only else ():
                links |= {(link.summary, j, document[j]) for j in pair.document.tokens_in(span)}
    return links


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Compare extracts with the gold: the links that they keep, and the sentences that they choose."""
    parser = CommandParser("evaluate-extracts", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", required=True, help="gold.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--output", required=True, help="file to write, tab-separated")
    options = parser.parse(arguments)
    table = evaluate_extracts(options.corpus, options.gold, options.extracts)
    with replacing(options.output) as temporary:
        table.to_csv(temporary, sep="\t", index=False, float_format="%.4g")
    if len(table):
        log.info(
            "all documents: " + ", ".join(f"{name} {table[name].iloc[-1]:.3f}" for name in table.columns[4:])
        )
