"""From the trees of a document's sentences to the arrays that the kernels of walks read."""

import numpy as np

from pipeline.run.errors import InputError
from pipeline.semihmm.kernels.tree_walks import Forest

# Words of a sentence: the walks inside it take 24 bytes for every two of its words.
LONGEST = 8_000


def sentence_tokens(pair, sentences):
    """The tokens of the document sentences with the indices ``sentences``, lists of strings.

    Raises :class:`InputError` for a sentence longer than ``LONGEST``.
    """
    spans = [pair.document.sentences[sentence] for sentence in sentences]
    longest = max(last - first for first, last in spans)
    if longest > LONGEST:
        raise InputError(
            f"pair {pair.id}: a sentence of its document has {longest:,} words, and the jump model syntax "
            f"takes {LONGEST:,}; split it, or leave the pair or the jump model out"
        )
    return [pair.document.words[first:last] for first, last in spans]


def make_forest(trees, sentences, labels):
    """The :class:`~pipeline.semihmm.kernels.tree_walks.Forest` of consecutive ``sentences``, each a list of tokens.

    ``trees``: :class:`pipeline.parse.tree_arrays.Trees`; ``labels``: those of the jump model, the others are
    numbered ``len(labels)``. Raises :class:`InputError` for a sentence without a tree.
    """
    numbers = {label: number for number, label in enumerate(labels)}
    renumbered = np.array([numbers.get(label, len(labels)) for label in trees.labels], dtype=np.int32)
    starts, ends, found = [], [], []
    first = 0
    for tokens in sentences:
        try:
            nodes = trees.of(tokens)
        except KeyError:
            text = " ".join(tokens if len(tokens) <= 12 else [*tokens[:12], "…"])
            raise InputError(
                f'no tree for the sentence "{text}"; parse the extracts again with python -m pipeline.parse'
            ) from None
        starts.append(nodes.start + first)
        ends.append(nodes.end + first)
        found.append(renumbered[nodes.label])
        first += len(tokens)
    start, end, label = (np.concatenate(parts) for parts in (starts, ends, found))
    order = np.lexsort((end, start))
    rows = np.searchsorted(start[order], np.arange(first + 1)).astype(np.int32)
    return Forest(rows, end[order].astype(np.int32), label[order])


def forests_of(trees):
    """A function from (Pair, Extract) to the forest of its extract, by the labels of ``trees``."""
    return lambda pair, extract: make_forest(trees, sentence_tokens(pair, extract.sentences), trees.labels)
