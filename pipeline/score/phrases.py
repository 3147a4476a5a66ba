"""``python -m pipeline.score.phrases``: score alignments against phrases marked in characters.

For gold that says which stretches of the document a stretch of the summary was made from, without saying
which word from which (propositions, discontinuous spans allowed). A summary token inside a gold summary
span is right when the document token it is linked to lies inside a document span that the gold links to
that summary span:

- precision: of the linked tokens inside gold summary spans, the share that is right; over all words or
  over non-stop words;
- recall: of the non-stop words inside gold summary spans that an annotator was sure of, the share with a
  link into a document span that goes with it.

A token that several gold pairs cover may be linked into any of them; of a token with several links the
share counts that is right. A token is inside a span when they share a character.
"""

import bisect
import logging

import numpy as np

from pipeline.run.errors import command
from pipeline.score import command as command_line
from pipeline.score.bootstrap import interval, resample
from pipeline.score.counts import soft_links
from pipeline.score.metrics import ratio
from pipeline.score.reference import read_annotated
from pipeline.score.rows import DIFFERENCES, difference_rows, rows_of_words
from pipeline.score.signature import signature
from pipeline.score.systems import read_systems
from pipeline.score.tsv import readable, write_tsv
from pipeline.settings import add_options, from_options
from pipeline.text.words import is_stop_word

log = logging.getLogger("pipeline")

COLUMNS = ("system", "words", "precision", "recall", "f", "low", "high", "pairs", "linked", "signature")


def tokens_inside(text, spans):
    """The numbers of the tokens of a text that share a character with one of ``spans``: a set."""
    starts, ends = [start for start, _ in text.tokens], [end for _, end in text.tokens]
    found = set()
    for first, last in spans:
        found.update(range(bisect.bisect_right(ends, first), bisect.bisect_left(starts, last)))
    return found


def allowed_tokens(pair, golds, sure_only=False):
    """The document tokens that each covered summary token may be linked to: a dict of sets.

    ``golds``: the :class:`pipeline.corpus.gold.Gold` of the pair in characters, of all annotators;
    ``sure_only``: by the links that they were sure of.
    """
    allowed = {}
    for gold in golds:
        for link in gold.links:
            if sure_only and not link.sure:
                continue
            document = tokens_inside(pair.document, link.document)
            for token in tokens_inside(pair.summary, link.summary):
                allowed.setdefault(token, set()).update(document)
    return allowed


def count(links, pair, possible, sure):
    """Counts of one pair, float64 of shape (2, 4): linked, right, content words, found.

    The rows are all words and non-stop words.

    ``possible`` and ``sure``: :func:`allowed_tokens` of all links and of the sure ones.
    """
    linked = {}
    for i, j in soft_links(links, pair.summary.words, pair.document.words):
        linked.setdefault(i, set()).add(j)
    content = [not is_stop_word(word) for word in pair.summary.words]
    counts = np.zeros((2, 4))
    for token, allowed in possible.items():
        if token in linked:
            share = len(linked[token] & allowed) / len(linked[token])
            counts[: 1 + content[token], :2] += 1, share
    for token, wanted in sure.items():
        if content[token]:
            counts[:, 2:] += 1, bool(linked.get(token, set()) & wanted)
    return counts


def find_targets(annotated):
    """Pair id → what :func:`count` wants of its gold; ``annotated``: pair id → (pair, list of its Gold)."""
    return {
        key: (allowed_tokens(pair, golds), allowed_tokens(pair, golds, sure_only=True))
        for key, (pair, golds) in annotated.items()
    }


def scores(counts):
    """Precision, recall and F of summed counts, shape (…, 4): a dict of arrays of shape (…)."""
    linked, right, content, found = np.moveaxis(counts, -1, 0)
    precision, recall = ratio(right, linked), ratio(found, content)
    return {"precision": precision, "recall": recall, "f": ratio(2 * precision * recall, precision + recall)}


def phrase_f(counts):
    """F of summed counts."""
    return scores(counts)["f"]


def score(corpus, gold, alignments, samples, seed):
    """Score the systems of the files ``alignments`` on the pairs of ``corpus`` with ``gold`` in characters.

    Returns rows with the keys ``COLUMNS``, two a system, and those of the comparison with the best baseline
    (:func:`pipeline.score.rows.difference_rows`). ``low`` and ``high`` bound 95 % of F over ``samples``
    bootstrap samples of pairs, ``linked`` counts the tokens that precision is over.
    """
    annotated, ids = read_annotated(corpus, gold, "char")
    targets = find_targets(annotated)
    weights = resample(len(annotated), samples, seed)
    choices = signature(annotated, samples, seed)
    counts, rows = {}, []
    for system, found in read_systems(alignments, annotated, ids):
        counts[system] = np.stack(
            [count(found[key].links, pair, *targets[key]) for key, (pair, _) in annotated.items()]
        )
        rows += _rows(system, counts[system], weights, choices)
        log.info(f"{system}: scored on {len(annotated)} pairs")
    return rows, list(difference_rows(counts, weights, phrase_f))


def _rows(system, counts, weights, choices):
    measured = scores(counts.sum(axis=0))
    measured["low"], measured["high"] = interval(phrase_f(np.tensordot(weights, counts, axes=1)), weights)
    linked = counts[:, :, 0].sum(axis=0).astype(int)
    return rows_of_words(system, measured, pairs=len(counts), linked=linked, signature=choices)


@command
def main(arguments=None):
    """Score alignments against phrases in characters."""
    parser = command_line.arguments(
        "pipeline.score.phrases",
        "Score alignments against gold in characters: of the linked summary words inside a gold "
        "phrase, how many lead into its document phrase, and how many of its non-stop words have such a "
        "link; with a bootstrap interval of F over the pairs.",
        "phrases.tsv to write",
    )
    parser.add_argument("--significance", help="file to write, each system against the best baseline")
    add_options(parser, "score", ("bootstrap",))
    given = command_line.parse(parser, arguments)
    samples = from_options(given, "score")["bootstrap"]
    rows, differences = score(given.corpus, given.gold, given.alignments, samples, given.seed)
    if given.significance:
        write_tsv(given.significance, differences, DIFFERENCES)
    write_tsv(given.output, rows)
    print(readable(rows, [name for name in COLUMNS if name != "signature"]))


if __name__ == "__main__":
    main()
