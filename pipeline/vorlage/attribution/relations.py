"""How the meanings of two English words relate: by WordNet, by prefixes, and by the direction they state."""

from functools import lru_cache
from typing import Literal, TypeAlias

from vorlage.text.wordnet import PARTS_OF_SPEECH, open_wordnet
from vorlage.text.words import stem

Relation: TypeAlias = Literal["same", "synonym", "broader", "narrower", "antonym", "none"]

# Links to hypernyms that are followed, and senses of a word that are looked at, the most frequent.
DEPTH, SENSES = 3, 6
PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis")
# Words of opposite directions. WordNet has few of these pairs, and none of their combinations.
_DIRECTIONS = (
    (
        """rise rises rose risen rising increase increases increased increasing climb climbs climbed climbing
        gain gains gained gaining grow grows grew grown growing growth jump jumped soar soared surge surged
        up upward higher raise raised raising expand expanded boost boosted improve improved improving
        improvement strengthen strengthened accelerate accelerated""",
        """fall falls fell fallen falling decrease decreases decreased decreasing drop drops dropped dropping
        decline declines declined declining shrink shrank shrunk shrinking plunge plunged slump slumped sink
        sank down downward lower lowered lowering reduce reduced reducing cut cutting worsen worsened
        worsening weaken weakened slow slowed hinder hindered""",
    ),
    ("more larger bigger greater most largest biggest", "less smaller fewer lesser least smallest fewest"),
    ("before earlier prior preceding", "after later following since"),
    ("above over exceed exceeds exceeded", "below under"),
    ("first beginning start started starts begin begins began opening", "last end ended ends final closing"),
    (
        "open opens opened reopen reopened launch launched",
        "close closes closed closing shut shuts shutting",
    ),
    ("win wins won winning victory", "lose loses lost losing defeat defeated"),
    (
        "accept accepts accepted approve approves approved agree agreed",
        "reject rejects rejected refuse refused",
    ),
    (
        "support supports supported favour favor backed backs",
        "oppose opposes opposed against criticise criticised",
    ),
    ("include includes included including", "exclude excludes excluded excluding except"),
    (
        "allow allows allowed permit permitted",
        "ban bans banned forbid forbidden prohibit prohibited block blocked",
    ),
    ("profit profits profitable earnings", "loss losses unprofitable"),
    ("expensive costly pricey", "cheap inexpensive affordable"),
    ("mandatory compulsory obligatory required", "voluntary optional"),
    ("easy simple", "difficult hard complicated"),
    ("positive optimistic", "negative pessimistic"),
    ("arrive arrived join joined enter entered", "leave left depart departed quit"),
    (
        "male man men boy boys husband father son brother he",
        "female woman women girl girls wife mother daughter sister she",
    ),
    ("hire hired", "fire fired dismiss dismissed"),
    ("buy buys bought purchase purchased", "sell sells sold"),
    ("new newer newest young younger", "old older oldest"),
    ("strong stronger", "weak weaker"),
    ("maximum maximise maximize", "minimum minimise minimize"),
    ("public", "private"),
    ("early", "late"),
    ("high", "low"),
    ("always often frequently", "never rarely seldom"),
)  # fmt: skip


def _sides() -> dict[str, set[tuple[int, int]]]:
    sides: dict[str, set[tuple[int, int]]] = {}
    for number, pair in enumerate(_DIRECTIONS):
        for side, words in enumerate(pair):
            for word in words.split():
                sides.setdefault(word, set()).add((number, side))
    return sides


_SIDES = _sides()


@lru_cache(maxsize=1 << 16)
def opposite(word: str, other: str) -> bool:
    """Return whether two words in lower case are antonyms, or state opposite directions."""
    if any((number, 1 - side) in _SIDES.get(other, ()) for number, side in _SIDES.get(word, ())):
        return True
    for first, second in ((word, other), (other, word)):
        for prefix in PREFIXES:
            if first.startswith(prefix) and len(second) > 3 and stem(first[len(prefix) :]) == stem(second):
                return True
    wordnet = open_wordnet()
    return not wordnet.antonyms(word).isdisjoint(wordnet.lemmas_of(other))


@lru_cache(maxsize=1 << 16)
def relation(word: str, other: str) -> Relation:
    """Return how the meaning of a word relates to that of another, both in lower case.

    They are the `same` with a common stem; `broader` and `narrower` follow up to `DEPTH` links to hypernyms.
    """
    if stem(word) == stem(other):
        return "same"
    if opposite(word, other):
        return "antonym"
    wordnet = open_wordnet()
    if not wordnet.lemmas_of(word).isdisjoint(wordnet.lemmas_of(other)):
        return "same"
    senses, others = _senses(word), _senses(other)
    if senses & others:
        return "synonym"
    if senses & _above(other):
        return "broader"
    return "narrower" if others & _above(word) else "none"


@lru_cache(maxsize=1 << 16)
def _senses(word: str) -> frozenset[int]:
    wordnet = open_wordnet()
    return frozenset(sense for part in PARTS_OF_SPEECH for sense in wordnet.senses(word, part)[:SENSES])


@lru_cache(maxsize=1 << 16)
def _above(word: str) -> frozenset[int]:
    """Return the synsets above the senses of a word."""
    wordnet, synsets, level = open_wordnet(), set[int](), set(_senses(word))
    for _ in range(DEPTH):
        level = {above for synset in level for above, _ in wordnet.above(synset)} - synsets
        synsets |= level
    return frozenset(synsets)
