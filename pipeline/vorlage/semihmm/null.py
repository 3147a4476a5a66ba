"""The null state, which generates the words of a summary that have no source in the document.

By the text of Daumé & Marcu (2005, footnote 5), it stays at its position and emits one word. By their Table
4.1.1, and Table 3 of Daumé & Marcu (2004), every document position has a null state. From position p the
model jumps to that of word j with probability φ · J(p→j), emits a summary phrase and stands at j, as after a
phrase that is word j alone. So this null state is one more way to rewrite each document word, and the
kernels, whose own null state stays, take it as such:

    r(s̄|d_j) + φ · r(s̄|∅)    instead of    r(s̄|d_j)

What they return for such a rewrite is divided between its two terms. In 2004, ∅ is a document word of the
phrase table, so it emits phrases of several words if the table has all phrase pairs (`fake_counts.phrase`).
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from vorlage.semihmm.kernels.forward_backward import ExpectedCounts, KernelInputs, expect
from vorlage.semihmm.kernels.viterbi import viterbi
from vorlage.semihmm.table import PhraseTable
from vorlage.settings import Training
from vorlage.types import Floats, Ints


class NullState(NamedTuple):
    """A null state.

    `jumps`: whether it jumps or stays; `emits_phrases`: whether it emits phrases of several words, too.
    """

    jumps: bool = False
    emits_phrases: bool = False

    def size(self, table: PhraseTable) -> int:
        """Return how many phrases of a table have a probability in the null state, from the first one on."""
        return len(table.rows) - 1 - (0 if self.emits_phrases else len(table.longer))

    def expect(
        self, inputs: Sequence[KernelInputs], beam: float, counted: bool = True
    ) -> list[ExpectedCounts]:
        """Return the expected counts of pairs; `null_posteriors` are of phrases of one word.

        The arguments are those of `vorlage.semihmm.kernels.forward_backward.expect`. Jumps to the null state
        are among the expected jumps.
        """
        if not self.jumps:
            return expect(inputs, beam, counted)
        joined = [_with_null(pair, np.add) for pair in inputs]
        return list(map(_split, joined, expect([pair for pair, *_ in joined], beam, counted)))

    def best_path(self, inputs: KernelInputs) -> tuple[float, Ints]:
        """Return the log probability of the best alignment of one pair, natural, and its steps (t, k, j, l).

        A phrase of the null state has l = 0; see `vorlage.semihmm.kernels.viterbi.viterbi`.
        """
        if not self.jumps:
            return viterbi(inputs)
        joined, of_words, of_phrases = _with_null(inputs, np.maximum)
        value, steps = viterbi(joined)
        numbers = {tuple(place): number for number, place in enumerate(inputs.phrases.tolist())}
        for step in steps:
            t, k, j, span = step.tolist()
            if k * span > 1:
                number = numbers[t, k, j, span]
                by_null = of_phrases[number] >= inputs.phrase_rewrites[number] and of_phrases[number] > 0
            else:
                by_null = of_words[t, 0] >= inputs.word_rewrites[t, j]
            if by_null:
                step[3] = 0
        return value, steps


def null_state(settings: Training) -> NullState:
    """Return the null state that the settings name."""
    emits_phrases = settings.null_state == "jumps-phrases" and settings.fake_counts.phrase > 0
    return NullState(settings.null_state != "stays", emits_phrases)


def _with_null(
    inputs: KernelInputs, join: Callable[[Floats, Floats], Floats]
) -> tuple[KernelInputs, Floats, Floats]:
    """Return inputs whose rewrites are joined with φ · r(s̄|∅).

    Return also φ · r(s̄|∅), by summary word (T, 1) and by longer phrase pair (m).
    """
    null_probability = inputs.transitions.null_probability
    of_words = null_probability * inputs.null_rewrites[:, None]
    of_phrases = null_probability * inputs.null_phrases
    joined = inputs._replace(
        word_rewrites=join(inputs.word_rewrites, of_words),
        phrase_rewrites=join(inputs.phrase_rewrites, of_phrases),
        null_rewrites=np.zeros_like(inputs.null_rewrites),
    )
    return joined, of_words, of_phrases


def _split(joined: tuple[KernelInputs, Floats, Floats], expected: ExpectedCounts) -> ExpectedCounts:
    """Return the expected counts with those of null apart."""
    inputs, of_words, of_phrases = joined
    nulls = expected.word_uses * _shares(of_words, inputs.word_rewrites)
    longer = expected.phrase_posteriors * _shares(of_phrases, inputs.phrase_rewrites)
    return expected._replace(
        word_uses=expected.word_uses - nulls,
        null_posteriors=nulls.sum(axis=1),
        phrase_posteriors=expected.phrase_posteriors - longer,
        null_phrases=longer,
    )


def _shares(parts: Floats, wholes: Floats) -> Floats:
    """Return the share of each part in a whole, 0 for a part that is 0."""
    return np.divide(parts, wholes, out=np.zeros_like(wholes), where=parts > 0)


def null_of_words(expected: ExpectedCounts, places: Ints) -> Floats:
    """Return the posterior that each summary word comes from the null state (T), in a phrase of any length.

    `places` (m, 4): of the longer phrase pairs.
    """
    out = expected.null_posteriors.copy()
    for offset in range(places[:, 1].max(initial=0) if len(expected.null_phrases) else 0):
        inside = places[:, 1] > offset
        np.add.at(out, places[inside, 0] + offset, expected.null_phrases[inside])
    return out
