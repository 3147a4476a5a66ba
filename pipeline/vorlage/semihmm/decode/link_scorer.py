"""What another decoder may give links instead of their posteriors: the interface, and how it is opened.

The decoder `rescored` is such a scorer. It is no part of the model: a package around the core offers it, and
it is imported where `--decoder rescored` is asked for.
"""

from importlib import import_module
from typing import Protocol, cast

from vorlage.documents.pair import Pair
from vorlage.extensions import offers
from vorlage.semihmm.decode.alignment_input import AlignmentInput
from vorlage.semihmm.decode.posteriors import PairPosteriors
from vorlage.types import JsonObject, StrPath


class LinkScorer(Protocol):
    """Scores the links of a pair, which are links if they exceed its `link_threshold`."""

    @property
    def link_threshold(self) -> float:
        """What the posterior of a link must exceed."""

    def knows(self, pair: Pair) -> bool:
        """Return whether it was fitted to the gold of a pair."""

    def rescore(self, pair: Pair, prepared: AlignmentInput, posteriors: PairPosteriors) -> PairPosteriors:
        """Return the posteriors of a pair with its scores as those of the links."""


def open_link_scorer(path: StrPath, encoder: JsonObject) -> LinkScorer:
    """Return the scorer of a file for the posteriors of a model with some encoder.

    Raises:
        InputError: for a file that is no scorer, and for one of a model with another `encoder`.
    """
    [module] = offers("LINK_SCORER")
    return cast(LinkScorer, import_module(module).open_rescorer(path, encoder))
