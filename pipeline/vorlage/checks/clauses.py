"""Reads the clauses of an English sentence: who does what to whom, whether it is denied, left open, or reported."""

from collections import defaultdict
from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from vorlage.checks.facts import Name, Statements
from vorlage.checks.negation import is_idle
from vorlage.checks.phrases import BE, PROPER, Phrase, read_phrases
from vorlage.text.english import ENGLISH
from vorlage.text.wordnet import open_wordnet
from vorlage.text.words import AUXILIARIES
from vorlage.types import Span

GIVE = frozenset("give send sell pay hand lend offer award show teach grant owe donate".split())
# Verbs whose object does what the infinitive says.
CONTROL = frozenset("ask tell urge order allow permit want expect encourage invite require warn advise call".split())
# Verbs of which the infinitive happens.
WISHES = frozenset("seek threaten promise propose offer try attempt consider pledge vow".split())
NEGATING = frozenset("fail refuse decline deny avoid prevent stop cease unable reluctant forget neglect reject refrain dismiss bar ban".split())
# Verbs of believing, wishing and claiming, which leave open what the clause after them says.
OPEN = frozenset("believe think suspect fear claim allege hope expect want wish assume suggest plan intend aim seem appear likely possible anticipate predict".split())
SAYING = ENGLISH.speech_verbs | frozenset("show find found note report state confirm write".split())
CONDITIONS = frozenset(("if", "unless", "provided", "providing"))
DENIALS = ENGLISH.negations | {"no"}


@dataclass(frozen=True)
class Part:
    """What fills a role beside a predicate.

    `head`: the place of the last noun of its noun phrase; `words`: the places of the content words of the phrase, with
    those of what *of* and other prepositions add to it and of its apposition.
    """

    head: int
    words: frozenset[int]


@dataclass
class Clause:
    """A clause of a sentence.

    - `verb`: the place of its main verb; `predicate`: that place, or that of the adjective or noun after *be*;
    - `form`: of the verb group: `finite`, `to` (infinitive), `ing`, `participle`;
    - `span`: the half-open span of words from the first auxiliary to the predicate;
    - `parts`: by role: `agent` (who does it, also of a passive with *by*; the subject of *be*), `patient` (the object, and
      the subject of a passive), `recipient` (of *give* and the like), `time` (a noun phrase without a preposition), and one
      role per preposition, named by it, such as `from` and `on`;
    - `cue`: the place of the word that negates it, or None; two negations cancel. It may be part of the clause, or the
      predicate above (*failed to*, *denied that*);
    - `opening`: the place of the word that leaves open whether it happens, or None: *may*, a verb of wishing, believing or asking
      above, the word that begins a condition;
    - `marker`: the word that begins the clause, such as *if*, *because*, *that*; also *to*, a preposition before a gerund, *and*
      for a verb that shares a subject, *relative*; empty for a main clause;
    - `above`: the number of the clause that it hangs on in the list of the sentence, or None;
    - `speaker`: who says, believes or claims it, or None.
    """

    verb: int
    predicate: int
    form: str
    span: Span
    parts: dict[str, list[Part]] = field(default_factory=dict)
    cue: int | None = None
    opening: int | None = None
    marker: str = ""
    above: int | None = None
    speaker: Part | None = None

    @property
    def extent(self) -> range:
        """The places from its first word, with the one before its verb, to its last."""
        words = [i for parts in self.parts.values() for part in parts for i in part.words]
        return range(min([self.span[0] - 1, *words]), max([self.span[1], *(i + 1 for i in words)]))


def read_clauses(side: Statements, number: int) -> list[Clause]:
    """Return the clauses of a sentence, in the order of their verbs."""
    return _Sentence(side, number).clauses


