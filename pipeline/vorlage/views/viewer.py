"""Pairs and alignments in the form that the viewer reads, and pages that hold the viewer alone.

The texts of a corpus reach the page as compressed data in base64, or as JSON without `<`, and the scripts
add them to the page as the text of nodes. A content security policy lets only our own scripts run.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from vorlage.alignments.alignment import Alignment, mean_entropy
from vorlage.documents.pair import Pair
from vorlage.settings import Decoding
from vorlage.text.tokenized import Text
from vorlage.types import Span

TEMPLATES = Path(__file__).parent / "templates"
VIEWER_SCRIPTS = tuple(
    """links search pairs panes curves records sharing
    storage review alignment attribution viewer""".split()
)
DIGITS = 3  # decimals of posteriors and doubts
FRAME_HEIGHT = 620  # pixels: the viewer in a notebook
# What the viewer shows: the links between the words of a pair, or the sources of a text.
ViewName: TypeAlias = Literal["alignment", "attribution"]


class PairNumbers(NamedTuple):
    """What is known of the links of a system on one pair, as the decoder chose them.

    `doubt`: the mean entropy of its decisions (`vorlage.alignments.alignment.doubt`), in bits. `without`:
    the number of summary words without a link. `lowest`: the lowest posterior of a link or a null word; it
    and `doubt` are None for a system without posteriors. `disagreements`: the number of summary words
    that have a link which the gold lacks, or lack a sure link of the gold.
    """

    doubt: float | None
    without: int
    lowest: float | None
    disagreements: int


def pair_numbers(data: Mapping[str, Any]) -> dict[str, PairNumbers]:
    """Return the numbers of each system, from the data of the viewer (`viewer.pair_data`)."""
    return {system: _system_numbers(data, links) for system, (links, *_) in data.get("systems", {}).items()}


def _system_numbers(data: Mapping[str, Any], links: Sequence[Sequence[Any]]) -> PairNumbers:
    linked: list[set[int]] = [set() for _ in data["s"]["w"]]
    for i, j in _cells(links):
        linked[i].add(j)
    doubt = mean_entropy((end - first, posterior) for first, end, _, _, posterior, _ in links)
    return PairNumbers(
        None if doubt is None else round(doubt, DIGITS),
        sum(not words for words in linked),
        min((link[4] for link in links if link[4] is not None), default=None),
        sum(_disagrees(data, words, i) for i, words in enumerate(linked)) if data["unit"] else 0,
    )


def _cells(links: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int]]:
    """Yield the word links of the links of a system."""
    for first, end, start, stop, _, diagonal in links:
        for i in range(first, end) if start >= 0 else ():
            for j in (start + i - first,) if diagonal else range(start, stop):
                yield i, j


def _disagrees(data: Mapping[str, Any], linked: set[int], i: int) -> bool:
    """Return whether the links of summary word `i` differ from the gold, as `verdict` in links.js decides.

    Gold in characters marks regions: one link into a region is enough.
    """
    sure, possible = set[int](), set[int]()
    for summary, document, is_sure in data["gold"]:
        if any(first <= i < end for first, end in summary):
            cells = {j for first, end in document for j in range(first, end)}
            possible |= cells
            sure |= cells if is_sure else set()
    if data["unit"] == "char":
        return bool(possible) and (bool(linked - possible) or bool(sure) and not linked & sure)
    return bool(linked - possible) or bool(sure - linked)


class GoldSpans(NamedTuple):
    """The gold of a pair in tokens.

    `unit`: `token` or `char`, the unit that annotators marked. `spans`: `[summary spans, document spans,
    sure]` for each gold link; each span is `[first, end]` and `sure` is 1 or 0.
    """

    unit: str
    spans: list[list[Any]]


class Entry(NamedTuple):
    """A pair: its `id`, the F of each system or None, its `systems` and its `packed` data.

    `annotated`: whether it has gold; `numbers`: the numbers of each system (`pair_index`).
    """

    id: str
    scores: dict[str, float] | None
    systems: list[str]
    annotated: bool
    numbers: dict[str, PairNumbers]
    packed: str


def pair_data(pair: Pair, gold: GoldSpans | None, alignments: Iterable[Alignment]) -> dict[str, Any]:
    """Return what the viewer shows of a pair, a dict that JSON can hold.

    Keys of the dict: `s` (summary) and `d` (document) hold the words `w`, a digit `g` for each word
    that tells whether white space precedes it, and the ends `b` of the sentences; `h`, if there are any,
    the sections: the number of the first sentence and the title of each. `systems` maps each
    system to its links `[first, end, first, end, posterior, diagonal]` (summary span, document span, −1 for
    null; `diagonal` is 1 if words are linked one to one), its candidates `[summary word, document word,
    posterior]`, for each summary word the probability that it has no source, and its stretches `[first, end,
    first, end]`, the last two if the system has them.

    Args:
        pair: the texts.
        gold: None for a pair without gold.
        alignments: one for each system.
    """
    unit, spans = gold or (None, [])
    return {
        "id": pair.id,
        "s": _text_data(pair.summary),
        "d": _text_data(pair.document),
        "unit": unit,
        "gold": spans,
        "systems": {alignment.system: _system_data(alignment) for alignment in alignments},
    }


def _text_data(text: Text) -> dict[str, Any]:
    data = text_data(text.raw, text.tokens, [end for _, end in text.sentences])
    return data | {"h": text.sections} if text.sections else data


def text_data(raw: str, places: Sequence[Span], ends: Sequence[int]) -> dict[str, Any]:
    """Return the words or pieces of a text, whether white space precedes each, and the ends of sentences."""
    gaps = "".join("01"[start > end] for (_, end), (start, _) in pairwise([(0, 0), *places]))
    return {"w": [raw[start:end] for start, end in places], "g": gaps, "b": ends}


def _system_data(alignment: Alignment) -> list[list[Any]]:
    """Return the links, the candidates, the null posteriors and the stretches of one system."""
    links = []
    for link in alignment.links:
        # Whether the soft rule links the words of a phrase pair one to one instead of all to all.
        diagonal = link.cells(alignment.summary_words, alignment.document_words) != link.all_cells()
        spans = *link.summary, *(link.document or (-1, -1))
        links.append([*spans, rounded(link.posterior), int(diagonal)])
    candidates = [
        [link.summary[0], link.document[0], rounded(link.posterior)]
        for link in alignment.candidates
        if link.document is not None
    ]
    stretches = [[*link.summary, *link.document] for link in alignment.stretches if link.document]
    return [links, candidates, [rounded(null) for null in alignment.nulls], stretches]


def rounded(probability: float | None) -> float | None:
    """Return a probability with `DIGITS` decimals, or None for None."""
    return None if probability is None else round(probability, DIGITS)


def pack(data: Mapping[str, Any]) -> str:
    """Return data as compressed JSON in base64; the same data always give the same text."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def make_entry(data: dict[str, Any], scores: dict[str, float] | None = None) -> Entry:
    """Make the `Entry` of a pair from its `pair_data` or from the data of an attribution."""
    annotated, systems = data.get("unit") is not None, list(data.get("systems", ()))
    return Entry(data["id"], scores, systems, annotated, pair_numbers(data), pack(data))


