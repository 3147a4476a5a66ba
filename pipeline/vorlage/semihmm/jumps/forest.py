"""The trees of a document's sentences as the arrays that the kernels of tree walks read."""

from collections.abc import Sequence

import numpy as np

from vorlage.command.errors import InputError
from vorlage.corpus.pair import Pair
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.trees.tree_arrays import Trees

# Words of a sentence, because the walks inside it take 24 bytes for every two of its words.
LONGEST = 8_000


def sentence_tokens(pair: Pair, sentences: Sequence[int]) -> list[list[str]]:
    """Return the tokens of some sentences of a pair's document.

    Args:
        pair: the pair.
        sentences: numbers of sentences.

    Raises:
        InputError: for a sentence of more than `LONGEST` words.
    """
    spans = [pair.document.sentences[sentence] for sentence in sentences]
    longest = max(last - first for first, last in spans)
    if longest > LONGEST:
        raise InputError(
            f"pair {pair.id}: a sentence of its document has {longest:,} words, and the jump model syntax "
            f"takes at most {LONGEST:,}; split it, or leave out the pair or the jump model"
        )
    return [pair.document.words[first:last] for first, last in spans]


def make_forest(trees: Trees, sentences: Sequence[Sequence[str]], labels: Sequence[str]) -> Forest:
    """Return the forest of consecutive sentences.

    Args:
        trees: the trees of the sentences.
        sentences: the tokens of each.
        labels: those of the jump model; other labels get the number `len(labels)`.

    Raises:
        InputError: for a sentence without a tree.
    """
    numbers = {label: number for number, label in enumerate(labels)}
    renumbered = np.array([numbers.get(label, len(labels)) for label in trees.labels], dtype=np.int32)
    starts, ends, node_labels = [], [], []
    first = 0
    for tokens in sentences:
        try:
            nodes = trees.of(tokens)
        except KeyError:
            text = " ".join(tokens if len(tokens) <= 12 else [*tokens[:12], "…"])
            raise InputError(
                f'the sentence "{text}" has no tree; parse the extracts again with vorlage parse'
            ) from None
        starts.append(nodes.start + first)
        ends.append(nodes.end + first)
        node_labels.append(renumbered[nodes.label])
        first += len(tokens)
    start, end, label = (np.concatenate(parts) for parts in (starts, ends, node_labels))
    order = np.lexsort((end, start))
    rows = np.searchsorted(start[order], np.arange(first + 1)).astype(np.int32)
    return Forest(rows, end[order].astype(np.int32), label[order])
