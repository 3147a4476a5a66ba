"""Penn bracketed trees: written and read one a line, and checked against the tokens of a sentence.

A tree is an :class:`nltk.Tree` whose leaves are the tokens as they stand in the text, below a tag each, and
whose root is ``TOP`` with one child. In brackets the tokens ``( ) [ ] { }`` are written -LRB-, -RRB-, -LSB-,
-RSB-, -LCB-, -RCB-, and so is a bracket inside a longer token.
"""

import re
from functools import lru_cache
from itertools import accumulate

from pipeline.text.nltk import nltk
from pipeline.text.patterns import lift_time_limit

lift_time_limit()

ROOT = "TOP"
# Deeper trees than any sentence has would exhaust Python's stack.
DEEPEST = 400
_ESCAPES = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
_TOKENS = {escaped: bracket for bracket, escaped in _ESCAPES.items()}
_BRACKET = re.compile(r"[()\[\]{}]")
# Only these separate: a token may hold a no-break space or another odd character.
_NODE, _LEAF = r"[^ \t\r\n()]*", r"[^ \t\r\n()]+"


class TreeError(ValueError):
    """Text that is not a tree, or a tree that is not over the tokens it should be over."""


def escape(token):
    """``token`` as it is written in brackets; a token that is an escape already stays as it is."""
    return _BRACKET.sub(lambda found: _ESCAPES[found[0]], token)


def unescape(leaf):
    """The token that a leaf of a treebank stands for: -LRB- is a bracket, ``\\/`` a slash."""
    return _TOKENS.get(leaf, leaf).replace("\\/", "/").replace("\\*", "*")


def write_tree(tree):
    """The tree in brackets, on one line."""
    if not isinstance(tree, nltk.Tree):
        return escape(tree)
    return f"({tree.label()} {' '.join(map(write_tree, tree))})"


def read_tree(text):
    """The tree written in ``text``, leaves as written there; raises :class:`TreeError`."""
    if _depth(text) > DEEPEST:
        raise TreeError(f"nested more than {DEEPEST} deep")
    try:
        tree = nltk.Tree.fromstring(text, node_pattern=_NODE, leaf_pattern=_LEAF)
    except ValueError:
        unclosed = text.count("(") - text.count(")")
        raise TreeError("the brackets do not match" if unclosed else "not one pair of brackets") from None
    tree = rooted(tree)
    if not all(node.label() for node in tree.subtrees()):
        raise TreeError("a bracket inside has no label")
    return tree


def _depth(text):
    """How deep the brackets of ``text`` are nested."""
    return max(accumulate((1 if mark == "(" else -1 for mark in text if mark in "()"), initial=0))


@lru_cache(maxsize=4096)
def bare(label):
    """A label without function tags and indices: NP of NP-SBJ-1; -LRB- stays."""
    return label if label.startswith("-") else label.split("-")[0].split("=")[0].split("|")[0] or label


def rooted(tree):
    """``tree`` below a root ``TOP`` that has one child, an S where it would have several.

    The outermost bracket may have no label, be ``TOP``, ``ROOT`` or ``S1``, or be missing.
    """
    children = list(tree) if tree.label() in ("", ROOT, "ROOT", "S1") else [tree]
    return nltk.Tree(ROOT, children if len(children) == 1 else [nltk.Tree("S", children)])


def over(tree, tokens):
    """``tree`` with ``tokens`` for its leaves; raises :class:`TreeError` where it is over other tokens.

    Each token must have a tag of its own, and no constituent may be empty.
    """
    leaves = [escape(leaf) for leaf in tree.leaves()]
    wanted = [escape(token) for token in tokens]
    if leaves != wanted:
        raise TreeError(_difference(leaves, wanted))
    return _with_leaves(tree, iter(tokens))


def _with_leaves(node, tokens):
    if not len(node):
        raise TreeError(f"the constituent {node.label()} is empty")
    if any(isinstance(child, str) for child in node):
        if len(node) > 1 or node.label() == ROOT:
            word = next(child for child in node if isinstance(child, str))
            raise TreeError(f"the token {word} has no tag of its own")
        return nltk.Tree(node.label(), [next(tokens)])
    return nltk.Tree(node.label(), [_with_leaves(child, tokens) for child in node])


def _difference(leaves, wanted):
    for number, (leaf, token) in enumerate(zip(leaves, wanted, strict=False), start=1):
        if leaf != token:
            return f"token {number} is {leaf} in the tree and {token} in the sentence"
    return f"the tree has {len(leaves)} tokens and the sentence {len(wanted)}"
