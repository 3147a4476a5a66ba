"""In how many sentences of the documents each stem occurs: ``python -m pipeline.extract.stems``.

    python -m pipeline.extract.stems --corpus corpus.jsonl --part 3-of-10 --output counts/3-of-10.json
    python -m pipeline.extract.stems --counts counts --of 10 --output weights.json

The first counts a part of a corpus, the second adds the counts of all parts up. Extracts of a part are made
with those of the whole corpus (``python -m pipeline.extract --weights weights.json``). Memory grows with the
number of different stems, some 150 bytes each.
"""

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field

from pipeline.corpus.pair import read_pairs
from pipeline.extract import cosine
from pipeline.io.jsonl import read_json, write_text
from pipeline.io.parts import WHOLE, add_part, parse_part, part_files
from pipeline.run.errors import InputError, command
from pipeline.run.progress import log, start_log

MAKER = "python -m pipeline.extract.stems"


@dataclass
class StemCounts:
    """``sentences`` of documents, and ``stems``: stem → how many of them it occurs in."""

    sentences: int = 0
    stems: Counter = field(default_factory=Counter)

    def add(self, document):
        """Count the sentences of a :class:`pipeline.corpus.tokenize.Text`."""
        self.add_sentences(cosine.sentences(document))

    def add_sentences(self, sentences):
        """Count sentences, lists of words."""
        for sentence in sentences:
            self.sentences += 1
            self.stems.update(set(cosine.terms(sentence)))

    def write(self, path):
        """Write the counts as a JSON object."""
        stems = dict(sorted(self.stems.items()))
        write_text(path, json.dumps({"sentences": self.sentences, "stems": stems}) + "\n")

    @classmethod
    def read(cls, path):
        """The inverse of :meth:`write`; raises :class:`InputError` for another file."""
        found = read_json(path, "counts of stems", MAKER)
        sentences, stems = found.get("sentences"), found.get("stems")
        counts = [sentences, *stems.values()] if isinstance(stems, dict) else [None]
        if not all(type(count) is int and count >= 0 for count in counts):
            raise InputError(f"{path}: not counts of stems; make the file with {MAKER}")
        return cls(sentences, Counter(stems))


def count_stems(corpus, part=WHOLE):
    """The counts of a ``corpus.jsonl`` or of a part of it."""
    counts = StemCounts()
    for pair in read_pairs(corpus, part):
        counts.add(pair.document)
    return counts


def total(files):
    """The sum of the counts in ``files``."""
    counts = StemCounts()
    for path in files:
        more = StemCounts.read(path)
        counts.sentences += more.sentences
        counts.stems.update(more.stems)
    return counts


@command
def main(arguments=None):
    """Count in how many sentences each stem occurs, or add such counts up."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.extract.stems", description=main.__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--corpus", help="corpus.jsonl of the corpus stage, to count")
    source.add_argument("--counts", help="folder of the counts of all parts, to add up")
    parser.add_argument("--of", type=int, default=1, help="with --counts: how many parts there are")
    add_part(parser)
    parser.add_argument("--output", required=True, help="file to write, JSON")
    parser.add_argument("--log", help="log file (default: standard error)")
    given = parser.parse_args(arguments)
    start_log(given.log)
    if given.counts:
        counts = total(part_files(given.counts, given.of, ".json"))
    else:
        counts = count_stems(given.corpus, parse_part(given.part))
    counts.write(given.output)
    log.info(f"stems: {len(counts.stems)} in {counts.sentences} sentences")


if __name__ == "__main__":
    main()
