"""How much of the gold the extracts keep, and how well they choose sentences, document by document.

    python -m pipeline.extract.evaluate --corpus corpus.jsonl --gold gold.jsonl --extracts extracts.jsonl \\
        --output evaluation.tsv

A link of the gold is kept when its document word lies in the extract. Links are pairs of a summary word and
a document word; of gold in characters, pairs of a proposition of the summary and one word of its source.
Over non-stop words a link counts when neither word (of gold in characters: the document word) is a stop word.

The gold extract, which Jing (2002, Section 4.1) had from human judges, is made of the gold links: the
document sentences that a sure link between non-stop words reaches. What several annotators marked is joined.
"""

import argparse
import logging

import numpy as np
import pandas as pd

from pipeline.corpus.gold import check_gold, read_gold
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.outputs import replacing
from pipeline.run.errors import InputError, command
from pipeline.run.progress import start_log
from pipeline.text.words import is_stop_word

log = logging.getLogger("pipeline")

LINKS = ("sure", "sure_nonstop", "possible", "possible_nonstop")


def count(pair, golds, extract):
    """What the measures of one pair are made of: an int array of length 12.

    Sentences of the document, the extract, the gold extract, and of both extracts; then the number of gold
    links of each kind in ``LINKS``; then how many of them the extract keeps. ``golds``: a list of
    :class:`pipeline.corpus.gold.Gold`, one an annotator.
    """
    lengths = [end - start for start, end in pair.document.sentences]
    sentence_of = np.repeat(np.arange(len(lengths)), lengths)
    content = np.array([not is_stop_word(word) for word in pair.document.words])
    sure, sure_content = _links(pair, golds, content, sure_only=True)
    possible, possible_content = _links(pair, golds, content, sure_only=False)
    kinds = [
        [sentence_of[word] for _, word in links] for links in (sure, sure_content, possible, possible_content)
    ]
    gold, kept = set(kinds[1]), set(extract.sentences)
    sentences = [len(lengths), len(kept), len(gold), len(kept & gold)]
    return np.array(
        sentences + [len(kind) for kind in kinds] + [sum(s in kept for s in kind) for kind in kinds]
    )


def measures(counts):
    """The columns of the table from counts (documents × 12): a DataFrame with a row a document.

    ``precision``, ``recall`` and ``f`` compare the extract with the gold extract (Jing 2002, Section 4.1);
    ``sure_kept`` and so on are shares of gold links. A share of no links is NaN, as is what compares with an
    empty gold extract.
    """
    counts = np.asarray(counts, dtype=float).reshape(-1, 12)
    document, extract, gold, both = counts[:, :4].T
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
        for name, kept, links in zip(LINKS, counts[:, 8:].T, counts[:, 4:8].T, strict=True):
            table[f"{name}_kept"] = kept / links
    return pd.DataFrame(table)


def evaluate(corpus, gold, extracts):
    """The table for the pairs with gold: a DataFrame, a row a document, then two for the corpus.

    ``average`` is the mean over the documents, as in Jing's Table 1; ``all`` counts sentences and links of
    all documents together. Without gold the table is empty.
    """
    golds = {}
    for number, annotation in read_gold(gold):
        golds.setdefault(annotation.id, []).append((f"{gold}, line {number}", annotation))
    ids, counts = [], []
    for pair, extract in read_extracted_pairs(corpus, extracts):
        if pair.id in golds:
            annotations = golds.pop(pair.id)
            for where, annotation in annotations:
                check_gold(annotation, pair, where)
            ids.append(pair.id)
            counts.append(count(pair, [annotation for _, annotation in annotations], extract))
    for key, [(where, _), *_] in golds.items():
        raise InputError(f"{where}: gold for pair {key}, which is not in {corpus}; remove it")

    table = measures(counts)
    if ids:
        table = pd.concat([table, table.mean().to_frame().T, measures(np.sum(counts, axis=0))])
        ids += ["average", "all"]
    table.insert(0, "id", ids)
    return table


def _links(pair, golds, content, sure_only):
    """The gold links, and those between non-stop words: sets of (summary token or spans, document token)."""
    links, content_links = set(), set()
    for gold in golds:
        if gold.unit == "token":
            cells = gold.cells(sure_only)
            links |= cells
            content_links |= {
                (i, j) for i, j in cells if content[j] and not is_stop_word(pair.summary.words[i])
            }
        else:
            cells = {
                (link.summary, j)
                for link in gold.links
                if link.sure or not sure_only
                for span in link.document
                for j in _tokens(pair.document, *span)
            }
            links |= cells
            content_links |= {(spans, j) for spans, j in cells if content[j]}
    return links, content_links


def _tokens(text, start, end):
    """The tokens that share a character with the character span."""
    starts, ends = np.array(text.tokens).T
    return range(int(np.searchsorted(ends, start, "right")), int(np.searchsorted(starts, end, "left")))


@command
def main(arguments=None):
    """Run the evaluation from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.extract.evaluate",
        description="Write what share of the gold links the extracts keep, and the precision, recall and F "
        "of their sentences against those the gold links reach: a row a document, their average, and all.",
    )
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", required=True, help="gold.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--output", required=True, help="file to write, tab-separated")
    parser.add_argument("--log", help="log file (default: standard error)")
    options = parser.parse_args(arguments)
    start_log(options.log)
    table = evaluate(options.corpus, options.gold, options.extracts)
    with replacing(options.output) as temporary:
        table.to_csv(temporary, sep="\t", index=False, float_format="%.4g")
    if len(table):
        log.info(
            "all documents: " + ", ".join(f"{name} {table[name].iloc[-1]:.3f}" for name in table.columns[4:])
        )


if __name__ == "__main__":
    main()
