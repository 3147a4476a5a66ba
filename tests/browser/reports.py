"""The report page of a corpus, made by a few short runs, and what a test does with it."""

from pathlib import Path

from pipeline.align.__main__ import main as align
from pipeline.baselines.identity import main as identity
from pipeline.corpus.__main__ import main as corpus
from pipeline.extract.__main__ import main as extract
from pipeline.extract.statistics import main as statistics
from pipeline.report.__main__ import main as report
from pipeline.report.figures import main as figures
from pipeline.score.__main__ import main as score
from pipeline.score.analysis import main as analysis
from pipeline.train.__main__ import main as train


def make(folder, path, gold=None, tokenized=False, whole=False, iterations=3, name="corpus"):
    """The report of a corpus, from a few short runs of the stages, with two systems."""
    places = {stage: str(folder / f"{stage}.jsonl") for stage in ("extracts", "relative", "identity")}
    made = str(folder / "corpus/corpus.jsonl")
    golds = ["--gold", str(folder / "corpus/gold.jsonl")] if gold else []
    both = ["--corpus", made, "--extracts", places["extracts"]]
    corpus(
        ["--reader", "jsonl", "--path", str(path), "--tokenized", str(tokenized).lower()]
        + ["--output", str(folder / "corpus"), *(["--gold", str(gold)] if gold else [])]
    )
    extract(["--corpus", made, "--output", places["extracts"], "--enabled", str(not whole).lower()])
    model = str(folder / "train/model.npz")
    train(
        ["--jump", "relative", *both, "--wordnet", "false", "--iterations", str(iterations)]
        + ["--model", model, "--em", str(folder / "train/em.tsv")]
    )
    align(["--model", model, *both, "--output", places["relative"]])
    identity([*both, "--output", places["identity"]])
    aligned = ["--corpus", made, *golds, "--alignments", places["relative"], places["identity"]]
    if gold:
        score([*aligned, "--output", str(folder / "score/scores.tsv")])
    analysis([*aligned, "--output", str(folder / "score")])
    statistics([*both, *golds, "--output", str(folder / "statistics.tsv")])
    figures(["--scores", str(folder / "score"), "--models", model, "--output", str(folder / "figures")])
    report(
        [*aligned, "--scores", str(folder / "score"), "--figures", str(folder / "figures"), "--name", name]
        + ["--statistics", str(folder / "statistics.tsv"), "--output", str(folder / "index.html")]
    )
    return folder / "index.html"


def part(page, name):
    return page.locator(f'[data-part="{name}"]')


def wait(page, name, start):
    """Wait until a part of the viewer, or what is written in it, starts with a text."""
    found = "([name, start]) => { const e = document.querySelector(`[data-part=${name}]`);"
    page.wait_for_function(
        f"{found} return (e.value ?? e.textContent).startsWith(start) }}", arg=[name, start]
    )


def picture(request, page, name, **options):
    folder = request.config.getoption("--screenshots")
    if folder:
        page.screenshot(path=Path(folder) / name, **options)
