"""The second pass of forward–backward, by what the first one found of the sentences.

In the first pass, each word of a summary sentence may come from any sentence of the document. In the second
one, every rewrite is weighted by the share of its summary sentence that came from its document sentence in
the first pass. So words that many sentences have, such as names and function words, follow those around them.
"""

import numpy as np

from pipeline.align.prepared import Prepared
from pipeline.semihmm.kernels.arguments import KernelInputs
from pipeline.semihmm.phrases.affinity import Affinity, sentence_of
from pipeline.types import Floats, Span

# Added to a share, so that a document sentence without any is unlikely and not impossible.
LEAST_SHARE = 0.02


def second_pass(prepared: Prepared, sources: Floats, power: float) -> Prepared | None:
    """Return a pair with its rewrites weighted for a second pass, or None if nothing would change.

    ``sources`` (T, n): the probabilities of the first pass that a summary word comes from a document word.
    ``power``: of the shares, 0 for no second pass. There is none for a document of one sentence either, and
    none for a model without sentence similarities, whose rewrites are over distinct words.
    """
    instance = prepared.instance
    if not power or instance.affinity is None or len(instance.document_breaks) == 1:
        return None
    shares = sentence_shares(sources, prepared.information, instance.summary_breaks, instance.document_breaks)
    weights = Affinity(
        share_weights(shares, power),
        None,
        sentence_of(instance.summary_breaks),
        sentence_of(instance.document_breaks),
    )
    reverse = prepared.reverse
    if reverse is not None:
        reverse = reverse._replace(inputs=_weighted(reverse.inputs, weights.reversed()))
    return prepared._replace(inputs=_weighted(prepared.inputs, weights), reverse=reverse)


def sentence_shares(
    sources: Floats, information: Floats, summary: tuple[Span, ...], document: tuple[Span, ...]
) -> Floats:
    """Return the share of each summary sentence that comes from each document sentence (S, D).

    It is the mean of the ``sources`` (T, n) of its words, summed over the words of the document sentence and
    weighted by the ``information`` (T) of the words. ``summary`` and ``document``: spans of the sentences,
    which follow each other.
    """
    firsts, seconds = ([first for first, _ in spans] for spans in (summary, document))
    weighted = np.add.reduceat(sources * information[:, None], firsts, axis=0)
    totals = np.add.reduceat(information, firsts)[:, None]
    parts = np.add.reduceat(weighted, seconds, axis=1)
    return np.divide(parts, totals, out=np.zeros_like(parts), where=totals > 0)


def share_weights(shares: Floats, power: float) -> Floats:
    """Return shares (S, D) to a power, scaled so that their mean weighted by the shares is 1 in each row.

    A row without shares has weights of 1.
    """
    raised = (shares + LEAST_SHARE) ** power
    means = (shares * raised).sum(axis=1, keepdims=True)
    totals = shares.sum(axis=1, keepdims=True)
    weights: Floats = np.divide(raised * totals, means, out=np.ones_like(raised), where=means > 0)
    return weights


def _weighted(inputs: KernelInputs, weights: Affinity) -> KernelInputs:
    """Return kernel inputs whose rewrites, which are over all words, are multiplied by weights."""
    return inputs._replace(
        word_rewrites=inputs.word_rewrites * weights.of_words(),
        phrase_rewrites=inputs.phrase_rewrites * weights.of_phrases(inputs.phrases),
    )
