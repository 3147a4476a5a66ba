"""The gold of a corpus: the links that lie in its pairs.

    vorlage gold --gold mine.jsonl --corpus corpus.jsonl --rejected rejected.tsv --output gold.jsonl

Without `--gold` the output is empty.
"""

from collections.abc import Sequence

from vorlage.command.errors import InputError, command, did_you_mean
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.documents.pair import read_pairs
from vorlage.files.inputs import read_lines
from vorlage.files.jsonl import write_jsonl
from vorlage.types import StrPath
from vorlage.workflow.gold import Annotations, check_gold, read_annotations


def gold_of_corpus(gold: StrPath, corpus: StrPath, rejected: StrPath) -> Annotations:
    """Return the gold of the pairs of a corpus, in the order of its file.

    Args:
        gold: the user's gold.
        corpus: `corpus.jsonl` of the corpus stage.
        rejected: `rejected.tsv` of the corpus stage, the pairs that it left out.

    Raises:
        InputError: for gold outside the texts of its pair, and of a pair that the user's corpus lacks.
    """
    annotations = read_annotations(gold)
    ids = set()
    for pair in read_pairs(corpus):
        for marked in annotations.get(pair.id, ()):
            check_gold(marked, pair)
        ids.add(pair.id)
    left_out = {line.partition("\t")[0] for _, line in read_lines(rejected)}
    for name, [first, *_] in annotations.items():
        if name not in ids and name not in left_out:
            raise InputError(
                f"{first.where}: gold for pair {name}, which is not in the corpus; remove or correct it"
                f"{did_you_mean(name, ids | left_out)}"
            )
    return {name: marked for name, marked in annotations.items() if name in ids}


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Check the gold of a corpus, and write that of its pairs."""
    parser = CommandParser("gold", main)
    parser.add_argument("--gold", help="gold alignments (default: none)")
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--rejected", required=True, help="rejected.tsv of the corpus stage")
    parser.add_argument("--output", required=True, help="gold.jsonl to write")
    options = parser.parse(arguments)
    kept = gold_of_corpus(options.gold, options.corpus, options.rejected) if options.gold else {}
    golds = [gold for marked in kept.values() for gold in marked]
    write_jsonl(options.output, (gold.to_json() for gold in golds))
    log.info(f"gold: {len(golds)} annotations of {len(kept)} pairs")
