"""Writes the table of marks in docs/attribution.md: how many wrong marks are put right, and right ones moved.

    python experiments/marks_page.py QUOTESUM VERIFIABILITY

Each folder has `corpus.jsonl`, whose documents are lists of passages, and `gold.jsonl`, which says for spans
of a text which passages support them; so do those that hold the same words, or the spans word for word.
Marks are drawn where a writer puts them: behind the last of the spans of a passage, at the end of the
sentence unless the next passage begins there. A wrong mark names another passage, drawn at random. An
invented statement has the documents of another text.
"""

import random
import re

from field.example import read_set
from markdown_tables import decimals, markdown_table, write_pages
from vorlage import load_model
from vorlage.text.tokenize import make_text


def words(text):
    """Return the words of a text in lower case, with a space on both sides of each."""
    return " ".join(["", *re.findall(r"\w+", str(text).lower()), ""])


def places(text, spans):
    """Yield where marks are put in a text, the passages that support what is before, and its spans."""
    spans, before = sorted(spans, key=lambda span: span["summary"]), []
    made = make_text(text)
    ends = [made.tokens[end - 1] for _, end in made.sentences]
    for number, span in enumerate(spans):
        before.append(words(text[slice(*span["summary"])]))
        following = spans[number + 1] if number + 1 < len(spans) else None
        if following and following["passages"] == span["passages"]:
            continue
        end = span["summary"][1]
        last, stop = next(each for each in ends if each[1] >= end)
        sentence_end = last if text[last:stop] in ".!?" and last >= end else stop
        free = not following or sentence_end < following["summary"][0]
        yield (sentence_end if free else end), span["passages"], before
        before = []


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


def tasks(folder, generator):
    """Yield the documents of a text, the text, and the place, right and wrong numbers of its marks."""
    for record, gold in read_set(folder):
        documents = record["document"]
        marked = list(places(record["summary"], gold["spans"]))
        held = list(map(words, documents))
        drawn = []
        for place, passages, before in marked:
            same = {held[number] for number in passages}
            right = {k for k, each in enumerate(held) if each in same or all(span in each for span in before)}
            wrong = [k for k, each in enumerate(held) if each.strip() and k not in right]
            if wrong:
                drawn.append((place, passages[0], right, generator.choice(wrong)))
        if drawn:
            named = {str(k + 1): each for k, each in enumerate(documents) if held[k].strip()}
            yield named, record["summary"], drawn


def check(model, made, number):
    """Yield, for each mark of texts, its right numbers, what it is before and after, and what is said of it.

    `number`: 1 for right marks, 3 for wrong ones.
    """
    texts = [mark(text, [(each[0], each[number]) for each in drawn]) for _, text, drawn in made]
    pairs = [(documents, text) for (documents, *_), text in zip(made, texts, strict=True)]
    for (*_, drawn), text, found in zip(made, texts, model.attribute_many(pairs, marks=True), strict=True):
        said = {len(numbers(text[: each.text[0]])): each.mark for each in found.citations}
        after = numbers(found.to_markdown(marks=True))
        for k, (each, old, new) in enumerate(zip(drawn, numbers(text), after, strict=True)):
            yield each[2], old, new, said.get(k)


def measure(model, folder):
    """Return the row of a set: how many marks, and shares of them."""
    made = list(tasks(folder, random.Random(1)))
    wrong, right = list(check(model, made, 3)), list(check(model, made, 1))
    put_right = sum(new in sources for sources, _, new, _ in wrong)
    moved = (sum(old != new for _, old, new, _ in marks) for marks in (wrong, right))
    others = [made[(k + 17) % len(made)][0] for k in range(len(made))]
    invented = [(documents, *task[1:]) for documents, task in zip(others, made, strict=True)]
    known = [said for *_, said in check(model, invented, 1) if said != "unknown"]
    shares = *(count / len(wrong) for count in (put_right, *moved)), known.count("unsupported") / len(known)
    return [folder.name, str(len(wrong)), *decimals(shares)]


def tables(quotesum, verifiability):
    """Return the table by its place."""
    model = load_model(judge=None)
    rows = [measure(model, folder) for folder in (quotesum, verifiability)]
    heading = ["set", "marks", "wrong marks put right", "wrong moved", "right moved", "invented: unsupported"]
    return {"docs/attribution.md": {"marks": markdown_table(heading, rows)}}


if __name__ == "__main__":
    write_pages(tables)
