"""Writes the table of ten answers in docs/checks.md: what Vorlage and others say of the same ones.

    python experiments/ten_answers.py

It needs the packages bert-score, cite-right, groundlens and rouge-score, and the default encoder, which
bert-score reads, too. The answers are in ten_answers.jsonl; they were written before any system saw them.
"""

import tempfile
from importlib.metadata import version
from itertools import product
from pathlib import Path
from time import perf_counter

import groundlens
from bert_score import BERTScorer
from cite_right import is_grounded
from markdown_tables import markdown_table, write_pages
from rouge_score.rouge_scorer import RougeScorer
from vorlage import load_model
from vorlage.encoder.installed import PACKAGED, find_model
from vorlage.files.jsonl import read_jsonl

MINUTES = """\
The council of Halden met on 4 March. It voted by seven to two for a new bridge over the Tarn. The bridge will
cost 3.2 million euros and may open in 2031. Mayor Lena Brodd said the old bridge could no longer carry buses.
Councillor Per Aune voted against the plan because the road to it floods every spring."""
REPORT = """\
Engineers tested the old bridge in January. They found cracks in two of its six pillars. Lorries of more than
12 tonnes have not been allowed on it since then. The ferry company Sundby Lines expects to lose half of its
passengers when the new bridge opens."""
PASSAGES = {"minutes": MINUTES.replace("\n", " "), "report": REPORT.replace("\n", " ")}
SIGNS = {"supported": "✓", "unclear": "?", "unsupported": "✗"}
LAYER = 6  # of the encoder, the last


def open_systems(model):
    """Return, by names, functions from an answer to a cell, whether it passes, and a score.

    A system that gives no verdict or no score has None in its place. `model`: the one of Vorlage to measure.
    """
    source, passages = " ".join(PASSAGES.values()), list(PASSAGES.values())
    verifier = groundlens.Verifier(sink=groundlens.sinks.jsonl(tempfile.mkdtemp()))
    rouge = RougeScorer(["rougeL"], use_stemmer=True)
    bert = BERTScorer(model_type=find_model(PACKAGED), num_layers=LAYER)

    def ask_vorlage(answer):
        (sentence,) = model.attribute(PASSAGES, answer).sentences
        cell = f"{SIGNS[sentence.verdict]} {sentence.supported:.2f}"
        return cell, sentence.verdict == "supported", round(sentence.supported, 2)

    def ask_groundlens(answer):
        decision = str(verifier.check(answer=answer, passages=passages).decision)
        return decision, decision == "PASS", None

    def ask_cite_right(answer):
        grounded = is_grounded(answer, passages)
        return "grounded" if grounded else "no", grounded, None

    def ask_rouge(answer):
        precision = rouge.score(source, answer)["rougeL"].precision
        return f"{precision:.2f}", None, precision

    def ask_bert(answer):
        precision = bert.score([answer], [source])[0].item()
        return f"{precision:.2f}", None, precision

    return {
        "Vorlage": ask_vorlage,
        f"groundlens {version('groundlens')}": ask_groundlens,
        f"cite-right {version('cite-right')}": ask_cite_right,
        "ROUGE-L": ask_rouge,
        "BERTScore": ask_bert,
    }


def ask_all(ask, answers, right):
    """Return the cells of a system, with right verdicts bold, and what they add up to.

    Without verdicts, answers pass by the threshold that gives most of them their right one. Times are those
    of a second pass.
    """
    list(map(ask, answers))
    start = perf_counter()
    cells, passed, scores = zip(*map(ask, answers), strict=True)
    milliseconds = 1000 * (perf_counter() - start) / len(answers)
    if None in passed:
        passes = ([score >= threshold for score in scores] for threshold in scores)
        passed = max(passes, key=lambda each: sum(map(bool.__eq__, each, right)))
    are_right = list(map(bool.__eq__, passed, right))
    order = "–"
    if None not in scores:
        sides = ([s for s, each in zip(scores, right, strict=True) if each == kind] for kind in (True, False))
        order = f"{sum(one > other for one, other in product(*sides))} of 25"
    shown = [f"**{cell}**" if each else cell for cell, each in zip(cells, are_right, strict=True)]
    return [*shown, str(sum(are_right)), order, f"{milliseconds:.0f}"]


def gravest_findings(model, answers):
    """Return a line for each answer with a finding of class ✗: the gravest one."""
    lines = []
    for answer in answers:
        findings = [each for each in model.attribute(PASSAGES, answer).unsupported if each.severity > 1]
        if findings:
            lines.append(f"- *{answer}* {max(findings, key=lambda each: each.severity).message}.")
    return "\n".join(lines)


def tables():
    """Return the table, and the findings of Vorlage, by their places."""
    records = [record for _, record in read_jsonl(Path(__file__).with_suffix(".jsonl"))]
    answers, right = [record["answer"] for record in records], [record["right"] for record in records]
    model = load_model(judge=None)
    systems = open_systems(model)
    heads = [[f"{x['answer']} ({x['kind']})", "right" if x["right"] else "wrong"] for x in records]
    heads += [["correct verdicts", ""], ["pairs in the right order", ""], ["milliseconds an answer", ""]]
    columns = zip(*(ask_all(ask, answers, right) for ask in systems.values()), strict=True)
    rows = [[*head, *cells] for head, cells in zip(heads, columns, strict=True)]
    table = markdown_table(["answer", "it is", *systems], rows, 2)
    return {"docs/checks.md": {"ten answers": table, "ten findings": gravest_findings(model, answers)}}


if __name__ == "__main__":
    write_pages(tables)
