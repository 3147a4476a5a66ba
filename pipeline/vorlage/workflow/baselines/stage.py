"""Aligns a corpus by a system to compare with: `vorlage baseline`.

    vorlage baseline --system cutpaste-2 --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

Each system is in a module of its own, whose function `open_system` returns it.
"""

from importlib import import_module

from vorlage.alignments.alignment import Alignment, write_alignments
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.extract.extracts import read_extracted_pairs
from vorlage.files.parts import add_part_option, count_lines, parse_part
from vorlage.settings import SYSTEMS as ALL_SYSTEMS
from vorlage.settings import CutPaste, Embed, semihmm_system
from vorlage.workflow.baselines.system import output_fingerprint

# The module of a system, by the name before the first hyphen; those of the translation models are the others.
# They are imported by name, so an edit to one changes the fingerprint of its own systems alone.
MODULES = {
    "identity": "identity",
    "cutpaste": "cutpaste",
    **dict.fromkeys(("embed", "awesome", "simalign", "transport"), "encoded"),
}
SYSTEMS = [
    system
    for system in ALL_SYSTEMS
    if not semihmm_system(system) and not system.endswith(("-gdfa", "-intersect"))
]


@command
def main(arguments: list[str] | None = None) -> None:
    """Align a corpus by a system to compare with."""
    parser = CommandParser("baseline", main)
    parser.add_argument("--system", required=True, choices=SYSTEMS, metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--translation", metavar="FOLDER", help="model of `vorlage train-translation`")
    add_part_option(parser)
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    for section in (CutPaste, Embed):
        section.add_options(parser)
    options = parser.parse(arguments)
    module = MODULES.get(options.system.partition("-")[0], "translation")
    baseline = import_module(f"vorlage.workflow.baselines.{module}").open_system(options)
    fingerprint = output_fingerprint(options.system, *baseline.decisive)
    part = parse_part(options.part)
    first, last = part.span(count_lines(options.extracts))
    with Progress(options.system, last - first) as progress:
        alignments = (
            Alignment(
                id=pair.id,
                system=options.system,
                log_likelihood=None,
                document_words=pair.document.written,
                summary_words=pair.summary.written,
                links=baseline.align(pair, extract),
                fingerprint=fingerprint,
            )
            for pair, extract in read_extracted_pairs(options.corpus, options.extracts, part)
        )
        write_alignments(options.output, progress.count(alignments))
