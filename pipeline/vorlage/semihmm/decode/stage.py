"""Align pairs with a trained semi-HMM: `vorlage align`.

    vorlage align --model results/sample/train/relative/model.npz --corpus new.jsonl --output out.jsonl

The corpus is in input form (`id`, `document`, `summary`: strings or lists of sentences), a
`corpus.jsonl` of the corpus stage, or two text files (`--documents`, `--summaries`) with one text in
each line.

The whole input is checked before the first pair is aligned. Memory does not grow with the number of pairs.
From `MIN_PAIRS` pairs on, `--threads N` starts N processes, each with its own copy of the model, of
WordNet and of `--trees`: some 370 MB each for a small model, 500 with WordNet, more for larger files. Fewer
pairs are aligned by threads of one process, which starts at once. The output is the same, byte for byte, and
so are the concatenated outputs of all parts (`--part 3-of-10`).
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress, log
from vorlage.corpus.new import JsonLines, TextFiles
from vorlage.extract.source import Extracted, PairSource
from vorlage.files.outputs import write_lines
from vorlage.files.parts import WHOLE, add_part_option, parse_part
from vorlage.fingerprint import digest, file_digest, fingerprint
from vorlage.semihmm.decode.alignment_lines import Task, output_lines
from vorlage.semihmm.decode.decoding import Decoding
from vorlage.semihmm.model import Model
from vorlage.settings import add_options, from_options, read_by


def exactly(count: int, lines: Iterable[str]) -> Iterator[str]:
    """Yield `lines`; raise `InputError` unless there are `count`, as when a file was changed."""
    yielded = 0
    for line in lines:
        yielded += 1
        yield line
    if yielded != count:
        raise InputError(
            f"there were {count} pairs at first and {yielded} later; do not change files while they are read"
        )


def make_stamp(model: Model, decoding: Decoding) -> str:
    """Return the fingerprint of the code, the decoding and the model, which every line of the output has."""
    code = fingerprint("vorlage.semihmm.decode", f"vorlage.semihmm.jumps.{model.jump}")
    return digest((code, decoding, model.origin.fingerprint))


def check_source(parser: ArgumentParser, options: Namespace) -> None:
    """Check the options that name the source of pairs; those that exclude each other end the command."""
    texts = options.documents, options.summaries
    if options.corpus and any(texts):
        parser.error("argument --corpus: not allowed with --documents and --summaries")
    if not options.corpus and not all(texts):
        parser.error("give --corpus, or both --documents and --summaries")
    if options.extracts and not options.corpus:
        parser.error("argument --extracts: only allowed with --corpus")
    if parse_part(options.part) != WHOLE and not options.corpus:
        parser.error("argument --part: only allowed with --corpus")


def open_source(options: Namespace, language: str) -> PairSource[Any]:
    """Return the source of pairs that the options name; `language`: of texts that are not tokenized yet."""
    part = parse_part(options.part)
    if options.extracts:
        return Extracted(options.corpus, options.extracts, part)
    if options.corpus:
        return JsonLines(options.corpus, options.tokenized, part, language)
    return TextFiles(options.documents, options.summaries, options.tokenized, language)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Align pairs with a trained semi-HMM."""
    parser = CommandParser("align", main)
    parser.add_argument("--model", required=True, help="model.npz of `vorlage train`")
    parser.add_argument("--corpus", help="pairs to align, JSON lines")
    parser.add_argument("--documents", help="instead of --corpus: a text file, one document per line")
    parser.add_argument("--summaries", help="a second text file, with the summaries on the same lines")
    parser.add_argument("--extracts", help="extracts.jsonl of the extract stage (default: whole documents)")
    parser.add_argument("--trees", help="trees.npz of the parse stage (default: parse if the model needs it)")
    parser.add_argument("--similarities", help="folder of the encode stage, for a model with an encoder")
    parser.add_argument("--encoder", help="instead: the encoder, a folder or name (default: see config)")
    parser.add_argument(
        "--tokenized", action="store_true", help="tokens are separated by spaces; a line is a sentence"
    )
    add_part_option(parser)
    parser.add_argument("--system", help="name of the system in the output (default: semihmm-JUMP)")
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        help="pairs aligned at once; processes for many pairs (default: 1)",
    )
    add_options(parser, "semihmm", read_by("decode"))
    options = parser.parse(arguments)
    if options.threads < 1:
        raise InputError(f"--threads is {options.threads}; give a whole number of at least 1")
    check_source(parser, options)
    model = Model.load(options.model)
    source = open_source(options, model.settings["language"])
    settings = from_options(options, "semihmm", encoder=model.settings["encoder"])
    decoding = Decoding.from_settings(settings)
    task = Task(
        options.model,
        source,
        options.trees,
        options.similarities,
        options.encoder,
        decoding,
        make_stamp(model, decoding),
        options.system,
    )
    count = source.check()
    log.info(f"align: checked {count} pairs")
    if options.corpus and parse_part(options.part) == WHOLE:
        same = file_digest(options.corpus) == model.origin.corpus
        log.info(f"the model was trained on {'this' if same else 'another'} corpus")
    with Progress("align", count) as progress, closing(output_lines(task, count, options.threads)) as lines:
        write_lines(options.output, exactly(count, progress.count(lines)))
