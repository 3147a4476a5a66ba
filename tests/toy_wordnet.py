"""A WordNet of eleven synsets, with the interface of the pipeline's reader, and its distances."""

import math
from functools import cache

import numpy as np

ABOVE = {
    "entity": (),
    "machine": ("entity",),
    "computer": ("machine",),
    "pc": ("computer",),
    "printer": ("machine", "device"),
    "device": ("entity",),
    "sell": (),
    "trade": (),
    "offer": ("trade",),
    "novel": (),
    "fresh": (),
}
VERBS = {"sell", "trade", "offer"}
# Adjective → the main adjective that it is similar to.
SIMILAR = {"fresh": "novel"}
# lemma → part of speech → its senses, the most frequent first
LEMMAS = {
    "machine": {"n": ["machine", "device"]},
    "machines": {"n": ["machine"]},
    "computer": {"n": ["computer"]},
    "computers": {"n": ["computer", "pc"]},
    "personal_computer": {"n": ["pc"]},
    "pc": {"n": ["pc"]},
    "printer": {"n": ["printer", "entity"]},
    "sells": {"v": ["sell", "trade"]},
    "sell": {"v": ["sell"]},
    "offers": {"n": ["device"], "v": ["offer"]},
    "trade": {"v": ["trade"], "n": [*["device"] * 11, "computer"]},
    "a": {"n": ["device"]},
    "new": {"a": ["fresh", "novel"]},
    "laser": {"a": ["novel"]},
}
CLOSED_CLASS = {"a", "the", "and"}


NAMES = list(ABOVE)


class ToyReader:
    """The interface of `vorlage.text.wordnet.WordNet`."""

    def knows(self, form):
        return form in LEMMAS

    def beginnings(self, word):
        longer = [lemma.split("_") for lemma in LEMMAS if lemma.startswith(f"{word}_")]
        return {"_".join(words[:i]) for words in longer for i in range(1, len(words))}

    def senses(self, form, part):
        return [NAMES.index(name) for name in LEMMAS.get(form, {}).get(part, [])]

    def links(self):
        above = [
            [(SIMILAR[name], 1)]
            if name in SIMILAR
            else [(parent, content(name) - content(parent)) for parent in ABOVE[name]]
            for name in NAMES
        ]
        at = np.cumsum([0, *map(len, above)], dtype=np.int32)
        names, lengths = zip(*(link for links in above for link in links), strict=True)
        numbers = np.array([NAMES.index(name) for name in names], dtype=np.int32)
        return (
            at,
            numbers,
            np.array(lengths, dtype=np.int8),
            np.array([name not in SIMILAR for name in NAMES]),
        )


def part_of(name):
    return "v" if name in VERBS else "s" if name in SIMILAR else "a" if name in SIMILAR.values() else "n"


@cache
def content(name):
    """Return the information content of a noun or verb synset."""
    every = [other for other in ABOVE if part_of(other) == part_of(name)]
    return round(-math.log2(sum(name in dict(climbs(other)) for other in every) / len(every)))


@cache
def climbs(name):
    """Return every (ancestor, number of links) above a synset, including itself."""
    return [(name, 0)] + [(top, far + 1) for parent in ABOVE[name] for top, far in climbs(parent)]


def losses(name):
    """Return every (ancestor, information content lost on the way), including the synset itself."""
    if part_of(name) in "as":
        return [(name, 0), *((main, 1) for main in [SIMILAR.get(name)] if main)]
    return [(top, content(name) - content(top)) for top, _ in climbs(name)]


def rare(sense):
    """Return what a sense, the first being 0, adds to distances."""
    return 1 + math.floor(math.log2(sense)) if sense else 0


@cache
def distance(document, summary, first_senses=False):
    """Return the distance of two phrases by all senses or by first senses, or None."""
    left, right = LEMMAS.get("_".join(document), {}), LEMMAS.get("_".join(summary), {})
    if not first_senses:
        if set(document) <= CLOSED_CLASS or set(summary) <= CLOSED_CLASS:
            return None
        found = [
            a + b + rare(i) + rare(j)
            for part in left.keys() & right.keys()
            for i, x in enumerate(left[part])
            for j, y in enumerate(right[part])
            for top, a in losses(x)
            for other, b in losses(y)
            if top == other
        ]
        return min(found, default=None)
    for part in "nvar":
        if part in left and part in right:
            x, y = left[part][0], right[part][0]
            found = [a + b for top, a in climbs(x) for other, b in climbs(y) if top == other]
            return min(found, default=None)
    return None
