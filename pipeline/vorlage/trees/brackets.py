"""Penn bracketed trees: read and written one per line, and checked against the tokens of a sentence.

A tree is an `nltk.Tree` whose leaves are the tokens as they are in the text, each below a tag of its
own, and whose root is `TOP` with one child. In brackets, the tokens `( ) [ ] { }` are written -LRB-,
-RRB-, -LSB-, -RSB-, -LCB- and -RCB-, and so are the brackets inside a longer token.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # NLTK takes seconds to import
    from nltk import Tree

ROOT = "TOP"
# Deeper trees would exhaust Python's stack; no real sentence has one.
DEEPEST = 400
_ESCAPES = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
_TOKENS = {escaped: bracket for bracket, escaped in _ESCAPES.items()}
_BRACKET = re.compile(r"[()\[\]{}]")
# Only these characters separate: a token may contain a no-break space or another odd character.
_NODE, _LEAF = r"[^ \t\r\n()]*", r"[^ \t\r\n()]+"


class TreeError(ValueError):
    """Text that is not a tree, or a tree whose tokens differ from those of its sentence."""


def escape(token: str) -> str:
    """Return `token` as it is written in brackets; a token that is an escape already stays as it is."""
    return _BRACKET.sub(lambda match: _ESCAPES[match[0]], token)


def unescape(leaf: str) -> str:
    """Return the token that a leaf of a treebank represents: a bracket for -LRB-, a slash for `\\/`."""
    return _TOKENS.get(leaf, leaf).replace("\\/", "/").replace("\\*", "*")


def write_tree(tree: "Tree | str") -> str:
    """Return a tree in brackets, on one line."""
    if isinstance(tree, str):
        return escape(tree)
    return f"({tree.label()} {' '.join(map(write_tree, tree))})"


def read_tree(text: str) -> "Tree":
    """Return the tree written in `text`, its leaves as written; raise `TreeError` for other text."""
    from nltk import Tree

    if _depth(text) > DEEPEST:
        raise TreeError(f"nested more than {DEEPEST} deep")
    try:
        tree = Tree.fromstring(text, node_pattern=_NODE, leaf_pattern=_LEAF)
    except ValueError:
        unclosed = text.count("(") - text.count(")")
        raise TreeError("the brackets do not match" if unclosed else "not one pair of brackets") from None
    tree = with_root(tree)
    if not all(node.label() for node in tree.subtrees()):
        raise TreeError("a bracket inside has no label")
    return tree


def _depth(text: str) -> int:
    """Return how deep the brackets of `text` are nested."""
    return max(accumulate((1 if mark == "(" else -1 for mark in text if mark in "()"), initial=0))


@lru_cache(maxsize=4096)
def bare_label(label: str) -> str:
    """Return a label without function tags and indices: NP for NP-SBJ-1; -LRB- stays."""
    return label if label.startswith("-") else label.split("-")[0].split("=")[0].split("|")[0] or label


def with_root(tree: "Tree") -> "Tree":
    """Return `tree` below a root `TOP` that has one child, an S if there would be several.

    The outermost bracket may have no label, be `TOP`, `ROOT` or `S1`, or be missing.
    """
    from nltk import Tree

    children = list(tree) if tree.label() in ("", ROOT, "ROOT", "S1") else [tree]
    return Tree(ROOT, children if len(children) == 1 else [Tree("S", children)])


def with_tokens(tree: "Tree", tokens: Sequence[str]) -> "Tree":
    """Return `tree` with `tokens` as its leaves.

    Raise `TreeError` if its leaves are other tokens, if a token has no tag of its own, or if a
    constituent is empty.
    """
    leaves = [escape(leaf) for leaf in tree.leaves()]
    escaped = [escape(token) for token in tokens]
    if leaves != escaped:
        raise TreeError(_difference(leaves, escaped))
    return _replace_leaves(tree, iter(tokens))


def _replace_leaves(node: "Tree", tokens: Iterator[str]) -> "Tree":
    if not len(node):
        raise TreeError(f"the constituent {node.label()} is empty")
    if any(isinstance(child, str) for child in node):
        if len(node) > 1 or node.label() == ROOT:
            word = next(child for child in node if isinstance(child, str))
            raise TreeError(f"the token {word} has no tag of its own")
        return type(node)(node.label(), [next(tokens)])
    return type(node)(node.label(), [_replace_leaves(child, tokens) for child in node])


def _difference(leaves: Sequence[str], tokens: Sequence[str]) -> str:
    for number, (leaf, token) in enumerate(zip(leaves, tokens, strict=False), start=1):
        if leaf != token:
            return f"token {number} is {leaf} in the tree and {token} in the sentence"
    return f"the tree has {len(leaves)} tokens and the sentence {len(tokens)}"
