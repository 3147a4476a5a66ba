"""Merges the trees of the parts of a corpus: `vorlage gather-trees`.

    vorlage gather-trees --parts parse/trees --of 10 --output parse/trees.npz

The folder `--parts` contains the outputs of `vorlage parse`, `1-of-10.npz`, `1-of-10.mrg` and so on. The
result is that of parsing the whole corpus: a sentence of several parts is taken from the first one.
"""

from collections.abc import Sequence
from itertools import compress
from pathlib import Path

from vorlage.command.errors import command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.command.progress import log
from vorlage.files.inputs import read_lines
from vorlage.files.outputs import write_lines
from vorlage.files.parts import part_files
from vorlage.trees.tree_arrays import Trees, merge_trees
from vorlage.types import StrPath


def gather_trees(files: Sequence[Path], output: StrPath) -> Trees:
    """Write the trees of all `files` to `output`, and their brackets beside it; return them."""
    refuse_inputs([output], files)
    trees, first = merge_trees([Trees.load(path) for path in files])
    lines = (line for path in files for _, line in read_lines(path.with_suffix(".mrg"), newline="\n"))
    write_lines(
        Path(output).with_suffix(".mrg"), (line.removesuffix("\n") for line in compress(lines, first))
    )
    trees.save(output)
    return trees


@command
def main(arguments: list[str] | None = None) -> None:
    """Merge the trees of the parts of a corpus."""
    parser = CommandParser("gather-trees", main)
    parser.add_argument("--parts", required=True, help="folder of the parts, such as 3-of-10.npz")
    parser.add_argument("--of", required=True, type=int, help="number of parts")
    parser.add_argument("--output", required=True, help="trees.npz to write, with trees.mrg beside it")
    options = parser.parse(arguments)
    trees = gather_trees(part_files(options.parts, options.of, ".npz"), options.output)
    log.info(f"{len(trees.ids)} sentences of {options.of} parts")
