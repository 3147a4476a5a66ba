"""The lines of `alignments.jsonl`, by threads of this process or by several processes."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from vorlage.alignments.alignment import Alignment
from vorlage.command.parallel import map_in_threads
from vorlage.command.processes import MIN_PAIRS, map_in_processes
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.extract.source import PairSource
from vorlage.files.jsonl import to_line
from vorlage.semihmm.decode.aligner import Aligner, Prepared
from vorlage.semihmm.decode.decoding import Decoding
from vorlage.semihmm.decode.load import open_aligner


def align(
    corpus: Iterable[tuple[Pair, Extract | None]],
    aligner: Aligner,
    decoding: Decoding,
    stamp: str = "",
    threads: int = 1,
) -> Iterator[Alignment]:
    """Yield the alignment of each pair, in order; a pair without an extract is aligned as a whole."""

    def prepare() -> Iterator[tuple[Pair, Prepared]]:
        for pair, extract in corpus:
            sentences = extract.sentences if extract else range(len(pair.document.sentences))
            yield pair, aligner.prepare(pair, sentences)

    def finish(item: tuple[Pair, Prepared]) -> Alignment:
        return aligner.finish(*item, decoding, stamp)

    yield from map_in_threads(finish, prepare(), threads)


@dataclass(frozen=True)
class Task:
    """Everything that decides the output, in a form that can be sent to another process.

    `source`: where the pairs come from. `model`, `trees`, `similarities`: paths.
    `encoder`: its name or folder. `stamp`: the fingerprint in every line of the output. `system`: the
    name of the system there, None for that of the jump model.
    """

    model: str
    source: PairSource[Any]
    trees: str | None
    similarities: str | None
    encoder: str | None
    decoding: Decoding
    stamp: str
    system: str | None = None

    def open(self) -> Callable[..., Iterator[str]]:
        """Load the model; return a function from records of the source to lines of the output, in order."""
        aligner = open_aligner(self.model, self.trees, self.similarities, self.encoder)
        return partial(self._lines, aligner)

    def open_in_process(self) -> Callable[[Any], str]:
        """Load the model in another process; the returned function gives the line of a record."""
        lines = self.open()
        return lambda record: next(lines([record]))

    def _lines(self, aligner: Aligner, records: Iterable[Any], threads: int = 1) -> Iterator[str]:
        corpus = map(self.source.read, records)
        alignments = align(corpus, aligner, self.decoding, self.stamp, threads)
        if self.system:
            alignments = (replace(alignment, system=self.system) for alignment in alignments)
        return (to_line(alignment.to_json()) for alignment in alignments)


def output_lines(task: Task, count: int, threads: int) -> Generator[str, None, None]:
    """Yield the lines of the output; `count`: their number."""
    records = task.source.records()
    if threads == 1 or count < MIN_PAIRS:
        yield from task.open()(records, threads)
        return
    with closing(map_in_processes(task.open_in_process, records, threads)) as lines:
        yield from lines
