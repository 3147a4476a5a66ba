"""What the commands of a sharded training share: their names, options and logs."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from pipeline.run.progress import start_log

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


def arguments(step: str, main: Callable[..., None], *options: str) -> argparse.ArgumentParser:
    """Return the parser of a command, described by its ``main``, with some of ``OPTIONS``, all required."""
    parser = argparse.ArgumentParser(prog=COMMAND.format(step), description=main.__doc__)
    for name in options:
        parser.add_argument(f"--{name}", required=True, **OPTIONS[name])
    parser.add_argument("--log", help="file for the log (default: standard error)")
    return parser


def parse(parser: argparse.ArgumentParser, given: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the options of a command and start its log."""
    options = parser.parse_args(given)
    start_log(options.log)
    return options
