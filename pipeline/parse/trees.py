"""Parser ``trees``: Penn bracketed trees that the user brings, one a line, found by their tokens.

The file may hold the trees in any order and more of them than are wanted, so that all sentences of a
corpus can be parsed once; ``parse/sentences.txt`` lists those that are wanted.
"""

import difflib

from pipeline.fingerprint import file_digest
from pipeline.io.jsonl import read_lines
from pipeline.parse.brackets import TreeError, escape, over, read_tree
from pipeline.parse.parser import Parse
from pipeline.parse.sentences import sentence_id
from pipeline.run.errors import InputError


def open_parser(settings):
    """The parser of the trees in the file ``settings["trees"]``."""
    if not settings["trees"]:
        raise InputError("config: `parse.trees` is missing; name the file of trees, one a line")
    return BracketedTrees(settings["trees"])


class BracketedTrees:
    """Looks sentences up in the trees of the file ``path``; raises :class:`InputError` for a broken one."""

    def __init__(self, path):
        self.path = path
        self.lines = {}
        for number, line in read_lines(path, newline="\n"):
            if line.strip():
                try:
                    tree = read_tree(line)
                except TreeError as error:
                    raise InputError(
                        f"{path}, line {number}: not a tree, {error}; each line must be one bracketed tree"
                    ) from None
                self.lines.setdefault(sentence_id(map(escape, tree.leaves())), (number, line))
        self.version = file_digest(path)

    def parse(self, sentences):
        """Yield the :class:`Parse` of each sentence; raises :class:`InputError` for one without a tree."""
        for tokens in sentences:
            number, line = self.lines.get(sentence_id(map(escape, tokens)), (None, None))
            if number is None:
                raise InputError(self._missing(tokens))
            try:
                yield Parse(over(read_tree(line), tokens))
            except TreeError as error:
                raise InputError(f"{self.path}, line {number}: {error}; give each token a tag") from None

    def _missing(self, tokens):
        """Says which line comes nearest to the sentence, and how it differs."""
        wanted = [escape(token) for token in tokens]
        matcher = difflib.SequenceMatcher(b=wanted, autojunk=False)
        best, where = 0.5, None
        for number, line in self.lines.values():
            matcher.set_seq1(read_tree(line).leaves())
            if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
                best, where = matcher.ratio(), (number, line)
        sentence = " ".join(tokens if len(tokens) <= 12 else [*tokens[:12], "…"])
        if where is None:
            return f'{self.path}: no tree for the sentence "{sentence}"; add it'
        try:
            over(read_tree(where[1]), tokens)
        except TreeError as error:
            difference = error
        return f'{self.path}, line {where[0]}: {difference}; the sentence is "{sentence}"'
