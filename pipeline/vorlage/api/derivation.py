"""The best path of a pair as a derivation, the story of Figure 3 of Daumé & Marcu (2005)."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, log
from typing import NamedTuple, TypeAlias

from vorlage.documents.pair import Pair
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.kernels.forward_backward import KernelInputs
from vorlage.semihmm.kernels.viterbi import log_jump
from vorlage.types import JsonObject, Span

NULL, END = "null", "end"
Place: TypeAlias = tuple[int, ...]  # (t, k, j, l), a step of the kernel


class Step(NamedTuple):
    """A jump, and the summary phrase that is generated after it.

    `summary`, `document`: half-open spans of tokens; None at the end, and for what has no source. `origin`,
    `target`: positions in the words that were aligned, counted from 1; 0 is the start, and the null state has
    no target if it stays at the origin. `log_jump`, `log_rewrite`: natural. `kind`: the label of the part
    of the mixture with the largest share of the rewrite probability, NULL or END.
    """

    summary: Span | None
    document: Span | None
    origin: int
    target: int | None
    log_jump: float
    kind: str
    log_rewrite: float


class Derivation(NamedTuple):
    """The steps of the best path of a pair, and its log probability, natural."""

    pair: Pair
    steps: list[Step]
    log_probability: float

    def to_json(self) -> JsonObject:
        """Return an object for JSON, with probabilities for all logarithms but those of the whole."""
        totals = accumulate(step.log_jump + step.log_rewrite for step in self.steps)
        steps = [
            {
                "summary": step.summary,
                "summary_text": _text(self.pair.summary.words, step.summary),
                "document": step.document,
                "document_text": _text(self.pair.document.words, step.document),
                "from": step.origin,
                "to": step.target,
                "jump": exp(step.log_jump),
                "kind": step.kind,
                "rewrite": exp(step.log_rewrite),
                "log_probability": total,
            }
            for step, total in zip(self.steps, totals, strict=True)
        ]
        return {"id": self.pair.id, "log_probability": self.log_probability, "steps": steps}


def derive(aligner: Aligner, pair: Pair, sentences: Sequence[int]) -> Derivation:
    """Return the best path of a pair, step by step, by the model that generates the summary.

    `sentences`: those of the document that the pair is aligned to.
    """
    [pair_input] = aligner.prepare([(pair, sentences)])
    log_probability, path = aligner.best_path(pair_input)
    inputs, parts = pair_input.whole, aligner.by_part(pair, sentences)
    numbers = {place: number for number, place in enumerate(map(tuple, inputs.phrases.tolist()))}
    steps, position = [], 0
    for place in map(tuple, path.tolist()):
        t, k, j, span = place
        target = j + 1 if j >= 0 else None
        jump = log_jump(inputs.transitions, position, target) if target else 0.0
        if span:
            shares = {part: _rewrite(place, alone, numbers) for part, alone in parts.items()}
            kind, rewrite = max(shares, key=shares.__getitem__).label, _rewrite(place, inputs, numbers)
            first = int(pair_input.positions[j])
            document = first, first + span
        else:
            kind, rewrite, document = NULL, float(inputs.null_rewrites[t]), None
            if k > 1:
                rewrite = float(inputs.null_phrases[numbers[t, k, j, 1]])
            jump += log(inputs.transitions.null_probability)
        steps.append(Step((t, t + k), document, position, target, jump, kind, log(rewrite)))
        position = j + max(span, 1) if target else position
    end = inputs.shape[1] + 1
    steps.append(Step(None, None, position, end, log_jump(inputs.transitions, position, end), END, 0.0))
    return Derivation(pair, steps, log_probability)


def _rewrite(place: Place, inputs: KernelInputs, numbers: Mapping[Place, int]) -> float:
    """Return r of the phrase pair (t, k, j, l); `numbers`: of the longer ones by place."""
    t, k, j, span = place
    if k * span > 1:
        return float(inputs.phrase_rewrites[numbers[place]])
    return float(inputs.word_rewrites[t, j])


def _text(words: list[str], span: Span | None) -> str | None:
    return span and " ".join(words[slice(*span)])
