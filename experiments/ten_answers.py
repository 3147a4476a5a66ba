"""Writes the table of ten answers in docs/checks.md: what Vorlage and others say of the same ones.

    python experiments/ten_answers.py docs/checks.md

It needs the packages bert-score, cite-right, groundlens and rouge-score, and the default encoder, which
bert-score reads, too. The answers are in ten_answers.jsonl; they were written before any system saw them.
"""

import sys
import tempfile
from importlib.metadata import version
from itertools import product
from pathlib import Path
from time import perf_counter

import groundlens
from bert_score import BERTScorer
from cite_right import is_grounded
from markdown_tables import insert_into_file, markdown_table
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


def ask_vorlage():
    """Return a function from an answer to its sign and score, the gravest finding, and whether it passes."""
    model = load_model(judge=None)

    def ask(answer):
        attribution = model.attribute(PASSAGES, answer)
        (sentence,) = attribution.sentences
        findings = sorted(attribution.unsupported, key=lambda finding: -finding.severity)
        message = next((finding.message for finding in findings if finding.severity > 1), "")
        return f"{SIGNS[sentence.verdict]} {sentence.supported:.2f}", message, sentence.verdict == "supported"

    return ask


def ask_bert():
    """Return a function from an answer to its BERTScore precision, by the default encoder of Vorlage."""
    scorer = BERTScorer(model_type=find_model(PACKAGED), num_layers=LAYER)
    return lambda answer: scorer.score([answer], [" ".join(PASSAGES.values())])[0].item()


def ask_all(ask, answers):
    """Return what a system says of each answer, and the milliseconds that one takes, on a second pass."""
    for answer in answers:
        ask(answer)
    start = perf_counter()
    said = [ask(answer) for answer in answers]
    return said, f"{1000 * (perf_counter() - start) / len(answers):.0f}"


def best_threshold(scores, right):
    """Return whether each answer passes, by the threshold that gives most answers their right verdict."""
    passes = [[score >= threshold for score in scores] for threshold in scores]
    return max(passes, key=lambda each: sum(map(bool.__eq__, each, right)))


def pairs_in_order(scores, right):
    """Return how many of the pairs of a right and a wrong answer have the higher score at the right one."""
    pairs = product(
        *(
            [score for score, each in zip(scores, right, strict=True) if each == kind]
            for kind in (True, False)
        )
    )
    return sum(one > other for one, other in pairs)


def main():
    """Write the table, and what it adds up to, into the page."""
    records = [record for _, record in read_jsonl(Path(__file__).with_suffix(".jsonl"))]
    answers, right = [record["answer"] for record in records], [record["right"] for record in records]
    source, passages = " ".join(PASSAGES.values()), list(PASSAGES.values())
    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    ours, own_time = ask_all(ask_vorlage(), answers)
    rouge, rouge_time = ask_all(lambda answer: scorer.score(source, answer)["rougeL"].precision, answers)
    bert, bert_time = ask_all(ask_bert(), answers)
    grounded, grounded_time = ask_all(lambda answer: is_grounded(answer, passages), answers)
    with tempfile.TemporaryDirectory() as folder:
        verifier = groundlens.Verifier(sink=groundlens.sinks.jsonl(folder))
        decided, decided_time = ask_all(
            lambda answer: str(verifier.check(answer=answer, passages=passages).decision), answers
        )
    shown, messages, passed = zip(*ours, strict=True)
    supported = [float(each.split()[1]) for each in shown]
    # For each system: what is shown, which answers pass, scores if it has them, and its time.
    systems = {
        "Vorlage": (shown, passed, supported, own_time),
        f"groundlens {version('groundlens')}": (decided, [x == "PASS" for x in decided], None, decided_time),
        f"cite-right {version('cite-right')}": (
            ["grounded" if x else "no" for x in grounded],
            grounded,
            None,
            grounded_time,
        ),
        "ROUGE-L": ([f"{x:.2f}" for x in rouge], best_threshold(rouge, right), rouge, rouge_time),
        "BERTScore": ([f"{x:.2f}" for x in bert], best_threshold(bert, right), bert, bert_time),
    }
    rows = [
        [f"{answer} ({record['kind']})", "right" if record["right"] else "wrong"]
        + [f"**{shown[k]}**" if passes[k] == right[k] else shown[k] for shown, passes, *_ in systems.values()]
        for k, (answer, record) in enumerate(zip(answers, records, strict=True))
    ]
    correct = [str(sum(map(bool.__eq__, list(passes), right))) for _, passes, *_ in systems.values()]
    order = [
        f"{pairs_in_order(scores, right)} of 25" if scores else "–" for _, _, scores, _ in systems.values()
    ]
    times = [time for *_, time in systems.values()]
    rows += [["correct verdicts", "", *correct], ["pairs in the right order", "", *order]]
    rows += [["milliseconds an answer", "", *times]]
    table = markdown_table(["answer", "it is", *systems], rows, 2)
    said = "\n".join(
        f"- *{answer}* {message}." for answer, message in zip(answers, messages, strict=True) if message
    )
    insert_into_file(Path(sys.argv[1]), {"ten answers": table, "ten findings": said})


if __name__ == "__main__":
    main()
