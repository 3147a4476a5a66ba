"""Writes the tables of docs/checks.md and a line of README.md: what `vorlage attribute` sees of errors.

    python experiments/checks_page.py DATA JUDGE

DATA: a folder with a folder for each set, which has `corpus.jsonl` and `gold.jsonl`. The gold of the
batteries, CLIFF, QAGS and SummEdits says whether a text is `consistent`, of which `kind` or `domain` it is,
and which characters are wrong; that of the others marks what has no support, as in `make field`. JUDGE: a
folder with a network of inference in two texts.
"""

import sys
from collections import Counter, defaultdict

import numpy as np
from field.attributed import support_measures, unsupported_spans
from field.evidence import Evidence
from field.evidence_gold import read_evidence_gold
from field.example import read_set
from field.measures import auroc, calibration_error, measure_rows, share_of
from field.passage_words import fragment_lengths
from markdown_tables import ROOT, decimals, markdown_table, with_bounds, with_range, write_pages
from scipy.stats import spearmanr
from vorlage import load_model
from vorlage.attribution.support import UNCLEAR
from vorlage.documents.pair import Pair
from vorlage.files.jsonl import read_jsonl
from vorlage.workflow.score.rows import resample

TESTS = ROOT / "tests"
MEASURES = ("AUROC", "balanced accuracy", "✗ in wrong texts", "✗ in right texts")
CHOSEN = ("podcast", "ectsum", "news", "sales_email")


class Texts:
    """Attributed texts with their gold: which are wrong, which have a finding of class ✗, their support."""

    def __init__(self, rows):
        """`rows`: the gold and the attribution of each text."""
        self.rows = list(rows)
        self.wrong = np.array([not gold["consistent"] for gold, _ in self.rows])
        self.found = np.array([bool(grave_spans(attribution)) for _, attribution in self.rows])
        self.supported = np.array([attribution.supported for _, attribution in self.rows])

    def by(self, name):
        """Return the texts of each value of a field of the gold."""
        groups = defaultdict(list)
        for gold, attribution in self.rows:
            groups[gold[name]].append((gold, attribution))
        return {value: Texts(rows) for value, rows in groups.items()}

    def measures(self):
        """Return AUROC, balanced accuracy, and the shares of wrong and right texts with ✗."""
        ranking = auroc(1 - self.supported, self.wrong, np.ones((1, len(self.rows)), dtype=np.int64))[0]
        passes = self.supported >= UNCLEAR
        balanced = ((~passes)[self.wrong].mean() + passes[~self.wrong].mean()) / 2
        return [ranking, balanced, self.found[self.wrong].mean(), self.found[~self.wrong].mean()]

    def calibration_error(self):
        """Return the expected calibration error of support."""
        once = np.ones((1, len(self.rows)), dtype=np.int64)
        return calibration_error(self.supported, ~self.wrong, once)[0]


def joined(parts):
    """Return the texts of several parts."""
    return Texts(row for part in parts for row in part.rows)


def attribute(model, folder):
    """Return the gold and the attribution of each text of a folder."""
    corpus, golds = zip(*read_set(folder), strict=True)
    return attribute_corpus(model, golds, corpus)


def attribute_sentences(model):
    """Return the same of the hundred sentences of tests/checks."""
    cases = [case for _, case in read_jsonl(TESTS / "checks/new_sentences.jsonl")]
    golds = [case | {"consistent": case["expect"] == "quiet"} for case in cases]
    corpus = [{"id": x["id"], "document": x["document"], "summary": x["text"]} for x in cases]
    return attribute_corpus(model, golds, corpus)


def attribute_corpus(model, golds, corpus):
    """Return the gold and the attribution of each record of a corpus."""
    return list(zip(golds, model.attribute_many(corpus, processes=2), strict=True))


def grave_spans(attribution):
    """Return the spans of the findings of class ✗."""
    return [part.text for part in attribution.unsupported if part.severity > 1]


