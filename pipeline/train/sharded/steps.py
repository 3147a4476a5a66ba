"""The steps of a sharded training: their names, commands and shared options."""

from argparse import ArgumentParser
from typing import Any

STEPS = ("collect", "forests", "index", "start", "expect", "add", "maximise", "finish")
COMMANDS = [f"pipeline.train.sharded.{step}" for step in STEPS]
COMMAND = "python -m pipeline.train.sharded.{}"
# Files and folders that several commands read and write.
OPTIONS: dict[str, dict[str, Any]] = {
    "corpus": {"help": "corpus.jsonl of the corpus stage"},
    "extracts": {"help": "extracts.jsonl of the extract stage"},
    "index": {"help": "folder of `index`"},
    "state": {"help": "folder of `start` or `maximise`, with the parameters"},
    "expectations": {"nargs": "+", "help": "files of `expect` or `add`, in the order of the shards"},
    "output": {"help": "file or folder to write"},
}


def add_file_options(parser: ArgumentParser, *names: str) -> None:
    """Add some of ``OPTIONS``, all required, to the parser of a command."""
    for name in names:
        parser.add_argument(f"--{name}", required=True, **OPTIONS[name])
