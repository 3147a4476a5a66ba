"""Agreement of a parser with a treebank: `vorlage evaluate-parser gold.mrg`.

The conventions are those of EVALB with Collins's parameters (`COLLINS.prm`): the root and punctuation (tags
`, : ` '' .``) are left out, ADVP and PRT are the same, each node of a unary chain counts, and words are not
brackets. The gold tags determine which tokens are punctuation. Traces (`-NONE-`) are removed from the gold
trees first, with the nodes that become empty, and labels lose functions and indices.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from nltk import Tree

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.files.inputs import read_lines
from vorlage.files.outputs import write_text
from vorlage.settings import Parse, add_options, from_options
from vorlage.trees.brackets import ROOT, TreeError, bare_label, read_tree, unescape, with_tokens
from vorlage.trees.parser import Parser, open_parser
from vorlage.types import StrPath

PUNCTUATION = frozenset([",", ":", "``", "''", "."])
TRACE = "-NONE-"
BATCH = 256


class Counts(NamedTuple):
    """Counts of brackets, words and trees.

    `matched`, `parsed` and `gold`: brackets in both trees, in the parse and in the gold tree. `tags`:
    words with the gold tag. `exact`: trees with the brackets of the gold tree.
    """

    matched: int = 0
    parsed: int = 0
    gold: int = 0
    words: int = 0
    tags: int = 0
    exact: int = 0
    sentences: int = 0

    def plus(self, other: "Counts") -> "Counts":
        """Return the sums of both."""
        return Counts(*map(sum, zip(self, other, strict=True)))

    def scores(self) -> dict[str, float]:
        """Return labelled precision, recall and F1, and the shares of right tags and of exact trees."""
        precision, recall = self.matched / max(self.parsed, 1), self.matched / max(self.gold, 1)
        return {
            "precision": precision,
            "recall": recall,
            "f1": 2 * precision * recall / max(precision + recall, 1e-300),
            "tags": self.tags / max(self.words, 1),
            "exact": self.exact / max(self.sentences, 1),
        }


def compare(parsed: Tree, gold: Tree) -> Counts:
    """Return the `Counts` of a sentence.

    The trees have the same tokens, no traces, and labels without functions and indices.
    """
    kept = [tag not in PUNCTUATION for _, tag in gold.pos()]
    tags = [a == b for (_, a), (_, b), keep in zip(parsed.pos(), gold.pos(), kept, strict=True) if keep]
    ours, theirs = count_brackets(parsed, kept), count_brackets(gold, kept)
    return Counts(
        matched=(ours & theirs).total(),
        parsed=ours.total(),
        gold=theirs.total(),
        words=len(tags),
        tags=sum(tags),
        exact=int(ours == theirs),
        sentences=1,
    )


def count_brackets(tree: Tree, kept: Sequence[bool]) -> Counter[tuple[str, int, int]]:
    """Return how often each constituent (label, start, end) occurs in a tree, counting kept tokens only."""
    before = [0, *accumulate(kept)]
    counts: Counter[tuple[str, int, int]] = Counter()

    def visit(node: Tree, first: int) -> int:
        """Count the constituents of a node that starts at token `first`, and return where it ends."""
        last = first
        for child in node:
            last = last + 1 if isinstance(child, str) else visit(child, last)
        is_word = isinstance(node[0], str)
        if not is_word and node.label() != ROOT and before[last] > before[first]:
            counts["ADVP" if node.label() == "PRT" else node.label(), before[first], before[last]] += 1
        return last

    visit(tree, 0)
    return counts


def without_traces(tree: Tree) -> Tree | None:
    """Return a gold tree without traces, functions and indices, or None if nothing is left."""
    if len(tree) == 1 and isinstance(tree[0], str):
        return None if tree.label() == TRACE else Tree(tree.label(), [unescape(tree[0])])
    children = [child for child in map(without_traces, tree) if child is not None]
    return Tree(bare_label(tree.label()), children) if children else None


def read_treebank(path: StrPath) -> Iterator[tuple[int, Tree | None]]:
    """Yield the line and `without_traces` of each tree of a file in Penn brackets.

    A tree may span lines. Raise `InputError` for a file without trees, and for brackets that do not
    match.
    """
    count, depth, first = 0, 0, 1
    text: list[str] = []
    for number, line in read_lines(path):
        if not text and not line.strip():
            continue
        first = first if text else number
        text.append(line)
        depth += line.count("(") - line.count(")")
        if depth <= 0:
            yield first, _treebank_tree(path, first, "".join(text))
            count, depth, text = count + 1, 0, []
    if text:
        raise InputError(f"{path}, line {first}: the tree that begins here has no end; close its brackets")
    if not count:
        raise InputError(f"{path}: contains no trees; pass a file of Penn bracketed trees")


def _treebank_tree(path: StrPath, line: int, text: str) -> Tree | None:
    try:
        tree = read_tree(text)
        return without_traces(with_tokens(tree, tree.leaves()))
    except TreeError as error:
        raise InputError(f"{path}, line {line}: not a tree, {error}; correct the brackets") from None


def evaluate(parser: Parser, trees: Sequence[Tree]) -> tuple[Counts, int, float]:
    """Return the `Counts`, the number of refused sentences and the seconds of parsing gold trees."""
    counts, refused, seconds = Counts(), 0, 0.0
    for first in range(0, len(trees), BATCH):
        batch = trees[first : first + BATCH]
        began = time.perf_counter()
        parses = list(parser.parse([tuple(tree.leaves()) for tree in batch]))
        seconds += time.perf_counter() - began
        for parse, gold in zip(parses, batch, strict=True):
            counts = counts.plus(compare(parse.tree, gold))
            refused += bool(parse.refused)
    return counts, refused, seconds


@command
def main(arguments: list[str] | None = None) -> None:
    """Compare the trees of a parser with those of a treebank."""
    arg_parser = CommandParser("evaluate-parser", main)
    arg_parser.add_argument("gold", help="treebank: Penn bracketed trees")
    arg_parser.add_argument("--output", help="table to write (default: standard output)")
    add_options(arg_parser, Parse)
    options = arg_parser.parse(arguments)
    settings = from_options(options, Parse)
    trees = [tree for _, tree in read_treebank(options.gold) if tree]
    counts, refused, seconds = evaluate(open_parser(settings), trees)
    scores = counts.scores()
    header = ["backend", "sentences", "refused", *scores, "sentences/s"]
    row = [settings.backend, str(counts.sentences), str(refused)]
    row += [f"{score:.4f}" for score in scores.values()] + [f"{counts.sentences / seconds:.0f}"]
    table = "\t".join(header) + "\n" + "\t".join(row) + "\n"
    if options.output:
        write_text(options.output, table)
    else:
        sys.stdout.write(table)