class _Sentence:
    """A sentence whose clauses are read.

    `subjects`: the phrases that are subjects of each verb; `hanging`: the marker and the verb above each; both by the
    number of the phrase.
    """

    def __init__(self, side: Statements, number: int) -> None:
        self.side, self.phrases = side, read_phrases(side, number)
        self.verbs = [k for k, phrase in enumerate(self.phrases) if phrase.kind == "verb"]
        self.subjects: dict[int, list[int]] = {}
        self.hanging: dict[int, tuple[str, int | None]] = {}
        self.fronted: dict[int, list[int]] = defaultdict(list)
        for k in self.verbs:
            self.subjects[k], self.hanging[k] = self._find_subject(k)
        self._find_inverted()
        self.taken = {
            j
            for k in self.verbs
            if self.phrases[k].form == "finite" and self.hanging[k][0] != "relative"
            for j in self.subjects[k]
        }
        self.clauses = [self._clause(k) for k in self.verbs]
        for k, clause in zip(self.verbs, self.clauses, strict=True):
            marker, above = self.hanging[k]
            clause.marker, clause.above = marker, None if above is None else self.verbs.index(above)
        for clause in self.clauses:
            self._read_status(clause)

    def _kind(self, k: int) -> str:
        return self.phrases[k].kind if 0 <= k < len(self.phrases) else ";"

    def _word(self, k: int) -> str:
        return self.side.lower[self.phrases[k].head]

    def _is(self, place: int, words: Set[str]) -> bool:
        """Return whether a word is a form of one of some words."""
        return not words.isdisjoint(open_wordnet().lemmas_of(self.side.lower[place]))

    def _verb_is(self, k: int, words: Set[str]) -> bool:
        return self._is(self.phrases[k].head, words)

    # --- subjects ---

    def _find_subject(self, k: int) -> tuple[list[int], tuple[str, int | None]]:
        """Return the phrases that are the subject of a verb, its marker and the verb above it."""
        phrase, before = self.phrases[k], self._kind(k - 1)
        earlier = [m for m in self.verbs if m < k]
        last = earlier[-1] if earlier else None
        if phrase.form == "to":
            return self._controller(k, last)
        if before == "and" and earlier:
            peers = [m for m in earlier if self.phrases[m].form == phrase.form or phrase.form == "finite"]
            peers = [m for m in peers if self.hanging[m][0] != "relative"] or peers
            if peers and not (phrase.form == "finite" and self.phrases[peers[-1]].form in ("ing", "participle")):
                return self.subjects[peers[-1]], ("and", peers[-1])
            finite = [m for m in earlier if self.phrases[m].form == "finite"]
            if finite:
                return self.subjects[finite[-1]], ("and", finite[-1])
        if phrase.form == "finite":
            return self._finite_subject(k, last)
        following = next((m for m in self.verbs if m > k and self.phrases[m].form == "finite"), None)
        if before in ("preposition", "subordinator"):
            above = last if last is not None else following
            marker = self._word(k - 1)
            if above is not None and marker == "from" and (found := self._objects_between(above, k)):
                return found, (marker, above)
            return ([] if above is None else self.subjects.get(above, [])), (marker, above)
        if before == "noun":
            return [k - 1], ("relative", last)
        if before == "," and phrase.form == "participle" and self._kind(k - 2) == "noun":
            return [k - 2], ("relative", last)
        above = last if last is not None else following
        return ([] if above is None else self.subjects.get(above, [])), ("while", above)

    def _controller(self, k: int, last: int | None) -> tuple[list[int], tuple[str, int | None]]:
        if last is None:
            return [], ("purpose", next((m for m in self.verbs if m > k), None))
        found = self._objects_between(last, k)
        if self._kind(k - 1) in ("noun", ",") and not found:  # *voted on Monday to sell*
            return self.subjects[last], ("purpose", last)
        controls = self._verb_is(last, CONTROL)
        if found and not self.phrases[last].is_passive and not controls:
            return self.subjects[last], ("purpose", last)
        return (found if found and not self.phrases[last].is_passive else self.subjects[last]), ("to", last)

    def _objects_between(self, verb: int, k: int) -> list[int]:
        return [j for j in range(verb + 1, k) if self._kind(j) == "noun" and j == verb + 1]

    def _finite_subject(self, k: int, last: int | None) -> tuple[list[int], tuple[str, int | None]]:
        if self._kind(k - 1) == "relative" or (self._kind(k - 1) == "," and self._kind(k - 2) == "relative"):
            noun = next((j for j in range(k - 2, -1, -1) if self._kind(j) == "noun"), None)
            return ([] if noun is None else [noun]), ("relative", last)
        j, fronted = k - 1, list[int]()
        while j >= 0:
            kind = self._kind(j)
            if kind == "noun":
                start = j
                while self._kind(start - 1) == "preposition" and self._kind(start - 2) == "noun":
                    start -= 2
                if self._kind(start - 1) == "preposition":
                    fronted += [start]
                    j = start - 2
                    continue
                apposed = self._kind(k - 1) == self._kind(start - 1) == "," and self._kind(start - 2) == "noun"
                if apposed:
                    start -= 2
                    while self._kind(start - 1) == "preposition" and self._kind(start - 2) == "noun":
                        start -= 2
                if self._kind(k - 1) == "," and self._kind(start - 1) == "verb":  # *bought it, sold it*
                    verb = start - 1
                    return self.subjects[verb], ("and", verb)
                return self._with_joined(k, start), self._mark(k, start)
            if kind == "verb":
                if self.phrases[j].form == "finite":
                    opening = next((m for m in range(j, -1, -1) if self._kind(m) in ("relative", ";")), -1)
                    if opening < 0 or self._kind(opening) != "relative":
                        break
                    j = opening
            elif kind in ("subordinator", ";") or (kind == "and" and j < k - 1):
                break
            j -= 1
        self.fronted[k] = fronted
        return [], self._mark(k, j + 1)

    def _with_joined(self, k: int, start: int) -> list[int]:
        """Return a noun phrase with those that *and* joins to it, if no verb stands before."""
        subjects = [start]
        while self._kind(start - 1) == "and" and self._kind(start - 2) == "noun":
            if any(self._kind(m) == "verb" for m in range(self._boundary(start), start)):
                break
            start -= 2
            while self._kind(start - 1) == "preposition" and self._kind(start - 2) == "noun":
                start -= 2
            subjects.append(start)
        return subjects[::-1]

    def _boundary(self, k: int) -> int:
        """Return the phrase after the last one that begins or ends a clause."""
        while k > 0 and self._kind(k - 1) not in ("subordinator", ";", ",", "relative"):
            k -= 1
        return k

    def _mark(self, k: int, start: int) -> tuple[str, int | None]:
        """Return what begins the clause whose subject begins with a phrase, and the verb above it."""
        m = start - 1
        while m >= 0 and self._kind(m) in ("preposition", "noun", ",", "adjective"):
            m -= 1
        earlier = [v for v in self.verbs if v < start]
        last = earlier[-1] if earlier else None
        following = next((v for v in self.verbs if v > k and self.phrases[v].form == "finite"), None)
        if self._kind(m) == "subordinator" and (last is None or m > last):
            word = self._word(m)
            if word == "that" and self._kind(m - 1) == "and":  # *said that he came and that he left*
                joined = [self.hanging[v] for v in earlier if self.hanging[v][0] == "that"]
                return joined[-1] if joined else (word, last)
            if word in ("that", "how", "why", "where") or (last is not None and last == m - 1 and word in ("whether", "if")):
                return word, last
            finite = [v for v in earlier if self.phrases[v].form != "participle"]
            return word, finite[-1] if finite else following
        if self._kind(start - 1) == "relative":
            return "relative", last
        if self._kind(start - 1) == "verb" and self._verb_is(start - 1, SAYING):
            return "that", start - 1
        return "", None

    def _find_inverted(self) -> None:
        """Find the speakers in *…, said Ana Roth*, and what stands before *…, Ana Roth said*."""
        for k in self.verbs:
            if not self._verb_is(k, SAYING) or self.phrases[k].form != "finite":
                continue
            after = self._kind(k + 1) == "noun" and self._kind(k - 1) == ","
            if after and (not self.subjects[k] or self._kind(k + 2) in (";", ",")):
                self.subjects[k] = [k + 1]
            below = [m for m in self.verbs if self.hanging[m] == ("that", k)]
            said = self.subjects[k] and (self.subjects[k][0] > k or self._kind(self.subjects[k][0] - 1) == ",")
            if said and not below and self.hanging[k][0] == "":
                for m in self.verbs:
                    if m != k and self.hanging[m][1] is None and self.hanging[m][0] == "":
                        self.hanging[m] = "that", k
                self.hanging[k] = "", None

    # --- parts ---

    def _clause(self, k: int) -> Clause:
        phrase, parts = self.phrases[k], defaultdict[str, list[Part]](list)
        predicate, objects = self._read_behind(k, parts)
        subjects = [self._part(j, is_subject=True) for j in self.subjects[k]]
        if self._relative_object(k, objects) is not None:
            objects = [self._part(self._relative_object(k, objects) or 0)]
        gives = self._verb_is(k, GIVE)
        if phrase.is_passive:
            parts["agent"] = parts.pop("by", [])
            parts["recipient" if objects else "patient"] += subjects
            parts["patient"] += objects
        else:
            parts["agent"] += subjects
            if gives and len(objects) > 1:
                parts["recipient"] += objects[:1]
                objects = objects[1:]
            parts["patient"] += objects
        if gives and "to" in parts:
            parts["recipient"] += parts.pop("to")
        for j in self.fronted[k]:
            role = j - 2 if self._kind(j - 2) == "preposition" else j - 1
            parts[self._word(role)].append(self._part(j))
        end = max(phrase.end, predicate + 1)
        parts = defaultdict(list, {role: each for role, each in parts.items() if each})
        return Clause(phrase.head, predicate, phrase.form, (phrase.first, end), dict(parts))

    def _relative_object(self, k: int, objects: list[Part]) -> int | None:
        """Return the noun before *that* in *the firm that Lumen bought*."""
        start = min(self.subjects[k], default=0)
        behind = self._kind(start - 1) == "relative" and self._kind(start - 2) != "preposition"
        if self.hanging[k][0] == "relative" and not objects and behind:
            return next((j for j in range(start - 2, -1, -1) if self._kind(j) == "noun"), None)
        return None

    def _read_behind(self, k: int, parts: dict[str, list[Part]]) -> tuple[int, list[Part]]:
        """Return the predicate of a verb and its objects, and add what prepositions add to its parts."""
        predicate, objects, j = self.phrases[k].head, list[Part](), k + 1
        is_copula = self._word(k) in BE
        last = objects
        while j < len(self.phrases):
            phrase, kind = self.phrases[j], self._kind(j)
            if j in self.taken or (j in self.subjects[k] and kind == "noun"):
                break
            if kind == "noun":
                if is_copula and predicate == self.phrases[k].head:
                    predicate = phrase.head
                elif self._is_time(phrase):
                    parts["time"].append(self._part(j))
                else:
                    objects.append(self._part(j))
                    last = objects
            elif kind == "adjective" and is_copula and predicate == self.phrases[k].head:
                predicate = phrase.head
            elif kind == "preposition":
                inner = j + 1 + (self._kind(j + 1) == "preposition")
                if self._kind(inner) != "noun" or inner in self.taken:
                    break
                role = self._word(j)
                before = self.side.lower[phrase.first - 1]
                if before == "not" or (role == "than" and before == "rather"):  # *rather than to the weather*
                    role = f"not {self._word(inner - 1) if role == 'than' else role}"
                if role != "of" and inner not in self.taken:
                    parts[role].append(self._part(inner))
                    last = parts[role]
                j = inner
            elif kind == "and" and self._kind(j + 1) == "noun" and j + 1 not in self.taken and last:
                last.append(self._part(j + 1))
                j += 1
            elif kind == "," and self._kind(j + 1) == "noun" and self._kind(j + 2) in (",", "and") and last:
                if j + 1 in self.taken:
                    break
                last.append(self._part(j + 1))
                j += 1 + (self._kind(j + 2) == ",")
            elif not (kind == "," and self._kind(j + 1) == "preposition") and kind != "adjective":
                break
            j += 1
        return predicate, objects

    def _part(self, j: int, is_subject: bool = False) -> Part:
        """Return a noun phrase with what prepositions and an apposition add to it."""
        phrase, words = self.phrases[j], list[int]()
        words += range(phrase.first, phrase.end)
        while self._kind(j + 1) == "preposition" and self._kind(j + 2) == "noun":
            j += 2
            if self._word(j - 1) == "of" or is_subject:
                words += range(self.phrases[j].first, self.phrases[j].end)
            else:
                break
        if self._kind(j + 1) == "," and self._kind(j + 2) == "noun":
            k = j + 2
            while self._kind(k + 1) == "preposition" and self._kind(k + 2) == "noun":
                k += 2
            if self._kind(k + 1) in (",", ";"):
                words += range(self.phrases[j + 2].first, self.phrases[k].end)
        return Part(phrase.head, frozenset(i for i in words if self.side.content[i]) | {phrase.head})

    def _is_time(self, phrase: Phrase) -> bool:
        fact = self.side.fact_at(phrase.first)
        is_date = fact is not None and fact.value.kind == "date"
        is_near = self.side.lower[phrase.first] in ("last", "next")
        return is_date or is_near or ENGLISH.units.get(self.side.lower[phrase.head], "")[:1] == ("time",)

    # --- status ---

    def _read_status(self, clause: Clause) -> None:
        cues = [*self._own_cues(clause)]
        clause.opening = self._own_opening(clause)
        each, depth = clause, 0
        while each.above is not None and depth < 4 and each.marker in ("to", "that", "and", "from", "whether", "if"):
            above = self.clauses[each.above]
            if each.marker == "and":
                if each.form == "finite":
                    break
                each, depth = above, depth + 1
                continue
            place = above.predicate
            negates = self._is(place, NEGATING)
            if negates or self._is_yet(above):
                cues.append(above.predicate)
            if each.marker == "to" or self._is(place, ENGLISH.truth_words | {"believe", "think"}):
                cues += self._own_cues(above)
            wished = each.marker == "to" and self._is(place, OPEN | CONTROL | WISHES)
            claimed = each.marker == "that" and self._is(place, OPEN)
            if clause.opening is None and (wished or claimed or (each.marker in ("whether", "if"))):
                clause.opening = above.predicate
            if clause.opening is None and each.marker == "to":
                clause.opening = self._own_opening(above)
            speaks = each.marker == "that" and self._is(place, SAYING | OPEN | NEGATING)
            if speaks and clause.speaker is None and "agent" in above.parts:
                clause.speaker = above.parts["agent"][0]
            each, depth = above, depth + 1
        if clause.opening is None and each.marker in CONDITIONS | {"whether"}:
            clause.opening = each.verb
        for source in (clause, each):
            if clause.speaker is None and "according" in source.parts:
                clause.speaker = source.parts["according"][0]
        clause.cue = cues[0] if len(cues) % 2 else None

    def _is_yet(self, clause: Clause) -> bool:
        return "yet" in self.side.lower[clause.span[0] : clause.span[1] + 1]

    def _own_cues(self, clause: Clause) -> Iterator[int]:
        """Yield the words in a clause that negate it."""
        lower = self.side.lower
        end = min(clause.span[1] + (lower[clause.verb] in BE | AUXILIARIES), len(lower))
        for i in range(max(clause.span[0] - 1, 0), end):
            inside = i < clause.span[1] or lower[i] in ("never", "not")
            if i == clause.span[0] - 1 and lower[i] not in ("not", "never", "hardly", "without"):
                continue
            if lower[i] in DENIALS and inside and not self._is_idle(i):
                yield i
        for role in ("agent", "patient"):
            for part in clause.parts.get(role, []):
                first = min(part.words)
                near = [i for i in range(max(first - 2, 0), part.head + 1) if lower[i] in ENGLISH.negative_subjects | {"nor"}]
                yield from [i for i in near if not self._is_idle(i) and i not in range(clause.span[0] - 1, end - 1)][:1]

    def _is_idle(self, cue: int) -> bool:
        """Return whether a negation negates nothing: *not only*, *no fewer than*."""
        if self.side.tags[cue + 1 : cue + 2] in (["JJR"], ["RBR"]):
            return True
        return is_idle(self.side, cue) and "unless" not in (self.side.lower[i] for i in self.side.sentence(cue))

    def _own_opening(self, clause: Clause) -> int | None:
        """Return the word in a clause that leaves it open."""
        lower, first = self.side.lower, clause.span[0]
        for i in range(max(first - 1, 0), clause.span[1]):
            if lower[i] in ENGLISH.hedges and not self.side.words[i][0].isupper():
                return i
            if lower[i] == "would" and lower[i + 1 : i + 2] == ["have"]:
                return i
        return None
