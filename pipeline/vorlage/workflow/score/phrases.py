"""Score alignments against phrases marked in characters: `vorlage score-phrases`.

This is for gold that says which stretches of the document a stretch of the summary was made from, without
saying which word from which (propositions; spans may be discontinuous). A summary token inside a gold summary
span is right when the document token it is linked to lies inside a document span that the gold links to
that summary span:

- precision: of the linked tokens inside gold summary spans, the share that is right; over all words or
  over non-stop words;
- recall: of the non-stop words inside gold summary spans that an annotator was sure of, the share with a
  link into a document span that the gold links to that summary span.

A token that several gold pairs cover may be linked into any of them; a token with several links counts with
the share of its links that is right. A token is inside a span when they share a character.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from vorlage.alignments.alignment import Alignment, Link, soft_links
from vorlage.command.errors import command
from vorlage.command.progress import log
from vorlage.documents.pair import Pair
from vorlage.text.tokenized import Text
from vorlage.text.words import is_stop_word
from vorlage.types import AnyArray, Floats, Span, StrPath
from vorlage.workflow.gold import Gold
from vorlage.workflow.score.counts import f_score, ratio
from vorlage.workflow.score.reference import AnnotatedPairs, read_annotated
from vorlage.workflow.score.rows import DIFFERENCE_COLUMNS, difference_rows, resample, score_rows, signature
from vorlage.workflow.score.systems import make_parser, read_systems
from vorlage.workflow.settings import Score
from vorlage.workflow.tables import Row, format_table, write_tsv

COLUMNS = ("system", "words", "precision", "recall", "f", "low", "high", "pairs", "linked", "signature")

# The document tokens that each summary token inside a gold span may be linked to.
AllowedTokens: TypeAlias = defaultdict[int, set[int]]


def tokens_inside(text: Text, spans: Iterable[Span]) -> set[int]:
    """Return the tokens of a text that share a character with one of `spans`."""
    return {token for span in spans for token in text.tokens_in(span)}


def allowed_tokens(pair: Pair, golds: Iterable[Gold], sure_only: bool = False) -> AllowedTokens:
    """Return the document tokens that each summary token inside a gold span may be linked to.

    `golds`: the gold of the pair in characters, of all annotators; `sure_only`: use only the links that
    they were sure of.
    """
    allowed: AllowedTokens = defaultdict(set)
    for link in (link for gold in golds for link in gold.links if link.sure or not sure_only):
        document = tokens_inside(pair.document, link.document)
        for token in tokens_inside(pair.summary, link.summary):
            allowed[token] |= document
    return allowed


def count_words(links: Iterable[Link], pair: Pair, golds: Sequence[Gold]) -> Floats:
    """Return the counts of one pair, shape (2, 4): linked, right, content words, recalled.

    The rows are over all words and over non-stop words. `golds`: as in `allowed_tokens`.
    """
    linked: defaultdict[int, set[int]] = defaultdict(set)
    for i, j in soft_links(links, pair.summary.words, pair.document.words):
        linked[i].add(j)
    content = [not is_stop_word(word, pair.summary.language) for word in pair.summary.words]
    counts = np.zeros((2, 4))
    for token, allowed in allowed_tokens(pair, golds).items():
        if token in linked:
            share = len(linked[token] & allowed) / len(linked[token])
            counts[: 1 + content[token], :2] += 1, share
    for token, expected in allowed_tokens(pair, golds, sure_only=True).items():
        if content[token]:
            counts[:, 2:] += 1, bool(linked[token] & expected)
    return counts


def count_all_words(alignments: Mapping[str, Alignment], annotated: AnnotatedPairs) -> Floats:
    """Return the counts of all pairs, shape (pairs, 2, 4); the mappings are keyed by pair id."""
    return np.stack(
        [count_words(alignments[id].links, pair, golds) for id, (pair, golds) in annotated.items()]
    )


def compute_scores(counts: AnyArray) -> dict[str, Floats]:
    """Return precision, recall and F of summed counts, shape (…, 4): arrays of shape (…)."""
    linked, right, content, recalled = np.moveaxis(counts, -1, 0)
    precision, recall = ratio(right, linked), ratio(recalled, content)
    return {"precision": precision, "recall": recall, "f": f_score(precision, recall)}


def score_phrases(
    corpus: StrPath, gold: StrPath, alignments: Sequence[StrPath], samples: int, seed: int
) -> tuple[list[Row], list[Row]]:
    """Return rows with the keys `COLUMNS`, two for each system, and the differences from the best baseline.

    `low` and `high` bound 95 % of F over the bootstrap samples of pairs; `linked` counts the tokens that
    precision is over. The arguments are as in `vorlage.workflow.score.stage`, with gold in characters.
    """
    annotated, ids = read_annotated(corpus, gold, "char")
    weights, choices = resample(len(annotated), samples, seed), signature(annotated, samples, seed)
    counts: dict[str, Floats] = {}
    rows: list[Row] = []
    for system, alignments_by_id in read_systems(alignments, annotated, ids):
        counts[system] = count_all_words(alignments_by_id, annotated)
        rows += score_rows(system, counts[system], weights, choices, compute_scores, "f", ("linked", 0))
        log.info(f"{system}: scored on {len(annotated)} pairs")
    return rows, list(difference_rows(counts, weights, compute_scores, "f"))


@command
def main(arguments: list[str] | None = None) -> None:
    """Score alignments against phrases in characters."""
    parser = make_parser(
        "score-phrases",
        main,
        "Score alignments against gold in characters: how many of the linked summary words inside a gold "
        "phrase are linked into its document phrase, and how many of its non-stop words have such a link; "
        "with a bootstrap interval of F over the pairs.",
        "phrases.tsv to write",
    )
    parser.add_argument("--significance", help="file to write: each system against the best baseline")
    Score.add_options(parser, ("bootstrap",))
    options = parser.parse(arguments, outputs=("significance",))
    samples = Score.from_options(options).bootstrap
    rows, differences = score_phrases(options.corpus, options.gold, options.alignments, samples, options.seed)
    if options.significance:
        write_tsv(options.significance, differences, DIFFERENCE_COLUMNS)
    write_tsv(options.output, rows)
    print(format_table(rows, [name for name in COLUMNS if name != "signature"]))
