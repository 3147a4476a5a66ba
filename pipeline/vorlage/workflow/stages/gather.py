"""Joins the parts of a corpus: `vorlage gather`.

    vorlage gather --parts align/embed/alignments --of 10 --output align/embed/alignments.jsonl
    vorlage gather --parts parse/trees --of 10 --output parse/trees.npz

The folder `--parts` contains `1-of-10.jsonl` and so on, whose lines are concatenated, or the outputs of
`vorlage parse`, `1-of-10.npz`, `1-of-10.mrg` and so on. The result is that of the whole corpus; the tree of a
sentence of several parts is taken from the first one.
"""

import shutil
from collections.abc import Sequence
from itertools import compress
from pathlib import Path

from vorlage.command.errors import command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.command.progress import log
from vorlage.files.inputs import read_lines
from vorlage.files.outputs import replacing, write_lines
from vorlage.files.parts import part_files
from vorlage.trees.tree_arrays import Trees, merge_trees


def gather_lines(files: Sequence[Path], output: Path) -> None:
    """Write the content of `files` to `output`, in order."""
    with replacing(output) as temporary, open(temporary, "wb") as whole:
        for path in files:
            with open(path, "rb") as part:
                shutil.copyfileobj(part, whole, 1 << 20)


def gather_trees(files: Sequence[Path], output: Path) -> None:
    """Write the trees of all `files` to `output`, and their brackets beside it."""
    trees, first = merge_trees([Trees.load(path) for path in files])
    lines = (line for path in files for _, line in read_lines(path.with_suffix(".mrg"), newline="\n"))
    write_lines(output.with_suffix(".mrg"), (line.removesuffix("\n") for line in compress(lines, first)))
    trees.save(output)


@command
def main(arguments: list[str] | None = None) -> None:
    """Join the parts of a JSON-lines file or of trees."""
    parser = CommandParser("gather", main)
    parser.add_argument("--parts", required=True, help="folder of the parts, such as 3-of-10.jsonl")
    parser.add_argument("--of", required=True, type=int, help="number of parts")
    parser.add_argument("--output", required=True, type=Path, help="file to write; trees.npz joins trees")
    options = parser.parse(arguments)
    files = part_files(options.parts, options.of, options.output.suffix)
    refuse_inputs([options.output], files)
    (gather_trees if options.output.suffix == ".npz" else gather_lines)(files, options.output)
    log.info(f"gather: {options.of} parts")
