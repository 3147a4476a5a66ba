"""Public sets of links between the tokens of two sentences: MultiMWA, and the corpora of Jacana.

- MultiMWA (Lan, Jiang & Xu 2021): TSV files such as `mtref-dev.tsv`, a pair of tokenized sentences a line.
  The columns that are read: 1 the id, 2 and 4 the sentences, 8 and 9 the sure and the possible links. The
  first sentence is the document.
- Jacana (Yao et al. 2013), the MSR and the Edinburgh corpus: JSON files, each a list of pairs of tokenized
  sentences with `name`, `source`, `target`, `sureAlign` and `possibleAlign`. The source is the document.

A link is `i-j`, a document and a summary token, counted from 0.
"""

from typing import Any

from vorlage.corpus.layouts.example import Example
from vorlage.types import JsonObject


def multimwa(columns: list[str], file: str, number: int) -> Example:
    """Return the example of a line of MultiMWA."""
    name, document, _, summary, _, _, _, sure, possible, *_ = columns
    gold = {"annotator": "multimwa", "alignments": token_links(sure, possible)}
    return Example(f"{file}-{name}", [document], [summary], gold)


def jacana(pair: Any, file: str, number: int) -> Example:
    """Return the example of a pair of Jacana."""
    links = token_links(pair["sureAlign"], pair["possibleAlign"])
    gold = {"annotator": "jacana", "alignments": links}
    return Example(f"{file}-{pair['name']}", [pair["source"]], [pair["target"]], gold)


def token_links(sure: str, possible: str) -> list[JsonObject]:
    """Return gold alignments for links that are separated by spaces; raise ValueError for other text.

    A link that is sure and possible is sure.
    """
    links: dict[tuple[int, int], bool] = {}
    for text, is_sure in ((possible, False), (sure, True)):
        for link in text.split():
            i, j = map(int, link.split("-"))
            links[i, j] = is_sure
    return [
        {"summary": [j, j + 1], "document": [i, i + 1], "sure": is_sure}
        for (i, j), is_sure in sorted(links.items())
    ]
