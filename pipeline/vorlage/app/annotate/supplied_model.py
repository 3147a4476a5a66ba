"""The model that comes with the package, as what aligns the pairs to annotate."""

from collections.abc import Callable

from vorlage.alignments.alignment import Alignment
from vorlage.corpus.pair import Pair


def supplied_model() -> Callable[[Pair], Alignment]:
    """Load the supplied model; return a function that aligns a pair.

    It raises `InputError` for a pair in a language other than English.
    """
    # Imported here because the page itself needs no model.
    from vorlage.api import load_model
    from vorlage.semihmm.kernels.compile import announce_compilation

    announce_compilation()
    model = load_model()
    return lambda pair: model.align_pair(pair).alignment
