"""Parser `benepar`: the Berkeley neural parser (Kitaev & Klein 2018; Kitaev, Cao & Klein 2019).

`make benepar` installs it, with torch. A model is a file or a folder; `vorlage fetch-parser`
downloads one of benepar's own. torch 2.6 and later run no code in a model when they load it.

TextBlob tags the words if a model has no tagger. Every run on the same machine makes the same trees. However,
the last digits of the scores of a sentence depend on the sentences it is parsed with, so a near tie may be
decided otherwise if the store already contains some of them.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nltk import Tree

from vorlage import settings
from vorlage.command.errors import InputError
from vorlage.command.progress import log
from vorlage.fingerprint import file_digest
from vorlage.trees.brackets import ROOT, with_root, with_tokens
from vorlage.trees.parser import Parse, refuse
from vorlage.trees.pieces import cut_sentence
from vorlage.trees.tags import tag

# Limits of a batch: sentences, and words with padding to the longest; 64 sentences of 500 take tens of GB.
BATCH, POSITIONS = 64, 4096
FOLDER = Path("results/benepar")


def open_parser(parse: settings.Parse) -> "Benepar":
    """Return the parser with the model `parse.benepar_model`: a path or a downloaded name."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ["HF_HUB_OFFLINE"] = "1"  # loading a model would download parts of it
    path = _find_model(parse.benepar_model)
    try:
        import benepar
    except ImportError as error:
        raise InputError(
            f"benepar cannot be imported ({error}); install it with `make benepar`, or set `parse.backend`"
        ) from None
    return Benepar(benepar, path)


def _find_model(model: str) -> Path:
    for path in (Path(model), FOLDER / model):
        if path.exists():
            return path
    raise InputError(
        f"the benepar model {model} does not exist; check the path, or download one of benepar's models with "
        f"`vorlage fetch-parser --name {Path(model).name} --output {FOLDER / Path(model).name}`"
    )


class Benepar:
    """Parses with a model in batches, on a GPU if torch finds one."""

    # benepar is optional and imported in open_parser alone, so its objects have no types.
    _parser: Any
    _tokenizer: Any

    def __init__(self, benepar: Any, path: Path) -> None:
        """`benepar`: the library. Raise `InputError` if `path` is not a model."""
        self.version = file_digest(path)
        self._sentence = benepar.InputSentence
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self._parser = benepar.Parser(str(path), batch_size=BATCH)
            except Exception as error:  # torch, pickle and transformers raise many kinds for a wrong file
                reason = str(error).split(". ")[0]
                raise InputError(
                    f"{path}: not a benepar model ({type(error).__name__}: {reason}); "
                    "pass the file or folder of one"
                ) from None
        model = self._parser._parser
        self._tokenizer = getattr(model.retokenizer, "tokenizer", None)
        # Two of the model's positions are the marks of beginning and end.
        self.longest: int = model.config["hparams"]["encoder_max_len"] - 2
        if self._tokenizer is not None:
            self.longest = min(self.longest, self._tokenizer.model_max_length - 2)

    def parse(self, sentences: Sequence[Sequence[str]]) -> Iterator[Parse]:
        """Yield the `Parse` of each sentence; a sentence is refused if the model fails at it alone."""
        cuts = [cut_sentence(list(tokens), self.longest, self._positions) for tokens in sentences]
        trees = iter(self._parse_pieces([piece for pieces in cuts for piece in pieces]))
        for tokens, pieces in zip(sentences, cuts, strict=True):
            yield _join(tokens, [next(trees) for _ in pieces])

    def _positions(self, tokens: Sequence[str]) -> int:
        """Return the number of positions of the model that tokens take."""
        if self._tokenizer is None:
            return len(tokens)
        return max(len(tokens), sum(len(self._tokenizer.tokenize(token)) for token in tokens))

    def _parse_pieces(self, pieces: Sequence[list[str]]) -> list[Tree | str]:
        """Return a tree for each piece, or the reason why the model failed, a string."""
        by_piece: dict[int, Tree | str] = {}
        for indices in batches(pieces):
            batch = [pieces[i] for i in indices]
            try:
                trees = self._parse_batch(batch)
            except Exception as error:
                log.info(f"a batch of {len(batch)} sentences failed ({error!r:.200}); trying them one by one")
                trees = [self._parse_alone(piece) for piece in batch]
            by_piece.update(zip(indices, trees, strict=True))
        return [by_piece[i] for i in range(len(pieces))]

    def _parse_alone(self, piece: list[str]) -> Tree | str:
        try:
            return self._parse_batch([piece])[0]
        except Exception as error:  # a failure inside the model must not stop the other sentences
            return f"{type(error).__name__}: {error}"

    def _parse_batch(self, pieces: Sequence[list[str]]) -> list[Tree | str]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            trees = list(self._parser.parse_sents([self._sentence(words=piece) for piece in pieces]))
        return [
            _add_tags(with_tokens(with_root(tree), piece)) for tree, piece in zip(trees, pieces, strict=True)
        ]


def batches(pieces: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Yield the indices of pieces in batches of similar length, at most `POSITIONS` words with padding."""
    batch: list[int] = []
    for i in sorted(range(len(pieces)), key=lambda i: len(pieces[i])):
        longest = len(pieces[i])
        if batch and (len(batch) == BATCH or (len(batch) + 1) * longest > POSITIONS):
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _add_tags(tree: Tree) -> Tree:
    """Return the tree, with TextBlob's tags if the model has no tagger."""
    if all(label != "UNK" for _, label in tree.pos()):
        return tree
    for place, label in zip(tree.treepositions("leaves"), tag(tree.leaves()), strict=True):
        tree[place[:-1]].set_label(label)
    return tree


def _join(tokens: Sequence[str], trees: Sequence[Tree | str]) -> Parse:
    """Return the parse of a sentence from the trees of its pieces, or the reasons why there is none."""
    for tree in trees:
        if isinstance(tree, str):
            return refuse(tokens, tree)
    if len(trees) == 1:
        return Parse(trees[0])
    return Parse(Tree(ROOT, [Tree("S", [tree[0] for tree in trees])]), pieces=len(trees))