def viewer_parts(
    entries: Sequence[Entry], view: ViewName = "alignment", slider: Decoding | None = None
) -> dict[str, Any]:
    """Return the variables of the viewer's template.

    Args:
        entries: the pairs, in order.
        view: what is shown of the pairs.
        slider: the thresholds where the slider of posteriors starts and ends on the left.
    """
    slider = slider or Decoding()
    systems = list(dict.fromkeys(system for entry in entries for system in entry.systems))
    pairs = [
        {"id": entry.id, "scores": entry.scores, "numbers": [entry.numbers.get(name) for name in systems]}
        for entry in entries
    ]
    return {
        "view": view,
        "entries": entries,
        "systems": systems,
        "scored": any(entry.scores for entry in entries),
        "annotated": any(entry.annotated for entry in entries),
        "doubted": any(numbers.doubt is not None for entry in entries for numbers in entry.numbers.values()),
        "lowest": slider.candidate_threshold,
        "index": script_json(
            {"view": view, "systems": systems, "pairs": pairs, "threshold": slider.posterior_threshold}
        ),
    }


def viewer_page(title: str, pairs: Iterable[dict[str, Any]], view: ViewName = "alignment") -> str:
    """Return a standalone HTML page that shows pairs (`pair_data`) or attributions in the viewer.

    The data are compressed one by one as they come, so an iterator need not hold them all.
    """
    parts = page_parts(VIEWER_SCRIPTS) | viewer_parts(list(map(make_entry, pairs)), view)
    return render("pair", title=title, **parts)


def page_parts(scripts: Sequence[str], styles: Sequence[str] = (), connect: str = "'none'") -> dict[str, Any]:
    """Return the variables of `base.html.jinja`: `style`, `scripts`, and the content security `policy`.

    Args:
        scripts: the names of the scripts of the page.
        styles: those of the styles that it adds to the one of all pages.
        connect: what its scripts may connect to.
    """
    sources = [(TEMPLATES / f"{name}.js").read_text(encoding="utf-8") for name in scripts]
    digests = (hashlib.sha256(source.encode()).digest() for source in sources)
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    sheets = [(TEMPLATES / f"{name}.css").read_text(encoding="utf-8") for name in ("style", *styles)]
    return {
        "style": "".join(sheets),
        "scripts": sources,
        "policy": f"default-src 'none'; connect-src {connect}; img-src data:; style-src 'unsafe-inline'; "
        f"base-uri 'none'; form-action 'none'; script-src {hashes}",
    }


def render(template: str, **variables: object) -> str:
    """Return a page made from a template, which escapes every value that it does not mark as safe."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # the terminal needs no pages

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(f"{template}.html.jinja").render(**variables)


def script_json(value: Any) -> str:
    """Return a value as JSON that is safe inside a script element, whatever its texts hold."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def notebook_frame(page: str, title: str, height: int = FRAME_HEIGHT) -> str:
    """Return an element of `height` pixels that shows a page in a notebook, isolated from the notebook."""
    return (
        f'<iframe srcdoc="{escape(page, quote=True)}" sandbox="allow-scripts allow-downloads" width="100%"'
        f' height="{height}" style="border:0" title="{escape(title, quote=True)}"></iframe>'
    )
