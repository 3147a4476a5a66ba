"""The parse stage: a constituency tree for each distinct sentence of the extracts.

    vorlage parse --corpus corpus.jsonl --extracts extracts.jsonl --output parse/trees.npz

writes the trees as arrays (`vorlage.trees.tree_arrays`), and beside them `trees.mrg`: Penn brackets, one tree
per line, in the order in which the sentences first occur. `vorlage gather` joins the parts of a corpus
(`--part 3-of-10`). With `--list`, the command writes the sentences for a parser of your own instead.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.command.progress import Progress, log
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract, read_extracted_pairs
from vorlage.files.outputs import replacing, write_lines
from vorlage.files.parts import add_part_option, parse_part
from vorlage.settings import Parse
from vorlage.trees.parser import Parser, list_constituents, open_parser, write_tree
from vorlage.trees.tree_arrays import Constituent, Trees, sentence_id

MAX_REFUSED = 0.05


class DistinctSentence(NamedTuple):
    """A sentence: its tokens, and the first `pair` that has it, as sentence `number` of its document."""

    pair: str
    number: int
    tokens: tuple[str, ...]


def distinct_sentences(pairs: Iterable[tuple[Pair, Extract]]) -> Iterator[DistinctSentence]:
    """Yield each distinct sentence of the extracts of pairs, in the order of first occurrence."""
    seen = set()
    for pair, extract in pairs:
        for number in extract.sentences:
            # Interned: a corpus repeats few different words millions of times.
            tokens = tuple(map(sys.intern, pair.document.words[slice(*pair.document.sentences[number])]))
            name = sentence_id(tokens)
            if name not in seen:
                seen.add(name)
                yield DistinctSentence(pair.id, number, tokens)


def parse_sentences(
    parser: Parser, sentences: Sequence[DistinctSentence], brackets: TextIO
) -> Iterator[tuple[str, list[Constituent]]]:
    """Yield the id and the constituents of each sentence, and write its brackets.

    Raises:
        InputError: at the end, if the parser refused more than 5 % of the sentences.
    """
    refused = 0
    with Progress("parse", len(sentences), "sentences") as progress:
        parses = progress.count(parser([sentence.tokens for sentence in sentences]))
        for sentence, parsed in zip(sentences, parses, strict=True):
            brackets.write(f"{write_tree(parsed.tree)}\n")
            if parsed.refused:
                refused += 1
                log.warning(f"refused sentence {sentence.number} of pair {sentence.pair}: {parsed.refused}")
            yield sentence_id(sentence.tokens), list_constituents(parsed.tree)
    if refused > MAX_REFUSED * len(sentences):
        raise InputError(
            f"the parser refused {refused} of {len(sentences)} sentences, more than {MAX_REFUSED:.0%}; "
            "read the reasons in the log, or choose another `parse.backend`"
        )


@command
def main(arguments: list[str] | None = None) -> None:
    """Parse the sentences of the extracts."""
    parser = CommandParser("parse", main)
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    add_part_option(parser)
    outputs = parser.add_mutually_exclusive_group(required=True)
    outputs.add_argument("--output", help="trees.npz to write, with trees.mrg beside it")
    outputs.add_argument(
        "--list", metavar="FILE", help="instead: text file to write, a sentence on each line"
    )
    Parse.add_options(parser)
    options = parser.parse(arguments, outputs=("list",))
    part = parse_part(options.part)
    sentences = list(distinct_sentences(read_extracted_pairs(options.corpus, options.extracts, part)))
    if options.list:
        return write_lines(options.list, (" ".join(sentence.tokens) for sentence in sentences))
    settings = Parse.from_options(options)
    path = Path(options.output).with_suffix(".mrg")
    refuse_inputs((options.output, path), [settings.trees])
    with replacing(path) as temporary:
        with open(temporary, "w", encoding="utf-8", newline="\n") as brackets:
            parses = parse_sentences(open_parser(settings), sentences, brackets)
            trees = Trees.collect(parses, settings.model_dump())
        trees.save(options.output)
