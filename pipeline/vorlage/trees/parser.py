"""The interface of a parser, and the parsers by name; only the one that is asked for is imported.

Each parser is a module of this package, a backend, with a function `open_parser(settings)` that returns a
`Parser`. `settings` is the section `parse` of the config. It raises
`vorlage.command.errors.InputError` if a model, a file or a package that the parser needs is missing.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vorlage import settings
from vorlage.trees.brackets import ROOT

if TYPE_CHECKING:  # NLTK takes seconds to import
    from nltk import Tree


class Parse(NamedTuple):
    """The parse of a sentence.

    `tree` (see `vorlage.trees.brackets`) has exactly the tokens of the sentence. `pieces`: how many
    pieces a long sentence was cut into. `refused`: why the tree is flat; empty for a tree that is not.
    """

    tree: "Tree"
    pieces: int = 1
    refused: str = ""


class Parser(Protocol):
    """The interface of a parser.

    `version`: a text that, with the code, determines the trees, such as the digest of a model.
    """

    version: str

    def parse(self, sentences: Sequence[Sequence[str]]) -> Iterator[Parse]:
        """Yield the `Parse` of each sentence, one or more tokens of any kind, in order."""


def refuse(tokens: Sequence[str], reason: str) -> Parse:
    """Return the flat parse of a sentence (one or more tokens) that the parser cannot parse."""
    from nltk import Tree

    leaves = [Tree("XX", [token]) for token in tokens]
    return Parse(Tree(ROOT, [Tree("X", leaves)]), refused=reason)


def open_parser(parse: settings.Parse) -> Parser:
    """Return the parser that the section `parse` names, such as `pattern`."""
    parser: Parser = import_module(f"vorlage.trees.{parse.backend}").open_parser(parse)
    return parser
