"""Parses kept for later runs, found by the parser, its code and the tokens of the sentence.

`FOLDER/<parser>/<bucket>.jsonl` contains the parses of the sentences whose id begins with the two hex
digits of the bucket. A shard of sentences is a set of buckets, so jobs that run at the same time never write
the same file.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

from vorlage.command.errors import InputError
from vorlage.files.jsonl import read_jsonl, write_jsonl
from vorlage.trees.brackets import with_tokens, write_tree
from vorlage.trees.parser import Parse
from vorlage.trees.sentences import BUCKETS, Sentence, bucket
from vorlage.types import JsonObject, StrPath


def to_json(name: str, parse: Parse) -> JsonObject:
    """Return one line of the store: the parse of the sentence with the id `name`."""
    record: JsonObject = {"id": name, "tree": write_tree(parse.tree)}
    if parse.pieces > 1:
        record["pieces"] = parse.pieces
    if parse.refused:
        record["refused"] = parse.refused
    return record


class ParseStore:
    """The parses of one parser; `folder` is `results/parses/<parser>`."""

    def __init__(self, folder: StrPath) -> None:
        self.folder = Path(folder)

    def records(
        self, sentences: Iterable[Sentence], parse: Callable[[list[tuple[str, ...]]], Iterable[Parse]]
    ) -> Iterator[tuple[Sentence, JsonObject, bool]]:
        """Yield `(sentence, record, new)` for each of the sentences, bucket by bucket.

        `parse` takes a list of tuples of tokens and yields their parses. It is called only for sentences
        that are not in the store, and its parses are stored after each bucket, which limits what a run loses
        that is stopped.
        """
        ordered = sorted(sentences, key=lambda sentence: sentence.id)
        for number, group in groupby(ordered, key=lambda sentence: bucket(sentence.id)):
            of_bucket = list(group)
            stored = self._read(number)
            missing = [sentence for sentence in of_bucket if sentence.id not in stored]
            parses = parse([sentence.tokens for sentence in missing]) if missing else ()
            for sentence, parsed in zip(missing, parses, strict=True):
                checked = parsed._replace(tree=with_tokens(parsed.tree, sentence.tokens))
                stored[sentence.id] = to_json(sentence.id, checked)
            if missing:
                write_jsonl(self._file(number), (stored[name] for name in sorted(stored)))
            new = {sentence.id for sentence in missing}
            yield from ((sentence, stored[sentence.id], sentence.id in new) for sentence in of_bucket)

    def _file(self, number: int) -> Path:
        if not 0 <= number < BUCKETS:
            raise ValueError(f"no bucket {number}")
        return self.folder / f"{number:02x}.jsonl"

    def _read(self, number: int) -> dict[str, JsonObject]:
        path = self._file(number)
        if not path.exists():
            return {}
        try:
            return {record["id"]: record for _, record in read_jsonl(path)}
        except KeyError:
            raise InputError(
                f"{path}: not a file of parses; remove it to parse its sentences again"
            ) from None
