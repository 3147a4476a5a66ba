"""Compiles the kernels before they are needed: `vorlage warm-up`, which `make setup` runs."""

import logging
from collections.abc import Sequence

from vorlage import api
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.documents.pair import Pair
from vorlage.extensions import JUMPS
from vorlage.extract.extracts import Extract
from vorlage.semihmm.decode.load import trees_by_parser
from vorlage.semihmm.jump_model import jump_model
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import Parse, Training
from vorlage.text.tokenize import make_text

SENTENCE = "The board named a new director on Monday."


def attribute_text() -> None:
    """Attribute a short text, by the encoder if it is installed."""
    api.attribute(SENTENCE, SENTENCE)


def train_and_decode() -> None:
    """Train a model on a pair, without the encoder, and align the pair by the best path."""
    model = api.train([(SENTENCE, SENTENCE)], iterations=1, encoder=False)
    model.align(SENTENCE, SENTENCE, decoder="viterbi")


def train_over_trees() -> None:
    """Train models of jumps over trees on a pair."""
    text, parse = make_text(SENTENCE), trees_by_parser(Parse(backend="pattern"))
    corpus = [(Pair("pair", text, text), Extract("pair", (0,), ()))]
    for jump in (name for name in JUMPS.names() if jump_model(name).needs_trees):
        train(corpus, jump, Training(iterations=1, wordnet=False), Resources(trees=parse([text.words])))


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Compile the kernels before they are needed, in one process, because most of them are in each task."""
    CommandParser("warm-up", main).parse(arguments)
    log.setLevel(logging.WARNING)  # not the iterations
    attribute_text()
    train_and_decode()
    train_over_trees()
