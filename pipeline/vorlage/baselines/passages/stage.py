"""Score the passages of documents by systems without word links: `vorlage passages`.

    vorlage passages --method bm25 --corpus corpus.jsonl --gold gold.jsonl \\
        --output evidence.jsonl

For each span of the gold, every passage of the document gets a score; some methods also say how unsupported
each word and the summary are. The gold is that of `vorlage.corpus.gold`; only its spans are
used, never which passages are right. The output has one line a pair:

    {"id": "a1", "system": "bm25", "spans": [[0.2, 3.1]], "words": null, "text": null, "fingerprint": "…"}
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from vorlage.baselines.passages.encoded import GreedyMatching, bertscore, cosine
from vorlage.baselines.passages.fragments import Fragments
from vorlage.baselines.passages.lexical import BM25, IdfOverlap, rouge_l
from vorlage.baselines.passages.scorer import Scorer
from vorlage.baselines.passages.task import Task, read_tasks
from vorlage.baselines.system import stamp
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.encoder.installed import model_folder
from vorlage.encoder.transformer import open_encoder
from vorlage.files.jsonl import write_jsonl
from vorlage.fingerprint import file_digest
from vorlage.settings import Embed, add_options, from_options
from vorlage.types import JsonObject

# Makes a scorer from the tasks of a corpus and the settings of the encoder.
Factory: TypeAlias = Callable[[Iterator[Task], Embed], Scorer]
METHODS: Mapping[str, Factory] = {
    "idf-overlap": lambda tasks, _: IdfOverlap.of(tasks),
    "bm25": lambda tasks, _: BM25.of(tasks),
    "rouge-l": lambda tasks, _: rouge_l(),
    "coverage": lambda tasks, _: Fragments(by_density=False),
    "density": lambda tasks, _: Fragments(by_density=True),
}
# Those that read the encoder.
ENCODED: Mapping[str, Factory] = {
    "bertscore": lambda tasks, embed: bertscore(model_folder(embed.model), embed.layer, embed.device, tasks),
    "greedy-matching": lambda tasks, embed: GreedyMatching(
        open_encoder(embed.model, embed.layer, embed.device)
    ),
    "sentence-cosine": lambda tasks, embed: cosine(open_encoder(embed.model, embed.layer, embed.device)),
}


def record(task: Task, scorer: Scorer, method: str, mark: str) -> JsonObject:
    """Return the line of the output for a pair, with six decimals, more than which no measure needs."""
    scores = scorer.score(task)
    return {
        "id": task.pair.id,
        "system": method,
        "spans": scores.spans.round(6).tolist(),
        "words": None if scores.words is None else scores.words.round(6).tolist(),
        "text": None if scores.text is None else round(scores.text, 6),
        "fingerprint": mark,
    }


@command
def main(arguments: list[str] | None = None) -> None:
    """Score the passages of documents by a system without word links."""
    parser = CommandParser("passages", main)
    parser.add_argument(
        "--method", required=True, choices=[*METHODS, *ENCODED], help="how passages are scored"
    )
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", required=True, help="gold.jsonl with the spans that need passages")
    parser.add_argument("--output", required=True, help="file to write, evidence.jsonl")
    add_options(parser, Embed)
    options = parser.parse(arguments)
    embed = from_options(options, Embed)
    decisive: list[object] = [options.method]
    if options.method in ENCODED:
        decisive += [file_digest(model_folder(embed.model)), embed.layer]
    total = sum(1 for _ in read_tasks(options.corpus, options.gold))
    scorer = {**METHODS, **ENCODED}[options.method](read_tasks(options.corpus, options.gold), embed)
    with Progress(options.method, total) as progress:
        tasks = progress.count(read_tasks(options.corpus, options.gold))
        write_jsonl(
            options.output, (record(task, scorer, options.method, stamp(*decisive)) for task in tasks)
        )
