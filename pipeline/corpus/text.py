"""Sentences and tokens of a text, each with its character offsets.

Sentence boundaries come from NLTK's Punkt (Kiss & Strunk 2006), given the abbreviations and sentence
starters below instead of trained ones, so that nothing is downloaded and the same text is always split
the same way. Tokens are Penn Treebank tokens (NLTK's ``NLTKWordTokenizer``), which parsers expect.
Both report spans, so every token is a slice of the raw text.
"""

from dataclasses import dataclass
from functools import cached_property

from nltk.tokenize import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

ABBREVIATIONS = frozenset(
    """a.m adm al apr approx ariz assn assoc aug ave bros calif capt cf ch cmdr co col corp dec dept dist div dr ed eds
    e.g eq eqs esp est etc feb fig fla figs fri gen gov govt hon i.e inc inst jan jr jul jun lt ltd maj mar mass
    messrs mfg mon mr mrs ms mt no nos nov oct op p p.m ph.d pp pres prof rep reps rev sat sec sen sens
    sept sgt sr st supt thu tue u.k u.n univ u.s u.s.a v vol vs wed""".split()
)
SENTENCE_STARTERS = frozenset(
    """a after although an and as at but by for from he her his however if in it its many most on
    one other several she since some that the their there these they this those to under we when
    while with you""".split()
)


@dataclass(frozen=True)
class Text:
    """A tokenized text.

    ``raw``: the text. ``tokens``: half-open character spans into ``raw``, in order. ``sentences``:
    half-open spans of token indices that cover all tokens in order; none is empty.
    """

    raw: str
    tokens: tuple
    sentences: tuple

    @cached_property
    def words(self):
        """The tokens as written, a list of strings."""
        return [self.raw[start:end] for start, end in self.tokens]

    def to_json(self):
        """The form stored in ``corpus.jsonl``."""
        return {"text": self.raw, "tokens": self.tokens, "sentences": self.sentences}

    @classmethod
    def from_json(cls, record):
        """The inverse of :meth:`to_json`."""
        return cls(record["text"], _pairs(record["tokens"]), _pairs(record["sentences"]))


def _pairs(spans):
    return tuple((start, end) for start, end in spans)


def _punkt():
    parameters = PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    parameters.sent_starters = set(SENTENCE_STARTERS)
    return PunktSentenceTokenizer(parameters)


_PUNKT = _punkt()
_TREEBANK = NLTKWordTokenizer()


def split_text(text):
    """Split a raw string into sentences and tokens; a line break always ends a sentence."""
    return _assemble(
        text, [span for line in _lines(text) for span in _sentences(text, *line)], _treebank_spans
    )


def join_sentences(sentences, tokenized=False):
    """Make a text of sentences already split, joined by one line break each.

    ``tokenized``: tokens are separated by spaces and are kept as they are.
    """
    text = "\n".join(" ".join(sentence.splitlines()) for sentence in sentences)
    return _assemble(text, _lines(text), _space_spans if tokenized else _treebank_spans)


def split_tokenized(text):
    """Make a text of a string whose tokens are separated by spaces; each line is a sentence."""
    return _assemble(text, _lines(text), _space_spans)


def _lines(text):
    start, spans = 0, []
    for line in text.splitlines(keepends=True):
        spans.append((start, start + len(line)))
        start += len(line)
    return spans


def _sentences(text, start, end):
    for first, last in _PUNKT.span_tokenize(text[start:end]):
        yield start + first, start + last


def _treebank_spans(sentence):
    # NLTK matches each token back to the text by searching for it; a text it cannot match back (some
    # mixtures of quotation marks) is cut at spaces.
    try:
        return list(_TREEBANK.span_tokenize(sentence))
    except ValueError:
        return _space_spans(sentence)


def _space_spans(sentence):
    spans, start = [], 0
    for token in sentence.split():
        start = sentence.index(token, start)
        spans.append((start, start + len(token)))
        start += len(token)
    return spans


def _assemble(text, sentence_spans, tokenize):
    tokens, sentences = [], []
    for start, end in sentence_spans:
        first = len(tokens)
        tokens.extend((start + a, start + b) for a, b in tokenize(text[start:end]))
        if len(tokens) > first:
            sentences.append((first, len(tokens)))
    return Text(text, tuple(tokens), tuple(sentences))
