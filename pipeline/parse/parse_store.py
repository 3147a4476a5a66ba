"""Parses kept for later runs, found by what they are of: the tokens, the parser and its code.

``FOLDER/<parser>/<bucket>.jsonl`` holds the parses of the sentences whose id begins with these two hex
digits. A shard of sentences is a set of buckets, so jobs side by side never write the same file.
"""

from itertools import groupby
from pathlib import Path

from pipeline.io.jsonl import read_jsonl, write_jsonl
from pipeline.parse.brackets import over, write_tree
from pipeline.parse.sentences import BUCKETS, bucket
from pipeline.run.errors import InputError


def to_json(name, parse):
    """One line of the store: the parse of the sentence with id ``name``."""
    record = {"id": name, "tree": write_tree(parse.tree)}
    if parse.pieces > 1:
        record["pieces"] = parse.pieces
    if parse.refused:
        record["refused"] = parse.refused
    return record


class ParseStore:
    """The parses of one parser: ``folder`` is ``results/parses/<parser>``."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def records(self, sentences, parse):
        """Yield ``(sentence, record, new)`` for each of the sentences, in the order of buckets.

        ``parse`` takes a list of token tuples and yields their parses; it is asked only for what is not
        stored, and what it says is stored bucket by bucket, so that a run that is stopped has lost little.
        """
        for number, group in groupby(sorted(sentences, key=lambda s: s.id), key=lambda s: bucket(s.id)):
            group = list(group)
            stored = self._read(number)
            missing = [sentence for sentence in group if sentence.id not in stored]
            parses = parse([sentence.tokens for sentence in missing]) if missing else ()
            for sentence, made in zip(missing, parses, strict=True):
                stored[sentence.id] = to_json(
                    sentence.id, made._replace(tree=over(made.tree, sentence.tokens))
                )
            if missing:
                write_jsonl(self._file(number), (stored[name] for name in sorted(stored)))
            new = {sentence.id for sentence in missing}
            yield from ((sentence, stored[sentence.id], sentence.id in new) for sentence in group)

    def _file(self, number):
        if not 0 <= number < BUCKETS:
            raise ValueError(f"no bucket {number}")
        return self.folder / f"{number:02x}.jsonl"

    def _read(self, number):
        path = self._file(number)
        if not path.exists():
            return {}
        try:
            return {record["id"]: record for _, record in read_jsonl(path)}
        except KeyError:
            raise InputError(f"{path}: not a file of parses; remove it, and they are made again") from None
