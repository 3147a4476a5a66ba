"""Align pairs with a trained semi-HMM: ``python -m pipeline.align``.

    python -m pipeline.align --model results/sample/train/relative/model.npz --wordnet-data results/wordnet \
        --corpus new.jsonl --output out.jsonl

The corpus is one in input form (``id``, ``document``, ``summary``: strings or lists of sentences), a
``corpus.jsonl`` of the corpus stage, or two text files (``--documents``, ``--summaries``) with a text a line.

All of it is checked before the first pair is aligned. Memory does not grow with the number of pairs.
``--threads N`` are N processes where there are ``MANY`` pairs or more, each with its own copy of the model,
of WordNet and of ``--trees``: some 370 MB each for a small model, 500 with WordNet, more for larger files.
Fewer pairs are done by threads of one process, which starts at once. The output is the same, byte for byte,
and so are the outputs of all parts (``--part 3-of-10``), one behind the other.
"""

import argparse
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain

from pipeline.align.aligner import Decoding
from pipeline.align.load import WORDNET, open_aligner
from pipeline.corpus.new import JsonLines, TextFiles
from pipeline.extract.source import Extracted
from pipeline.fingerprint import digest, file_digest, fingerprint
from pipeline.io.inputs import check_file
from pipeline.io.jsonl import to_line, write_lines
from pipeline.io.parts import WHOLE, add_part, parse_part
from pipeline.run.errors import InputError, command
from pipeline.run.parallel import in_order
from pipeline.run.processes import MANY, batches, in_processes
from pipeline.run.progress import Progress, log, start_log
from pipeline.semihmm.model import Model
from pipeline.settings import add_options, from_options

DECODING = Decoding._fields


def align(corpus, aligner, decoding, stamp="", threads=1):
    """Yield the alignment of each pair, in order.

    ``corpus``: an iterable of (Pair, Extract), or (Pair, None) to align the whole document.
    """

    def prepared():
        for pair, extract in corpus:
            sentences = extract.sentences if extract else range(len(pair.document.sentences))
            yield pair, aligner.prepare(pair, sentences)

    def finish(item):
        return aligner.finish(*item, decoding, stamp)

    yield from in_order(finish, prepared(), threads)


@dataclass(frozen=True)
class Task:
    """All that decides the output, in a form that can be sent to another process.

    ``source``: where the pairs come from, see :mod:`pipeline.corpus.new`. ``wordnet``, ``trees``: paths.
    """

    model: str
    source: object
    wordnet: str
    trees: str | None
    similarities: str | None
    encoder: str | None
    decoding: Decoding
    stamp: str

    def open(self) -> Callable:
        """Load the model; returns a function from records of the source to lines of the output, in order."""
        aligner = open_aligner(self.model, self.wordnet, self.trees, self.similarities, self.encoder)
        return partial(self._lines, aligner)

    def open_whole(self):
        """The same for another process: the function returns a list."""
        lines = self.open()
        return lambda records: list(lines(records))

    def _lines(self, aligner, records, threads=1):
        corpus = map(self.source.read, records)
        aligned = align(corpus, aligner, self.decoding, self.stamp, threads)
        return (to_line(alignment.to_json()) for alignment in aligned)


def output_lines(task, count, threads):
    """Yield the lines of the output; ``count``: how many there will be."""
    records = task.source.records()
    if threads == 1 or count < MANY:
        yield from task.open()(records, threads)
        return
    with closing(in_processes(task.open_whole, batches(records, _characters), threads)) as done:
        yield from chain.from_iterable(done)


def _characters(record):
    return sum(len(part) for part in record if isinstance(part, str))


def exactly(count, lines):
    """Yield ``lines``; raises :class:`InputError` unless there are ``count``, as when a file was changed."""
    made = 0
    for line in lines:
        made += 1
        yield line
    if made != count:
        raise InputError(
            f"there were {count} pairs at first and {made} later; do not change files that are read"
        )


def open_source(parser, given):
    """The source of pairs that the options name; options that do not go together end the command."""
    texts = given.documents, given.summaries
    if given.corpus and any(texts):
        parser.error("argument --corpus: not allowed with --documents and --summaries")
    if not given.corpus and not all(texts):
        parser.error("give --corpus, or both --documents and --summaries")
    if given.extracts and not given.corpus:
        parser.error("argument --extracts: only allowed with --corpus")
    part = parse_part(given.part)
    if part != WHOLE and not given.corpus:
        parser.error("argument --part: only allowed with --corpus")
    for path in filter(None, (given.corpus, given.extracts, *texts)):
        check_file(path)
    if given.extracts:
        return Extracted(given.corpus, given.extracts, part)
    if given.corpus:
        return JsonLines(given.corpus, given.tokenized, part)
    return TextFiles(*texts, given.tokenized)


@command
def main(arguments=None):
    """Align pairs with a trained semi-HMM."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.align", description=main.__doc__)
    parser.add_argument("--model", required=True, help="model.npz of `python -m pipeline.train`")
    parser.add_argument("--corpus", help="pairs to align, JSON lines")
    parser.add_argument("--documents", help="instead of --corpus: a text file, a document a line")
    parser.add_argument("--summaries", help="and another, the summary of each document on the same line")
    parser.add_argument("--extracts", help="extracts.jsonl of the extract stage (default: whole documents)")
    parser.add_argument("--wordnet-data", help=f"folder of `python -m pipeline.wordnet` (default: {WORDNET})")
    parser.add_argument("--trees", help="trees.npz of the parse stage (default: parse what the model wants)")
    parser.add_argument("--similarities", help="folder of the encode stage, for a model with an encoder")
    parser.add_argument("--encoder", help="or the encoder, a folder or a name (default: that of the config)")
    parser.add_argument(
        "--tokenized", action="store_true", help="tokens are separated by spaces; a line is a sentence"
    )
    add_part(parser)
    parser.add_argument("--output", required=True, help="file to write, alignments.jsonl")
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        help="pairs worked on at once; processes for many pairs (default: 1)",
    )
    parser.add_argument("--log", help="file for the log (default: standard error)")
    add_options(parser, "semihmm", DECODING)
    given = parser.parse_args(arguments)
    if given.threads < 1:
        raise InputError(f"--threads is {given.threads}; give a whole number from 1")
    source = open_source(parser, given)
    start_log(given.log)
    settings = from_options(given, "semihmm")
    model = Model.load(given.model)
    code = fingerprint("pipeline.align", f"pipeline.semihmm.jumps.{model.jump}")
    decoding = Decoding(*(settings[key] for key in DECODING))
    stamp = digest((code, decoding, model.origin.fingerprint))
    task = Task(
        given.model,
        source,
        str(given.wordnet_data or WORDNET),
        given.trees,
        given.similarities,
        given.encoder,
        decoding,
        stamp,
    )
    count = source.check()
    log.info(f"align: {count} pairs, nothing wrong with them")
    if given.corpus and parse_part(given.part) == WHOLE:
        same = file_digest(given.corpus) == model.origin.corpus
        log.info(f"the model was trained on {'this' if same else 'another'} corpus")
    with Progress("align", count) as progress, closing(output_lines(task, count, given.threads)) as lines:
        write_lines(given.output, exactly(count, progress.count(lines)))


if __name__ == "__main__":
    main()
