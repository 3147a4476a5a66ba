"""Train a semi-HMM: `vorlage train`."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.extract.extracts import read_extracted_pairs
from vorlage.files.outputs import write_lines
from vorlage.fingerprint import digest, file_digest, fingerprint
from vorlage.semihmm.jumps.base import jump_model
from vorlage.semihmm.kernels.compile import announce_compilation
from vorlage.semihmm.model import Origin
from vorlage.semihmm.train.em import Iteration
from vorlage.semihmm.train.resources import Resources, add_resource_options, open_resources
from vorlage.semihmm.train.training import train
from vorlage.settings import SemiHmm, validate


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
    parser.add_argument(
        "--processes", type=int, default=1, help="processes, for more than one block of pairs (default: 1)"
    )
    SemiHmm.add_options(parser, SemiHmm.read_by("train"))
    options = parser.parse(arguments)
    jump: str = options.jump
    validate(SemiHmm, {"jumps": [jump]})
    if options.reverse and jump_model(jump).TREES:
        raise InputError(
            f"--reverse: the jump model {jump} needs trees, and summaries have none; choose another"
        )
    if options.reverse and options.reverse_model:
        raise InputError("--reverse and --reverse-model exclude each other; leave out one of them")
    settings = SemiHmm.from_options(options, encoder=bool(options.similarities))
    resources = open_resources(options, jump, settings)
    files = [file_digest(path) for path in (options.corpus, options.extracts, options.trees) if path]
    origin = Origin(files[0], _fingerprint(jump, settings, resources, files, options.reverse))
    folder = Path(options.model).with_suffix(".training")
    announce_compilation()
    model, iterations = train(
        read_extracted_pairs(options.corpus, options.extracts),
        jump,
        settings,
        resources,
        reverse=options.reverse,
        origin=origin,
        folder=folder,
        processes=options.processes,
    )
    model.save(options.model)
    write_lines(options.em, [Iteration.HEADER, *(iteration.row() for iteration in iterations)])
    shutil.rmtree(folder)


def _fingerprint(
    jump: str, settings: SemiHmm, resources: Resources, files: Sequence[str], reverse: bool
) -> str:
    """Return the fingerprint of the code, the settings and the inputs of a training."""
    code = fingerprint("vorlage.semihmm.train.stage", f"vorlage.semihmm.jumps.{jump}")
    chosen = settings.model_dump(include=set(SemiHmm.read_by("train")))
    other = resources.reverse_model.origin.fingerprint if resources.reverse_model else ""
    return digest((code, chosen, files, resources.encoder, reverse, other))
