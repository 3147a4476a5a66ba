"""Concatenates the parts of a JSON-lines file:

    vorlage gather --parts align/embed/alignments --of 10 --output align/embed/alignments.jsonl

The folder `--parts` contains the parts, `1-of-10.jsonl` and so on.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

from vorlage.command.errors import command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.command.progress import log
from vorlage.files.outputs import replacing
from vorlage.files.parts import part_files
from vorlage.types import StrPath


def gather(files: Iterable[Path], output: StrPath) -> None:
    """Write the content of `files` to `output`, in order."""
    refuse_inputs([output], files)
    with replacing(output) as temporary, open(temporary, "wb") as whole:
        for path in files:
            with open(path, "rb") as part:
                shutil.copyfileobj(part, whole, 1 << 20)


@command
def main(arguments: list[str] | None = None) -> None:
    """Concatenate the parts of a JSON-lines file."""
    parser = CommandParser("gather", main)
    parser.add_argument("--parts", required=True, help="folder of the parts, such as 3-of-10.jsonl")
    parser.add_argument("--of", required=True, type=int, help="number of parts")
    parser.add_argument("--output", required=True, help="file to write")
    options = parser.parse(arguments)
    gather(part_files(options.parts, options.of, ".jsonl"), options.output)
    log.info(f"gather: {options.of} parts")
