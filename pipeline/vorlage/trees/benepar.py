"""Parser `benepar`: the Berkeley neural parser (Kitaev & Klein 2018; Kitaev, Cao & Klein 2019).

`make torch` installs it. A model is a file or a folder; `vorlage fetch --parser` downloads one of benepar's
own. torch 2.10 and later run no code in a model when they load it.

TextBlob tags the words if a model has no tagger. Every run on the same machine makes the same trees. However,
the last digits of the scores of a sentence depend on the sentences it is parsed with, so a near tie may be
decided otherwise in another division of the corpus.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nltk import Tree

from vorlage.command.errors import InputError
from vorlage.settings import Parse
from vorlage.text.tags import tag
from vorlage.trees.parser import ParsedSentence, Parser, refuse_sentence, with_root, with_tokens

CHUNK_SENTENCES = 1024  # sentences that are sorted by length
# Limits of a batch: sentences, and words with padding to the longest; 64 sentences of 500 take tens of GB.
BATCH, POSITIONS = 64, 4096


def open_parser(settings: Parse) -> Parser:
    """Return the parser with the model `settings.benepar_model`."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ["HF_HUB_OFFLINE"] = "1"  # loading a model would download parts of it
    model = settings.benepar_model
    if not Path(model).exists():
        raise InputError(
            f"the benepar model {model} does not exist; check the path, or download a model of benepar with "
            f"`vorlage fetch --parser {Path(model).name}`"
        )
    import benepar

    return Benepar(benepar, model).parse


class Benepar:
    """Parses with a model in batches, on a GPU if torch finds one; raises `InputError` for no model.

    Args:
        benepar: the library.
        path: the file or folder of the model.
    """

    # benepar is optional, so its objects have no types.
    _parser: Any
    _tokenizer: Any

    def __init__(self, benepar: Any, path: str) -> None:
        self._sentence = benepar.InputSentence
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self._parser = benepar.Parser(path, batch_size=BATCH)
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

    def parse(self, sentences: Sequence[Sequence[str]]) -> Iterator[ParsedSentence]:
        """Yield the parse of each sentence; one that is too long, or at which the model fails, is refused."""
        for first in range(0, len(sentences), CHUNK_SENTENCES):
            chunk = sentences[first : first + CHUNK_SENTENCES]
            parses: dict[int, ParsedSentence] = {}
            for batch in make_batches(chunk):
                parses |= zip(batch, self._parse_batch([chunk[i] for i in batch]), strict=True)
            yield from (parses[i] for i in range(len(chunk)))

    def _parse_batch(self, sentences: Sequence[Sequence[str]]) -> list[ParsedSentence]:
        """Return the parses of sentences; if the model fails, it gets them one by one."""
        try:
            if (size := max(map(self._positions, sentences))) > self.longest:
                raise ValueError(f"{size} word pieces; the model takes {self.longest}")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                inputs = [self._sentence(words=list(tokens)) for tokens in sentences]
                trees = map(with_root, self._parser.parse_sents(inputs))
                return [
                    ParsedSentence(_add_tags(with_tokens(tree, tokens)))
                    for tree, tokens in zip(trees, sentences, strict=True)
                ]
        except Exception as error:  # a failure inside the model must not stop the other sentences
            if len(sentences) == 1:
                return [refuse_sentence(sentences[0], f"{type(error).__name__}: {error}")]
            return [parse for tokens in sentences for parse in self._parse_batch([tokens])]

    def _positions(self, tokens: Sequence[str]) -> int:
        """Return the number of positions of the model that tokens take."""
        if self._tokenizer is None:
            return len(tokens)
        return max(len(tokens), sum(len(self._tokenizer.tokenize(token)) for token in tokens))


def make_batches(sentences: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Yield the indices of sentences of similar length, at most `POSITIONS` words with padding at once."""
    batch: list[int] = []
    for i in sorted(range(len(sentences)), key=lambda i: len(sentences[i])):
        if batch and (len(batch) == BATCH or (len(batch) + 1) * len(sentences[i]) > POSITIONS):
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
