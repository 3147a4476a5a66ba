"""Finds the subject of each verb of an English sentence, and the clause that its own hangs on."""

from collections.abc import Set
from typing import TypeAlias

from vorlage.checks.facts import Statements
from vorlage.checks.phrases import read_phrases
from vorlage.text.english import ENGLISH
from vorlage.text.wordnet import open_wordnet

Hanging: TypeAlias = tuple[str, int | None]  # the marker of a clause and the verb above it


def is_form(side: Statements, place: int, words: Set[str]) -> bool:
    """Return whether a word is a form of one of some words."""
    return not words.isdisjoint(open_wordnet().lemmas_of(side.lower[place]))


class Skeleton:
    """The phrases of a sentence, with the subjects of its verbs.

    `subjects`: the phrases that are subjects of each verb; `hanging`: the marker of its clause and the verb
    above; both by the number of its phrase.
    """

    def __init__(self, side: Statements, number: int) -> None:
        self.side, self.phrases = side, list(read_phrases(side, number))
        self.verbs = [k for k, phrase in enumerate(self.phrases) if phrase.kind == "verb"]
        self.subjects: dict[int, list[int]] = {}
        self.hanging: dict[int, Hanging] = {}
        for k in self.verbs:
            self.subjects[k], self.hanging[k] = self._find_subject(k)
        self._find_inverted()

    def kind(self, k: int) -> str:
        """Return the kind of a phrase, outside of the sentence that of its end."""
        return self.phrases[k].kind if 0 <= k < len(self.phrases) else ";"

    def word(self, k: int) -> str:
        """Return the head of a phrase, in lower case."""
        return self.side.lower[self.phrases[k].head]

    def verb_is(self, k: int, words: Set[str]) -> bool:
        """Return whether the verb of a phrase is a form of one of some words."""
        return is_form(self.side, self.phrases[k].head, words)

    def _find_subject(self, k: int) -> tuple[list[int], Hanging]:
        """Return the phrases that are the subject of a verb, its marker and the verb above it."""
        form, earlier = self.phrases[k].form, [m for m in self.verbs if m < k]
        finite = [m for m in earlier if self.phrases[m].form == "finite"]
        if self.kind(k - 1) == "and" and finite:
            return self.subjects[finite[-1]], ("and", finite[-1])
        if form == "finite":
            return self._finite_subject(k)
        if not earlier:
            return [], ("", None)
        subjects = self.subjects[earlier[-1]]
        if form != "to":
            return subjects, ("while", earlier[-1])
        return [earlier[-1] + 1] if self.kind(earlier[-1] + 1) == "noun" else subjects, ("to", earlier[-1])

    def _finite_subject(self, k: int) -> tuple[list[int], Hanging]:
        j = k - 1
        while j >= 0 and self.kind(j) not in ("subordinator", ";") and (self.kind(j) != "and" or j == k - 1):
            start = self._first(j)
            if self.kind(j) != "noun":
                j -= 1
            elif self.kind(start - 1) == "preposition":
                j = start - 2
            else:
                if self.kind(k - 1) == self.kind(start - 1) == "," and self.kind(start - 2) == "noun":
                    start = self._first(start - 2)  # an apposition
                return self._with_joined(start), self._mark(k, start)
        return [], self._mark(k, j + 1)

    def _first(self, j: int) -> int:
        """Return the first noun phrase of those that prepositions link to one behind them."""
        while self.kind(j - 1) == "preposition" and self.kind(j - 2) == "noun":
            j -= 2
        return j

    def _with_joined(self, start: int) -> list[int]:
        """Return a noun phrase with those that *and* joins to it, if no verb stands before."""
        subjects = [start]
        while self.kind(start - 1) == "and" and self.kind(start - 2) == "noun" and self.verbs[0] > start:
            start = self._first(start - 2)
            subjects.append(start)
        return subjects[::-1]

    def _mark(self, k: int, start: int) -> Hanging:
        """Return what begins the clause whose subject begins with a phrase, and the verb above it."""
        m = start - 1
        while m >= 0 and self.kind(m) in ("preposition", "noun", ",", "adjective"):
            m -= 1
        earlier = [v for v in self.verbs if v < start]
        last = earlier[-1] if earlier else None
        following = next((v for v in self.verbs if v > k and self.phrases[v].form == "finite"), None)
        if self.kind(m) == "subordinator" and (last is None or m > last):
            word = self.word(m)
            if word == "that" and self.kind(m - 1) == "and":  # *said that he came and that he left*
                joined = [self.hanging[v] for v in earlier if self.hanging[v][0] == "that"]
                return joined[-1] if joined else (word, last)
            return word, last if last is not None or word == "that" else following
        if self.kind(start - 1) == "verb" and self.verb_is(start - 1, ENGLISH.speech_verbs):
            return "that", start - 1
        return "", None

    def _find_inverted(self) -> None:
        """Find the speakers in *…, said Ana Roth*, and what stands before *…, Ana Roth said*."""
        for k in self.verbs:
            if not self.verb_is(k, ENGLISH.speech_verbs) or self.phrases[k].form != "finite":
                continue
            if self.kind(k + 1) == "noun" and self.kind(k - 1) == ",":
                self.subjects[k] = [k + 1]
            if self.subjects[k] and (self.subjects[k][0] > k or self.kind(self.subjects[k][0] - 1) == ","):
                for m in self.verbs:
                    if m != k and self.hanging[m] == ("", None):
                        self.hanging[m] = "that", k
