"""The console command `vorlage`: every stage, and every step of a stage, is one of its commands."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version

from vorlage.command.errors import command, did_you_mean

# Name, module, and what the command does.
COMMANDS = {
    "align": ("cli.align", "find the part of a document that each part of its summary comes from"),
    "attribute": (
        "cli.attribute",
        "find the sources of each sentence of a text in one or more documents, or that it has none",
    ),
    "serve": ("app.serve", "open the app in the browser: paste or drop texts, look at corpora"),
    "mcp": ("app.mcp_server", "offer `attribute` and `align` as tools to an agent (MCP)"),
    "annotate": ("app.annotate.stage", "make a page to annotate gold by hand"),
    "corpus": ("corpus.stage", "make a corpus from the files of a format"),
    "gold": ("corpus.gold_stage", "check gold alignments against a corpus"),
    "extract": ("extract.stage", "choose the document sentences that summaries are aligned to"),
    "encode": ("encoder.stage", "compute similarities of words by an encoder"),
    "parse": ("trees.stage", "parse sentences for a syntax model"),
    "train": ("cli.train", "train a model on a corpus, or fit the decoder `rescored` of a model to gold"),
    "describe": ("cli.describe", "print the parameters of a model"),
    "export": ("cli.export", "convert alignments to other formats"),
    "score": ("score.stage", "compare alignments with gold"),
    "decompose": ("decompose.stage", "find how each summary sentence was made: its sources, the operations"),
    "report": ("report.stage", "make the report page of a corpus"),
}
# The other commands of the rules.
STEPS = {
    "count-stems": ("extract.stem_counts", "count in how many sentences each stem of a corpus occurs"),
    "evaluate-extracts": ("extract.evaluate", "compare extracts with gold"),
    "statistics": ("extract.statistics", "count documents, sentences and words"),
    "fetch": ("cli.fetch", "download an encoder or a parser"),
    "schema": ("cli.schema", "print the JSON Schema of an output"),
    "warm-up": ("cli.warm_up", "compile the kernels before they are needed"),
    "gather-trees": ("trees.gather", "merge the trees of all parts"),
    "gather": ("files.parts", "concatenate the parts of a corpus"),
    "baseline": ("baselines.stage", "align by a system to compare with"),
    "train-translation": ("baselines.translation", "train an IBM model or the HMM"),
    "symmetrize": ("baselines.symmetrize", "combine the alignments of two directions"),
    "score-phrases": ("score.phrases", "compare phrases with gold in characters"),
    "agreement": ("score.agreement", "compare each annotator with each other"),
    "analysis": ("score.analysis", "describe alignments: identity, sizes, errors, calibration"),
    "figures": ("report.figures", "draw the figures of a report"),
}


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Find the part of a document that each part of a text comes from."""
    name, *options = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    if module := (COMMANDS | STEPS).get(name):
        import_module(f"vorlage.{module[0]}").main(options)
    else:
        parser = _make_parser()
        unknown = parser.parse_args([name]).command
        similar = did_you_mean(unknown, COMMANDS | STEPS)
        parser.error(f"there is no command {unknown}; `vorlage --help` lists them{similar}")


def _make_parser() -> ArgumentParser:
    """Return the parser for anything but a command: it prints help, the version or an error."""
    width = max(map(len, COMMANDS | STEPS))

    def listed(commands: dict[str, tuple[str, str]]) -> str:
        return "".join(f"  {name:{width}}  {task}\n" for name, (_, task) in commands.items())

    parser = ArgumentParser(
        prog="vorlage",
        description=main.__doc__,
        epilog=f"commands:\n{listed(COMMANDS)}\nsteps of the workflow:\n{listed(STEPS)}\n"
        "`vorlage COMMAND --help` lists the options of a command.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"vorlage {version('vorlage')}")
    parser.add_argument("command", metavar="COMMAND", help="one of the commands below")
    return parser
