"""Concatenates the parts of a JSON-lines file: ``python -m pipeline.io.gather``.

    python -m pipeline.io.gather --parts align/embed/alignments --of 10 --output align/embed/alignments.jsonl

The folder ``--parts`` contains the parts, ``1-of-10.jsonl`` and so on. The offsets of the lines are written
beside the output (see :mod:`pipeline.io.parts`).
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

from pipeline.io.checksums import open_checked
from pipeline.io.outputs import replacing
from pipeline.io.parts import part_files, remove_offsets, write_offsets
from pipeline.run.errors import command
from pipeline.run.options import CommandParser
from pipeline.run.progress import log
from pipeline.types import StrPath


def gather(files: Iterable[Path], output: StrPath) -> None:
    """Write the content of ``files`` to ``output``, in order, and the offsets of its lines beside it."""
    remove_offsets(output)
    with replacing(output) as temporary, open(temporary, "wb") as whole:
        for path in files:
            with open_checked(path) as part:
                shutil.copyfileobj(part, whole, 1 << 20)
    write_offsets(output)


@command
def main(arguments: list[str] | None = None) -> None:
    """Concatenate the parts of a JSON-lines file."""
    parser = CommandParser(main)
    parser.add_argument("--parts", required=True, help="folder of the parts, such as 3-of-10.jsonl")
    parser.add_argument("--of", required=True, type=int, help="number of parts")
    parser.add_argument("--output", required=True, help="file to write; its .offsets.npy is written too")
    options = parser.parse(arguments)
    gather(part_files(options.parts, options.of, ".jsonl"), options.output)
    log.info(f"gather: {options.of} parts")


if __name__ == "__main__":
    main()
