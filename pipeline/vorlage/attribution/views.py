"""An attribution as a terminal, Markdown and a table show it. A record is its JSON object."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from vorlage.attribution.documents import Documents
from vorlage.types import JsonObject, Span
from vorlage.viewer.terminal import MARKS, Passage, Place, ShownSentence, ShownSource, View

# Kinds of findings, those that mislead most first.
KINDS = ("number", "unit", "date", "name", "negation", "opposite", "quantity", "role")
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$])")  # what Markdown would take for markup


def by_gravity(findings: Iterable[JsonObject]) -> list[JsonObject]:
    """Return findings by severity, then what differs, then by kind, then in the order of the text."""

    def order(finding: JsonObject) -> tuple[int, bool, int, Span]:
        kind = finding["kind"]
        rank = KINDS.index(kind) if kind in KINDS else len(KINDS)
        return -finding["severity"], finding["reason"] != "differs", rank, tuple(finding["text"])

    return sorted(findings, key=order)


def headline(record: JsonObject) -> str:
    """Return a line that counts the verdicts on the sentences."""
    verdicts = Counter(sentence["verdict"] for sentence in record["sentences"])
    supported, total = verdicts["supported"], verdicts.total()
    line = f"{supported} of {total} {'statement' if total == 1 else 'statements'} supported"
    return f"{line}; {total - supported} to check" if supported < total else line


def attributed_view(record: JsonObject, text: str, documents: Documents) -> View:
    """Return what the terminal shows of an attribution."""
    passages = [
        Passage(tuple(span["text"]), _place(source), source["probability"])
        for span in record["spans"]
        for source in span["sources"][:1]  # the likeliest
    ]
    for finding in record["unsupported"]:
        like = _place(finding) if "document" in finding else None
        message = finding["severity"], finding["message"]
        passages.append(Passage(tuple(finding["text"]), None, finding["null"], like, *message))
    passages.sort(key=lambda passage: passage.span)
    sentences = []
    for entry in record["sentences"]:
        start, end = entry["text"]
        inside = [passage for passage in passages if start <= passage.span[0] < end]
        sources = [ShownSource(_place(x), x["sentence"] + 1, x["probability"]) for x in entry["sources"]]
        verdict = entry["verdict"], entry["supported"], entry["linked"]
        asides = [
            (word["state"], tuple(word["text"]), _sentence_name(word) if "sentence" in word else "")
            for word in record["words"]
            if start <= word["text"][0] < end and word["state"] in ("elsewhere", "frame")
        ]
        sentences.append(ShownSentence((start, end), sources, inside, *verdict, asides, entry.get("judged")))
    texts = document_texts(documents)
    return View(record["id"], text, texts, sentences, headline(record), record["notes"])


def document_texts(documents: Documents) -> dict[str, str]:
    """Return the documents by name, which is empty for a single one."""
    names, starts = documents.names or ("",), documents.characters
    ends = [start - 1 for start in starts[1:]] + [len(documents.raw)]
    return {name: documents.raw[a:b] for name, a, b in zip(names, starts, ends, strict=True)}


def markdown(record: JsonObject, text: str, documents: Documents) -> str:
    """Return the text as Markdown: a sentence a paragraph, with footnotes for findings and sources."""
    texts = document_texts(documents)
    paragraphs, footnotes = [f"**{headline(record)}**", *map(_escaped, record["notes"])], list[str]()
    for sentence in record["sentences"]:
        start, end = sentence["text"]
        paragraph, place = f"{MARKS[sentence['verdict']]} ", start
        for finding in sorted(record["unsupported"], key=lambda part: part["text"][1]):
            if start <= finding["text"][0] < end:
                footnotes.append(f"{finding['reason']} ({finding['kind']}): {finding['message']}")
                paragraph += f"{_escaped(text[place : finding['text'][1]])}[^{len(footnotes)}]"
                place = finding["text"][1]
        paragraph += _escaped(text[place:end])
        for source in sentence["sources"]:
            quote = texts[source.get("name", "")][slice(*source["document"])]
            label, probability = _sentence_name(source), source["probability"]
            footnotes.append(f"source: {label} ({probability:.2f}): “{quote}”")
            paragraph += f"[^{len(footnotes)}]"
        paragraphs.append(paragraph)
    notes = (f"[^{number}]: {_escaped(note)}" for number, note in enumerate(footnotes, 1))
    return "\n\n".join([*paragraphs, *notes]) + "\n"


def word_rows(record: JsonObject, text: str, documents: Documents) -> Iterator[Mapping[str, object]]:
    """Yield a row for each word of the text: its place and state, and the gravest finding that it is in."""
    texts, findings = document_texts(documents), by_gravity(record["unsupported"])
    for word in record["words"]:
        start, end = word["text"]
        inside = (part for part in findings if part["text"][0] < end and start < part["text"][1])
        finding = next(inside, {})
        number, sentence = next(
            (number, each)
            for number, each in enumerate(record["sentences"])
            if each["text"][0] <= start < each["text"][1]
        )
        name = finding.get("name", word.get("name", ""))
        yield {
            **{"start": start, "end": end, "word": text[start:end], "state": word["state"]},
            **{"supported": word["supported"], "sentence": number, "verdict": sentence["verdict"]},
            **{key: finding.get(key) for key in ("kind", "severity", "message")},
            "document": name or None,
            "source": texts[name][slice(*finding["document"])] if "document" in finding else None,
            "source_sentence": word.get("sentence"),
        }


def _place(part: JsonObject) -> Place:
    return Place(part.get("name", ""), tuple(part["document"]))


def _sentence_name(part: JsonObject) -> str:
    """Return the name of the document of a part, if it has one, and the number of its sentence from 1."""
    name, number = part.get("name"), part["sentence"] + 1
    return f"{name}:{number}" if name else f"sentence {number}"


def _escaped(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", re.sub(r"\s+", " ", text))
