"""Writes the table of marks in docs/attribution.md: how many wrong marks are put right, and right ones moved.

    python experiments/marks_page.py QUOTESUM VERIFIABILITY docs/attribution.md

Each folder has `corpus.jsonl`, whose documents are lists of passages, and `gold.jsonl`, which says for spans
of a text which passages support them. Marks are drawn where a writer puts them: behind the last of the spans
of a passage, at the end of the sentence unless the next passage begins there. A wrong mark names another
passage, drawn at random. With *pages*, the passages of a text are one document, beside those of `OTHERS`.
"""

import random
import re
import sys
from pathlib import Path

from markdown_tables import insert_into_file, markdown_table
from vorlage import load_model
from vorlage.files.jsonl import read_jsonl
from vorlage.text.tokenize import make_text

OTHERS = 4


def places(text, spans):
    """Yield where marks are put in a text, and the passages that support what is before them."""
    spans = sorted(spans, key=lambda span: span["summary"])
    ends = [make.tokens[end - 1] for make in [make_text(text)] for _, end in make.sentences]
    for number, span in enumerate(spans):
        following = spans[number + 1] if number + 1 < len(spans) else None
        if following and following["passages"] == span["passages"]:
            continue
        end = span["summary"][1]
        last, stop = next(each for each in ends if each[1] >= end)
        sentence_end = last if text[last:stop] in ".!?" and last >= end else stop
        free = not following or sentence_end < following["summary"][0]
        yield (sentence_end if free else end), span["passages"]


def mark(text, marks):
    """Return a text with marks, `(place, number)` each."""
    parts, start = [], 0
    for place, number in marks:
        parts += [text[start:place], f" [{number + 1}]"]
        start = place
    return "".join([*parts, text[start:]])


def numbers(text):
    """Return the numbers of the marks of a text."""
    return [int(number) - 1 for number in re.findall(r" \[(\d+)\]", text)]


def tasks(folder, pages, generator):
    """Yield the documents of a text, the text, and the place, right and wrong numbers of its marks."""
    corpus = {record["id"]: record for _, record in read_jsonl(folder / "corpus.jsonl")}
    ids = list(corpus)
    for _, gold in read_jsonl(folder / "gold.jsonl"):
        record = corpus[gold["id"]]
        documents = record["document"]
        marked = list(places(record["summary"], gold["spans"]))
        if pages:
            first = ids.index(gold["id"])
            others = [corpus[ids[(first + 3 * k) % len(ids)]] for k in range(1, OTHERS + 1)]
            own = generator.randrange(OTHERS + 1)
            documents = [other["document"] for other in others]
            documents.insert(own, record["document"])
            marked = [(place, [own]) for place, _ in marked]
        words = [" ".join(re.findall(r"\w+", str(document).lower())) for document in documents]
        drawn = []
        for place, passages in marked:
            right = {k for k, each in enumerate(words) if each in {words[p] for p in passages}}
            wrong = [k for k, each in enumerate(words) if each and k not in right]
            if wrong:
                drawn.append((place, passages[0], right, generator.choice(wrong)))
        if drawn:
            named = {str(k + 1): each for k, each in enumerate(documents) if words[k]}
            yield named, record["summary"], drawn


def measure(model, folder, pages=False):
    """Return the row of a set: the marks, the wrong ones put right, those moved, and the right ones moved."""
    made = list(tasks(folder, pages, random.Random(1)))
    right = [mark(text, [(place, own) for place, own, _, _ in drawn]) for _, text, drawn in made]
    wrong = [mark(text, [(place, other) for place, *_, other in drawn]) for _, text, drawn in made]
    counts = [0, 0, 0, 0]
    for number, texts in enumerate((right, wrong)):
        pairs = [(documents, text) for (documents, *_), text in zip(made, texts, strict=True)]
        for task, text, found in zip(made, texts, model.attribute_many(pairs, marks=True), strict=True):
            for (_, _, sources, _), before, after in zip(
                task[-1], numbers(text), numbers(found.to_markdown(marks=True)), strict=True
            ):
                counts[0] += number
                counts[number + 1] += before != after
                counts[3] += number and after in sources
    marks, moved, changed, corrected = counts
    name = folder.name + (", pages" if pages else "")
    return [name, str(marks), f"{corrected / marks:.3f}", f"{changed / marks:.3f}", f"{moved / marks:.3f}"]


def main():
    """Write the table into the page."""
    *folders, page = map(Path, sys.argv[1:])
    model = load_model(judge=None)
    rows = [measure(model, folder) for folder in folders]
    rows.append(measure(model, folders[-1], pages=True))
    heading = ["set", "marks", "wrong marks put right", "wrong marks moved", "right marks moved"]
    insert_into_file(page, {"marks": markdown_table(heading, rows)})


if __name__ == "__main__":
    main()
