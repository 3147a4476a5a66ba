"""Train a semi-HMM: `vorlage train`."""

import shutil
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.processes import mpi_processes
from vorlage.encoder.similarities import SimilarityStore
from vorlage.extract.extracts import read_extracted_pairs
from vorlage.files.digests import digest, file_digest
from vorlage.files.outputs import write_lines
from vorlage.semihmm.jump_model import jump_model
from vorlage.semihmm.model import Model, Origin
from vorlage.semihmm.train.em import Iteration
from vorlage.semihmm.train.training import Resources, train
from vorlage.semihmm.wordnet import open_distances
from vorlage.settings import Training
from vorlage.trees.tree_arrays import Trees


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Train one jump model on a corpus and its extracts."""
    parser = CommandParser("train", main)
    parser.add_argument("--jump", required=True, help="jump model to train, such as relative")
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument(
        "--trees", help="trees.npz of the parse stage, for a jump model that walks over trees"
    )
    parser.add_argument("--similarities", help="folder of the encode stage, needed where `encoder` is true")
    parser.add_argument("--reverse-model", help="model.npz of the other direction, to store in this one")
    parser.add_argument(
        "--reverse", action="store_true", help="train the other direction: the extract from the summary"
    )
    parser.add_argument("--model", required=True, help="file to write, model.npz")
    parser.add_argument("--em", required=True, help="table to write, em.tsv: one row per iteration")
    parser.add_argument(
        "--processes",
        type=int,
        default=1,
        help="processes that share blocks of pairs, without MPI (default: 1)",
    )
    Training.add_options(parser)
    options = parser.parse(arguments, outputs=("model", "em"))
    jump: str = options.jump
    if options.reverse and jump_model(jump).needs_trees:
        raise InputError(
            f"--reverse: the jump model {jump} needs trees, and summaries have none; choose another"
        )
    if options.reverse and options.reverse_model:
        raise InputError("--reverse and --reverse-model exclude each other; leave out one of them")
    settings = Training.from_options(options, encoder=bool(options.similarities))
    resources = _open_resources(options, settings)
    files = [file_digest(path) for path in (options.corpus, options.extracts, options.trees) if path]
    chosen = settings.model_dump()
    reverse_origin = resources.reverse_model.origin.fingerprint if resources.reverse_model else ""
    origin = Origin(
        files[0],
        digest((version("vorlage"), jump, chosen, files, resources.encoder, options.reverse, reverse_origin)),
    )
    folder = Path(options.model).with_suffix(".training")
    model, iterations = train(
        read_extracted_pairs(options.corpus, options.extracts),
        jump,
        settings,
        replace(resources, origin=origin),
        reverse=options.reverse,
        folder=folder,
        processes=mpi_processes() or options.processes,
    )
    model.save(options.model)
    write_lines(options.em, [Iteration.header(), *(iteration.row() for iteration in iterations)])
    shutil.rmtree(folder, ignore_errors=True)


def _open_resources(options: Namespace, settings: Training) -> Resources:
    """Open what the options name.

    Raise `InputError` for what the jump model or the settings need and no option names, and for a model that
    is not the other direction of one with these settings and this encoder.
    """
    trees = similarities = None
    if jump_model(options.jump).needs_trees:
        if not options.trees:
            raise InputError(
                f"--trees is missing; the jump model {options.jump} needs the trees of the documents"
            )
        trees = Trees.load(options.trees)
    if settings.encoder:
        if not options.similarities:
            raise InputError(
                "--similarities is missing; make the folder with `vorlage encode`, or pass --encoder false"
            )
        similarities = SimilarityStore(options.similarities)
    reverse = Model.load(options.reverse_model) if options.reverse_model else None
    resources = Resources(open_distances(settings), trees, similarities, reverse)
    if reverse and not reverse.reverses(settings, resources.encoder):
        raise InputError(
            f"{options.reverse_model}: not the other direction of this model; train it with --reverse and "
            "the same settings and similarities"
        )
    return resources
