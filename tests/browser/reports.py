"""Makes the report page of a corpus by short runs of the stages, and helps tests to read a page."""

from pathlib import Path

from vorlage.baselines.identity import main as identity
from vorlage.corpus.stage import main as corpus
from vorlage.extract.stage import main as extract
from vorlage.extract.statistics import main as statistics
from vorlage.report.figures import main as figures
from vorlage.report.stage import main as report
from vorlage.score.analysis import main as analysis
from vorlage.score.stage import main as score
from vorlage.semihmm.decode.stage import main as align
from vorlage.semihmm.train.stage import main as train

# Words and ids that try to be markup, code, or a formula.
HOSTILE = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "\"'><svg onload=window.hacked=1>",
    "{{ 7*7 }}",
    "javascript:window.hacked=1",
    "\u2028\u202e\u200b",
    "&lt;b&gt;",
    "=cmd|'/c calc'!A1",
]


def make_report(folder, path, gold=None, tokenized=False, whole=False, iterations=3, name="corpus"):
    """Make the report of a corpus with two systems; return the path of the page."""
    paths = {stage: str(folder / f"{stage}.jsonl") for stage in ("extracts", "relative", "identity")}
    pairs = str(folder / "corpus/corpus.jsonl")
    golds = ["--gold", str(folder / "corpus/gold.jsonl")] if gold else []
    both = ["--corpus", pairs, "--extracts", paths["extracts"]]
    corpus(
        ["--reader", "jsonl", "--path", str(path), "--tokenized", str(tokenized).lower()]
        + ["--output", str(folder / "corpus"), *(["--gold", str(gold)] if gold else [])]
    )
    extract(["--corpus", pairs, "--output", paths["extracts"], "--enabled", str(not whole).lower()])
    model = str(folder / "train/model.npz")
    train(
        ["--jump", "relative", *both, "--wordnet", "false", "--iterations", str(iterations)]
        + ["--model", model, "--em", str(folder / "train/em.tsv")]
    )
    align(["--model", model, *both, "--output", paths["relative"]])
    identity([*both, "--output", paths["identity"]])
    aligned = ["--corpus", pairs, *golds, "--alignments", paths["relative"], paths["identity"]]
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
    """Return the element of the viewer with the attribute `data-part`."""
    return page.locator(f'[data-part="{name}"]')


def wait_for(page, name, start):
    """Wait until the text or the value of a part of the viewer starts with `start`."""
    page.wait_for_function(
        """([name, start]) => {
            const element = document.querySelector(`[data-part=${name}]`);
            return (element.value ?? element.textContent).startsWith(start);
        }""",
        arg=[name, start],
    )


def take_screenshot(request, page, name, **options):
    """Save a picture of the page if pytest has the option `--screenshots`."""
    folder = request.config.getoption("--screenshots")
    if folder:
        page.screenshot(path=Path(folder) / name, **options)
