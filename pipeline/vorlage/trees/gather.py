"""Merges the trees of all shards: `vorlage gather-trees`.

    vorlage gather-trees --shards shards/*.jsonl --output results/sample/parse

writes `trees.mrg` (Penn brackets, one tree per line, in the order in which the sentences first occur in the
corpus, as in `sentences.txt`), `trees.npz` (see `vorlage.trees.tree_arrays`; it also stores the
settings of the parser) and `statistics.tsv`.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from nltk import Tree

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.files.jsonl import read_jsonl
from vorlage.files.outputs import replacing, write_text
from vorlage.settings import Parse, add_options, from_options
from vorlage.trees.brackets import TreeError, read_tree, with_tokens
from vorlage.trees.sentences import ID_DIGITS
from vorlage.trees.tree_arrays import Trees
from vorlage.types import JsonObject, StrPath

MOST_REFUSED = 0.05


def read_shards(paths: Sequence[StrPath]) -> Iterator[JsonObject]:
    """Yield the parses of all shards in the order of the numbers of their sentences.

    Raise `InputError` for another file, and if a number is missing or occurs twice.
    """
    merged = heapq.merge(*map(_read_shard, paths), key=lambda record: record["number"])
    for expected, record in enumerate(merged):
        if record["number"] != expected:
            raise InputError(
                f"{paths[0]} and the other shards do not belong together: sentence {expected} is not in "
                "exactly one of them; pass all shards of one run of `vorlage sentences`"
            )
        yield record


def _read_shard(path: StrPath) -> Iterator[JsonObject]:
    for line, record in read_jsonl(path):
        has_texts = all(isinstance(record.get(key), str) for key in ("id", "tree"))
        if type(record.get("number")) is not int or not has_texts or len(record["id"]) != ID_DIGITS:
            raise InputError(f"{path}, line {line}: not a parse; make the file with `vorlage parse`")
        yield record


def read_trees(
    records: Iterable[JsonObject], out: TextIO, counts: Counter[str]
) -> Iterator[tuple[str, Tree]]:
    """Yield `(sentence id, tree)` for each parse, write its brackets to `out` and update `counts`."""
    for record in records:
        try:
            tree = read_tree(record["tree"])
            tree = with_tokens(tree, tree.leaves())
        except TreeError as error:
            raise InputError(
                f"sentence {record['number']} of the shards has no valid tree, {error}; make the shards "
                "again with `vorlage parse`"
            ) from None
        out.write(record["tree"] + "\n")
        counts["sentences"] += 1
        counts["tokens"] += len(tree.leaves())
        counts["cut into pieces"] += "pieces" in record
        counts["refused"] += "refused" in record
        yield record["id"], tree


def check_refused(counts: Counter[str]) -> None:
    """Raise `InputError` if the parser refused more than 5 % of the sentences."""
    share = counts["refused"] / max(counts["sentences"], 1)
    if share > MOST_REFUSED:
        raise InputError(
            f"the parser refused {counts['refused']} of {counts['sentences']} sentences, {share:.1%}, more "
            f"than {MOST_REFUSED:.0%}; read the reasons in the logs of the shards, or choose another "
            "`parse.backend`"
        )


@command
def main(arguments: list[str] | None = None) -> None:
    """Merge the parses of all shards."""
    parser = CommandParser("gather-trees", main)
    parser.add_argument("--shards", required=True, nargs="+", help="outputs of `vorlage parse`")
    parser.add_argument("--output", required=True, help="folder to write to")
    add_options(parser, Parse)
    options = parser.parse(arguments)
    folder = Path(options.output)
    settings = from_options(options, Parse).model_dump()
    counts = Counter({"sentences": 0, "tokens": 0, "cut into pieces": 0, "refused": 0})
    with replacing(folder / "trees.mrg") as temporary:
        with open(temporary, "w", encoding="utf-8") as out:
            trees = Trees.collect(read_trees(read_shards(options.shards), out, counts), settings)
        check_refused(counts)
        trees.save(folder / "trees.npz")
    rows = [f"{name}\t{count}" for name, count in counts.items()]
    write_text(folder / "statistics.tsv", "\n".join(["count\tvalue", *rows]) + "\n")
    log.info(", ".join(f"{name}: {count}" for name, count in counts.items()))
