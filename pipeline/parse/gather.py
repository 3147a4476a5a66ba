"""The trees of all shards together: ``python -m pipeline.parse.gather``.

    python -m pipeline.parse.gather --shards shards/*.jsonl --output results/sample/parse

writes ``trees.mrg`` (Penn brackets, one a line, in the order in which the sentences first occur in the
corpus, as in ``sentences.txt``), ``trees.npz`` (see :mod:`pipeline.parse.tree_arrays`; it keeps the parser's
settings too) and ``statistics.tsv``.
"""

import argparse
import heapq
from collections import Counter
from pathlib import Path

from pipeline.io.jsonl import read_jsonl, write_text
from pipeline.io.outputs import replacing
from pipeline.parse.brackets import TreeError, over, read_tree
from pipeline.parse.parser import SETTINGS
from pipeline.parse.sentences import ID_DIGITS
from pipeline.parse.tree_arrays import Trees
from pipeline.run.errors import InputError, command
from pipeline.run.progress import log, start_log
from pipeline.settings import add_options, from_options

MOST_REFUSED = 0.05


def read_shards(paths):
    """Yield the parses of all shards in the order of their sentences' numbers.

    Raises :class:`InputError` for another file and where a number is missing or comes twice.
    """
    merged = heapq.merge(*map(_numbered, paths), key=lambda record: record["number"])
    for wanted, record in enumerate(merged):
        if record["number"] != wanted:
            raise InputError(
                f"{paths[0]} and the other shards do not belong together: sentence {wanted} is not there "
                "exactly once; give all shards of one run of python -m pipeline.parse.sentences"
            )
        yield record


def _numbered(path):
    for line, record in read_jsonl(path):
        texts = all(isinstance(record.get(key), str) for key in ("id", "tree"))
        if type(record.get("number")) is not int or not texts or len(record["id"]) != ID_DIGITS:
            raise InputError(f"{path}, line {line}: not a parse; make the file with python -m pipeline.parse")
        yield record


def counted(records, out, counts):
    """Yield ``(sentence id, tree)``, write the brackets to ``out`` and count into ``counts``."""
    for record in records:
        try:
            tree = read_tree(record["tree"])
            tree = over(tree, tree.leaves())
        except TreeError as error:
            raise InputError(
                f"sentence {record['number']} of the shards has no tree, {error}; make the shards again with "
                "python -m pipeline.parse"
            ) from None
        out.write(record["tree"] + "\n")
        counts["sentences"] += 1
        counts["tokens"] += len(tree.leaves())
        counts["cut into pieces"] += "pieces" in record
        counts["refused"] += "refused" in record
        yield record["id"], tree


def check(counts):
    """Raise :class:`InputError` when more than 5 % of the sentences were refused."""
    share = counts["refused"] / max(counts["sentences"], 1)
    if share > MOST_REFUSED:
        raise InputError(
            f"the parser refused {counts['refused']} of {counts['sentences']} sentences, {share:.1%}, more "
            f"than {MOST_REFUSED:.0%}; the logs of the shards name them; choose another `parse.backend`"
        )


@command
def main(arguments=None):
    """Put the parses of all shards together."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.parse.gather", description=main.__doc__)
    parser.add_argument("--shards", required=True, nargs="+", help="the files of python -m pipeline.parse")
    parser.add_argument("--output", required=True, help="folder to write to")
    parser.add_argument("--log", help="log file (default: standard error)")
    add_options(parser, "parse", only=SETTINGS)
    options = parser.parse_args(arguments)
    start_log(options.log)
    folder = Path(options.output)
    settings = {key: value for key, value in from_options(options, "parse").items() if key in SETTINGS}
    counts = Counter({"sentences": 0, "tokens": 0, "cut into pieces": 0, "refused": 0})
    with replacing(folder / "trees.mrg") as temporary:
        with open(temporary, "w", encoding="utf-8") as out:
            trees = Trees.collect(counted(read_shards(options.shards), out, counts), settings)
        check(counts)
        trees.save(folder / "trees.npz")
    rows = [f"{name}\t{count}" for name, count in counts.items()]
    write_text(folder / "statistics.tsv", "\n".join(["count\tvalue", *rows]) + "\n")
    log.info(", ".join(f"{name}: {count}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
