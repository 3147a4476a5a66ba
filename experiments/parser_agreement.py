"""Agreement of a parser with a treebank: `python experiments/parser_agreement.py gold.mrg --backend pattern`.

The conventions are those of EVALB with Collins's parameters (`COLLINS.prm`): the root and punctuation (tags
`PUNCTUATION`) are left out, ADVP and PRT are the same, each node of a unary chain counts, and words are not
brackets. The gold tags determine which tokens are punctuation. Traces (`-NONE-`) are removed from the gold
trees first, with the nodes that become empty, and labels lose functions and indices.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from nltk import Tree
from vorlage.settings import Parse
from vorlage.trees.parser import ESCAPES, ROOT, Parser, bare_label, open_parser, read_tree

PUNCTUATION = frozenset([",", ":", "``", "''", "."])
TOKENS = {escaped: bracket for bracket, escaped in ESCAPES.items()}


def compare(parsed: Tree, gold: Tree) -> Counter[str]:
    """Return counts of a sentence.

    They are the brackets in both trees, in the parse and in the gold tree, the words and those with the gold
    tag, and the trees and those with the brackets of the gold tree.

    Args:
        parsed: the tree of a parser, with the tokens of `gold`.
        gold: a tree without traces, functions and indices.
    """
    counted = [tag not in PUNCTUATION for _, tag in gold.pos()]
    tags = [a == b for (_, a), (_, b), keep in zip(parsed.pos(), gold.pos(), counted, strict=True) if keep]
    ours, theirs = count_brackets(parsed, counted), count_brackets(gold, counted)
    counts = {"matched": (ours & theirs).total(), "parsed": ours.total(), "gold": theirs.total()}
    return Counter(counts, words=len(tags), tags=sum(tags), exact=int(ours == theirs), sentences=1)


def scores(counts: Counter[str]) -> dict[str, float]:
    """Return labelled precision, recall and F1, and the shares of right tags and of exact trees."""
    return {
        "precision": counts["matched"] / counts["parsed"],
        "recall": counts["matched"] / counts["gold"],
        "f1": 2 * counts["matched"] / (counts["parsed"] + counts["gold"]),
        "tags": counts["tags"] / counts["words"],
        "exact": counts["exact"] / counts["sentences"],
    }


def count_brackets(tree: Tree, counted: Sequence[bool]) -> Counter[tuple[str, int, int]]:
    """Return how often each constituent (label, start, end) occurs in a tree, in counted tokens only."""
    before, counts = [0, *accumulate(counted)], Counter[tuple[str, int, int]]()
    numbered = tree.copy(deep=True)
    for number, place in enumerate(tree.treepositions("leaves")):
        numbered[place] = number
    for node in numbered.subtrees(lambda node: isinstance(node[0], Tree) and node.label() != ROOT):
        start, end = before[node.leaves()[0]], before[node.leaves()[-1] + 1]
        if end > start:
            counts["ADVP" if node.label() == "PRT" else node.label(), start, end] += 1
    return counts


def without_traces(tree: Tree) -> Tree | None:
    """Return a gold tree without traces, functions and indices, or None if nothing is left."""
    if isinstance(tree[0], str):
        token = TOKENS.get(tree[0], tree[0]).replace("\\/", "/").replace("\\*", "*")
        return None if tree.label() == "-NONE-" else Tree(tree.label(), [token])
    children = [child for child in map(without_traces, tree) if child is not None]
    return Tree(bare_label(tree.label()), children) if children else None


def read_treebank(path: str | Path) -> Iterator[Tree]:
    """Yield `without_traces` of each tree of a file in Penn brackets, where a tree may span lines."""
    text, depth = "", 0
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        text += f" {line}"
        depth += line.count("(") - line.count(")")
        if depth == 0 and text.strip():
            if tree := without_traces(read_tree(text)):
                yield tree
            text = ""


def evaluate(parser: Parser, trees: Sequence[Tree]) -> Counter[str]:
    """Return the sums of `compare` of the trees of a parser, and the number of refused sentences."""
    counts: Counter[str] = Counter()
    parses = parser([tuple(tree.leaves()) for tree in trees])
    for parsed, gold in zip(parses, trees, strict=True):
        counts += compare(parsed.tree, gold)
        counts["refused"] += bool(parsed.refused)
    return counts


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Compare the trees of a parser with those of a treebank.")
    arguments.add_argument("gold", help="treebank: Penn bracketed trees")
    Parse.add_options(arguments)
    options = arguments.parse_args()
    treebank = list(read_treebank(options.gold))
    began = time.perf_counter()
    total = evaluate(open_parser(Parse.from_options(options)), treebank)
    row = {name: f"{score:.4f}" for name, score in scores(total).items()}
    row |= {name: str(total[name]) for name in ("sentences", "refused")}
    row["sentences/s"] = f"{len(treebank) / (time.perf_counter() - began):.0f}"
    print("\t".join(row), "\t".join(row.values()), sep="\n")
