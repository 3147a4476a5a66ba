"""How well a parser agrees with a treebank: ``python -m pipeline.parse.evaluate gold.mrg``.

The conventions are those of EVALB with the parameters of Collins (``COLLINS.prm``): the root and punctuation
(tags ``, : `` '' .``) are left out, ADVP and PRT are the same, the nodes of a unary chain count each, and
words are no brackets. Which tokens are punctuation is told by the gold tags. Traces (``-NONE-``) are taken
out of the gold trees first, with the nodes that they leave empty, and labels lose functions and indices.
"""

import argparse
import sys
import time
from collections import Counter
from itertools import accumulate
from typing import NamedTuple

from pipeline.io.jsonl import read_lines, write_text
from pipeline.parse.brackets import ROOT, TreeError, bare, over, read_tree, unescape
from pipeline.parse.parser import SETTINGS, open_parser
from pipeline.run.errors import InputError, command
from pipeline.run.progress import start_log
from pipeline.settings import add_options, from_options
from pipeline.text.nltk import nltk

PUNCTUATION = frozenset([",", ":", "``", "''", "."])
TRACE = "-NONE-"
BATCH = 256


class Counts(NamedTuple):
    """Brackets in both trees, in the parse, in the gold; words, those tagged as in the gold; whole trees."""

    matched: int = 0
    parsed: int = 0
    gold: int = 0
    words: int = 0
    tags: int = 0
    exact: int = 0
    sentences: int = 0

    def plus(self, other):
        """The sums of both."""
        return Counts(*map(sum, zip(self, other, strict=True)))

    def scores(self):
        """Labelled precision, recall and F1, share of right tags and of trees with every bracket right."""
        precision, recall = self.matched / max(self.parsed, 1), self.matched / max(self.gold, 1)
        return {
            "precision": precision,
            "recall": recall,
            "f1": 2 * precision * recall / max(precision + recall, 1e-300),
            "tags": self.tags / max(self.words, 1),
            "exact": self.exact / max(self.sentences, 1),
        }


def compare(parsed, gold):
    """The :class:`Counts` of a sentence: two trees over the same tokens, without traces, labels bare."""
    kept = [tag not in PUNCTUATION for _, tag in gold.pos()]
    tags = [a == b for (_, a), (_, b), keep in zip(parsed.pos(), gold.pos(), kept, strict=True) if keep]
    ours, theirs = brackets(parsed, kept), brackets(gold, kept)
    exact = ours == theirs
    return Counts((ours & theirs).total(), ours.total(), theirs.total(), len(tags), sum(tags), int(exact), 1)


def brackets(tree, kept):
    """The constituents of a tree as a Counter of (label, start, end), over the kept tokens alone."""
    before = [0, *accumulate(kept)]
    found = Counter()

    def visit(node, first):
        """Count the constituents of a node that starts at token ``first``; returns where it ends."""
        last = first
        for child in node:
            last = last + 1 if isinstance(child, str) else visit(child, last)
        word = isinstance(node[0], str)
        if not word and node.label() != ROOT and before[last] > before[first]:
            found["ADVP" if node.label() == "PRT" else node.label(), before[first], before[last]] += 1
        return last

    visit(tree, 0)
    return found


def plain(tree):
    """A gold tree without traces, functions and indices, or None where nothing is left."""
    if len(tree) == 1 and isinstance(tree[0], str):
        return None if tree.label() == TRACE else nltk.Tree(tree.label(), [unescape(tree[0])])
    children = [child for child in map(plain, tree) if child is not None]
    return nltk.Tree(bare(tree.label()), children) if children else None


def read_treebank(path):
    """Yield ``(line, tree)`` for each tree of a file in Penn brackets, however its lines are broken.

    Raises :class:`InputError` for a file that has none, and for brackets that do not match.
    """
    count, depth, first, text = 0, 0, 1, []
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
        raise InputError(f"{path}: no trees; give a file of Penn bracketed trees")


def _treebank_tree(path, line, text):
    try:
        tree = read_tree(text)
        return plain(over(tree, tree.leaves()))
    except TreeError as error:
        raise InputError(f"{path}, line {line}: not a tree, {error}; give one bracketed tree") from None


def evaluate(parser, trees):
    """``(Counts, refused sentences, seconds of parsing)`` of a parser on gold trees."""
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
def main(arguments=None):
    """Compare the trees of a parser with those of a treebank."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.parse.evaluate", description=main.__doc__)
    parser.add_argument("gold", help="treebank: Penn bracketed trees")
    parser.add_argument("--output", help="table to write (default: standard output)")
    parser.add_argument("--log", help="log file (default: standard error)")
    add_options(parser, "parse", only=SETTINGS)
    options = parser.parse_args(arguments)
    start_log(options.log)
    settings = from_options(options, "parse")
    trees = [tree for _, tree in read_treebank(options.gold) if tree]
    counts, refused, seconds = evaluate(open_parser(settings), trees)
    scores = counts.scores()
    header = ["backend", "sentences", "refused", *scores, "sentences/s"]
    row = [settings["backend"], str(counts.sentences), str(refused)]
    row += [f"{score:.4f}" for score in scores.values()] + [f"{counts.sentences / seconds:.0f}"]
    table = "\t".join(header) + "\n" + "\t".join(row) + "\n"
    if options.output:
        write_text(options.output, table)
    else:
        sys.stdout.write(table)


if __name__ == "__main__":
    main()
