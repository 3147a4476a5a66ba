"""Score the passages of documents by systems without word links.

    python experiments/field_step.py passages --method bm25 --corpus corpus.jsonl --gold gold.jsonl \\
        --output evidence.jsonl

For each span of the gold, every passage of the document gets a score; some methods also say how unsupported
each word and the summary are. The gold is that of `vorlage.workflow.gold`; only its spans are used, never which
passages are right. The output has one line a pair:

    {"id": "a1", "system": "bm25", "spans": [[0.2, 3.1]], "words": null, "text": null, "fingerprint": "…"}
"""

from collections.abc import Callable, Iterator

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.encoder.installed import model_folder
from vorlage.encoder.transformer import open_encoder
from vorlage.files.jsonl import write_jsonl
from vorlage.settings import Embed
from vorlage.types import JsonObject
from vorlage.workflow.baselines.system import output_fingerprint
from vorlage.workflow.fingerprint import file_digest

from field.passage_encoded import bertscore, greedy_matching, sentence_cosine
from field.passage_task import PassageTask, Scorer, read_tasks
from field.passage_words import bm25, coverage, density, idf_overlap, rouge_l

# Makes a scorer from the tasks of a corpus and the settings of the encoder.
METHODS: dict[str, Callable[[Iterator[PassageTask], Embed], Scorer]] = {
    "idf-overlap": lambda tasks, _: idf_overlap(tasks),
    "bm25": lambda tasks, _: bm25(tasks),
    "rouge-l": lambda tasks, _: rouge_l(),
    "coverage": lambda tasks, _: coverage,
    "density": lambda tasks, _: density,
    "bertscore": lambda tasks, embed: bertscore(model_folder(embed.model), embed.layer, embed.device, tasks),
    "greedy-matching": lambda _, embed: greedy_matching(open_encoder(embed.model, embed.layer, embed.device)),
    "sentence-cosine": lambda _, embed: sentence_cosine(open_encoder(embed.model, embed.layer, embed.device)),
}
# Those that read the encoder.
ENCODED = ("bertscore", "greedy-matching", "sentence-cosine")


def record(task: PassageTask, scorer: Scorer, method: str, mark: str) -> JsonObject:
    """Return the line of the output for a pair, with six decimals, more than which no measure needs."""
    scores = scorer(task)
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
    parser.prog = "field_step.py passages"
    parser.add_argument("--method", required=True, choices=METHODS, help="how passages are scored")
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--gold", required=True, help="gold.jsonl with the spans that need passages")
    parser.add_argument("--output", required=True, help="file to write, evidence.jsonl")
    Embed.add_options(parser)
    options = parser.parse(arguments)
    embed, method = Embed.from_options(options), options.method
    encoder = [file_digest(model_folder(embed.model)), embed.layer] if method in ENCODED else []
    mark = output_fingerprint(method, *encoder)
    total = sum(1 for _ in read_tasks(options.corpus, options.gold))
    scorer = METHODS[method](read_tasks(options.corpus, options.gold), embed)
    with Progress(method, total) as progress:
        tasks = progress.count(read_tasks(options.corpus, options.gold))
        write_jsonl(options.output, (record(task, scorer, method, mark) for task in tasks))
