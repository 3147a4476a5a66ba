"""Decompose a summary sentence into phrases cut from the document (Jing 2002, Section 3).

A summary word may come from any document position that has the same word. An HMM, whose states are document
positions and whose six bigram weights follow the way people cut and paste, chooses a position for each word.
Positions number the document words that can be matched; `sentences` gives the sentence number of each.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from vorlage.documents.pair import Pair
from vorlage.text.words import is_stop_word
from vorlage.types import Bools, Floats, LongInts, Span

NOWHERE = -1  # the position of a summary word that comes from nowhere in the document

MIN_CONTENT_WORDS = 2  # that a document sentence gives to a summary sentence made from it (Section 3.4)
# Sequences whose log weights differ by less are a tie, which rounding must not decide.
TOLERANCE = 1e-9


def occurrences(words: Iterable[str | None]) -> dict[str, LongInts]:
    """Return the ascending indices at which each word occurs; None is skipped."""
    indices: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        if word is not None:
            indices.setdefault(word, []).append(index)
    return {word: np.array(places) for word, places in indices.items()}


def log_weights(
    origins: LongInts, targets: LongInts, sentences: LongInts, weights: Sequence[float], window: int
) -> Floats:
    """Return the log weights of the bigrams from positions `origins` (m) to `targets` (n), shape (m, n).

    P1 is for the next position in the same sentence, P2 for a later one, P3 for an earlier one; P4 for a
    sentence fewer than `window` sentences later, P5 for one as near before; P6 for any sentence further away.
    The paper gives no weight to using one position twice in a row; here it gets P6, the smallest.

    Args:
        origins: positions (m).
        targets: positions (n).
        sentences: the sentence number of each position.
        weights: P1 … P6 of Section 3.2.
        window: CONST of Section 3.2.
    """
    p1, p2, p3, p4, p5, p6 = np.log(weights)
    by_step = np.array([p3, p6, p1, p2])  # steps -1 or less, 0, 1, 2 or more
    by_sentence = np.array([p6] + [p5] * (window - 1) + [p6] + [p4] * (window - 1) + [p6])
    step = np.clip(targets[None, :] - origins[:, None], -1, 2)
    distance = np.clip(sentences[targets][None, :] - sentences[origins][:, None], -window, window)
    return np.where(distance == 0, by_step[step + 1], by_sentence[distance + window])


def best_positions(
    candidates: Sequence[LongInts], sentences: LongInts, weights: Sequence[float], window: int
) -> LongInts:
    """Return the most likely position of each word of a summary sentence (Viterbi, Section 3.3).

    A word without candidates gets NOWHERE, and its neighbours count as adjacent. All positions are equally
    likely for the first word. Of equally likely sequences, the one with the earliest position of the first
    word is chosen, then of the second word, and so on. O(words · positions²), in log space.

    Args:
        candidates: for each word the ascending array of positions that it may come from.
        sentences, weights, window: as for `log_weights`.
    """
    positions = np.full(len(candidates), NOWHERE)
    present = [word for word, places in enumerate(candidates) if len(places)]
    if not present:
        return positions
    # score[k]: the log weight of the best continuation from the k-th position of the current word.
    score = np.zeros(len(candidates[present[-1]]))
    choices: list[LongInts] = []
    for word, following in zip(present[-2::-1], present[:0:-1], strict=True):
        total = log_weights(candidates[word], candidates[following], sentences, weights, window) + score
        best = _first_largest(total)
        score = total[np.arange(len(total)), best]
        choices.append(best)
    k = _first_largest(score)
    positions[present[0]] = candidates[present[0]][k]
    for word, best in zip(present[1:], reversed(choices), strict=True):
        k = best[k]
        positions[word] = candidates[word][k]
    return positions


def find_phrases(positions: LongInts, sentences: LongInts) -> list[Span]:
    """Return the phrases of a summary sentence: maximal runs of words from adjacent positions in a sentence.

    Phrases are half-open spans of summary words. A word that is NOWHERE belongs to no phrase and ends the run
    before it.
    """
    spans: list[Span] = []
    for word in np.flatnonzero(positions != NOWHERE).tolist():
        position, previous = positions[word], positions[word - 1]
        adjacent = position == previous + 1 and sentences[position] == sentences[previous]
        if spans and spans[-1][1] == word and adjacent:
            spans[-1] = (spans[-1][0], word + 1)
        else:
            spans.append((word, word + 1))
    return spans


def find_sources(pair: Pair, links: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the sources of a summary sentence: document sentence → number of content words linked into it.

    A document sentence is a source if content words of it are linked to at least `MIN_CONTENT_WORDS` content
    words of the summary sentence. Links into other sentences are mismatches: of stop words, which writers
    insert themselves, or of an isolated word, and people rarely cut single words. These are the two rules of
    post-editing in Jing (2002), Section 3.4. A content word is any that is not a stop word.

    Args:
        pair: the pair.
        links: the word links (summary token, document token) of one of its summary sentences.

    Returns:
        the sources in the order of the document.
    """
    summary, document = pair.summary, pair.document
    content_links = {
        (i, document.sentence_numbers[j])
        for i, j in links
        if not is_stop_word(summary.words[i], summary.language)
        and not is_stop_word(document.words[j], document.language)
    }
    counts = Counter(sentence for _, sentence in content_links)
    return {
        sentence: counts[sentence] for sentence in sorted(counts) if counts[sentence] >= MIN_CONTENT_WORDS
    }


def cancel_lone_stop_words(positions: LongInts, sentences: LongInts, content: Bools) -> LongInts:
    """Return a copy of `positions` in which phrases of one stop word are NOWHERE.

    Jing (2002) does not write of this rule, but in her Figures 3 and 5 `and`, `that` and `of` come from
    nowhere, although they are in document sentences that give other words.

    Args:
        positions: the position of each summary word.
        sentences: the sentence number of each position.
        content: for each summary word whether it is not a stop word.
    """
    edited = positions.copy()
    for start, end in find_phrases(positions, sentences):
        if end - start == 1 and not content[start]:
            edited[start] = NOWHERE
    return edited


def cancel_short(positions: LongInts, sentences: LongInts, run: int) -> LongInts:
    """Return a copy of `positions` in which phrases of fewer than `run` words are NOWHERE.

    This is the cut-off n of Daumé & Marcu 2005, Section 5.1.2.
    """
    edited = positions.copy()
    for start, end in find_phrases(positions, sentences):
        if end - start < run:
            edited[start:end] = NOWHERE
    return edited


def _first_largest(values: Floats) -> LongInts:
    """Return the index of the first of the largest values along the last axis, up to `TOLERANCE`."""
    return np.argmax(values >= values.max(axis=-1, keepdims=True) - TOLERANCE, axis=-1)
