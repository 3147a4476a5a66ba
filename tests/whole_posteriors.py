"""Posteriors of a pair from matrices of all its words."""

import numpy as np
from vorlage.semihmm.decode.posteriors import LinkFinder, PairPosteriors, agreed_phrases, by_one_direction


def by_words(words, nulls, places, phrases, kinds, sourceless=0.0):
    """Return the posteriors of words by one model, without `sourceless` shares of them (T, n)."""
    # The fake counts by frequency alone give 1 to every pair of words.
    rewrites = np.divide(
        words, sourceless, out=np.zeros(words.shape), where=np.broadcast_to(sourceless, words.shape) > 0
    )
    unigram = np.ones(words.shape[0]), np.ones(words.shape[1]), 1.0
    typed = rewrites, *(np.arange(size, dtype=np.int32) for size in words.shape), np.empty((0, 0))
    return by_one_direction(np.ascontiguousarray(words), nulls, typed, unigram, (places, phrases, kinds))


def whole(words, nulls, places, phrases, kinds, sourceless=0.0):
    """Return the posteriors by one model; the arguments are those of `by_words`."""
    found = gather(by_words(words, nulls, places, phrases, kinds, sourceless), places, phrases, kinds)
    return found if np.any(sourceless) else found._replace(words=words)


def agreed(one, other):
    """Return the posteriors of both directions, each as the arguments of `by_words`."""
    _, _, places, phrases, kinds = one
    found = by_words(*one).combine(by_words(*other))
    return gather(found, places, agreed_phrases(phrases, *other[2:4]), kinds)


def gather(found, places, phrases, kinds):
    finder = LinkFinder(found.links.shape, 0.0)
    finder.add(slice(0, len(found.links)), found.links)
    return PairPosteriors(finder.links(), found.sources, found.nulls, places, phrases, kinds)


def no_phrases():
    """Return the places, posteriors and kinds of no longer phrase pairs."""
    return np.zeros((0, 4), dtype=np.int32), np.zeros(0), np.zeros(0, dtype=np.uint8)
