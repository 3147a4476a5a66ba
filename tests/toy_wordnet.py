"""A WordNet of eleven synsets, with the part of NLTK's reader that the pipeline uses, and its distances."""

import math

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
    "trade": {"v": ["trade"], "n": [*["novel"] * 11, "computer"]},
    "a": {"n": ["device"]},
    "new": {"a": ["fresh", "novel"]},
    "laser": {"a": ["novel"]},
}
CLOSED_CLASS = {"a", "the", "and"}


class Synset:
    def __init__(self, name):
        self.name = name

    def hypernyms(self):
        return [SYNSETS[name] for name in ABOVE[self.name]]

    def instance_hypernyms(self):
        return []

    def similar_tos(self):
        pairs = [pair for pair in SIMILAR.items() if self.name in pair]
        return [SYNSETS[other] for pair in pairs for other in pair if other != self.name]

    def pos(self):
        return "s" if self.name in SIMILAR else "not asked for"


SYNSETS = {name: Synset(name) for name in ABOVE}


class ToyReader:
    def all_lemma_names(self):
        return list(LEMMAS)

    def synsets(self, lemma, part):
        return [SYNSETS[name] for name in LEMMAS.get(lemma, {}).get(part, [])]


def climbs(name, similar):
    """Return every (ancestor, number of links) above a synset, including itself."""
    above = [*ABOVE[name], *([SIMILAR[name]] if similar and name in SIMILAR else [])]
    return [(name, 0)] + [(top, far + 1) for parent in above for top, far in climbs(parent, similar)]


def rare(sense):
    """Return what a sense, the first being 0, adds to distances."""
    return 1 + math.floor(math.log2(sense)) if sense else 0


def distance(document, summary, senses="all"):
    """Return the distance of two phrases by the rule of the setting ``wordnet_senses``, or None."""
    left, right = LEMMAS.get("_".join(document), {}), LEMMAS.get("_".join(summary), {})
    if senses == "all":
        if set(document) <= CLOSED_CLASS or set(summary) <= CLOSED_CLASS:
            return None
        found = [
            a + b + rare(i) + rare(j)
            for part in left.keys() & right.keys()
            for i, x in enumerate(left[part])
            for j, y in enumerate(right[part])
            for top, a in climbs(x, True)
            for other, b in climbs(y, True)
            if top == other
        ]
        return min(found, default=None)
    for part in "nvar":
        if part in left and part in right:
            x, y = left[part][0], right[part][0]
            found = [a + b for top, a in climbs(x, False) for other, b in climbs(y, False) if top == other]
            return min(found, default=None)
    return None
