"""What the alignments of systems are like, as counts that add up: ``python -m pipeline.score.profile``.

    python -m pipeline.score.profile --corpus corpus.jsonl --alignments align/*/alignments.jsonl \\
        --part 3-of-10 --output portraits/3-of-10.json

counts a part of a corpus without gold; ``python -m pipeline.score.analysis --portraits portraits --of 10``
makes its tables of the sum. Shares of jumps are fractions, so that the sum is the same to the last digit.
"""

import argparse
import json
from collections import Counter, defaultdict
from fractions import Fraction

from pipeline.io.jsonl import read_json, write_text
from pipeline.io.parts import WHOLE, add_part, parse_part
from pipeline.run.errors import InputError, command
from pipeline.run.progress import start_log
from pipeline.score import identical as identity
from pipeline.score import jump_histogram as jumps
from pipeline.score import unaligned
from pipeline.score.systems import read_side_by_side

MAKER = "python -m pipeline.score.profile"


class Portrait:
    """What the alignments of one system, or of the gold, are like: counts that add up over pairs."""

    def __init__(self):
        self.phrases, self.words, self.jumps = Counter(), Counter(), Counter()

    def add(self, links, summary_words, document_words):
        """Count one pair."""
        self.phrases.update(identity.count(links, summary_words, document_words))
        self.words.update(unaligned.count(links, summary_words))
        self.jumps.update(jumps.count(links))

    def rows(self, system):
        """Rows of the tables by name."""
        return {
            "identity": list(identity.identity_rows(system, self.phrases)),
            "sizes": [identity.size_row(system, self.phrases)],
            "unaligned": [unaligned.row(system, self.words)],
            "jumps": list(jumps.rows(system, self.jumps)),
        }

    def update(self, other):
        """Add the counts of another portrait."""
        self.phrases.update(other.phrases)
        self.words.update(other.words)
        self.jumps.update(other.jumps)

    def to_json(self):
        """The counts as lists of their key and their value."""
        return {
            "phrases": [[*key, count] for key, count in self.phrases.items()],
            "words": list(self.words.items()),
            "jumps": [[jump, str(share)] for jump, share in self.jumps.items()],
        }

    @classmethod
    def from_json(cls, record):
        """The inverse of :meth:`to_json`."""
        portrait = cls()
        portrait.phrases.update({tuple(key): count for *key, count in record["phrases"]})
        portrait.words.update(dict(record["words"]))
        portrait.jumps.update({jump: Fraction(share) for jump, share in record["jumps"]})
        return portrait


def make_portraits(corpus, alignments, part=WHOLE):
    """System → :class:`Portrait` of all pairs, or of a part. ``alignments``: files, one a system."""
    portraits = defaultdict(Portrait)
    for pair, found in read_side_by_side(corpus, alignments, part=part):
        for alignment in found:
            portraits[alignment.system].add(alignment.links, pair.summary.words, pair.document.words)
    return portraits


def add_up(files):
    """System → :class:`Portrait`, the sum of those in ``files``."""
    portraits = defaultdict(Portrait)
    for path in files:
        for system, record in read_json(path, "portraits of systems", MAKER).items():
            try:
                portraits[system].update(Portrait.from_json(record))
            except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError):
                raise InputError(f"{path}: not portraits of systems; make the file with {MAKER}") from None
    return portraits


@command
def main(arguments=None):
    """Count what the alignments of systems are like."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.score.profile", description=main.__doc__)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument(
        "--alignments", required=True, nargs="+", metavar="FILE", help="alignments.jsonl, one file a system"
    )
    add_part(parser)
    parser.add_argument("--output", required=True, help="file to write, JSON")
    parser.add_argument("--log", help="log file (default: standard error)")
    given = parser.parse_args(arguments)
    start_log(given.log)
    portraits = make_portraits(given.corpus, given.alignments, parse_part(given.part))
    made = {system: portrait.to_json() for system, portrait in portraits.items()}
    write_text(given.output, json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