def overlap(span, others):
    """Return whether a span shares a character with one of others."""
    return any(span[0] < end and start < span[1] for start, end in others)


def intervals(measures, texts, digits=3):
    """Return the value of each measure with its interval over texts, a number of them."""
    rows = measure_rows({"vorlage": measures}, resample(texts, 1000, 1))
    return {row["measure"]: with_range(row["value"], row["low"], row["high"], digits) for row in rows}


def sets_table(sets):
    """Return the table of sets: which shares of wrong and of right texts have ✗, with their intervals."""
    lines = []
    for name, texts in sets.items():
        sides = texts.wrong, ~texts.wrong
        wrong, right = (share_of(texts.found & side, side) for side in sides)
        measures = {"wrong": wrong, "right": right}
        measures["balanced"] = lambda weights, of=(wrong, right): (of[0](weights) + 1 - of[1](weights)) / 2
        cells = intervals(measures, len(texts.rows), 2).values()
        lines.append([name, *(str(side.sum()) for side in sides), *cells])
    heading = ["set", "wrong", "right", "✗ in wrong texts", "✗ in right texts", "balanced accuracy"]
    return markdown_table(heading, lines)


def words_line(rows):
    """Return a sentence on the marked spans that a finding touches, and the findings that touch one."""
    sides = [(gold["spans"], grave_spans(attribution)) for gold, attribution in rows]
    spans = [overlap(span, findings) for marked, findings in sides for span in marked]
    findings = [overlap(finding, marked) for marked, found in sides for finding in found]
    return (
        f"Of the {len(spans)} stretches that annotators of CLIFF marked as wrong, a finding touches "
        f"{sum(spans)}; of the {len(findings)} findings, {sum(findings)} touch one."
    )


def cases_table(model):
    """Return the table of the cases of tests: how many of each kind are right."""
    sys.path.append(str(TESTS / "attribution"))
    from test_cases import CASES, is_right

    right, of = Counter(), Counter(case["kind"] for case in CASES)
    right.update(case["kind"] for case in CASES if is_right(case, model))
    lines = [[kind, str(right[kind]), str(count)] for kind, count in of.items()]
    return markdown_table(["kind", "right", "of"], [*lines, ["all", str(right.total()), str(of.total())]])


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
    parts = [slice(*span) for span in zip(ends, ends[1:], strict=False)]
    wrong, attributions = zip(*(row for members in sets for row in members), strict=True)
    wrong = np.array(wrong)

    def ranking(score):
        scores = np.array(list(map(score, attributions)))
        return lambda weights: np.mean([auroc(scores[p], wrong[p], weights[:, p]) for p in parts], axis=0)

    measures = {rival: {"auroc": ranking(score)} for rival, score in RIVALS.items()}
    first, *others = measure_rows(measures, resample(len(wrong), 1000, 1))
    bounds = ([row[key] for key in ("difference_low", "difference_high")] for row in others)
    cells = [with_bounds(f"{row['value']:.3f}", *both) for row, both in zip(others, bounds, strict=True)]
    return [name, f"{first['value']:.3f}", *cells]


def are_wrong(texts):
    """Return whether each text is wrong, and its attribution."""
    return [(not gold["consistent"], attribution) for gold, attribution in texts.rows]


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
    shown = intervals(support_measures(evidence, pairs), len(pairs))
    return [folder.name, shown["word_auroc"], shown.get("text_auroc", "–")]


def judged_rows(battery, summedits, qags):
    """Return the cells of the table that shows what a judge adds, by their measure."""
    rows = {}
    for name, side in (("wrong", battery.wrong), ("true", ~battery.wrong)):
        rows[f"battery: {name} sentences with ✗"] = f"{battery.found[side].sum()} of {side.sum()}"
    sets = {f"SummEdits, {which} domains": parts for which, parts in split_domains(summedits).items()}
    sets |= {f"QAGS, {domain}": [texts] for domain, texts in qags.by("domain").items()}
    for name, parts in sets.items():
        values = *np.mean([part.measures() for part in parts], axis=0), joined(parts).calibration_error()
        for measure, value in zip((*MEASURES, "calibration error"), values, strict=True):
            rows[f"{name}: {measure}"] = f"{value:.3f}"
        if name.startswith("QAGS"):
            shares = [np.mean(gold["sentences"]) for gold, _ in parts[0].rows]
            rows[f"{name}: Spearman"] = f"{spearmanr(shares, parts[0].supported).statistic:.3f}"
    return rows


