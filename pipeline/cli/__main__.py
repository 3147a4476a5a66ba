"""The console command ``palimpsest``; ``python -m pipeline.cli`` is the same.

``align`` and ``attribute`` apply a trained model to files. Every other command is the ``main`` of a stage,
or of the app.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from pipeline.cli.usage import parse_align, parse_attribute
from pipeline.run.errors import command
from pipeline.run.options import NAMES

# The app, and the commands that are stages: name, module, what it does.
STAGES = {
    "serve": ("pipeline.serve", "open the app in the browser: paste or drop texts, look at corpora"),
    "wordnet": ("pipeline.wordnet", "get WordNet into a folder"),
    "corpus": ("pipeline.corpus", "make a corpus from the files of a format"),
    "extract": ("pipeline.extract", "choose the document sentences that summaries are aligned to"),
    "encode": ("pipeline.encode", "compute similarities of words by an encoder"),
    "parse": ("pipeline.parse", "parse sentences for a syntax model"),
    "train": ("pipeline.train", "train a model on a corpus"),
    "describe": ("pipeline.semihmm.describe", "print the parameters of a model"),
    "export": ("pipeline.export", "convert alignments to other formats"),
    "score": ("pipeline.score", "compare alignments with gold"),
    "decompose": (
        "pipeline.decompose",
        "find how each summary sentence was made: its sources, the operations",
    ),
    "annotate": ("pipeline.annotate", "make a page to annotate gold by hand"),
    "report": ("pipeline.report", "make the report page of a corpus"),
}
COMMANDS = {
    "align": "find the part of a document that each part of its summary comes from",
    "attribute": "find the sources of each sentence of a text in one or more documents, or that it has none",
    **{name: task for name, (_, task) in STAGES.items()},
}


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Find the part of a document that each part of a text comes from."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    name = given[0] if given else ""
    if name in STAGES:
        _run_stage(name, given[1:])
    elif name in COMMANDS:
        parse = parse_align if name == "align" else parse_attribute
        options = parse(given[1:])
        # Imported here because it takes a second, which help and wrong options need not spend.
        import_module("pipeline.cli.answers").answer(options)
    else:
        _make_parser().parse_args(given or ["--help"])


def _run_stage(name: str, arguments: list[str]) -> None:
    NAMES.update({module: f"palimpsest {stage}" for stage, (module, _) in STAGES.items()})
    module = STAGES[name][0]
    package = import_module(module)
    stage = import_module(f"{module}.__main__") if hasattr(package, "__path__") else package
    stage.main(arguments)


def _make_parser() -> ArgumentParser:
    """Return the parser for anything but a command: it prints help, the version or an error."""
    width = max(map(len, COMMANDS))
    parser = ArgumentParser(
        prog="palimpsest",
        description=main.__doc__,
        epilog="commands:\n"
        + "".join(f"  {name:{width}}  {task}\n" for name, task in COMMANDS.items())
        + "\n`palimpsest COMMAND --help` lists the options of a command.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"palimpsest {version('palimpsest')}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of the commands below")
    return parser


if __name__ == "__main__":
    main()
