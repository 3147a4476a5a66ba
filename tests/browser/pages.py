"""Makes the pages that the tests open, and helps to read them."""

from pathlib import Path

from annotation_examples import write_corpus, write_system
from vorlage.alignments.alignment import Alignment, Link, read_alignments, soft_links
from vorlage.app.annotate.stage import main as annotate
from vorlage.cli.align import main as align
from vorlage.cli.train import main as train
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.views.viewer import pair_data
from vorlage.workflow.baselines.stage import main as baseline
from vorlage.workflow.gold import read_gold
from vorlage.workflow.report.figures import main as figures
from vorlage.workflow.report.stage import main as report
from vorlage.workflow.score.analysis import main as analysis
from vorlage.workflow.score.stage import main as score
from vorlage.workflow.stages.corpus import main as corpus
from vorlage.workflow.stages.extract import main as extract
from vorlage.workflow.stages.gold import main as gold_stage
from vorlage.workflow.stages.statistics import main as statistics

ROOT = Path(__file__).parents[2]
# Words and ids that try to be markup, code, or a formula.
HOSTILE = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "\"'><svg onload=window.hacked=1>",
    "{{ 7*7 }}",
    "&lt;b&gt;",
    "=cmd|'/c calc'!A1",
]


def make_corpus(folder, path, gold, *options):
    """Make the corpus of a file and its gold."""
    corpus(["--reader", "jsonl", "--path", str(path), "--gold", str(gold), "--output", str(folder), *options])
    made = ["--corpus", str(folder / "corpus.jsonl"), "--rejected", str(folder / "rejected.tsv")]
    gold_stage(["--gold", str(gold), *made, "--output", str(folder / "gold.jsonl")])


def make_report(folder, path, gold):
    """Make the results of a corpus with two systems, by short runs of the stages."""
    pairs, golds = str(folder / "corpus/corpus.jsonl"), str(folder / "corpus/gold.jsonl")
    extracts, model = str(folder / "extracts.jsonl"), str(folder / "train/model.npz")
    systems = [str(folder / f"align/{name}/alignments.jsonl") for name in ("semihmm-relative", "identity")]
    both = ["--corpus", pairs, "--extracts", extracts]
    make_corpus(folder / "corpus", path, gold)
    extract(["--corpus", pairs, "--output", extracts])
    train(
        ["--jump", "relative", *both, "--iterations", "10"]
        + ["--model", model, "--em", str(folder / "train/em.tsv")]
    )
    Path(systems[0]).parent.mkdir(parents=True)
    align(["--model", model, *both, "--output", systems[0]])
    baseline(["--system", "identity", *both, "--output", systems[1]])
    aligned = ["--corpus", pairs, "--gold", golds, "--alignments", *systems]
    score([*aligned, "--output", str(folder / "score/scores.tsv")])
    analysis([*aligned, "--output", str(folder / "score")])
    statistics([*both, "--gold", golds, "--output", str(folder / "statistics.tsv")])
    figures(["--scores", str(folder / "score"), "--models", model, "--output", str(folder / "figures")])
    drawn = ["--scores", str(folder / "score"), "--figures", str(folder / "figures"), "--name", "sample"]
    drawn += ["--statistics", str(folder / "statistics.tsv")]
    report([*aligned, *drawn, "--output", str(folder / "report/index.html")])


def read_links(results):
    """Return the word links of each pair by system, from the files of the align stage."""
    links = {}
    for name in ("semihmm-relative", "identity"):
        for alignment in read_alignments(results / f"align/{name}/alignments.jsonl"):
            cells = soft_links(alignment.links, alignment.summary_words, alignment.document_words)
            links.setdefault(alignment.id, {})[name] = {(int(i), int(j)) for i, j in cells}
    return links


def made_pair(id, document, summary, links, system="s"):
    """Return what the viewer shows of a pair whose words are separated by spaces."""
    pair = Pair(id, make_text(document, tokenized=True), make_text(summary, tokenized=True))
    links = [Link((i, i + 1), (j, j + 1), posterior) for i, j, posterior in links]
    words = pair.document.words, pair.summary.words
    return pair_data(pair, None, [Alignment(id, system, None, *words, links)])


def part(page, name):
    """Return the element of a page with the attribute `data-part`."""
    return page.locator(f'[data-part="{name}"]')


def wait_for(page, name, start):
    """Wait until the text or the value of a part of the page starts with `start`."""
    page.wait_for_function(
        """([name, start]) => {
            const element = document.querySelector(`[data-part=${name}]`);
            return (element.value ?? element.textContent).startsWith(start);
        }""",
        arg=[name, start],
    )


def marked(page, name, side):
    """Return the texts of the words of a side that have a class."""
    return part(page, side).locator(f".word.{name}").all_inner_texts()


def numbers(page, side, name):
    """Return the numbers of the words of a side that have a class."""
    words = part(page, side).locator(f".word.{name}")
    return set(words.evaluate_all("all => all.map((word) => Number(word.dataset.k))"))


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


# ---- the annotation page -----------------------------------------------------------------------------------

READY = ".word.selected"


def make_annotation_page(folder, annotator="A", texts=None, *options):
    """Write a standalone page of the small corpus; return its path."""
    pairs = write_corpus(folder / "pairs.jsonl", texts)
    system = write_system(folder / "toy.jsonl", texts=texts)
    arguments = [str(pairs), "--tokenized", "--html", str(folder / "page.html"), "--annotator", annotator]
    annotate([*arguments, "--alignments", str(system), *options])
    return folder / "page.html"


def selection(page, side):
    return marked(page, "selected", side)


def shown_links(page):
    rows = part(page, "links").locator("li")
    return [(row.locator(".show").inner_text(), row.locator(".note").inner_text()) for row in rows.all()]


def wait_until_saved(page):
    page.wait_for_function(
        "() => document.querySelector('[data-part=saved]').className === 'saved done'"
        " && !document.querySelector('[data-part=message]').textContent"
    )


def wait_for_pair(page, id):
    page.wait_for_function(
        "id => document.querySelector('[data-part=pair]').selectedOptions[0].text === id", arg=id
    )


def download(page, path):
    """Download the gold of the page; return what of it is finished."""
    with page.expect_download() as started:
        page.get_by_role("button", name="Download gold.jsonl").click()
    started.value.save_as(path)
    return list(read_gold(path))
