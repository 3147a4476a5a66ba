"""A small corpus to annotate, its gold and a system, with files made from them."""

import json

from vorlage.alignments.alignment import Alignment, Link, write_alignments

TEXTS = {
    "a": ("The old mill burned down on Friday .", "The mill burned ."),
    "b": ("Ines gave a ladder to Rufus .", "Rufus received a ladder ."),
    "c": ("Sales rose .", "Sales rose 4 percent ."),
}


def link(summary, document, sure=True):
    return {"summary": list(summary), "document": list(document), "sure": sure}


def line(pair_id, annotator, *links, **others):
    return {"id": pair_id, "annotator": annotator, "unit": "token", "alignments": list(links)} | others


def write_corpus(path, texts=None):
    """Write the corpus in input form, to be read with `tokenized`."""
    records = [{"id": key, "document": d, "summary": s} for key, (d, s) in (texts or TEXTS).items()]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def write_system(path, name="toy", texts=None):
    """Write alignments that link each summary word to the first equal word, with posterior 0.9 in every pair.

    Only the pair b has the posterior 0.4.
    """
    alignments = []
    for key, (document, summary) in (texts or TEXTS).items():
        words, sources = summary.split(" "), document.split(" ")
        posterior = 0.4 if key == "b" else 0.9
        links = [Link((i, i + 1), _place(sources, word), posterior) for i, word in enumerate(words)]
        alignments.append(Alignment(key, name, None, sources, words, links))
    write_alignments(path, alignments)
    return path


def _place(words, word):
    return (words.index(word), words.index(word) + 1) if word in words else None
