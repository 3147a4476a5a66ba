"""Posteriors of a pair from matrices of all its words."""

import numpy as np
from vorlage.semihmm.decode.posteriors import LinkFinder, Posteriors, WordPosteriors, agreed_phrases


def whole(words, nulls, places, phrases, kinds, sourceless=0.0):
    """Return the posteriors by one model; the arguments are those of `WordPosteriors.of`."""
    found = WordPosteriors.of(words, nulls, places, phrases, kinds, sourceless)
    return gather(found, words, places, phrases, kinds)


def agreed(one, other):
    """Return the posteriors of both directions, each as the arguments of `WordPosteriors.of`."""
    _, _, places, phrases, kinds = one
    found = WordPosteriors.of(*one).combine(WordPosteriors.of(*other))
    return gather(found, None, places, agreed_phrases(places, phrases, *other[2:4]), kinds)


def gather(found, words, places, phrases, kinds):
    finder = LinkFinder(found.links.shape, 0.0)
    finder.add(slice(0, len(found.links)), found.links)
    rest = found.sources, found.nulls, places, phrases, kinds, found.adjusted
    return Posteriors(finder.links(), words, *rest)


def no_phrases():
    """Return the places, posteriors and kinds of no longer phrase pairs."""
    return np.zeros((0, 4), dtype=np.int32), np.zeros(0), np.zeros(0, dtype=np.uint8)
