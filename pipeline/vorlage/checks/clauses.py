"""Reads the clauses of an English sentence: who does what, whether it is denied, left open, or reported."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from vorlage.checks.facts import Statements
from vorlage.checks.negation import read_negated
from vorlage.checks.phrases import BE
from vorlage.checks.subjects import Skeleton, is_form
from vorlage.text.english import ENGLISH
from vorlage.types import Span

CONDITIONS = frozenset(("if", "unless", "provided", "providing"))
SPEAKING = ENGLISH.speech_verbs | ENGLISH.opening_verbs | ENGLISH.denying_verbs


@dataclass(frozen=True)
class Part:
    """What fills a role beside a predicate.

    `head`: the place of the last noun of its noun phrase; `words`: the places of the content words of the
    phrase, of what *of* adds to it (before its verb, other prepositions too), and of its apposition.
    """

    head: int
    words: frozenset[int]

    @property
    def span(self) -> Span:
        """The half-open span of its words."""
        return min(self.words), max(self.words) + 1


@dataclass
class Clause:
    """A clause of a sentence.

    - `verb`: the place of its main verb; `predicate`: that of what follows *be*, else the same;
    - `form`: of the verb group: `finite`, `to` (infinitive), `ing`, `participle`;
    - `span`: the half-open span of words from the first auxiliary to the predicate;
    - `parts`: by role: `agent` (who does it; the subject of *be*), `patient` (the object, and the subject of
      a passive), `recipient` (the subject of a passive with an object), `time` (a date), and one role for
      each preposition, such as `from`;
    - `marker`: the word that begins the clause, such as *if*, *because* or *that*; `to` for an infinitive,
      `and` for a verb that shares its subject, `while` for a participle; empty for a main clause;
    - `above`: the number, in the list of the sentence, of the clause that it hangs on, or None;
    - `cue`: the place of the word that negates it, or None; it may be above: *failed to*;
    - `opening`: the place of the word that leaves open whether it happens, or None: *may*, or a verb above
      of wishing, asking or believing;
    - `speaker`: who says, believes or claims it, or None.
    """

    verb: int
    predicate: int
    form: str
    span: Span
    parts: dict[str, list[Part]] = field(default_factory=dict)
    marker: str = ""
    above: int | None = None
    cue: int | None = None
    opening: int | None = None
    speaker: Part | None = None

    @property
    def extent(self) -> range:
        """The places from its first word, with the one before its verb, to its last."""
        words = [i for parts in self.parts.values() for part in parts for i in part.words]
        return range(min([self.span[0] - 1, *words]), max([self.span[1], *(i + 1 for i in words)]))


def read_clauses(side: Statements, number: int) -> list[Clause]:
    """Return the clauses of a sentence, in the order of their verbs."""
    clauses, negated = _Sentence(side, number).clauses, read_negated(side, side.places(number))
    for clause in clauses:
        clause.cue = negated.get(clause.predicate, negated.get(clause.verb))
        _read_status(side, clauses, clause)
    return clauses


class _Sentence(Skeleton):
    """A sentence with its clauses; `taken`: the phrases that are subjects, and so no objects."""

    def __init__(self, side: Statements, number: int) -> None:
        super().__init__(side, number)
        self.taken = {j for k in self.verbs if self.phrases[k].form == "finite" for j in self.subjects[k]}
        self.clauses = [self._clause(k) for k in self.verbs]

    def _clause(self, k: int) -> Clause:
        phrase, parts = self.phrases[k], defaultdict[str, list[Part]](list)
        predicate = self._read_behind(k, parts)
        subjects = [self._part(j, is_subject=True) for j in self.subjects[k]]
        if phrase.is_passive:
            parts["agent"] = parts.pop("by", [])
            parts["recipient" if parts["patient"] else "patient"] += subjects
        else:
            parts["agent"] += subjects
        filled = {role: each for role, each in parts.items() if each}
        marker, verb = self.hanging[k]
        above = None if verb is None else self.verbs.index(verb)
        span = phrase.first, max(phrase.end, predicate + 1)
        return Clause(phrase.head, predicate, phrase.form, span, filled, marker, above)

    def _read_behind(self, k: int, parts: dict[str, list[Part]]) -> int:
        """Return the predicate of a verb, and add its objects and what prepositions add to its parts."""
        predicate, role, j = self.phrases[k].head, "patient", k + 1
        while j < len(self.phrases) and j not in self.taken:
            phrase, kind, following = self.phrases[j], self.kind(j), self.kind(j + 1)
            if kind == "noun":
                if self.kind(j - 1) in ("noun", "adjective"):
                    role = "patient"
                fact = self.side.fact_at(phrase.first)
                if role == "patient" and self.word(k) in BE and predicate == self.phrases[k].head:
                    predicate = phrase.head
                elif role == "patient" and fact and fact.value.kind == "date":
                    parts["time"].append(self._part(j))
                else:
                    parts[role].append(self._part(j))
            elif kind == "preposition":
                if self.word(j) == "of" and following == "noun":
                    j += 1
                elif self.kind(j - 1) != "preposition":
                    role = self.word(j)
            elif kind in ("and", ","):
                is_list = kind == "and" or self.kind(j + 2) in (",", "and")
                if not (following == "noun" and is_list) and not (kind == "," and following == "preposition"):
                    break
            elif kind != "adjective":
                break
            j += 1
        return predicate

    def _part(self, j: int, is_subject: bool = False) -> Part:
        """Return a noun phrase with what prepositions and an apposition add to it."""
        head, first = self.phrases[j].head, self.phrases[j].first
        while self.kind(j + 1) == "preposition" and self.kind(j + 2) == "noun":
            if self.word(j + 1) != "of" and not is_subject:
                break
            j += 2
        if self.kind(j + 1) == "," and self.kind(j + 2) == "noun" and self.kind(j + 3) in (",", ";"):
            j += 2
        words = range(first, self.phrases[j].end)
        return Part(head, frozenset(i for i in words if self.side.content[i]) | {head})


def _read_status(side: Statements, clauses: Sequence[Clause], clause: Clause) -> None:
    """Set what leaves a clause open, and who says it, by the clauses above it too."""
    clause.opening, each = _own_opening(side, clause), clause
    for _ in range(4):
        if each.above is None or each.marker not in ("to", "that", "whether", "if"):
            break
        above = clauses[each.above]
        asks = ENGLISH.opening_verbs | (ENGLISH.asking_verbs if each.marker == "to" else frozenset())
        if clause.opening is None and is_form(side, above.predicate, asks):
            clause.opening = above.predicate
        if clause.speaker is None and is_form(side, above.predicate, SPEAKING) and each.marker == "that":
            clause.speaker = next(iter(above.parts.get("agent", ())), None)
        each = above
    for source in (clause, each):
        if clause.speaker is None and "according" in source.parts:
            clause.speaker = source.parts["according"][0]


def _own_opening(side: Statements, clause: Clause) -> int | None:
    """Return the word in a clause that leaves it open."""
    places = range(max(clause.span[0] - 1, 0), clause.span[1])
    return next((i for i in places if side.words[i] in ENGLISH.hedges), None)
