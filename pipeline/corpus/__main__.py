"""The corpus stage: documents and summaries of any supported format, split into sentences and tokens.

    python -m pipeline.corpus --reader jsonl --path mine.jsonl --gold gold.jsonl --output results/mine/corpus

The folder ``--output`` gets ``corpus.jsonl`` (the pairs), ``corpus.offsets.npy`` (where its lines begin, see
:mod:`pipeline.io.parts`), ``gold.jsonl`` (their gold alignments; empty without ``--gold``) and ``rejected.tsv``
(id and reason of each pair left out). With ``select.unusable: error`` pairs that cannot be used end the
stage: then there is ``rejected.tsv`` alone, which lists them.

``--threads N`` are N processes where there are a thousand pairs or more; the output is the same to the byte.
Memory grows by 16 bytes a pair, and by some 300 where ``corpus.select`` chooses among them.
"""

import argparse
import csv
import logging
from pathlib import Path

from pipeline import settings
from pipeline.corpus.lines import make_lines
from pipeline.corpus.readers.registry import read
from pipeline.corpus.select import select
from pipeline.corpus.survey import read_annotations, survey
from pipeline.io.jsonl import write_jsonl
from pipeline.io.outputs import put, replacing, scratch
from pipeline.io.parts import offsets_beside, write_offsets
from pipeline.run.errors import InputError, command
from pipeline.run.progress import Progress, start_log

log = logging.getLogger("pipeline")

PAIRS, GOLD, REJECTED = "corpus.jsonl", "gold.jsonl", "rejected.tsv"
OFFSETS = offsets_beside(PAIRS).name


def build(corpus, seed, output, threads=1):
    """Make the files of the stage in the folder ``output``: all of them, or none where it fails.

    ``corpus``: the section of the settings. Reads the corpus twice: errors show before the long work, and
    few pairs are in memory.
    """
    annotations = read_annotations(corpus["gold"]) if corpus["gold"] else {}
    found = survey(corpus, annotations)
    problems = found.problems
    if problems and corpus["select"]["unusable"] == "error":
        _write_rejected(output / REJECTED, ((name, problem.reason) for name, problem in problems.items()))
        name, problem = next(iter(problems.items()))
        raise InputError(
            f"{problem.where}: pair {name}: {problem.reason}; mend it, or set "
            "`corpus.select.unusable: drop` to leave such pairs out "
            f"({len(problems)} of {found.count}, listed in {output / REJECTED})"
        )

    with scratch(output) as folder:
        sizes = _write_usable(folder / "all.jsonl", corpus, found, annotations, threads)
        out = select(sizes, annotations.keys(), corpus["select"], seed)
        rejected = len(problems) + len(out)
        if rejected == found.count:
            reason = next(_all_rejected(found, sizes, out))[1]
            raise InputError(
                f"{corpus['path']}: none of its {found.count} pairs is left (the first: {reason}); "
                "relax `corpus.select`"
            )
        if out:
            _copy_lines(folder / "all.jsonl", folder / PAIRS, (name not in out for name in sizes))
        else:
            (folder / "all.jsonl").rename(folder / PAIRS)
        write_offsets(folder / PAIRS)
        lost = [name for name in annotations if name in out or name in problems]
        golds = [gold for name, marked in annotations.items() if name not in lost for _, gold in marked]
        write_jsonl(folder / GOLD, (gold.to_json() for gold in golds))
        _write_rejected(folder / REJECTED, _all_rejected(found, sizes, out))
        _publish(folder, output)

    kept = found.count - rejected
    log.info(f"corpus: {kept} of {found.count} pairs, {rejected} left out (see {output / REJECTED})")
    if corpus["gold"]:
        log.info(
            f"gold: {len(golds)} annotations kept; {len(lost)} of {len(annotations)} pairs with gold left out"
        )


def _publish(folder, output):
    """Put the files of ``folder`` into ``output``; none of them ever stands beside older ones."""
    output.mkdir(exist_ok=True)
    names = (PAIRS, OFFSETS, GOLD, REJECTED)
    for name in names:
        (output / name).unlink(missing_ok=True)
    for name in names:
        put(folder / name, output / name)


def _write_usable(path, corpus, found, annotations, threads):
    """Write every usable pair to ``path`` and check its gold; return id → (document, summary) tokens.

    Where ``corpus.select`` leaves nothing out nothing is returned: no one will ask.
    """
    sizes = {}
    choosing = any(value is not None for key, value in corpus["select"].items() if key != "unusable")
    items = (
        (record, annotations.get(record.id, ())) for record in read(corpus) if record.id not in found.problems
    )

    def texts(lines):
        for line in lines:
            if choosing:
                sizes[line.id] = line.document_words, line.summary_words
            yield line.text

    count = found.count - len(found.problems)
    with Progress("corpus", count) as progress, open(path, "w", encoding="utf-8") as out:
        made = make_lines(items, count, corpus["tokenized"], threads)
        out.writelines(f"{line}\n" for line in progress.count(texts(made)))
    return sizes


def _all_rejected(found, sizes, out):
    """Yield the id and the reason of each pair that is left out, in the order of the corpus.

    ``sizes``: all usable pairs, in order; ``out``: id → reason of those that were not selected.
    """
    usable, numbers = iter(sizes), {problem.number: name for name, problem in found.problems.items()}
    for number in range(found.count) if out else numbers:
        if number in numbers:
            yield numbers[number], found.problems[numbers[number]].reason
        elif (name := next(usable)) in out:
            yield name, out[name]


def _copy_lines(source, target, wanted):
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        out.writelines(line for line, take in zip(lines, wanted, strict=True) if take)


def _write_rejected(path, rejected):
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, delimiter="\t", lineterminator="\n")
        table.writerow(["id", "reason"])
        table.writerows(rejected)


@command
def main(arguments=None):
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.corpus", description=__doc__.splitlines()[0])
    settings.add_options(parser, "corpus")
    # The name of the corpus is the workflow's; the schema wants one.
    parser.set_defaults(**{"corpus/name": "corpus"})
    parser.add_argument("--seed", type=int, default=1, help="seed of the random sample (default: 1)")
    parser.add_argument("--output", required=True, type=Path, help="folder to write")
    parser.add_argument(
        "--threads", type=int, default=1, help="processes that tokenize many pairs (default: 1)"
    )
    parser.add_argument("--log", help="log file (default: standard error)")
    options = parser.parse_args(arguments)
    start_log(options.log)
    if options.threads < 1:
        raise InputError(f"--threads is {options.threads}; give a whole number from 1")
    build(settings.from_options(options, "corpus"), options.seed, options.output, options.threads)


if __name__ == "__main__":
    main()
