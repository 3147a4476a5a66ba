"""Put the parts of a JSON-lines file one behind the other: ``python -m pipeline.io.gather``.

    python -m pipeline.io.gather --parts align/embed/alignments --of 10 --output align/embed/alignments.jsonl

The folder ``--parts`` has the parts, ``1-of-10.jsonl`` and so on. Where the lines of the output begin is
written beside it (see :mod:`pipeline.io.parts`).
"""

import argparse
import shutil

from pipeline.io.checksums import open_checked
from pipeline.io.outputs import replacing
from pipeline.io.parts import part_files, remove_offsets, write_offsets
from pipeline.run.errors import command
from pipeline.run.progress import log, start_log


def gather(files, output):
    """Write the content of ``files`` to ``output``, in order, and beside it where its lines begin."""
    remove_offsets(output)
    with replacing(output) as temporary, open(temporary, "wb") as whole:
        for path in files:
            with open_checked(path) as part:
                shutil.copyfileobj(part, whole, 1 << 20)
    write_offsets(output)


@command
def main(arguments=None):
    """Put the parts of a JSON-lines file one behind the other."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.io.gather", description=main.__doc__)
    parser.add_argument("--parts", required=True, help="folder of the parts, named as 3-of-10.jsonl")
    parser.add_argument("--of", required=True, type=int, help="how many parts there are")
    parser.add_argument("--output", required=True, help="file to write; its .offsets.npy is written too")
    parser.add_argument("--log", help="file for the log (default: standard error)")
    given = parser.parse_args(arguments)
    start_log(given.log)
    gather(part_files(given.parts, given.of, ".jsonl"), given.output)
    log.info(f"gather: {given.of} parts")


if __name__ == "__main__":
    main()
