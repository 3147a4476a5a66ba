"""Aligns a corpus by a system to compare with: `vorlage baseline`.

    vorlage baseline --system cutpaste-2 --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

The systems are in the modules of `vorlage.workflow.baselines.systems`.
"""

from vorlage.alignments.alignment import Alignment, write_alignments
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.extract.extracts import read_extracted_pairs
from vorlage.files.parts import add_part_option, count_lines, parse_part
from vorlage.workflow.baselines.system import output_fingerprint
from vorlage.workflow.settings import baselines


@command
def main(arguments: list[str] | None = None) -> None:
    """Align a corpus by a system to compare with."""
    parser = CommandParser("baseline", main)
    names = [name for baseline in baselines() for name in baseline.systems]
    parser.add_argument("--system", required=True, choices=names, metavar="SYSTEM", help=", ".join(names))
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    parser.add_argument("--translation", metavar="FOLDER", help="model of `vorlage train-translation`")
    add_part_option(parser)
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    for section in dict.fromkeys(section for baseline in baselines() for section in baseline.sections):
        section.add_options(parser)
    options = parser.parse(arguments)
    [baseline] = [baseline for baseline in baselines() if options.system in baseline.systems]
    system = baseline.open_system(options)
    fingerprint = output_fingerprint(options.system, *system.decisive)
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
                links=system.align(pair, extract),
                fingerprint=fingerprint,
            )
            for pair, extract in read_extracted_pairs(options.corpus, options.extracts, part)
        )
        write_alignments(options.output, progress.count(alignments))
