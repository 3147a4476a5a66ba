"""What the commands of a sharded training share: options, and the start of the log."""

import argparse

from pipeline.run.progress import start_log

COMMAND = "python -m pipeline.train.sharded.{}"
# What several commands read and write.
OPTIONS = {
    "corpus": {"help": "corpus.jsonl of the corpus stage"},
    "extracts": {"help": "extracts.jsonl of the extract stage"},
    "index": {"help": "folder of `index`"},
    "state": {"help": "folder of `start` or `maximise`, with the parameters"},
    "expectations": {"nargs": "+", "help": "files of `expect` or `add`, in the order of the shards"},
    "output": {"help": "file or folder to write"},
}


def arguments(step, main, *options):
    """The parser of a command, described by its ``main``, with some of ``OPTIONS``, all of them required."""
    parser = argparse.ArgumentParser(prog=COMMAND.format(step), description=main.__doc__)
    for name in options:
        parser.add_argument(f"--{name}", required=True, **OPTIONS[name])
    parser.add_argument("--log", help="file for the log (default: standard error)")
    return parser


def parse(parser, given=None):
    """The options of a command, with the log started."""
    options = parser.parse_args(given)
    start_log(options.log)
    return options
