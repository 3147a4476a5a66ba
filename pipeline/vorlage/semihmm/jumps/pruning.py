"""Pruning: document sentences from which no phrase is expected are left out of the recursions.

No phrase is taken from a sentence that is left out, and jumps over it keep their probabilities. So the
probability of a pruned pair is exactly that of the alignments that use the other sentences alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vorlage.semihmm.kernels.arguments import KernelInputs
from vorlage.semihmm.kernels.transitions import Transitions
from vorlage.semihmm.kernels.tree_walks import Forest
from vorlage.semihmm.rewrite.instances import Instance
from vorlage.types import Bools, Floats, Ints, LongInts

# Expected uses are rounded to this many digits before they are compared: rounding errors decide no tie.
DIGITS = 10


def kept_spans(instance: Instance, kept: Bools) -> list[tuple[int, int]]:
    """Return the half-open word spans of the sentences that are kept, neighbours joined.

    `kept`: a truth value for each document sentence; the first is always kept.
    """
    spans: list[tuple[int, int]] = []
    for (first, last), keep in zip(instance.document_breaks, kept, strict=True):
        if keep and spans and spans[-1][1] == first:
            spans[-1] = spans[-1][0], last
        elif keep:
            spans.append((first, last))
    return spans


def words_in(spans: Sequence[tuple[int, int]]) -> LongInts:
    """Return the document words in spans, in order."""
    return np.concatenate([np.arange(first, last) for first, last in spans])


def prune_forest(instance: Instance, forest: Forest, kept: Bools) -> tuple[LongInts, Ints, Forest]:
    """Return the words, the blocks (sentences) and the forest of a pruned document.

    A sentence that is left out becomes one word, −1 in the words and never used, with the label of the whole
    sentence, so that a walk over it stays the same.
    """
    words: list[int] = []
    blocks, rows, ends, labels = [0], [0], [], []
    for (first, last), keep in zip(instance.document_breaks, kept, strict=True):
        begin = len(words)
        if keep:
            words.extend(range(first, last))
            for word in range(first, last):
                nodes = slice(forest.rows[word], forest.rows[word + 1])
                ends.extend((forest.ends[nodes] - first + begin).tolist())
                labels.extend(forest.labels[nodes].tolist())
                rows.append(len(ends))
        else:
            words.append(-1)
            ends.append(begin + 1)
            # The longest constituent that starts at its first word is the sentence.
            labels.append(int(forest.labels[forest.rows[first + 1] - 1]))
            rows.append(len(ends))
        blocks.append(len(words))
    pruned = Forest(*(np.array(part, dtype=np.int32) for part in (rows, ends, labels)))
    return np.array(words, dtype=np.int64), np.array(blocks, dtype=np.int32), pruned


def prune_inputs(
    inputs: KernelInputs, words: LongInts, transitions: Transitions
) -> tuple[KernelInputs, Bools]:
    """Return the kernel inputs for the remaining words of the document, and which longer phrases remain.

    `inputs`: for the whole document; `words`: the remaining words, −1 for a word that is never used;
    `transitions`: over them. The distinct words get one more, from which nothing is made.
    """
    document = np.append(inputs.document, inputs.word_rewrites.shape[1]).astype(np.int32)[words]
    place = np.full(len(inputs.document) + 1, -1)
    place[words] = np.arange(len(words))
    place[-1] = -1
    remains = place[inputs.phrases[:, 2]] >= 0
    phrases = inputs.phrases[remains]
    phrases[:, 2] = place[phrases[:, 2]]
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    pruned = inputs._replace(
        document=document,
        word_rewrites=np.pad(inputs.word_rewrites, ((0, 0), (0, 1))),
        phrases=phrases,
        by_end=by_end,
        phrase_rewrites=inputs.phrase_rewrites[remains],
        transitions=transitions,
    )
    return pruned, remains


def kept_next(instance: Instance, kept: Bools, words: LongInts, starts: Floats, least: float) -> Bools:
    """Return the sentences to keep next: those from which at least `least` phrases are expected, and the
    first.

    `starts`: expected phrases that start at each of `words`.
    """
    uses = np.zeros(len(instance.document))
    uses[words[words >= 0]] = starts[words >= 0]
    firsts = [first for first, _ in instance.document_breaks]
    again = kept & (np.add.reduceat(uses, firsts) >= least)
    again[0] = True
    return again


def leaves_out(settings: Mapping[str, Any]) -> bool:
    """Return whether training leaves out document sentences from one iteration to the next."""
    return bool(settings["prune"] or settings["remade_extracts"])


def sentence_uses(
    instance: Instance, words: LongInts, links: Floats, places: Ints, posteriors: Floats
) -> Floats:
    """Return how many words of each summary sentence are expected from each document sentence (S, D).

    `links` (T, m): posteriors of the links of one summary word to one of the document `words` (m), −1 for
    one that is never used; `places`, `posteriors`: the longer phrase pairs (t, k, j, l) and theirs.
    """
    summary, document = (
        np.repeat(np.arange(len(breaks)), [last - first for first, last in breaks])
        for breaks in (instance.summary_breaks, instance.document_breaks)
    )
    uses = np.zeros((len(instance.summary_breaks), len(instance.document_breaks)))
    used = words >= 0
    np.add.at(uses, (summary[:, None], document[words[used]]), links[:, used])
    t, k, j, _ = places.T
    np.add.at(uses, (summary[t], document[j]), k * posteriors)
    return uses


def kept_best(kept: Bools, uses: Floats, count: int) -> Bools:
    """Return the sentences to keep next: for each summary sentence the `count` that it uses most, and the
    first.

    `uses` (S, D): see `sentence_uses`; ties go to the earlier sentence. None comes back that is not
    `kept`.
    """
    again = np.zeros_like(kept)
    ranked = np.argsort(-np.where(kept, uses.round(DIGITS), -1.0), axis=1, kind="stable")
    again[ranked[:, :count]] = True
    again &= kept
    again[0] = True
    return again
