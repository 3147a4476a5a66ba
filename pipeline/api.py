"""Alignments from Python: :func:`load_model`, and the objects that it leads to."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple

from pipeline.align.aligner import Aligner
from pipeline.align.decoding import Decoding
from pipeline.align.load import WORDNET, open_aligner
from pipeline.alignments import Alignment
from pipeline.attribution.attribute import attribute
from pipeline.attribution.documents import Documents, check_side, check_span, joined
from pipeline.attribution.result import Attribution
from pipeline.corpus.new import tokenize
from pipeline.corpus.pair import Pair
from pipeline.corpus.readers.jsonl import make_record
from pipeline.corpus.readers.record import Side
from pipeline.corpus.tokenize import make_text
from pipeline.export import pharaoh, word_links
from pipeline.report.viewer import pair_data, pair_page
from pipeline.run.errors import InputError
from pipeline.semihmm.model import Model
from pipeline.settings import section
from pipeline.types import Floats, JsonObject, Span, StrPath

FRAME_HEIGHT = 620  # pixels: the viewer in a notebook


class WordLink(NamedTuple):
    """A link between two words: their indices from 0, the words, and the posterior of the link."""

    summary: int
    document: int
    summary_word: str
    document_word: str
    posterior: float


class Phrase(NamedTuple):
    """A summary phrase, the document phrase that it comes from, and the posterior of the pair.

    ``summary_span`` and ``document_span`` are half-open spans of tokens. A null word has no document phrase:
    ``document`` and ``document_span`` are None.
    """

    summary: str
    document: str | None
    posterior: float | None
    summary_span: Span
    document_span: Span | None


class AlignedPair:
    """A document and a summary with the links between them.

    ``document_words`` and ``summary_words``: the tokens. ``log_likelihood``: log Pr(summary | document),
    natural. ``posteriors``: float64 (summary words, document words), the probability that a summary word
    comes from a document word, and ``null_posteriors``: float64 (summary words), that it has no source; they
    sum to 1 for each summary word. ``alignment``: the content of a line of ``alignments.jsonl``.
    """

    def __init__(self, pair: Pair, alignment: Alignment, posteriors: Floats, null_posteriors: Floats) -> None:
        self.pair = pair
        self.alignment = alignment
        self.posteriors = posteriors
        self.null_posteriors = null_posteriors

    @property
    def document_words(self) -> list[str]:
        """The tokens of the document."""
        return self.pair.document.words

    @property
    def summary_words(self) -> list[str]:
        """The tokens of the summary."""
        return self.pair.summary.words

    @property
    def log_likelihood(self) -> float | None:
        """log Pr(summary | document), natural."""
        return self.alignment.log_likelihood

    @property
    def links(self) -> list[WordLink]:
        """The links between words: phrase pairs as word links, in the way they are scored."""
        return [
            WordLink(i, j, self.summary_words[i], self.document_words[j], float(self.posteriors[i, j]))
            for i, j in word_links(self.alignment)
        ]

    @property
    def phrases(self) -> list[Phrase]:
        """The phrase pairs that the decoder chose, and the null words."""
        return [
            Phrase(
                " ".join(self.summary_words[slice(*link.summary)]),
                link.document and " ".join(self.document_words[slice(*link.document)]),
                link.posterior,
                link.summary,
                link.document,
            )
            for link in self.alignment.links
        ]

    @property
    def null_words(self) -> list[int]:
        """The indices of the summary words that come from nothing in the document."""
        return [i for link in self.alignment.links if link.document is None for i in range(*link.summary)]

    def to_pharaoh(self) -> str:
        """Return the links as ``i-j``: document token i and summary token j, from 0."""
        return pharaoh(self.alignment)

    def to_json(self) -> JsonObject:
        """Return the object that ``pipeline.align`` writes as a line of ``alignments.jsonl``."""
        return self.alignment.to_json()

    def to_html(self) -> str:
        """Return a standalone HTML page with the viewer of this pair."""
        return pair_page(pair_data(self.pair, None, [self.alignment]))

    def _repr_html_(self) -> str:
        page = escape(self.to_html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{FRAME_HEIGHT}"'
            ' style="border:0" title="Alignment"></iframe>'
        )

    def __repr__(self) -> str:
        return (
            f"<AlignedPair {self.pair.id!r}: {len(self.summary_words)} summary and "
            f"{len(self.document_words)} document words, {len(self.links)} links, "
            f"{len(self.null_words)} null words>"
        )


class TrainedModel:
    """A trained semi-HMM that aligns pairs. ``parameters``: its :class:`pipeline.semihmm.model.Model`."""

    def __init__(self, aligner: Aligner) -> None:
        self.parameters: Model = aligner.model
        self._aligner = aligner

    def align(
        self,
        document: str | list[str],
        summary: str | list[str],
        *,
        id: str = "pair",
        tokenized: bool = False,
        decoder: str | None = None,
        posterior_threshold: float | None = None,
        gap_threshold: float | None = None,
        unigram_null: float | None = None,
        stretch_support: float | None = None,
        phrase_support: float | None = None,
        diagonal_discount: float | None = None,
        candidate_threshold: float | None = None,
    ) -> AlignedPair:
        """Align a summary to its whole document.

        ``document`` and ``summary``: strings, or lists of sentences; ``tokenized``: whether single spaces
        separate their tokens. ``decoder`` and the arguments after it are settings of the section ``semihmm``
        of the config; None is the default, which may depend on whether the model has an encoder. Raise
        :class:`pipeline.InputError` for an empty side and for an invalid setting.
        """
        record = make_record({"id": id, "document": document, "summary": summary}, "model.align")
        if record.problem:
            raise InputError(f"pair {id}: {record.problem}; give some text")
        arguments = {
            "decoder": decoder,
            "posterior_threshold": posterior_threshold,
            "gap_threshold": gap_threshold,
            "unigram_null": unigram_null,
            "stretch_support": stretch_support,
            "phrase_support": phrase_support,
            "diagonal_discount": diagonal_discount,
            "candidate_threshold": candidate_threshold,
        }
        given = {name: value for name, value in arguments.items() if value is not None}
        settings = section("semihmm", given, encoder=self._aligner.model.settings["encoder"])
        pair = tokenize(record, tokenized, self._aligner.model.settings["language"])
        return self._align(pair, Decoding.from_settings(settings))

    def attribute(
        self,
        document: Side | Mapping[str, Side],
        text: Side,
        *,
        id: str = "pair",
        span: Span | None = None,
        tokenized: bool = False,
    ) -> Attribution:
        """Find the sources of a text: of its sentences, of its phrases, and what has no source or differs.

        ``document``: a string, a list of sentences, or several documents by name; then every source has the
        name of its document. ``text``: a string or a list of sentences. ``span``: the characters of the text
        to attribute, half-open; None for all phrases. Offsets count in the strings that were given, those of
        a list in its sentences with a line break between two. ``tokenized``: whether single spaces separate
        tokens. Raise :class:`pipeline.InputError` for an empty text or document, and for a span outside of
        the text.
        """
        settings = self._aligner.model.settings
        language = settings["language"]
        try:
            check_side(text, "the text")
            given = joined(text)
            if span is not None:
                check_span(span, given)
            documents = Documents.of(document, tokenized, language)
        except InputError as error:
            raise InputError(f"pair {id}: {error}") from None
        pair = Pair(id, documents.text, make_text(text, tokenized, language))
        decoding = Decoding.from_settings(section("semihmm", encoder=settings["encoder"]))
        aligned = self._align(pair, decoding)
        return attribute(
            pair, aligned.posteriors, aligned.null_posteriors, aligned.alignment, documents, given, span
        )

    def _align(self, pair: Pair, decoding: Decoding) -> AlignedPair:
        prepared = self._aligner.prepare(pair, range(len(pair.document.sentences)))
        log_likelihood, posteriors = self._aligner.posteriors(prepared, decoding)
        alignment = self._aligner.decode(pair, prepared, log_likelihood, posteriors, decoding)
        return AlignedPair(pair, alignment, posteriors.sources, posteriors.nulls)

    def __repr__(self) -> str:
        return f"<TrainedModel {self.parameters.jump}, {len(self.parameters.words)} words>"


def load_model(path: StrPath, wordnet: StrPath | None = None, encoder: str | None = None) -> TrainedModel:
    """Load the ``model.npz`` of a jump model.

    ``wordnet``: the folder that ``python -m pipeline.wordnet`` wrote, for a model trained with WordNet; by
    default, the folder ``wordnet`` among the results that contain the model, or ``results/wordnet`` in the
    working directory. ``encoder``: the name or the folder of the encoder, for a model trained with one; by
    default, that of the config. A syntax model opens the parser that it was trained with. Raise
    :class:`pipeline.InputError` for a file that is not a model, and for a missing WordNet, parser or encoder.
    """
    return TrainedModel(open_aligner(path, wordnet or _find_wordnet(Path(path)), encoder=encoder))


def _find_wordnet(model: Path) -> Path:
    """Return the folder ``results/wordnet`` of a ``results/NAME/train/JUMP/model.npz``, or the default."""
    parents = model.absolute().parents
    beside = parents[3] / WORDNET.name if len(parents) > 3 else WORDNET
    return beside if beside.is_dir() else WORDNET
