"""What another decoder may give links instead of their posteriors: the interface, and how it is opened.

The decoder `rescored` is such a scorer. It is no part of the model: only its name is known here, and it is
imported where `--decoder rescored` is asked for.
"""

from importlib import import_module
from typing import Protocol, cast

from vorlage.documents.pair import Pair
from vorlage.semihmm.decode.alignment_input import AlignmentInput
from vorlage.semihmm.decode.posteriors import PairPosteriors
from vorlage.types import JsonObject, StrPath

MODULE = "vorlage.semihmm.decode.rescore"


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
    return cast(LinkScorer, import_module(MODULE).open_rescorer(path, encoder))
