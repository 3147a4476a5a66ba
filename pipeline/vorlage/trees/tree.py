"""Parser `trees`: Penn bracketed trees that the user provides, one per line, found by their tokens.

The file may contain the trees in any order, and trees of other sentences too. `parse/sentences.txt` lists
the sentences that need a tree.
"""

import difflib
from collections.abc import Iterator, Sequence

from vorlage import settings
from vorlage.command.errors import InputError
from vorlage.files.inputs import read_lines
from vorlage.fingerprint import file_digest
from vorlage.trees.brackets import TreeError, escape, read_tree, with_tokens
from vorlage.trees.parser import Parse
from vorlage.trees.sentences import sentence_id


def open_parser(parse: settings.Parse) -> "BracketedTrees":
    """Return the parser with the trees of the file `parse.trees`."""
    if not parse.trees:
        raise InputError("config: `parse.trees` is missing; give the path of a file of trees, one per line")
    return BracketedTrees(parse.trees)


class BracketedTrees:
    """Looks sentences up in the trees of the file `path`; raises `InputError` for an invalid file.

    `lines`: the line number and the line of each tree, by the id of its escaped tokens.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.lines: dict[str, tuple[int, str]] = {}
        for number, line in read_lines(path, newline="\n"):
            if line.strip():
                try:
                    tree = read_tree(line)
                except TreeError as error:
                    raise InputError(
                        f"{path}, line {number}: not a tree, {error}; write one bracketed tree on each line"
                    ) from None
                self.lines.setdefault(sentence_id(map(escape, tree.leaves())), (number, line))
        self.version = file_digest(path)

    def parse(self, sentences: Sequence[Sequence[str]]) -> Iterator[Parse]:
        """Yield the `Parse` of each sentence; raise `InputError` for one without a tree."""
        for tokens in sentences:
            numbered = self.lines.get(sentence_id(map(escape, tokens)))
            if numbered is None:
                raise InputError(self._missing(tokens))
            number, line = numbered
            try:
                yield Parse(with_tokens(read_tree(line), tokens))
            except TreeError as error:
                raise InputError(f"{self.path}, line {number}: {error}; give each token a tag") from None

    def _missing(self, tokens: Sequence[str]) -> str:
        """Return a message that names the line most similar to the sentence and the first difference."""
        matcher = difflib.SequenceMatcher(b=[escape(token) for token in tokens], autojunk=False)
        best, nearest = 0.5, None
        for number, line in self.lines.values():
            matcher.set_seq1(read_tree(line).leaves())
            if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
                best, nearest = matcher.ratio(), (number, line)
        sentence = " ".join(tokens if len(tokens) <= 12 else [*tokens[:12], "…"])
        if nearest is None:
            return f'{self.path}: no tree for the sentence "{sentence}"; add it'
        number, line = nearest
        try:
            with_tokens(read_tree(line), tokens)
        except TreeError as error:
            return f'{self.path}, line {number}: {error}; make it a tree of the sentence "{sentence}"'
        raise AssertionError("a tree of the sentence would have been found by its id")
