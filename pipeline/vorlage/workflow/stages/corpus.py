"""The corpus stage: splits documents and summaries of any supported format into sentences and tokens.

    vorlage corpus --reader jsonl --path mine.jsonl --output results/mine/corpus

The folder `--output` gets `corpus.jsonl` (the pairs) and `rejected.tsv` (id and reason of each pair left
out). With `select.unusable: error`, pairs that cannot be used end the stage, and the folder gets only
`rejected.tsv`, which lists them. The pairs that `--gold` annotates are kept by `select.shortest` and
`select.sample`; `vorlage gold` checks and writes the gold itself.

`--threads N` starts N processes; the output is the same to the byte. Memory grows by about 400 bytes per
pair.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import compress, islice
from pathlib import Path
from typing import Any

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.command.processes import map_in_processes
from vorlage.command.progress import Progress, log
from vorlage.documents.records import Record, check_id, raw_text, refuse_repeated, tokenize
from vorlage.files.inputs import read_lines
from vorlage.files.jsonl import to_line
from vorlage.files.outputs import replacing, write_lines
from vorlage.text.detect import find_languages, language_name
from vorlage.workflow.gold import read_gold
from vorlage.workflow.reader import read_corpus
from vorlage.workflow.settings import Corpus, PairSelection
from vorlage.workflow.tables import write_table

# How many pairs tell the languages of a corpus, and the characters of each text.
FIRST_PAIRS, FIRST_CHARACTERS = 20, 500
PAIRS, REJECTED = "corpus.jsonl", "rejected.tsv"
COLUMNS = ("id", "reason")  # of rejected.tsv


def reject_pairs(
    sizes: Mapping[str, tuple[int, int]], annotated: Set[str], rules: PairSelection, seed: int
) -> dict[str, str]:
    """Return the pairs that `rules` leave out: id → reason.

    `sizes`: id → (document tokens, summary tokens) of all usable pairs. `annotated`: the ids of pairs
    with gold. `rules`: the section `corpus.select` of the settings. The length limits apply to every
    pair. The `shortest` of the pairs within them by document tokens are kept (ties by id), then a random
    `sample` of these. A pair with gold within the limits is always kept, as in Daumé & Marcu (2005, Section
    2), where the 2,000 shortest and 45 annotated documents make 2,033.
    """
    reasons: dict[str, str] = {}
    limits = rules.max_document_words, rules.max_summary_words
    for name, lengths in sizes.items():
        for side, length, limit in zip(("document", "summary"), lengths, limits, strict=True):
            if limit is not None and length > limit:
                reasons.setdefault(name, f"{side} of {length} words, more than max_{side}_words {limit}")

    def rank(name: str) -> bytes:
        """Return a rank by id and seed alone, so that a larger sample includes a smaller one."""
        return hashlib.sha256(f"{seed} {name}".encode()).digest()

    remaining = set(sizes) - set(reasons)
    steps: tuple[tuple[int | None, str, Callable[[str], Any]], ...] = (
        (rules.shortest, "not among the {} shortest documents", lambda name: (sizes[name][0], name)),
        (rules.sample, "not in the random sample of {}", rank),
    )
    for count, reason, order in steps:
        if count is not None:
            chosen = set(sorted(remaining, key=order)[:count]) | (remaining & annotated)
            reasons.update(dict.fromkeys(remaining - chosen, reason.format(count)))
            remaining = chosen
    return reasons


def make_corpus(corpus: Corpus, seed: int, output: Path, threads: int = 1) -> None:
    """Write the files of the stage.

    Args:
        corpus: the section of the settings.
        seed: of the random sample.
        output: the folder for the files.
        threads: the number of processes.

    Raises:
        InputError: for a malformed corpus, an id that comes twice, a pair that cannot be used, and an output
            that is the corpus itself.
    """
    refuse_inputs((output, output / PAIRS, output / REJECTED), (corpus.path, corpus.gold))
    corpus = with_languages(corpus)
    annotated = {gold.id for gold in read_gold(corpus.gold)} if corpus.gold else set()
    check = CorpusCheck(corpus)
    with replacing(output / PAIRS) as pairs:
        sizes: dict[str, tuple[int, int]] = {}
        make_worker = partial(partial, _make_line, corpus)  # returns the function of a record
        results = map_in_processes(make_worker, check.usable_records(), threads, 16)
        with Progress("corpus") as progress, open(pairs, "w", encoding="utf-8") as file:
            for name, size, line in progress.count(results):
                sizes[name] = size
                file.write(f"{line}\n")
            problems, first = check.problems, check.first_problem
            if first and corpus.select.unusable == "error":
                unusable = [(name, reason) for name, reason in problems.items() if reason]
                write_table(output / REJECTED, COLUMNS, unusable)
                raise InputError(
                    f"{first.where}: pair {first.id}: {first.problem}; fix it, or set "
                    "`corpus.select.unusable: drop` to leave such pairs out "
                    f"({len(unusable)} of {len(problems)}, listed in {output / REJECTED})"
                )
        left_out = reject_pairs(sizes, annotated, corpus.select, seed)
        reasons = {name: problems[name] or left_out.get(name, "") for name in problems}
        rejected = {name: reason for name, reason in reasons.items() if reason}
        if len(rejected) == len(problems):
            raise InputError(
                f"{corpus.path}: all {len(problems)} pairs are left out (the first: "
                f"{next(iter(rejected.values()))}); relax `corpus.select`"
            )
        if left_out:
            lines = (line.removesuffix("\n") for _, line in read_lines(pairs, newline="\n"))
            write_lines(pairs, compress(lines, (name not in left_out for name in sizes)))
        write_table(output / REJECTED, COLUMNS, rejected.items())
    kept = len(problems) - len(rejected)
    log.info(f"corpus: {kept} of {len(problems)} pairs, {len(rejected)} left out (see {output / REJECTED})")


def with_languages(corpus: Corpus) -> Corpus:
    """Return a corpus with the languages of its texts, found in its first pairs where they are not given."""
    if corpus.language:
        return corpus
    records = [record for record in islice(read_corpus(corpus), FIRST_PAIRS) if not record.problem]
    summary_language, document_language = find_languages(
        *(
            "\n".join(raw_text(side)[:FIRST_CHARACTERS] for side in sides if side is not None)
            for sides in ([r.summary for r in records], [r.document for r in records])
        )
    )
    summary_language = summary_language or "en"
    document_language = corpus.document_language or document_language or summary_language
    if (summary_language, document_language) != ("en", "en"):
        note = f", the documents {language_name(document_language)}" * (document_language != summary_language)
        log.info(f"corpus: the summaries are {language_name(summary_language)}{note}")
    return corpus.model_copy(update={"language": summary_language, "document_language": document_language})


class CorpusCheck:
    """A pass over the records of a corpus, which finds those that cannot be used.

    - `problems`: the id of each pair and why it cannot be used, empty if it can, in the order of the corpus;
    - `first_problem`: the first pair that cannot be used.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.problems: dict[str, str] = {}
        self.first_problem: Record | None = None

    def usable_records(self) -> Iterator[Record]:
        """Yield the pairs that can be used; if an unusable pair is an error, only those before the first.

        What the reader had to decide is logged. Raise `InputError` for an id that is not text on one line,
        an id that comes twice, and an empty corpus.
        """
        notes: dict[str, list[str]] = {}
        for record in refuse_repeated(read_corpus(self.corpus)):
            check_id(record.id, record.where)
            self.problems[record.id] = record.problem or ""
            if record.note:
                notes.setdefault(record.note, []).append(record.id)
            if record.problem:
                self.first_problem = self.first_problem or record
            elif not self.first_problem or self.corpus.select.unusable == "drop":
                yield record
        if not self.problems:
            raise InputError(f"{self.corpus.path}: no pairs in it; check `corpus.path` and `corpus.reader`")
        for note, names in notes.items():
            log.info(f"{note}: {len(names)} of {len(self.problems)} pairs ({', '.join(names)})")


def _make_line(corpus: Corpus, record: Record) -> tuple[str, tuple[int, int], str]:
    """Return the id of a pair, the number of tokens of both sides, and its line of `corpus.jsonl`."""
    pair = tokenize(record, corpus.tokenized, corpus.language or "en", corpus.document_language)
    return pair.id, (len(pair.document.tokens), len(pair.summary.tokens)), to_line(pair.to_json())


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Split documents and summaries of any supported format into sentences and tokens."""
    parser = CommandParser("corpus", main)
    Corpus.add_options(parser)
    # Only the workflow uses the name of the corpus.
    parser.set_defaults(**{"corpus/name": "corpus"})
    parser.add_argument("--seed", type=int, default=1, help="seed of the random sample (default: 1)")
    parser.add_argument("--output", required=True, type=Path, help="folder to write")
    parser.add_argument("--threads", type=int, default=1, help="processes to tokenize with (default: 1)")
    options = parser.parse(arguments)
    if options.threads < 1:
        raise InputError(f"--threads is {options.threads}; choose 1 or more")
    corpus = Corpus.from_options(options)
    make_corpus(corpus, options.seed, options.output, options.threads)
