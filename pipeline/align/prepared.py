"""A pair as an aligner passes it to the kernels."""

from typing import NamedTuple

from pipeline.semihmm.kernels.arguments import KernelInputs
from pipeline.semihmm.phrases.instances import Instance
from pipeline.semihmm.phrases.support import Support
from pipeline.types import Floats


class Prepared(NamedTuple):
    """A pair as the kernels take it.

    ``unigram`` (T, n): the share of the fake counts by frequency in every rewrite of a word by a word.
    ``information`` (T): −log of the frequency of every summary word in training, natural. ``reverse``: the
    same for the model of the other direction, if any.
    """

    instance: Instance
    support: Support
    inputs: KernelInputs
    unigram: Floats
    information: Floats
    reverse: "Prepared | None"
