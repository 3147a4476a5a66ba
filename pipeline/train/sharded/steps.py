"""The steps of a sharded training: their names, commands and shared options."""

from argparse import ArgumentParser
from typing import Any

from pipeline.io.parts import WHOLE

STEPS = ("collect", "forests", "index", "entries", "start", "expect", "add", "maximise", "finish")
COMMANDS = [f"pipeline.train.sharded.{step}" for step in STEPS]
COMMAND = "python -m pipeline.train.sharded.{}"
# Files and folders that several commands read and write.
OPTIONS: dict[str, dict[str, Any]] = {
    "corpus": {"help": "corpus.jsonl of the corpus stage"},
    "extracts": {"help": "extracts.jsonl of the extract stage"},
    "shards": {"help": "folder of the outputs of `collect`, such as 3-of-10"},
    "index": {"help": "folder of `index`"},
    "entries": {"help": "folder of the outputs of `entries`, such as 1-of-2"},
    "state": {"help": "folder of `start` or `maximise`, with the parameters"},
    "counts": {"help": "folder of the outputs of `add`, such as 1-of-2"},
    "expectations": {"help": "folder of the outputs of `expect`, such as 3-of-10.npz"},
    "of": {"type": int, "help": "number of shards"},
    "output": {"help": "file or folder to write"},
}


def add_part_option(parser: ArgumentParser) -> None:
    """Add the option ``--part``, which names a part of the rows of the index, to a parser."""
    parser.add_argument("--part", default=str(WHOLE), help="part of the rows, as 1-of-2 (default: all)")


def add_file_options(parser: ArgumentParser, *names: str) -> None:
    """Add some of ``OPTIONS``, all required, to the parser of a command."""
    for name in names:
        parser.add_argument(f"--{name}", required=True, **OPTIONS[name])
