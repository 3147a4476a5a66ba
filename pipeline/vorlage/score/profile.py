"""Profiles of alignments, as counts that add up over pairs: `vorlage profile`.

    vorlage profile --corpus corpus.jsonl --alignments align/*/alignments.jsonl \\
        --part 3-of-10 --output profiles/3-of-10.json

counts a part of a corpus without gold; `vorlage analysis --profiles profiles --of 10`
writes its tables from the sum. Shares of jumps are fractions, whose sum is exact.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from vorlage.alignments.alignment import Link
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.files.jsonl import read_json
from vorlage.files.outputs import write_text
from vorlage.files.parts import WHOLE, Part, add_part_option, parse_part
from vorlage.score import identical, jump_histogram, unaligned
from vorlage.score.command_line import add_alignments
from vorlage.score.identical import LinkKind
from vorlage.score.systems import read_side_by_side
from vorlage.score.tsv import Row
from vorlage.types import JsonObject, StrPath

MAKER = "vorlage profile"


@dataclass
class Profile:
    """Counts that describe the alignments of one system, or of the gold; they add up over pairs.

    `links`: non-null links by kind; `words`: unaligned summary words by kind, and all summary words;
    `jumps`: jumps by distance.
    """

    links: Counter[LinkKind] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    jumps: defaultdict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))

    def add(
        self, links: Sequence[Link], summary_words: list[str], document_words: list[str], language: str = "en"
    ) -> None:
        """Count one pair."""
        self.links.update(identical.count(links, summary_words, document_words, language))
        self.words.update(unaligned.count(links, summary_words, language))
        self._add_jumps(jump_histogram.count(links))

    def rows(self, system: str) -> dict[str, list[Row]]:
        """Return the rows of each table by the name of the table."""
        return {
            "identity": list(identical.identity_rows(system, self.links)),
            "sizes": [identical.size_row(system, self.links)],
            "unaligned": [unaligned.row(system, self.words)],
            "jumps": list(jump_histogram.rows(system, self.jumps)),
        }

    def update(self, other: "Profile") -> None:
        """Add the counts of another profile."""
        self.links.update(other.links)
        self.words.update(other.words)
        self._add_jumps(other.jumps)

    def _add_jumps(self, jumps: dict[int, Fraction]) -> None:
        for jump, count in jumps.items():
            self.jumps[jump] += count

    def to_json(self) -> JsonObject:
        """Return the counts as lists of keys and counts."""
        return {
            "phrases": [[*kind, count] for kind, count in self.links.items()],
            "words": list(self.words.items()),
            "jumps": [[jump, str(count)] for jump, count in self.jumps.items()],
        }

    @classmethod
    def from_json(cls, record: JsonObject) -> "Profile":
        """Return the profile that `to_json` wrote."""
        profile = cls()
        profile.links.update({LinkKind(*kind): count for *kind, count in record["phrases"]})
        profile.words.update(dict(record["words"]))
        profile.jumps.update({jump: Fraction(count) for jump, count in record["jumps"]})
        return profile


def make_profiles(corpus: StrPath, alignments: Sequence[StrPath], part: Part = WHOLE) -> dict[str, Profile]:
    """Return the `Profile` of each system over all pairs, or over a part of them.

    `alignments`: a file for each system.
    """
    profiles: defaultdict[str, Profile] = defaultdict(Profile)
    for pair, of_systems in read_side_by_side(corpus, alignments, part=part):
        for alignment in of_systems:
            profiles[alignment.system].add(
                alignment.links, pair.summary.words, pair.document.words, pair.summary.language
            )
    return profiles


def sum_profiles(files: Iterable[Path]) -> dict[str, Profile]:
    """Return the `Profile` of each system, summed over `files`.

    Raise `InputError` for a file that this command did not write.
    """
    profiles: defaultdict[str, Profile] = defaultdict(Profile)
    for path in files:
        for system, record in read_json(path, "profiles of systems", MAKER).items():
            try:
                profiles[system].update(Profile.from_json(record))
            except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError):
                raise InputError(f"{path}: not profiles of systems; make the file with {MAKER}") from None
    return profiles


@command
def main(arguments: list[str] | None = None) -> None:
    """Count what the alignments of systems are like."""
    parser = CommandParser("profile", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    add_alignments(parser)
    add_part_option(parser)
    parser.add_argument("--output", required=True, help="JSON file to write")
    options = parser.parse(arguments)
    profiles = make_profiles(options.corpus, options.alignments, parse_part(options.part))
    records = {system: profile.to_json() for system, profile in profiles.items()}
    write_text(options.output, json.dumps(records) + "\n")
