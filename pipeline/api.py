"""Alignments from Python: :func:`load_model`, and what aligning a pair gives."""

from html import escape
from pathlib import Path
from typing import NamedTuple

from pipeline.align.aligner import DEFAULTS, Decoding
from pipeline.align.load import WORDNET, open_aligner
from pipeline.corpus.new import tokenize
from pipeline.corpus.readers.jsonl import make_record
from pipeline.export import pharaoh, word_links
from pipeline.report.viewer import pair_data, pair_page
from pipeline.run.errors import InputError
from pipeline.settings import section

FRAME = 620  # height in pixels of the viewer in a notebook


class WordLink(NamedTuple):
    """A link between two words: their numbers, from 0, the words, and its posterior probability."""

    summary: int
    document: int
    summary_word: str
    document_word: str
    posterior: float


class Phrase(NamedTuple):
    """A summary phrase, the document phrase it was made from (None for null) and the posterior of the two.

    ``summary_span`` and ``document_span`` are half-open spans of tokens.
    """

    summary: str
    document: str | None
    posterior: float
    summary_span: tuple
    document_span: tuple | None


class AlignedPair:
    """A document and a summary with the links between them.

    ``document_words``, ``summary_words``: the tokens. ``log_likelihood``: log Pr(summary | document),
    natural. ``posteriors``: float64 (summary words, document words), the posterior of every word link, as
    the decoder has it (:meth:`pipeline.align.aligner.Aligner.posteriors`). ``null_posteriors``: float64
    (summary words), of the null state. ``alignment``: what is written to ``alignments.jsonl``.
    """

    def __init__(self, pair, alignment, posteriors, null_posteriors):
        self.pair = pair
        self.alignment = alignment
        self.posteriors = posteriors
        self.null_posteriors = null_posteriors

    @property
    def document_words(self):
        """The tokens of the document, a list of strings."""
        return self.pair.document.words

    @property
    def summary_words(self):
        """The tokens of the summary, a list of strings."""
        return self.pair.summary.words

    @property
    def log_likelihood(self):
        """log Pr(summary | document), natural."""
        return self.alignment.log_likelihood

    @property
    def links(self):
        """The links between words, a list of :class:`WordLink`: phrases word by word, as they are scored."""
        return [
            WordLink(i, j, self.summary_words[i], self.document_words[j], float(self.posteriors[i, j]))
            for i, j in word_links(self.alignment)
        ]

    @property
    def phrases(self):
        """The phrase pairs that the decoder has taken, null words among them: a list of :class:`Phrase`."""
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
    def null_words(self):
        """The numbers of the summary words that were made from nothing in the document."""
        return [i for link in self.alignment.links if link.document is None for i in range(*link.summary)]

    def to_pharaoh(self):
        """The links as ``i-j``: document token i and summary token j, from 0."""
        return pharaoh(self.alignment)

    def to_json(self):
        """A dict: the line that ``pipeline.align`` would write to ``alignments.jsonl``."""
        return self.alignment.to_json()

    def to_html(self):
        """The alignment viewer with this pair, a page that stands alone, as a string."""
        return pair_page(pair_data(self.pair, None, [self.alignment]))

    def _repr_html_(self):
        page = escape(self.to_html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{FRAME}"'
            ' style="border:0" title="Alignment"></iframe>'
        )

    def __repr__(self):
        return (
            f"<AlignedPair {self.pair.id!r}: {len(self.summary_words)} summary and "
            f"{len(self.document_words)} document words, {len(self.links)} links, "
            f"{len(self.null_words)} null words>"
        )


class TrainedModel:
    """A trained semi-HMM that aligns pairs. ``parameters``: its :class:`pipeline.semihmm.model.Model`."""

    def __init__(self, aligner):
        self.parameters = aligner.model
        self._aligner = aligner

    def align(
        self,
        document,
        summary,
        *,
        id="pair",
        tokenized=False,
        decoder=DEFAULTS.decoder,
        posterior_threshold=DEFAULTS.posterior_threshold,
        phrase_support=DEFAULTS.phrase_support,
        diagonal_discount=DEFAULTS.diagonal_discount,
        candidate_threshold=DEFAULTS.candidate_threshold,
    ):
        """Align a summary to its document: an :class:`AlignedPair`.

        ``document`` and ``summary``: strings, or lists of sentences; ``tokenized``: tokens are separated by
        single spaces. The whole document is aligned. ``decoder`` and what follows it are those of the section
        ``semihmm`` of the config. Raises :class:`pipeline.run.errors.InputError` for an empty side and for a
        setting that is none.
        """
        record = make_record({"id": id, "document": document, "summary": summary}, "model.align")
        if record.problem:
            raise InputError(f"pair {id}: {record.problem}; give some text")
        given = {
            "decoder": decoder,
            "posterior_threshold": posterior_threshold,
            "phrase_support": phrase_support,
            "diagonal_discount": diagonal_discount,
            "candidate_threshold": candidate_threshold,
        }
        settings = section("semihmm", given)
        decoding = Decoding(*(settings[name] for name in Decoding._fields))
        pair = tokenize(record, tokenized)
        prepared = self._aligner.prepare(pair, range(len(pair.document.sentences)))
        found = self._aligner.posteriors(prepared, decoding)
        alignment = self._aligner.read_off(pair, prepared, found, decoding)
        return AlignedPair(pair, alignment, found[1].links, found[1].nulls)

    def __repr__(self):
        return f"<TrainedModel {self.parameters.jump}, {len(self.parameters.words)} words>"


def load_model(path, wordnet=None, encoder=None):
    """Load the ``model.npz`` of a jump model: a :class:`TrainedModel`.

    ``wordnet``: the folder of ``python -m pipeline.wordnet``, for a model trained with WordNet; without one,
    ``wordnet/`` among the results that the model lies in, or in the working directory's. A syntax model
    opens the parser that it was trained with. ``encoder``: for a model trained with one, its name or folder
    (that of the config by default). Raises :class:`pipeline.run.errors.InputError` for a file that
    is no model and where WordNet or the parser is missing.
    """
    return TrainedModel(open_aligner(path, wordnet or _find_wordnet(Path(path)), encoder=encoder))


def _find_wordnet(model):
    """``results/wordnet`` beside ``results/NAME/train/JUMP/model.npz``, where it is there."""
    parents = model.absolute().parents
    beside = parents[3] / WORDNET.name if len(parents) > 3 else WORDNET
    return beside if beside.is_dir() else WORDNET