def split_domains(summedits):
    """Return the texts of each domain of SummEdits that support was fitted on, and of each other."""
    parts = {"chosen": [], "other": []}
    for domain, texts in summedits.by("domain").items():
        parts["chosen" if domain in CHOSEN else "other"].append(texts)
    return parts


def tables(data, judge):
    """Return the tables of both pages by their places."""
    model, with_judge = load_model(judge=None), load_model(judge=judge)
    names = ("battery-dev", "summedits-dev", "qags-dev")
    alone, judged = ([Texts(attribute(each, data / name)) for name in names] for each in (model, with_judge))
    battery, summedits, qags = alone
    public = {}
    for name in ("wice-dev", "faithbench-dev"):
        public[name] = [made for _, made in attribute(model, data / name)]
    by_domain, by_summarizer, split = summedits.by("domain"), qags.by("domain"), split_domains(summedits)
    cliff = Texts(attribute(model, data / "cliff-dev"))
    sets = {
        "first battery": battery,
        "second battery": Texts(attribute(model, data / "battery-2-dev")),
        "third battery": Texts(attribute(model, data / "battery-3-dev")),
        "hundred sentences": Texts(attribute_sentences(model)),
        "CLIFF": cliff,
        **{f"QAGS, {name}": by_summarizer[name] for name in ("cnndm", "xsum")},
        **{f"SummEdits, {name} domains": joined(parts) for name, parts in split.items()},
    }
    kinds = [[k, str(len(x.rows)), str(x.found.sum())] for k, x in battery.by("kind").items()]
    values = {name: texts.measures() for name, texts in by_domain.items()}
    domains = [[k, str(len(by_domain[k].rows)), *decimals(row)] for k, row in values.items()]
    domains.append(["mean", str(len(summedits.rows)), *decimals(np.mean(list(values.values()), axis=0))])
    columns = judged_rows(*alone), judged_rows(*judged)
    gold = read_evidence_gold(data / "faithbench-dev/gold.jsonl")
    unsupported = {each.id: bool(unsupported_spans(each, None)) for each in gold}
    rivals = [
        *(rivals_row(f"QAGS, {name}", [are_wrong(texts)]) for name, texts in by_summarizer.items()),
        rivals_row("SummEdits, other domains", list(map(are_wrong, split["other"]))),
        rivals_row("faithbench-dev", [[(unsupported[each.id], each) for each in public["faithbench-dev"]]]),
    ]
    support = [support_row(made, data / name) for name, made in public.items()]
    unseen = ("hundred sentences", "QAGS, xsum", "SummEdits, other domains")
    page = {
        "sets": sets_table(sets),
        "words": words_line(cliff.rows),
        "kinds": markdown_table(["kind", "texts", "with a finding of class ✗"], kinds),
        "cases": cases_table(model),
        "domains": markdown_table(["domain", "texts", *MEASURES], domains),
        "judged": markdown_table(
            ["measure", "without a judge", "with a judge"],
            [[name, *(column[name] for column in columns)] for name in columns[0]],
        ),
        "rivals": markdown_table(["AUROC over texts", *RIVALS], rivals),
        "support": markdown_table(["AUROC of `supported`", "words", "texts"], support),
    }
    readme = {"verdicts": sets_table({name: sets[name] for name in unseen})}
    return {"docs/checks.md": page, "README.md": readme}


# Processes import this file again.
if __name__ == "__main__":
    write_pages(tables)
