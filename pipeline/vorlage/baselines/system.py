"""The interface of a baseline, its command-line options, and the file of alignments that it writes."""

import argparse
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Protocol, TypeAlias

from vorlage.alignments.alignment import Alignment, Link, write_alignments
from vorlage.command.errors import Command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract, read_extracted_pairs
from vorlage.files.parts import WHOLE, add_part_option, count_lines, parse_part
from vorlage.fingerprint import digest

# The document words that each linked summary word of a pair is linked to.
WordLinks: TypeAlias = dict[int, list[int]]


class Baseline(Protocol):
    """A system to compare with; it aligns the pairs of a corpus in order, one at a time."""

    @property
    def system(self) -> str:
        """The name of the system in the alignments."""

    @property
    def fingerprint(self) -> str:
        """A digest of the version, the settings and the model behind the alignments."""

    def align(self, pair: Pair, extract: Extract) -> Alignment:
        """Return the alignment of a pair; links are in positions of the whole document."""


def make_parser(name: str, main: Command, documentation: str | None, parts: bool = True) -> CommandParser:
    """Return the parser of a command, with options for the corpus, its extracts and the file to write.

    `documentation` is the docstring of the module; its first line describes the command. `parts` adds the
    option `--part`, for a baseline that aligns each pair by itself.
    """
    parser = CommandParser(name, main, description=documentation and documentation.splitlines()[0])
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    if parts:
        add_part_option(parser)
    else:
        parser.set_defaults(part=str(WHOLE))
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    return parser


def stamp(*parts: object) -> str:
    """Return the fingerprint of the alignments of a system: of the version and of what decides them."""
    return digest((version("vorlage"), *parts))


def write_all(options: argparse.Namespace, baseline: Baseline) -> None:
    """Write the alignment of every pair of the corpus, or of the part that the options name."""
    part = parse_part(options.part)
    first, last = part.span(count_lines(options.extracts))
    with Progress(baseline.system, last - first) as progress:
        pairs = read_extracted_pairs(options.corpus, options.extracts, part)
        write_alignments(options.output, progress.count(baseline.align(*pair) for pair in pairs))


def make_alignment(baseline: Baseline, pair: Pair, links: Iterable[Link]) -> Alignment:
    """Return the alignment of a pair by a baseline, which has no probabilities."""
    document, summary = pair.document.words, pair.summary.words
    return Alignment(pair.id, baseline.system, None, document, summary, list(links), baseline.fingerprint)


def merge_links(word_links: WordLinks, added: Mapping[int, list[int]], source: str) -> None:
    """Add the links of a sentence pair to `word_links`, those of its pair.

    With the summary as source (`sum`) a summary word may have any number of links. With the document as
    source (`doc`) it has at most one, and the link of an earlier sentence pair stays.
    """
    for i, positions in added.items():
        if source == "sum":
            word_links[i] = word_links.get(i, []) + positions
        else:
            word_links.setdefault(i, positions)


def to_links(word_links: Mapping[int, list[int]], summary_words: int) -> list[Link]:
    """Return word links in order of the `summary_words` words; a word without a link gets a null link."""
    links = []
    for i in range(summary_words):
        positions = sorted(set(word_links.get(i, ())))
        links += [Link((i, i + 1), (j, j + 1)) for j in positions] or [Link((i, i + 1), None)]
    return links
