"""A pair as a decoder and the kernels take it."""

from typing import NamedTuple

import numpy as np

from vorlage.semihmm.decode.links import GapSide
from vorlage.semihmm.kernels.forward_backward import KernelInputs
from vorlage.semihmm.pairs import PairArrays
from vorlage.semihmm.rewrite import WordRewrites
from vorlage.types import Bytes, Floats, Ints


class AlignmentInput(NamedTuple):
    """A pair as the kernels take it.

    - `pair`: its arrays;
    - `gap_sides`: its summary and its document, for gaps between links;
    - `kinds` (m): of the longer phrase pairs, UNLIKE, SAME_STEM or IDENTICAL;
    - `inputs`: without the word rewrites, which `words` has;
    - `unigram` (T), (n): their products are the rewrites by fake counts by frequency;
    - `information` (T), `document_information` (n): −log of the frequency that every summary word and every
      document word has in the summaries of training, natural;
    - `positions` (n): the position of each extract token in the whole document;
    - `reverse`: the same for the model of the other direction, if any.
    """

    pair: PairArrays
    gap_sides: tuple[GapSide, GapSide]
    kinds: Bytes
    inputs: KernelInputs
    words: WordRewrites
    unigram: tuple[Floats, Floats]
    information: Floats
    document_information: Floats
    positions: Ints = np.empty(0, dtype=np.int32)
    reverse: "AlignmentInput | None" = None

    @property
    def whole(self) -> KernelInputs:
        """The inputs with the word rewrites of the whole pair."""
        return self.inputs._replace(word_rewrites=self.words.matrix())
