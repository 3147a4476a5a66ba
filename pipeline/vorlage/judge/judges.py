"""What a judge says of sentences beside their sources, by a classifier of pairs or one of pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vorlage.types import Span, Vectors

if TYPE_CHECKING:  # every attribution imports this module, and few have a judge
    from tokenizers import Tokenizer

    from vorlage.judge.networks import Network

# How LettuceDetect presents the sources of a text without a question (Kovács & Recski 2025).
PROMPT = "\nSummarize the following text:\npassage 1: {}\noutput:\n"


class Judge(Protocol):
    """Says whether sources support a sentence."""

    def supported(self, sources: Sequence[str], sentence: str) -> float:
        """Return the probability that sentences of documents, in their order, support a sentence."""
        ...


class PairJudge:
    """A classifier of pairs of texts: entailment, consistency.

    Args:
        network: with the logits of a text, (labels).
        tokenizer: that cuts pairs to the window of the network.
        label: the number of the label *supported*. A network with one output gives its logit.
    """

    def __init__(self, network: Network, tokenizer: Tokenizer, label: int) -> None:
        self._network, self._tokenizer, self._label = network, tokenizer, label

    def supported(self, sources: Sequence[str], sentence: str) -> float:
        """Return the probability that sentences of documents, in their order, support a sentence."""
        text = self._tokenizer.encode(" ".join(sources), sentence)
        return float(_probabilities(self._network.logits(text), self._label))


class TokenJudge:
    """A classifier of the pieces of the second text of a pair, in the form of LettuceDetect.

    The arguments are those of `PairJudge`, but the logits are those of pieces, (pieces, labels).
    """

    def __init__(self, network: Network, tokenizer: Tokenizer, label: int) -> None:
        self._network, self._tokenizer, self._label = network, tokenizer, label

    def hallucinated(self, sources: Sequence[str], sentence: str) -> list[tuple[Span, float]]:
        """Return the characters of each piece of a sentence, and the probability that it is not supported."""
        text = self._tokenizer.encode(PROMPT.format(" ".join(sources)), sentence)
        values = 1.0 - _probabilities(self._network.logits(text), self._label)
        return [
            (span, value)
            for span, value, side in zip(text.offsets, values.tolist(), text.sequence_ids, strict=True)
            if side == 1
        ]

    def supported(self, sources: Sequence[str], sentence: str) -> float:
        """Return 1 − the largest probability of `hallucinated`, of pieces with a letter or digit."""
        return 1.0 - max(
            (
                probability
                for span, probability in self.hallucinated(sources, sentence)
                if any(map(str.isalnum, sentence[slice(*span)]))
            ),
            default=0.0,
        )


def _probabilities(logits: Vectors, label: int) -> Vectors:
    """Return the probability of a label by logits (..., labels)."""
    from scipy.special import expit, softmax  # takes a fifth of a second, and few attributions have a judge

    if logits.shape[-1] == 1:
        return np.asarray(expit(logits[..., 0]))
    return np.asarray(softmax(logits, axis=-1)[..., label])
