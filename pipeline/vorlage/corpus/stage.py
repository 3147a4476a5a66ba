"""The corpus stage: splits documents and summaries of any supported format into sentences and tokens.

    vorlage corpus --reader jsonl --path mine.jsonl --output results/mine/corpus

The folder `--output` gets `corpus.jsonl` (the pairs) and `rejected.tsv` (id and reason of each one left out).
With `select.unusable: error`, pairs that cannot be used end the stage, and the folder gets only
`rejected.tsv`, which lists them. The pairs that `--gold` annotates are kept by `select.shortest` and
`select.sample`; `vorlage gold` checks and writes the gold itself.

`--threads N` starts N processes for a thousand pairs or more; the output is the same to the byte. Memory
grows by about 300 bytes per pair.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from vorlage import settings
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress, log
from vorlage.corpus.gold import read_gold
from vorlage.corpus.lines import Line, Tokenizer, make_lines
from vorlage.corpus.readers.registry import read
from vorlage.corpus.select import select
from vorlage.corpus.survey import Survey, survey
from vorlage.files.tables import write_table

PAIRS, REJECTED = "corpus.jsonl", "rejected.tsv"
COLUMNS = ("id", "reason")  # of rejected.tsv


def build(corpus: settings.Corpus, seed: int, output: Path, threads: int = 1) -> None:
    """Make the files of the stage in the folder `output`: all of them, or none if an error occurs.

    `corpus`: the section of the settings. Reads the corpus twice: errors show before the long work, and
    few pairs are in memory.
    """
    annotated = {gold.id for gold in read_gold(corpus.gold)} if corpus.gold else set()
    surveyed = survey(corpus)
    problems = surveyed.problems
    for note, names in surveyed.notes.items():
        log.info(f"{note}: {len(names)} of {surveyed.count} pairs ({', '.join(names)})")
    if problems and corpus.select.unusable == "error":
        reasons = ((name, problem.reason) for name, problem in problems.items())
        write_table(output / REJECTED, COLUMNS, reasons)
        name, problem = next(iter(problems.items()))
        raise InputError(
            f"{problem.where}: pair {name}: {problem.reason}; fix it, or set "
            "`corpus.select.unusable: drop` to leave such pairs out "
            f"({len(problems)} of {surveyed.count}, listed in {output / REJECTED})"
        )

    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=output.parent) as temporary:
        folder = Path(temporary)
        sizes = _write_usable(folder / "all.jsonl", corpus, surveyed, threads)
        out = select(sizes, annotated, corpus.select, seed)
        rejected = len(problems) + len(out)
        if rejected == surveyed.count:
            _, reason = next(_all_rejected(surveyed, sizes, out))
            raise InputError(
                f"{corpus.path}: all {surveyed.count} pairs are left out (the first: {reason}); "
                "relax `corpus.select`"
            )
        if out:
            _copy_lines(folder / "all.jsonl", folder / PAIRS, (name not in out for name in sizes))
        else:
            (folder / "all.jsonl").rename(folder / PAIRS)
        write_table(folder / REJECTED, COLUMNS, _all_rejected(surveyed, sizes, out))
        _publish(folder, output)

    kept = surveyed.count - rejected
    log.info(f"corpus: {kept} of {surveyed.count} pairs, {rejected} left out (see {output / REJECTED})")


def _publish(folder: Path, output: Path) -> None:
    """Move the files of `folder` to `output`; remove older files first, so that runs never mix."""
    output.mkdir(exist_ok=True)
    names = (PAIRS, REJECTED)
    for name in names:
        (output / name).unlink(missing_ok=True)
    for name in names:
        (folder / name).replace(output / name)


def _write_usable(
    path: Path, corpus: settings.Corpus, surveyed: Survey, threads: int
) -> dict[str, tuple[int, int]]:
    """Write every usable pair to `path`; return id → (document, summary) tokens.

    The result is empty unless `corpus.select` chooses among the pairs.
    """
    sizes = {}
    choosing = any(value is not None for key, value in corpus.select if key != "unusable")
    records = (record for record in read(corpus) if record.id not in surveyed.problems)

    def texts(lines: Iterable[Line]) -> Iterator[str]:
        for line in lines:
            if choosing:
                sizes[line.id] = line.document_words, line.summary_words
            yield line.text

    count = surveyed.count - len(surveyed.problems)
    with Progress("corpus", count) as progress, open(path, "w", encoding="utf-8") as out:
        tokenizer = Tokenizer(corpus.tokenized, corpus.language)
        lines = make_lines(records, count, tokenizer, threads)
        out.writelines(f"{line}\n" for line in progress.count(texts(lines)))
    return sizes


def _all_rejected(
    surveyed: Survey, sizes: Mapping[str, tuple[int, int]], out: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the id and the reason of each pair that is left out, in the order of the corpus.

    `sizes`: all usable pairs, in order; `out`: id → reason of the pairs that were not selected.
    """
    usable, numbers = iter(sizes), {problem.number: name for name, problem in surveyed.problems.items()}
    for number in range(surveyed.count) if out else numbers:
        if number in numbers:
            yield numbers[number], surveyed.problems[numbers[number]].reason
        elif (name := next(usable)) in out:
            yield name, out[name]


def _copy_lines(source: Path, target: Path, chosen: Iterable[bool]) -> None:
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        out.writelines(line for line, take in zip(lines, chosen, strict=True) if take)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Split documents and summaries of any supported format into sentences and tokens."""
    parser = CommandParser("corpus", main)
    settings.add_options(parser, settings.Corpus)
    # Only the workflow uses the name of the corpus.
    parser.set_defaults(**{"corpus/name": "corpus"})
    parser.add_argument("--seed", type=int, default=1, help="seed of the random sample (default: 1)")
    parser.add_argument("--output", required=True, type=Path, help="folder to write")
    parser.add_argument("--threads", type=int, default=1, help="processes to tokenize with (default: 1)")
    options = parser.parse(arguments)
    if options.threads < 1:
        raise InputError(f"--threads is {options.threads}; choose 1 or more")
    build(settings.from_options(options, settings.Corpus), options.seed, options.output, options.threads)
