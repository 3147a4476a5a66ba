"""Writes the tables of docs/checks.md and a line of README.md: what `vorlage attribute` sees of errors.

    python experiments/checks_page.py DATA JUDGE docs/checks.md README.md

DATA: a folder with a folder for each set, which has `corpus.jsonl` and `gold.jsonl`. The gold of the
batteries, CLIFF, QAGS and SummEdits says whether a text is `consistent`, of which `kind` or `domain` it is,
and which characters are wrong; that of the others marks what has no support, as in `make field`. JUDGE: a
folder with a network of inference in two texts.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from field.attributed import support_measures, unsupported_spans
from field.evidence import Evidence
from field.evidence_gold import read_evidence_gold
from field.measures import auroc, calibration_error, measure_rows
from field.passage_words import fragment_lengths
from markdown_tables import insert_into_file, markdown_table
from scipy.stats import spearmanr
from vorlage import load_model
from vorlage.attribution.support import UNCLEAR
from vorlage.documents.pair import Pair
from vorlage.files.jsonl import read_jsonl
from vorlage.workflow.score.rows import interval, resample

TESTS = Path(__file__).parents[1] / "tests"
MEASURES = ("AUROC", "balanced accuracy", "✗ in wrong texts", "✗ in right texts")
CHOSEN = ("podcast", "ectsum", "news", "sales_email")


def attribute(model, folder):
    """Return the gold and the attribution of each text of a folder."""
    golds = {record["id"]: record for _, record in read_jsonl(folder / "gold.jsonl")}
    return attribute_corpus(model, golds, [record for _, record in read_jsonl(folder / "corpus.jsonl")])


def attribute_sentences(model):
    """Return the same of the hundred sentences of tests/checks."""
    cases = map(json.loads, (TESTS / "checks" / "new_sentences.jsonl").read_text("utf-8").splitlines())
    golds = {case["id"]: case | {"consistent": case["expect"] == "quiet"} for case in cases}
    corpus = [
        {"id": name, "document": case["document"], "summary": case["text"]} for name, case in golds.items()
    ]
    return attribute_corpus(model, golds, corpus)


def attribute_corpus(model, golds, corpus):
    """Return the gold and the attribution of each record of a corpus; `golds`: by their ids."""
    made = model.attribute_many(corpus, processes=2)
    return [(golds[record["id"]], attribution) for record, attribution in zip(corpus, made, strict=True)]


def is_found(attribution):
    """Return whether there is a finding of class ✗."""
    return any(part.severity >= 2 for part in attribution.unsupported)


def touches(gold, attribution):
    """Return whether a finding shares a character with an edit."""
    return any(p.text[0] < e and s < p.text[1] for p in attribution.unsupported for s, e in gold["edits"])


def over_texts(measure, rows, wrong):
    """Return a measure of `supported`, or of 1 − `supported` if `wrong`, over texts."""
    supported = np.array([attribution.supported for _, attribution in rows])
    consistent = np.array([gold["consistent"] for gold, _ in rows])
    scores, labels = (1 - supported, ~consistent) if wrong else (supported, consistent)
    return measure(scores, labels, np.ones((1, len(rows)), dtype=np.int64))[0]


def group(rows, name):
    """Return the rows by a field of their gold."""
    groups = defaultdict(list)
    for gold, attribution in rows:
        groups[gold[name]].append((gold, attribution))
    return groups


def sets_table(sets):
    """Return the table of sets: which shares of wrong and of right texts have ✗, with their intervals."""
    lines = []
    for name, rows in sets.items():
        wrong = np.array([not gold["consistent"] for gold, _ in rows])
        found = np.array([is_found(attribution) for _, attribution in rows])
        draws = resample(len(rows), 1000, 1)
        shares = [(draws * found * side).sum(axis=1) / (draws * side).sum(axis=1) for side in (wrong, ~wrong)]
        values = found[wrong].mean(), found[~wrong].mean()
        columns = [
            *zip(values, shares, strict=True),
            ((values[0] + 1 - values[1]) / 2, (shares[0] + 1 - shares[1]) / 2),
        ]
        cells = [
            "{:.2f} ({:.2f}–{:.2f})".format(value, *interval(sampled, draws)) for value, sampled in columns
        ]
        lines.append([name, str(wrong.sum()), str((~wrong).sum()), *cells])
    heading = ["set", "wrong", "right", "✗ in wrong texts", "✗ in right texts", "balanced accuracy"]
    return markdown_table(heading, lines)


def words_line(rows):
    """Return a sentence on the marked spans that a finding touches, and the findings that touch one."""
    spans, findings = [], []
    for gold, attribution in rows:
        grave = [part.text for part in attribution.unsupported if part.severity > 1]
        spans += [any(p[0] < e and s < p[1] for p in grave) for s, e in gold["spans"]]
        findings += [any(p[0] < e and s < p[1] for s, e in gold["spans"]) for p in grave]
    return (
        f"Of the {len(spans)} stretches that annotators of CLIFF marked as wrong, a finding touches "
        f"{sum(spans)}; of the {len(findings)} findings, {sum(findings)} touch one."
    )


def kinds_table(rows):
    """Return the table of kinds: texts, and how many have a finding of class ✗."""
    lines = [
        [kind, str(len(members)), str(sum(is_found(attribution) for _, attribution in members))]
        for kind, members in group(rows, "kind").items()
    ]
    return markdown_table(["kind", "texts", "with a finding of class ✗"], lines)


def cases_table(model):
    """Return the table of the cases of tests: how many of each kind are right."""
    sys.path.append(str(TESTS / "attribution"))
    from test_cases import CASES, is_right

    right = defaultdict(list)
    for case in CASES:
        right[case["kind"]].append(is_right(case, model))
    lines = [[kind, str(sum(each)), str(len(each))] for kind, each in right.items()]
    total = [each for kind in right.values() for each in kind]
    return markdown_table(["kind", "right", "of"], [*lines, ["all", str(sum(total)), str(len(total))]])


def measures(members):
    """Return AUROC, balanced accuracy, and the shares of wrong and right texts with a finding of class ✗."""
    wrong = np.array([not gold["consistent"] for gold, _ in members])
    supported = np.array([attribution.supported for _, attribution in members])
    found = np.array([is_found(attribution) for _, attribution in members])
    balanced = ((supported < UNCLEAR)[wrong].mean() + (supported >= UNCLEAR)[~wrong].mean()) / 2
    return [
        *(over_texts(auroc, members, wrong=True), balanced),
        *(found[wrong].mean(), found[~wrong].mean()),
    ]


def copied_length(attribution):
    """Return the mean length of the copied fragments that the words of a text are in."""
    return float(fragment_lengths(attribution.text.words, attribution.documents.text.words).mean())


# What `supported` of a text competes with: its largest part alone, and a baseline; larger for wrong texts.
RIVALS = {
    "`supported`": lambda attribution: 1 - attribution.supported,
    "`linked`": lambda attribution: 1 - min((each.linked for each in attribution.statements), default=1.0),
    "copied length": lambda attribution: -copied_length(attribution),
}


def rivals_row(name, sets):
    """Return a row of AUROC, the mean over sets of whether texts are wrong, and what is attributed to them.

    Behind each rival of `supported`, the interval of its difference from it.
    """
    ends = np.cumsum([0, *map(len, sets)])
    wrong, attributions = zip(*(row for members in sets for row in members), strict=True)
    wrong = np.array(wrong)

    def ranking(score):
        scores = np.array([score(attribution) for attribution in attributions])
        parts = [slice(*span) for span in zip(ends, ends[1:], strict=False)]
        return lambda weights: np.mean([auroc(scores[p], wrong[p], weights[:, p]) for p in parts], axis=0)

    measures = {rival: {"auroc": ranking(score)} for rival, score in RIVALS.items()}
    first, *others = measure_rows(measures, resample(len(wrong), 1000, 1))
    shown = [
        f"{row['value']:.3f} ({row['difference_low']:+.3f} to {row['difference_high']:+.3f})"
        for row in others
    ]
    return [name, f"{first['value']:.3f}", *shown]


def are_wrong(rows):
    """Return whether each text is wrong, and its attribution."""
    return [(not gold["consistent"], attribution) for gold, attribution in rows]


def support_row(made, folder):
    """Return the name of a public set, and the AUROC of `supported` for its words and its texts.

    `made`: its attributions.
    """
    golds = {gold.id: gold for gold in read_evidence_gold(folder / "gold.jsonl")}
    pairs, evidence = {}, {}
    for found in made:
        supported = {word.text: word.supported for word in found.words}
        words = np.array([1 - supported.get(span, 1.0) for span in found.text.tokens])
        pairs[found.id] = Pair(found.id, found.documents.text, found.text), golds[found.id]
        evidence[found.id] = Evidence(found.id, "vorlage", [], words, 1 - found.supported)
    rows = measure_rows({"vorlage": support_measures(evidence, pairs)}, resample(len(pairs), 1000, 1))
    shown = {row["measure"]: f"{row['value']:.3f} ({row['low']:.3f}–{row['high']:.3f})" for row in rows}
    return [folder.name, shown["word_auroc"], shown.get("text_auroc", "–")]


def judged_columns(battery, summedits, qags):
    """Return the rows of the table that shows what a judge adds, by their measure."""
    wrong = np.array([gold["kind"] != "true" for gold, _ in battery])
    found = np.array([is_found(attribution) for _, attribution in battery])
    rows = {
        "battery: wrong sentences with ✗": f"{found[wrong].sum()} of {wrong.sum()}",
        "battery: true sentences with ✗": f"{found[~wrong].sum()} of {(~wrong).sum()}",
    }
    for which, chosen in (("chosen", True), ("other", False)):
        domains = group([row for row in summedits if (row[0]["domain"] in CHOSEN) == chosen], "domain")
        values = np.mean([measures(members) for members in domains.values()], axis=0)
        for name, value in zip(MEASURES, values, strict=True):
            rows[f"SummEdits, {which} domains: {name}"] = f"{value:.3f}"
        texts = [row for members in domains.values() for row in members]
        error = over_texts(calibration_error, texts, wrong=False)
        rows[f"SummEdits, {which} domains: calibration error"] = f"{error:.3f}"
    for domain, members in group(qags, "domain").items():
        for name, value in zip(MEASURES, measures(members), strict=True):
            rows[f"QAGS, {domain}: {name}"] = f"{value:.3f}"
        error = over_texts(calibration_error, members, wrong=False)
        rows[f"QAGS, {domain}: calibration error"] = f"{error:.3f}"
        shares = [np.mean(gold["sentences"]) for gold, _ in members]
        correlation = spearmanr(shares, [attribution.supported for _, attribution in members]).statistic
        rows[f"QAGS, {domain}: Spearman"] = f"{correlation:.3f}"
    return rows


def main():
    """Write the tables into the pages."""
    data, judge, page, readme = map(Path, sys.argv[1:])
    model = load_model(judge=None)
    names = ("battery-dev", "summedits-dev", "qags-dev")
    alone, judged = (
        [attribute(each, data / name) for name in names] for each in (model, load_model(judge=judge))
    )
    kinds, domains, written = alone
    marked = ("wice-dev", "faithbench-dev")
    public = {name: [made for _, made in attribute(model, data / name)] for name in marked}
    by_domain, by_summarizer = group(domains, "domain"), group(written, "domain")
    unchosen = [members for name, members in by_domain.items() if name not in CHOSEN]
    cliff = attribute(model, data / "cliff-dev")
    sets = {
        "first battery": kinds,
        "second battery": attribute(model, data / "battery-2-dev"),
        "third battery": attribute(model, data / "battery-3-dev"),
        "hundred sentences": attribute_sentences(model),
        "CLIFF": cliff,
        "QAGS, cnndm": by_summarizer["cnndm"],
        "QAGS, xsum": by_summarizer["xsum"],
        "SummEdits, chosen domains": [row for row in domains if row[0]["domain"] in CHOSEN],
        "SummEdits, other domains": [row for members in unchosen for row in members],
    }
    values = {name: measures(members) for name, members in by_domain.items()}
    values["mean"] = np.mean(list(values.values()), axis=0)
    sizes = {name: len(members) for name, members in by_domain.items()} | {"mean": len(domains)}
    rows = [[name, str(sizes[name]), *(f"{x:.3f}" for x in row)] for name, row in values.items()]
    columns = judged_columns(*alone), judged_columns(*judged)
    gold = read_evidence_gold(data / "faithbench-dev" / "gold.jsonl")
    unsupported = {each.id: bool(unsupported_spans(each, None)) for each in gold}
    rivals = [
        *(rivals_row(f"QAGS, {name}", [are_wrong(members)]) for name, members in by_summarizer.items()),
        rivals_row("SummEdits, other domains", [are_wrong(members) for members in unchosen]),
        rivals_row("faithbench-dev", [[(unsupported[each.id], each) for each in public["faithbench-dev"]]]),
    ]
    touched = [touches(*row) for row in domains if not row[0]["consistent"]]
    print(f"wrong texts of SummEdits with a finding that touches the edit: {np.mean(touched):.3f}")
    tables = {
        "sets": sets_table(sets),
        "words": words_line(cliff),
        "kinds": kinds_table(kinds),
        "cases": cases_table(model),
        "domains": markdown_table(["domain", "texts", *MEASURES], rows),
        "judged": markdown_table(
            ["measure", "without a judge", "with a judge"],
            [[name, *(column[name] for column in columns)] for name in columns[0]],
        ),
        "rivals": markdown_table(["AUROC over texts", *RIVALS], rivals),
        "support": markdown_table(
            ["AUROC of `supported`", "words", "texts"],
            [support_row(made, data / name) for name, made in public.items()],
        ),
    }
    insert_into_file(page, tables)
    unseen = ("hundred sentences", "QAGS, xsum", "SummEdits, other domains")
    insert_into_file(readme, {"verdicts": sets_table({name: sets[name] for name in unseen})})


# Processes import this file again.
if __name__ == "__main__":
    main()
