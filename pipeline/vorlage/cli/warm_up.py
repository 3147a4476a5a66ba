"""Compiles the kernels before they are needed: `vorlage warm-up`, which `make setup` runs.

Each task compiles the kernels of one kind of work.
"""

from collections.abc import Callable, Sequence

from vorlage import api
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.processes import map_in_processes
from vorlage.documents.pair import Pair
from vorlage.extensions import JUMPS
from vorlage.extract.extracts import Extract
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.decode.load import trees_by_parser
from vorlage.semihmm.jump_model import jump_model
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import Decoding, Parse, Training
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
    """Train models of jumps over trees on a pair, and align the pair by their best paths."""
    text = make_text(SENTENCE)
    pair, trees = Pair("pair", text, text), trees_by_parser(Parse(backend="pattern"))
    corpus, resources = [(pair, Extract(pair.id, (0,), ()))], Resources(trees=trees([text.words]))
    for jump in (name for name in JUMPS.names() if jump_model(name).needs_trees):
        model, _ = train(corpus, jump, Training(iterations=1, wordnet=False), resources)
        Aligner(model, trees=trees).align(pair, (0,), Decoding(decoder="viterbi"))


# The first takes as long as the others.
TASKS: tuple[Callable[[], None], ...] = train_over_trees, attribute_text, train_and_decode


def _run() -> Callable[[Callable[[], None]], None]:
    return lambda task: task()


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Compile the kernels before they are needed, in two processes."""
    CommandParser("warm-up", main).parse(arguments)
    for _ in map_in_processes(_run, TASKS, 2):
        pass
