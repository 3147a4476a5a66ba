"""κ on the annotation page from disk, compared with that of the score stage."""

import json
import random

import pytest
from annotating import READY, make_page, press, wait_until_saved
from annotation_examples import TEXTS, line, link
from reports import part
from vorlage.corpus.stage import main as corpus
from vorlage.score.agreement import agreement

pytestmark = pytest.mark.slow
KEYS = ("annotator", "against", "words", "kappa_sure", "kappa_possible", "pairs")
# What the page computes for a gold file, with its own data of the pairs.
COMPARE = """([lines, skip]) => {
    const texts = [...document.querySelectorAll("script.pair")].map((script) => script.textContent);
    const pairs = new Map(texts.map((text) => JSON.parse(text)).map((pair) => [pair.id, pair]));
    return compareAnnotators(lines, pairs, skip, "adjudicated");
}"""


def write(path, lines):
    path.write_text("".join(json.dumps(record) + "\n" for record in lines))
    return path


def scored(folder, gold, skip):
    """Return the rows of `vorlage.score.agreement` for a gold file, as the page has them."""
    made = folder / "made"
    corpus(
        ["--reader", "jsonl", "--path", str(folder / "pairs.jsonl"), "--tokenized", "true"]
        + ["--gold", str(gold), "--output", str(made)]
    )
    rows = agreement(made / "corpus.jsonl", made / "gold.jsonl", skip)
    rows = [row for row in rows if row["annotator"] < row["against"] and "adjudicated" not in row.values()]
    # NaN, where κ is not defined, is the only value that differs from itself.
    return [{key: row[key] if row[key] == row[key] else None for key in KEYS} for row in rows]


def random_gold(seed):
    """Return the gold of three annotators and an adjudicator, in a random order, some of it unfinished."""
    chance = random.Random(seed)
    lines = []
    for name in ("B", "a", "Zoë", "adjudicated"):
        for key, (document, summary) in TEXTS.items():
            ends = len(summary.split()), len(document.split())
            links = []
            for _ in range(chance.randrange(5)):
                spans = [sorted(chance.sample(range(end + 1), 2)) for end in ends]
                links.append(link(*spans, sure=chance.random() < 0.6))
            lines.append(line(key, name, *links, finished=chance.random() < 0.9))
    chance.shuffle(lines)
    return lines


def test_it_is_that_of_the_score_stage(open_page, tmp_path):
    page = open_page(make_page(tmp_path), selector=READY)
    compared = 0
    for seed in range(20):
        lines = random_gold(seed)
        gold = write(tmp_path / "gold.jsonl", lines)
        for skip in (0, 1):
            found = page.evaluate(COMPARE, [lines, skip])
            assert found == scored(tmp_path, gold, skip)
            compared += len(found)
    assert compared > 100


def test_it_changes_as_the_annotator_works(open_page, tmp_path):
    given = [line(key, "B", link((0, 1), (5, 6)) if key == "b" else link((0, 1), (0, 1))) for key in "bca"]
    gold = write(tmp_path / "given.jsonl", given)
    page = open_page(make_page(tmp_path, "A", None, "--gold", str(gold)), selector=READY)
    page.get_by_text("Agreement", exact=True).click()
    assert part(page, "no-agreement").is_visible()
    part(page, "summary").locator(".word").first.focus()
    # The first is a link of B too; that of the second is to another word, and the third has none.
    press(page, "m", "Enter", "f")
    page.wait_for_function("() => document.querySelector('[data-part=pair]').selectedOptions[0].text === 'a'")
    assert part(page, "agreement").locator("tr").count() == 2
    press(page, "Tab", "Control+End", "p", "f")
    page.wait_for_function("() => document.querySelector('[data-part=pair]').selectedOptions[0].text === 'c'")
    press(page, "f")
    wait_until_saved(page)
    with page.expect_download() as started:
        page.get_by_role("button", name="Download gold.jsonl").click()
    started.value.save_as(tmp_path / "own.jsonl")
    # A gold file has the pairs in the order in which they were annotated.
    own = [json.loads(text) for text in (tmp_path / "own.jsonl").read_text().splitlines()]
    assert [record["id"] for record in own] == ["b", "a", "c"]
    both = write(tmp_path / "both.jsonl", [*given, *own])
    for skip in (0, 1, 2):
        part(page, "skip").fill(str(skip))
        part(page, "skip").press("Enter")
        rows = scored(tmp_path, both, skip)
        page.wait_for_function(
            "pairs => document.querySelector('[data-part=agreement] td:last-child')?.textContent === pairs",
            arg=str(rows[0]["pairs"]),
        )
        shown = [row.locator("td").all_inner_texts() for row in part(page, "agreement").locator("tr").all()]
        assert shown == [
            [
                "A, B",
                {"all": "all", "nonstop": "non-stop"}[row["words"]],
                *("–" if row[key] is None else f"{row[key]:.2f}" for key in KEYS[3:5]),
                str(row["pairs"]),
            ]
            for row in rows
        ]
    # Another annotator on the same page continues the gold that it was made with.
    part(page, "annotator").fill("B")
    part(page, "annotator").press("Enter")
    page.wait_for_function(
        "() => document.querySelector('[data-part=place]').textContent.startsWith('3 of 3')"
    )
