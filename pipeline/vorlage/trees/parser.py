"""Parsers by name, and the Penn bracketed trees that they return.

Only the parser that is asked for is imported.

A tree is an `nltk.Tree` whose leaves are the tokens as they are in the text, each below a tag of its
own, and whose root is `TOP` with one child. In brackets, the tokens `( ) [ ] { }` are written -LRB-,
-RRB-, -LSB-, -RSB-, -LCB- and -RCB-, and so are the brackets inside a longer token.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import NamedTuple, TypeAlias

from nltk import Tree

from vorlage.settings import Parse
from vorlage.trees.tree_arrays import Constituent

ROOT = "TOP"
ESCAPES = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
# Only these characters separate: a token may contain a no-break space or another odd character.
NODE, LEAF = r"[^ \t\r\n()]*", r"[^ \t\r\n()]+"


def escape(token: str) -> str:
    """Return `token` as it is written in brackets; a token that is an escape already stays as it is."""
    return re.sub(r"[()\[\]{}]", lambda match: ESCAPES[match[0]], token)


def write_tree(tree: Tree | str) -> str:
    """Return a tree in brackets, on one line."""
    if isinstance(tree, str):
        return escape(tree)
    return f"({tree.label()} {' '.join(map(write_tree, tree))})"


def read_tree(text: str) -> Tree:
    """Return the tree written in `text`, its leaves as written; raise ValueError for other text."""
    try:
        tree = with_root(Tree.fromstring(text, node_pattern=NODE, leaf_pattern=LEAF))
    except ValueError:
        unclosed = text.count("(") - text.count(")")
        raise ValueError("the brackets do not match" if unclosed else "not one pair of brackets") from None
    for node in tree.subtrees():
        words = [child for child in node if isinstance(child, str)]
        if not node.label():
            raise ValueError("a bracket inside has no label")
        if not len(node):
            raise ValueError(f"the constituent {node.label()} is empty")
        if words and (len(node) > 1 or node.label() == ROOT):
            raise ValueError(f"the token {words[0]} has no tag of its own")
    return tree


def with_root(tree: Tree) -> Tree:
    """Return `tree` below a root `TOP` that has one child, an S if there would be several.

    The outermost bracket may have no label, be `TOP`, `ROOT` or `S1`, or be missing.
    """
    children = list(tree) if tree.label() in ("", ROOT, "ROOT", "S1") else [tree]
    return Tree(ROOT, children if len(children) == 1 else [Tree("S", children)])


def with_tokens(tree: Tree, tokens: Sequence[str]) -> Tree:
    """Return `tree` with `tokens` as its leaves; raise ValueError if its leaves are other tokens."""
    leaves, escaped = list(map(escape, tree.leaves())), list(map(escape, tokens))
    for number, (leaf, token) in enumerate(zip(leaves, escaped, strict=False), start=1):
        if leaf != token:
            raise ValueError(f"token {number} is {leaf} in the tree and {token} in the sentence")
    if len(leaves) != len(escaped):
        raise ValueError(f"the tree has {len(leaves)} tokens and the sentence {len(escaped)}")
    tree = tree.copy(deep=True)
    for place, token in zip(tree.treepositions("leaves"), tokens, strict=True):
        tree[place] = token
    return tree


def bare_label(label: str) -> str:
    """Return a label without function tags and indices: NP for NP-SBJ-1; -LRB- stays."""
    return label if label.startswith("-") else re.split("[-=|]", label)[0] or label


def list_constituents(tree: Tree) -> list[Constituent]:
    """Return the constituents of a tree below its root, in pre-order; only the topmost of a unary chain."""
    rows: list[Constituent] = []

    def visit(node: Tree, start: int, parent: int) -> int:
        """Append the constituents of a node that starts at token `start`, and return where it ends."""
        label, number, end = bare_label(node.label()), len(rows), start
        while len(node) == 1 and isinstance(node[0], Tree):
            node = node[0]
        rows.append(Constituent(start, start + 1, label, parent))
        if isinstance(node[0], str):
            return start + 1
        for child in node:
            end = visit(child, end, number)
        rows[number] = Constituent(start, end, label, parent)
        return end

    visit(tree[0], 0, -1)
    return rows


class ParsedSentence(NamedTuple):
    """The parse of a sentence.

    `tree` (see `vorlage.trees.parser`) has exactly the tokens of the sentence. `refused`: why the tree is
    flat; empty for a tree that is not.
    """

    tree: Tree
    refused: str = ""


# Yields the parse of each sentence, one or more tokens of any kind, in order.
Parser: TypeAlias = Callable[[Sequence[Sequence[str]]], Iterator[ParsedSentence]]


def refuse_sentence(tokens: Sequence[str], reason: str) -> ParsedSentence:
    """Return the flat parse of a sentence (one or more tokens) that the parser cannot parse."""
    leaves = [Tree("XX", [token]) for token in tokens]
    return ParsedSentence(Tree(ROOT, [Tree("X", leaves)]), refused=reason)


def open_parser(settings: Parse) -> Parser:
    """Return the parser `settings.backend`: the module of this package with that name opens it.

    Raise `InputError` if a model, a file or a package that the parser needs is missing.
    """
    parser: Parser = import_module(f"vorlage.trees.{settings.backend}").open_parser(settings)
    return parser
