"""Parser `trees`: Penn bracketed trees that the user provides, one per line, found by their tokens.

The file may contain the trees in any order, and trees of other sentences too. `vorlage parse --list` lists
the sentences that need a tree.
"""

from collections.abc import Iterator, Sequence

from vorlage.command.errors import InputError
from vorlage.files.inputs import read_lines
from vorlage.settings import Parse
from vorlage.trees.parser import ParsedSentence, Parser, escape, read_tree, with_tokens
from vorlage.trees.tree_arrays import sentence_id


def open_parser(settings: Parse) -> Parser:
    """Return the parser with the trees of the file `settings.trees`; raise `InputError` for another file."""
    path = settings.trees
    if not path:
        raise InputError("`parse.trees` is missing; give the path of a file of trees, one per line")
    lines: dict[str, str] = {}  # by the id of the escaped tokens
    for number, line in read_lines(path, newline="\n"):
        if line.strip():
            try:
                tree = read_tree(line)
            except ValueError as error:
                raise InputError(
                    f"{path}, line {number}: not a tree, {error}; write one bracketed tree on each line"
                ) from None
            lines.setdefault(sentence_id(map(escape, tree.leaves())), line)

    def parse(sentences: Sequence[Sequence[str]]) -> Iterator[ParsedSentence]:
        for tokens in sentences:
            line = lines.get(sentence_id(map(escape, tokens)))
            if line is None:
                raise InputError(f'{path}: no tree has exactly the tokens "{" ".join(tokens)}"; add it')
            yield ParsedSentence(with_tokens(read_tree(line), tokens))

    return parse
