"""Decomposing a summary sentence into phrases cut from the document (Jing 2002, Section 3).

A summary word may come from any document position that holds the same word. An HMM whose states are
document positions and whose six bigram weights follow how people cut and paste chooses one for each.
Positions are document token indices; ``sentences`` holds the sentence number of each.
"""

import numpy as np

NOWHERE = -1  # the position of a summary word that comes from nowhere in the document

# Sequences whose log weights differ by less are a tie: rounding must not decide.
TOLERANCE = 1e-9


def occurrences(words):
    """Where each word stands: a dict, word → ascending int array of indices. None is left out."""
    found = {}
    for index, word in enumerate(words):
        if word is not None:
            found.setdefault(word, []).append(index)
    return {word: np.array(indices) for word, indices in found.items()}


def log_weights(here, there, sentences, weights, window):
    """Log weights of the bigrams from positions ``here`` to positions ``there``, an array of both lengths.

    ``weights`` are P1 … P6 of Section 3.2, ``window`` is CONST: P1 the next position of the same sentence, P2
    a later one, P3 an earlier one; P4 a sentence fewer than ``window`` after, P5 before; P6 any sentence
    further away. The paper gives no weight to using one position twice in a row; it gets P6, the smallest.
    """
    p1, p2, p3, p4, p5, p6 = np.log(weights)
    by_step = np.array([p3, p6, p1, p2])  # steps -1 or less, 0, 1, 2 or more
    by_sentence = np.array([p6] + [p5] * (window - 1) + [p6] + [p4] * (window - 1) + [p6])
    step = np.clip(there[None, :] - here[:, None], -1, 2)
    distance = np.clip(sentences[there][None, :] - sentences[here][:, None], -window, window)
    return np.where(distance == 0, by_step[step + 1], by_sentence[distance + window])


def best_positions(candidates, sentences, weights, window):
    """The most likely position of each word of a summary sentence (Viterbi, Section 3.3): an int array.

    ``candidates``: for each word the ascending array of positions it may come from. A word without any is
    NOWHERE, and its neighbours count as adjacent. All positions are equally likely for the first word. Among
    equally likely sequences the one whose first word stands earliest is chosen, then its second, and so on.
    O(words · positions²), in log space.
    """
    positions = np.full(len(candidates), NOWHERE)
    present = [word for word, places in enumerate(candidates) if len(places)]
    if not present:
        return positions
    # score[k]: the log weight of the best continuation from the k-th position of the current word.
    score = np.zeros(len(candidates[present[-1]]))
    onward = []
    for word, following in zip(present[-2::-1], present[:0:-1], strict=True):
        total = log_weights(candidates[word], candidates[following], sentences, weights, window) + score
        best = _first_largest(total)
        score = total[np.arange(len(total)), best]
        onward.append(best)
    k = _first_largest(score)
    positions[present[0]] = candidates[present[0]][k]
    for word, best in zip(present[1:], reversed(onward), strict=True):
        k = best[k]
        positions[word] = candidates[word][k]
    return positions


def phrases(positions, sentences):
    """The phrases of a summary sentence: maximal runs of words from adjacent positions of one sentence.

    Returns half-open spans of summary words. Words that are NOWHERE are in none and end the run before them.
    """
    spans = []
    for word in np.flatnonzero(positions != NOWHERE).tolist():
        here, before = positions[word], positions[word - 1]
        if spans and spans[-1][1] == word and here == before + 1 and sentences[here] == sentences[before]:
            spans[-1] = (spans[-1][0], word + 1)
        else:
            spans.append((word, word + 1))
    return spans


def cancel_mismatches(positions, sentences, content):
    """Post-editing (Section 3.4): a copy of ``positions`` in which mismatches are NOWHERE.

    ``content``: for each summary word whether it is not a stop word. Cancelled is what comes from a document
    sentence that gives this summary sentence only stop words, or a single other word. Cancelled too is a
    phrase of one stop word: the text of the paper does not say so, but in its Figures 3 and 5 `and`, `that`
    and `of` come from nowhere, although they stand in sentences that give other words.
    """
    edited = positions.copy()
    for start, end in phrases(positions, sentences):
        if end - start == 1 and not content[start]:
            edited[start] = NOWHERE
    matched = edited != NOWHERE
    source = sentences[edited[matched]]
    given = np.bincount(source, weights=content[matched], minlength=1)
    edited[np.flatnonzero(matched)[given[source] < 2]] = NOWHERE
    return edited


def cancel_short(positions, sentences, run):
    """A copy of ``positions`` in which phrases of fewer than ``run`` words are NOWHERE.

    The cut-off n of Daumé & Marcu 2005, Section 5.1.2.
    """
    edited = positions.copy()
    for start, end in phrases(positions, sentences):
        if end - start < run:
            edited[start:end] = NOWHERE
    return edited


def _first_largest(values):
    return np.argmax(values >= values.max(axis=-1, keepdims=True) - TOLERANCE, axis=-1)
