"""A WordNet of nine synsets, with the part of NLTK's reader that the pipeline uses."""

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
}
# lemma → part of speech → first synset
LEMMAS = {
    "machine": {"n": "machine"},
    "machines": {"n": "machine"},
    "computer": {"n": "computer"},
    "computers": {"n": "computer"},
    "personal_computer": {"n": "pc"},
    "pc": {"n": "pc"},
    "printer": {"n": "printer"},
    "sells": {"v": "sell"},
    "sell": {"v": "sell"},
    "offers": {"n": "device", "v": "offer"},
    "trade": {"v": "trade"},
}


class Synset:
    def __init__(self, name):
        self.name = name

    def hypernyms(self):
        return [SYNSETS[name] for name in ABOVE[self.name]]

    def instance_hypernyms(self):
        return []

    def offset(self):
        return sorted(ABOVE).index(self.name)


SYNSETS = {name: Synset(name) for name in ABOVE}


class ToyReader:
    def all_lemma_names(self):
        return list(LEMMAS)

    def synsets(self, lemma, part):
        name = LEMMAS.get(lemma, {}).get(part)
        return [SYNSETS[name]] if name else []

    def synset_from_pos_and_offset(self, part, offset):
        return SYNSETS[sorted(ABOVE)[offset]]


def climbs(name):
    """Return every (ancestor, number of links) above a synset, including itself."""
    return [(name, 0)] + [(top, far + 1) for parent in ABOVE[name] for top, far in climbs(parent)]


def distance(document, summary):
    """Return the links between the first senses of two phrases in a part of speech of both, or None."""
    left, right = LEMMAS.get("_".join(document), {}), LEMMAS.get("_".join(summary), {})
    for part in "nvar":
        if part in left and part in right:
            meetings = [a + b for x, a in climbs(left[part]) for y, b in climbs(right[part]) if x == y]
            return min(meetings, default=None)
    return None
