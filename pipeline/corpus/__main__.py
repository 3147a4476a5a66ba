"""The corpus stage: documents and summaries of any supported format, split into sentences and tokens.

    python -m pipeline.corpus --reader jsonl --path mine.jsonl --gold gold.jsonl --output results/mine/corpus

The folder ``--output`` gets ``corpus.jsonl`` (the pairs), ``gold.jsonl`` (their gold alignments; empty
without ``--gold``) and ``rejected.tsv`` (id and reason of each pair left out). With ``select.unusable:
error`` pairs that cannot be used end the stage: then there is ``rejected.tsv`` alone, which lists them.
"""

import argparse
import csv
import logging
import os
import tempfile
from pathlib import Path

from pipeline import settings
from pipeline.corpus.gold import check_gold
from pipeline.corpus.new import tokenize
from pipeline.corpus.pair import write_pairs
from pipeline.corpus.readers.registry import read
from pipeline.corpus.select import select
from pipeline.corpus.survey import read_annotations, survey
from pipeline.errors import InputError, command
from pipeline.files import replacing, write_jsonl
from pipeline.progress import Progress, start_log

log = logging.getLogger("pipeline")

PAIRS, GOLD, REJECTED = "corpus.jsonl", "gold.jsonl", "rejected.tsv"


def build(corpus, seed, output):
    """Make the three files of the stage in the folder ``output``: all of them, or none where it fails.

    ``corpus``: the section of the settings. Reads the corpus twice: errors show before the long work, and
    no more than one pair is in memory.
    """
    found = survey(corpus)
    annotations = read_annotations(corpus["gold"], found) if corpus["gold"] else {}
    rejected = {name: pair.problem for name, pair in found.items() if pair.problem}
    if rejected and corpus["select"]["unusable"] == "error":
        _write_rejected(output / REJECTED, rejected)
        name = next(iter(rejected))
        raise InputError(
            f"{found[name].where}: pair {name}: {rejected[name]}; mend it, or set "
            "`corpus.select.unusable: drop` to leave such pairs out "
            f"({len(rejected)} of {len(found)}, listed in {output / REJECTED})"
        )

    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=output.parent) as temporary:
        folder = Path(temporary)
        everything = folder / "all.jsonl"
        sizes = _write_usable(everything, corpus, found, annotations)
        rejected |= select(sizes, annotations.keys(), corpus["select"], seed)
        kept = [name for name in found if name not in rejected]
        if not kept:
            raise InputError(
                f"{corpus['path']}: none of its {len(found)} pairs is left (the first: "
                f"{next(iter(rejected.values()))}); relax `corpus.select`"
            )
        _copy_lines(everything, folder / PAIRS, [name not in rejected for name in sizes])
        golds = [gold for name, marked in annotations.items() if name not in rejected for _, gold in marked]
        write_jsonl(folder / GOLD, (gold.to_json() for gold in golds))
        _write_rejected(folder / REJECTED, {name: rejected[name] for name in found if name in rejected})
        output.mkdir(exist_ok=True)
        for name in (PAIRS, GOLD, REJECTED):
            os.replace(folder / name, output / name)

    log.info(f"corpus: {len(kept)} of {len(found)} pairs, {len(rejected)} left out (see {output / REJECTED})")
    if not corpus["gold"]:
        return
    lost = sum(name in rejected for name in annotations)
    log.info(f"gold: {len(golds)} annotations kept; {lost} of {len(annotations)} pairs with gold left out")


def _write_usable(path, corpus, found, annotations):
    """Write every usable pair to ``path`` and check its gold; return id → (document, summary) tokens."""
    sizes = {}

    def pairs():
        with Progress("corpus", len(found)) as progress:
            for record in read(corpus):
                if not found[record.id].problem:
                    pair = tokenize(record, corpus["tokenized"])
                    for where, gold in annotations.get(pair.id, ()):
                        check_gold(gold, pair, where)
                    sizes[pair.id] = len(pair.document.tokens), len(pair.summary.tokens)
                    yield pair
                progress.advance()

    write_pairs(path, pairs())
    return sizes


def _copy_lines(source, target, wanted):
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        out.writelines(line for line, take in zip(lines, wanted, strict=True) if take)


def _write_rejected(path, rejected):
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, delimiter="\t", lineterminator="\n")
        table.writerow(["id", "reason"])
        table.writerows(rejected.items())


@command
def main(arguments=None):
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.corpus", description=__doc__.splitlines()[0])
    settings.add_options(parser, "corpus")
    # The name of the corpus is the workflow's; the schema wants one.
    parser.set_defaults(**{"corpus/name": "corpus"})
    parser.add_argument("--seed", type=int, default=1, help="seed of the random sample (default: 1)")
    parser.add_argument("--output", required=True, type=Path, help="folder to write")
    parser.add_argument("--log", help="log file (default: standard error)")
    options = parser.parse_args(arguments)
    start_log(options.log)
    build(settings.from_options(options, "corpus"), options.seed, options.output)


if __name__ == "__main__":
    main()
