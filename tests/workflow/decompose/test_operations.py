"""The six operations on hand-made pairs, and the whole decomposition recomputed by plain loops."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.text.wordnet import open_wordnet
from vorlage.text.words import is_punctuation, is_stop_word, stem
from vorlage.workflow.decompose.operations import OPERATIONS, Hypernymy, decompose

# Synsets of a small WordNet: a ferry is a ship, a ship is a vessel; to sail is to travel.
SENSES = {
    ("ferry", "n"): [1],
    ("ship", "n"): [2],
    ("boat", "n"): [2],
    ("vessel", "n"): [3],
    ("sailed", "v"): [11],
    ("travelled", "v"): [10],
    ("captain", "n"): [5],
    ("captain", "v"): [10],
}
ABOVE = {1: [2], 2: [3], 11: [10]}


class SmallWordNet:
    def senses(self, form, part):
        return SENSES.get((form, part), [])

    def above(self, synset, only_hypernyms=False):
        assert only_hypernyms
        return [(parent, 1) for parent in ABOVE.get(synset, [])]


GENERALITY = Hypernymy(SmallWordNet())


def test_the_wordnet_of_the_package():
    hypernymy = Hypernymy(open_wordnet())
    assert hypernymy.connects("Ships", "vehicle") and hypernymy.connects("vehicle", "ships")
    assert hypernymy.connects("walked", "travels")
    # Synonyms, cousins, unknown words, closed classes.
    for word, other in (("car", "automobile"), ("cat", "dog"), ("qzx", "ship"), ("it", "ship")):
        assert not hypernymy.connects(word, other)


WORDS = ["the", "of", ",", "ferry", "ship", "boat", "vessel", "sailed", "sailing", "travelled", "captain"]


@st.composite
def linked_pairs(draw):
    sentence = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)
    document, summary = (draw(st.lists(sentence, min_size=1, max_size=size)) for size in (4, 3))
    pair = Pair(
        "a", *(make_text([" ".join(s) for s in text], tokenized=True) for text in (document, summary))
    )
    cell = st.tuples(
        st.integers(0, len(pair.summary.words) - 1), st.integers(0, len(pair.document.words) - 1)
    )
    return pair, draw(st.sets(cell, max_size=25))


def is_content(word):
    return not is_punctuation(word) and not is_stop_word(word)


def related(word, other):
    """Return whether one word is above the other in `ABOVE`, followed by hand."""
    for part in "nv":
        for low, high in ((word, other), (other, word)):
            senses, tops = SENSES.get((low, part), []), SENSES.get((high, part), [])
            above = ABOVE.get(senses[0], []) if senses else []
            while above:
                if tops and tops[0] in above:
                    return True
                above = ABOVE.get(above[0], [])
    return False


def naive(pair, cells):
    """Yield (copied, linked, sources, operations) of each summary sentence, straight from the definitions."""
    summary, document = pair.summary.words, pair.document.words
    home = {j: k for k, (a, b) in enumerate(pair.document.sentences) for j in range(a, b)}
    earlier = None
    for a, b in pair.summary.sentences:
        inside = {(i, j) for i, j in cells if a <= i < b}
        gives = {
            k: {i for i, j in inside if home[j] == k and is_content(summary[i]) and is_content(document[j])}
            for k in set(home.values())
        }
        sources = sorted(k for k, words in gives.items() if len(words) >= 2)
        inside = {(i, j) for i, j in inside if home[j] in sources}
        equal = {i for i, j in inside if stem(summary[i]) == stem(document[j])}
        reworded = {i for i, _ in inside if is_content(summary[i])} - equal
        general = {i for i in reworded if any(related(summary[i], document[j]) for x, j in inside if x == i)}
        removed = [
            j
            for j, k in home.items()
            if k in sources and is_content(document[j]) and j not in {y for _, y in inside}
        ]
        places = {
            (i, k): [j for x, j in inside if x == i and home[j] == k] for i in range(a, b) for k in sources
        }
        crossed = any(
            places[i, k] and places[later, k] and max(places[later, k]) < min(places[i, k])
            for k in sources
            for i, later in combinations(filter(lambda i: is_content(summary[i]), range(a, b)), 2)
        )
        main = min(sources, key=lambda k: (-len(gives[k]), k)) if sources else None
        facts = {
            "reduction": bool(removed),
            "combination": len(sources) > 1,
            "transformation": crossed,
            "paraphrase": bool(reworded - general),
            "generalization": bool(general),
            "reordering": main is not None and earlier is not None and main < earlier,
        }
        earlier = earlier if main is None else main
        words = [i for i in range(a, b) if not is_punctuation(summary[i])]
        copied = sum(i in equal for i in words)
        linked = sum(i in {x for x, _ in inside} for i in words)
        yield copied, linked, sources, tuple(name for name in OPERATIONS if facts[name])


@given(linked_pairs())
def test_decompositions_by_plain_loops(linked_pair):
    pair, cells = linked_pair
    decompositions = [
        (s.copied, sum(i in s.links for i in s.words), [*s.sources], s.operations)
        for s in decompose(pair, cells, GENERALITY)
    ]
    assert decompositions == list(naive(pair, cells))
