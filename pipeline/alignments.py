"""The alignment format that every system writes and every later stage reads (``alignments.jsonl``)."""

from dataclasses import dataclass, field
from typing import NamedTuple

from pipeline.io.jsonl import read_jsonl, write_jsonl
from pipeline.io.parts import WHOLE, part_lines
from pipeline.run.errors import InputError, shown

LARGEST_POSTERIOR = 1 + 1e-6  # sums are rounded


class Link(NamedTuple):
    """A summary phrase and the document phrase it was made from.

    ``summary`` and ``document`` are half-open token spans over the whole summary and document;
    ``document`` is None for a null-generated word. ``posterior`` is a probability, or None for a system
    that has none.
    """

    summary: tuple
    document: tuple | None
    posterior: float | None = None

    def cells(self, summary_words, document_words):
        """The word links (summary index, document index) of this link under the `soft` rule.

        A phrase pair with equal tokens (case aside) on both sides counts as its diagonal, any other as
        all its word pairs (Daumé & Marcu 2005, Section 5: SoftP); a null link has none.
        """
        if self.document is None:
            return []
        (a, b), (c, d) = self.summary, self.document
        left = [word.lower() for word in summary_words[a:b]]
        right = [word.lower() for word in document_words[c:d]]
        if left == right:
            return [(a + i, c + i) for i in range(b - a)]
        return self.all_cells()

    def all_cells(self):
        """All word pairs of this link: the `hard` rule."""
        if self.document is None:
            return []
        return [(i, j) for i in range(*self.summary) for j in range(*self.document)]


@dataclass(frozen=True)
class Alignment:
    """The alignment of one pair by one system.

    ``log_likelihood``: log Pr(summary | document), natural log, or None. ``fingerprint``: what made it
    (code, settings, model); the score stage refuses a file that mixes several. ``candidates``: links of
    words that were not taken but have a posterior worth showing; of systems with posteriors only.
    """

    id: str
    system: str
    log_likelihood: float | None
    document_words: list
    summary_words: list
    links: list
    fingerprint: str = ""
    candidates: list = field(default_factory=list)

    def to_json(self):
        """One line of ``alignments.jsonl``."""
        return {
            "id": self.id,
            "system": self.system,
            "log_likelihood": self.log_likelihood,
            "fingerprint": self.fingerprint,
            "document_tokens": self.document_words,
            "summary_tokens": self.summary_words,
            "alignments": [link._asdict() for link in self.links],
            **({"candidates": [link._asdict() for link in self.candidates]} if self.candidates else {}),
        }

    @classmethod
    def from_json(cls, record):
        """The inverse of :meth:`to_json`; raises ValueError for what is no alignment."""
        _check_fields(record)
        sizes = len(record["summary_tokens"]), len(record["document_tokens"])
        links, candidates = (
            [_link(one, *sizes) for one in found]
            for found in (record["alignments"], record.get("candidates", ()))
        )
        return cls(
            record["id"],
            record["system"],
            record["log_likelihood"],
            record["document_tokens"],
            record["summary_tokens"],
            links,
            record.get("fingerprint", ""),
            candidates,
        )


def _check_fields(record):
    """Raise ValueError for a field of another type than it must have."""
    for key in ("id", "system", "fingerprint"):
        if not isinstance(text := record.get(key, ""), str) or not text.isprintable():
            raise ValueError(f"`{key}` is {shown(text)}; it must be text on one line")
    for key in ("document_tokens", "summary_tokens"):
        if not isinstance(record[key], list) or not all(isinstance(token, str) for token in record[key]):
            raise ValueError(f"`{key}` must be a list of texts")
    for key in ("alignments", "candidates"):
        if not isinstance(record.get(key, []), list):
            raise ValueError(f"`{key}` must be a list")
    number = record["log_likelihood"]
    if number is not None and type(number) not in (int, float):
        raise ValueError(f"log_likelihood is {shown(number)}; it must be a number or null")
    if any(link["document"] is None for link in record.get("candidates", ())):
        raise ValueError("a candidate has no document span")


def _link(found, summary_words, document_words):
    summary, document, posterior = found["summary"], found["document"], found["posterior"]
    _check_span("summary", summary, summary_words)
    if document is not None:
        _check_span("document", document, document_words)
        document = tuple(document)
    if posterior is not None and not (
        type(posterior) in (int, float) and 0 <= posterior <= LARGEST_POSTERIOR
    ):
        raise ValueError(f"posterior {shown(posterior)} is none; it is a number from 0 to 1, or null")
    return Link(tuple(summary), document, posterior)


def _check_span(side, span, size):
    whole = isinstance(span, list) and len(span) == 2 and all(type(end) is int for end in span)
    if not (whole and 0 <= span[0] < span[1] <= size):
        raise ValueError(
            f"{side} span {shown(span)} is not one; the {side} has {size} tokens and spans are "
            "half-open from 0"
        )


def write_alignments(path, alignments):
    """Write alignments to a file, one a line, in the order given."""
    write_jsonl(path, (alignment.to_json() for alignment in alignments))


def read_alignments(path, part=WHOLE):
    """Yield the alignments of a file, or of a part of it.

    Raises :class:`InputError` for a line that is not one, saying why.
    """
    for number, record in read_jsonl(path, part_lines(path, part)):
        try:
            alignment = Alignment.from_json(record)
        except ValueError as error:
            raise InputError(f"{path}, line {number}: pair {shown(record.get('id'))}: {error}") from None
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"{path}, line {number}: not an alignment ({error!r}); make one with `pipeline.align`"
            ) from None
        yield alignment
