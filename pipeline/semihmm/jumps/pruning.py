"""Parts of a document left out of the recursions: sentences that nothing is expected to come from.

No phrase is taken from a sentence that is left out; jumps over it cost what they did. So a pair's probability
under pruning is exactly that of the alignments that use the other sentences alone.
"""

import numpy as np

from pipeline.semihmm.kernels.tree_walks import Forest


def kept_spans(instance, kept):
    """The half-open word spans of the sentences that are kept, neighbours joined.

    ``kept``: a truth value for each document sentence, the first of them true.
    """
    spans = []
    for (first, last), keep in zip(instance.document_breaks, kept, strict=True):
        if keep and spans and spans[-1][1] == first:
            spans[-1] = spans[-1][0], last
        elif keep:
            spans.append((first, last))
    return spans


def words_of(spans):
    """The document words in spans, in order, int64."""
    return np.concatenate([np.arange(first, last) for first, last in spans])


def skeleton(instance, kept):
    """What walks need of a pruned document: ``(words, blocks, forest)``.

    A sentence that is left out stays as one word, −1 in ``words`` and never used, that has the label of the
    whole sentence: a walk over it is the same. ``blocks``: the sentences.
    """
    old = instance.forest
    words, blocks, rows, ends, labels = [], [0], [0], [], []
    for (first, last), keep in zip(instance.document_breaks, kept, strict=True):
        begin = len(words)
        if keep:
            words.extend(range(first, last))
            for word in range(first, last):
                nodes = slice(old.rows[word], old.rows[word + 1])
                ends.extend((old.ends[nodes] - first + begin).tolist())
                labels.extend(old.labels[nodes].tolist())
                rows.append(len(ends))
        else:
            words.append(-1)
            ends.append(begin + 1)
            # Of the constituents that start at its first word the longest is the sentence.
            labels.append(int(old.labels[old.rows[first + 1] - 1]))
            rows.append(len(ends))
        blocks.append(len(words))
    forest = Forest(*(np.array(part, dtype=np.int32) for part in (rows, ends, labels)))
    return np.array(words, dtype=np.int64), np.array(blocks, dtype=np.int32), forest


def prune(inputs, words, moves):
    """Kernel inputs for the words of the document that are left, and which longer phrases are.

    ``inputs``: a :class:`pipeline.semihmm.kernels.arguments.KernelInputs` for the whole document; ``words``: those left, −1 for
    one never used; ``moves``: over them. The distinct words get one more, that nothing is made from.
    """
    document = np.append(inputs.document, inputs.word_rewrites.shape[1]).astype(np.int32)[words]
    place = np.full(len(inputs.document) + 1, -1)
    place[words] = np.arange(len(words))
    place[-1] = -1
    there = place[inputs.phrases[:, 2]] >= 0
    phrases = inputs.phrases[there]
    phrases[:, 2] = place[phrases[:, 2]]
    by_end = np.argsort(phrases[:, 0] + phrases[:, 1], kind="stable").astype(np.int32)
    return (
        inputs._replace(
            document=document,
            word_rewrites=np.pad(inputs.word_rewrites, ((0, 0), (0, 1))),
            phrases=phrases,
            by_end=by_end,
            phrase_rewrites=inputs.phrase_rewrites[there],
            transitions=moves,
        ),
        there,
    )


def still_used(instance, kept, words, starts, least):
    """Which sentences are kept next: those from which at least ``least`` phrases are expected, and the first.

    ``starts``: expected phrases that start at each of ``words``.
    """
    uses = np.zeros(len(instance.document))
    uses[words[words >= 0]] = starts[words >= 0]
    firsts = [first for first, _ in instance.document_breaks]
    again = kept & (np.add.reduceat(uses, firsts) >= least)
    again[0] = True
    return again
