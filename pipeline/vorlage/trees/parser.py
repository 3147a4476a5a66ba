"""The interface of a parser, and the parsers by name; only the one that is asked for is imported."""

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import NamedTuple, TypeAlias

from nltk import Tree

from vorlage.settings import Parse
from vorlage.trees.brackets import ROOT


class ParsedSentence(NamedTuple):
    """The parse of a sentence.

    `tree` (see `vorlage.trees.brackets`) has exactly the tokens of the sentence. `refused`: why the tree is
    flat; empty for a tree that is not.
    """

    tree: Tree
    refused: str = ""


# Yields the parse of each sentence, one or more tokens of any kind, in order.
Parser: TypeAlias = Callable[[Sequence[Sequence[str]]], Iterator[ParsedSentence]]


def refuse(tokens: Sequence[str], reason: str) -> ParsedSentence:
    """Return the flat parse of a sentence (one or more tokens) that the parser cannot parse."""
    leaves = [Tree("XX", [token]) for token in tokens]
    return ParsedSentence(Tree(ROOT, [Tree("X", leaves)]), refused=reason)


def open_parser(settings: Parse) -> Parser:
    """Return the parser `settings.backend`: the module of this package with that name opens it.

    Raise `InputError` if a model, a file or a package that the parser needs is missing.
    """
    parser: Parser = import_module(f"vorlage.trees.{settings.backend}").open_parser(settings)
    return parser
