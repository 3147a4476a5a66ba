"""The parsers by name. Each is a module of this package; only the one asked for is imported.

The module of a backend has a function ``open_parser(settings)``, ``settings`` being the section ``parse``
of the config, that returns an object with

- ``version``: a text that, with the code, decides what trees it makes: the digest of a model, or empty;
- ``parse(sentences)``: takes a list of sentences, each a tuple of one or more tokens, and yields a
  :class:`Parse` for each, in order, whatever a sentence holds.

``open_parser`` raises :class:`~pipeline.run.errors.InputError` when a model, file or package it wants is missing.
"""

from importlib import import_module
from typing import NamedTuple

from pipeline.parse.brackets import ROOT
from pipeline.text.nltk import nltk

# The settings of the section ``parse`` that say which parser it is.
SETTINGS = ("backend", "benepar_model", "trees")


class Parse(NamedTuple):
    """What a parser made of a sentence.

    ``tree`` (see :mod:`pipeline.parse.brackets`) is over exactly its tokens. ``pieces``: how many parts a
    long sentence was cut into to be parsed. ``refused``: why the tree is a flat one, empty where it is not.
    """

    tree: nltk.Tree
    pieces: int = 1
    refused: str = ""


def refuse(tokens, why):
    """The flat parse of a sentence (one or more tokens) that the parser cannot parse."""
    return Parse(
        nltk.Tree(ROOT, [nltk.Tree("X", [nltk.Tree("XX", [token]) for token in tokens])]), refused=why
    )


def open_parser(settings):
    """The parser that ``settings["backend"]`` names (``"pattern"``)."""
    return import_module(f"pipeline.parse.{settings['backend']}").open_parser(settings)
