"""What the commands of the baselines share: the options, and the file of alignments."""

import argparse

from pipeline.alignments import Link, write_alignments
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.parts import WHOLE, add_part, line_offsets, parse_part
from pipeline.run.progress import Progress


def arguments(module, documentation, parts=True):
    """The parser of a command: the corpus and its extracts, the file to write, the log.

    ``parts``: whether it aligns a part of the corpus as well, each pair by itself.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=documentation.splitlines()[0])
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    if parts:
        add_part(parser)
    else:
        parser.set_defaults(part=str(WHOLE))
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    parser.add_argument("--log", help="log file (default: standard error)")
    return parser


def write_all(given, system, align):
    """Write the alignment of every pair: ``align`` takes a Pair and its Extract and returns an Alignment."""
    part = parse_part(given.part)
    first, last = part.span(len(line_offsets(given.extracts)) - 1)
    with Progress(system, last - first) as progress:
        pairs = read_extracted_pairs(given.corpus, given.extracts, part)
        write_alignments(given.output, progress.count(align(*pair) for pair in pairs))


def keep_links(cells, found, source):
    """Add the links of a sentence pair, ``found``, to those of the pair, ``cells``; both summary → document.

    With the summary as source a word may have any number. With the document as source it has one, and what an
    earlier sentence pair has found stays.
    """
    for i, sources in found.items():
        if source == "sum":
            cells[i] = cells.get(i, []) + sources
        else:
            cells.setdefault(i, sources)


def word_links(cells, words):
    """The links of single words, in order of the summary; a word without one is null.

    ``cells``: summary position → document positions. ``words``: how many the summary has.
    """
    links = []
    for i in range(words):
        sources = sorted(set(cells.get(i, ())))
        links += [Link((i, i + 1), (j, j + 1)) for j in sources] or [Link((i, i + 1), None)]
    return links
