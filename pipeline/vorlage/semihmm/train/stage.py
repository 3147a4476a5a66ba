"""Train a semi-HMM: `vorlage train`."""

from collections.abc import Sequence
from pathlib import Path

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.extract.extracts import read_extracted_pairs
from vorlage.semihmm.kernels.compile import announce_compilation
from vorlage.semihmm.train.checkpoint import Checkpoint
from vorlage.semihmm.train.resources import (
    add_resource_options,
    check_direction,
    open_resources,
    origin_of,
    training_settings,
)
from vorlage.semihmm.train.results import write_results
from vorlage.semihmm.train.training import train
from vorlage.settings import add_options, read_by, section


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Train one jump model on a corpus and its extracts."""
    parser = CommandParser("train", main)
    parser.add_argument("--jump", required=True, help="jump model to train, such as relative")
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    add_resource_options(parser)
    parser.add_argument(
        "--reverse", action="store_true", help="train the other direction: the extract from the summary"
    )
    parser.add_argument("--model", required=True, help="file to write, model.npz")
    parser.add_argument("--em", required=True, help="table to write, em.tsv: one row per iteration")
    parser.add_argument("--threads", type=int, default=1, help="pairs aligned at once (default: 1)")
    add_options(parser, "semihmm", read_by("train"))
    options = parser.parse(arguments)
    section("semihmm", {"jumps": [options.jump]})
    check_direction(options.jump, options.reverse)
    if options.reverse and options.reverse_model:
        raise InputError("--reverse and --reverse-model exclude each other; leave out one of them")
    settings = training_settings(options)
    resources = open_resources(options, options.jump, settings)
    origin = origin_of(
        options,
        ["vorlage.semihmm.train"],
        options.jump,
        settings,
        resources.encoder,
        options.reverse,
        resources.reverse_model,
    )
    checkpoint = Checkpoint(Path(options.model).with_suffix(".checkpoint.npz"), origin.fingerprint)
    announce_compilation()
    model, iterations = train(
        read_extracted_pairs(options.corpus, options.extracts),
        options.jump,
        settings,
        resources,
        reverse=options.reverse,
        checkpoint=checkpoint,
        origin=origin,
        threads=options.threads,
    )
    write_results(model, iterations, options.model, options.em)
    checkpoint.remove()
