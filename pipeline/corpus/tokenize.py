"""Sentences and tokens of a text, each with its character offsets.

Sentence boundaries come from NLTK's Punkt (Kiss & Strunk 2006), given the abbreviations and sentence
starters below instead of trained ones, so that nothing is downloaded and the same text is always split
the same way. Tokens are Penn Treebank tokens (NLTK's ``NLTKWordTokenizer``), which parsers expect.
Every token is a slice of the raw text, and together the tokens hold every character but white space.
"""

import re
import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import eq, le, lt

from pipeline.text.nltk import nltk
from pipeline.text.patterns import lift_time_limit

lift_time_limit()

ABBREVIATIONS = frozenset(
    """a.m adm al apr approx ariz assn assoc aug ave bros calif capt cf ch cmdr co col corp dec dept dist
    div dr ed eds e.g eq eqs esp est etc feb fig fla figs fri gen gov govt hon i.e inc inst jan jr jul
    jun lt ltd maj mar mass messrs mfg mon mr mrs ms mt no nos nov oct op p p.m ph.d pp pres prof rep
    reps rev sat sec sen sens sept sgt sr st supt thu tue u.k u.n univ u.s u.s.a v vol vs wed""".split()
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
        # Interned: a corpus repeats few different words millions of times.
        return [sys.intern(self.raw[start:end]) for start, end in self.tokens]

    def to_json(self):
        """The form stored in ``corpus.jsonl``."""
        return {"text": self.raw, "tokens": self.tokens, "sentences": self.sentences}

    @classmethod
    def from_json(cls, record):
        """The inverse of :meth:`to_json`; raises ValueError or TypeError where it is none."""
        raw, tokens, sentences = record["text"], record["tokens"], record["sentences"]
        return cls(raw, _spans(tokens, len(raw)), _spans(sentences, len(tokens), whole=True))


def _spans(pairs, size, whole=False):
    """Half-open spans of 0 … size as tuples; ValueError unless they ascend and, if ``whole``, cover it."""
    spans = tuple((start, end) for start, end in pairs)
    ends = list(chain.from_iterable(spans))
    if not set(map(type, ends)) <= {int}:
        raise ValueError("spans are pairs of whole numbers")
    bounds, follows = [0, *ends, size], eq if whole else le
    if not (all(map(lt, ends[::2], ends[1::2])) and all(map(follows, bounds[::2], bounds[1::2]))):
        raise ValueError(f"spans do not ascend within {size}")
    return spans


def _punkt():
    parameters = nltk.tokenize.punkt.PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    parameters.sent_starters = set(SENTENCE_STARTERS)
    return nltk.tokenize.punkt.PunktSentenceTokenizer(parameters)


_PUNKT = _punkt()
_TREEBANK = nltk.tokenize.NLTKWordTokenizer()
# Typographic apostrophes inside a word are read as plain ones, so that "don’t" is cut like "don't".
_APOSTROPHE = re.compile(r"(?<=\w)’(?=\w)")
_LINE = re.compile(r"[^\r\n]+")
_SPACED_TOKEN = re.compile(r"[^ \t\r\n]+")
_LINE_BREAKS = str.maketrans(dict.fromkeys("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", " "))


def make_text(value, tokenized=False):
    """Make a text of a raw string or of a list of sentences; ``tokenized``: tokens stand between spaces."""
    if isinstance(value, str):
        return split_tokenized(value) if tokenized else split_text(value)
    return join_sentences(value, tokenized)


def split_text(text):
    """Split a raw string into sentences and tokens; a line break always ends a sentence."""
    cased = not text.islower()
    spans = [
        (start + first, start + last)
        for start, line in _lines(text)
        for first, last in _sentences(line, cased)
    ]
    return _assemble(text, spans, _treebank_spans)


def join_sentences(sentences, tokenized=False):
    """Make a text of sentences already split, joined by one line break each.

    ``tokenized``: tokens are separated by spaces and are kept as they are, as in
    :func:`split_tokenized`. A line break inside a sentence becomes a space, so the characters of the
    text are those of ``"\\n".join(sentences)``, one for one: character offsets count in that string.
    """
    if tokenized:
        return split_tokenized("\n".join(re.sub(r"[\r\n]", " ", sentence) for sentence in sentences))
    text = "\n".join(sentence.translate(_LINE_BREAKS) for sentence in sentences)
    return _assemble(text, [(start, start + len(line)) for start, line in _lines(text)], _treebank_spans)


def split_tokenized(text):
    """Make a text of a string whose tokens are separated by spaces; each line is a sentence.

    Only spaces, tabs and line feeds separate: a token may hold a no-break space or another odd
    character, and the numbering of tokens stays the one of whoever tokenized.
    """
    return _assemble(text, [line.span() for line in _LINE.finditer(text)], _spaced_spans)


def _lines(text):
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _sentences(line, cased):
    """Spans of the sentences of a line.

    Punkt takes each ``?`` and ``!`` and each unknown abbreviation for the end of a sentence. Unless
    the text is lower-cased throughout (``cased`` false), no sentence starts with a lower-case letter.
    """
    spans = []
    for start, end in _PUNKT.span_tokenize(line):
        if spans and cased and line[start].islower():
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _treebank_spans(sentence):
    return _TREEBANK.span_tokenize(_APOSTROPHE.sub("'", sentence))


def _spaced_spans(sentence):
    return [token.span() for token in _SPACED_TOKEN.finditer(sentence)]


def _assemble(text, sentence_spans, tokenize):
    tokens, sentences = [], []
    for start, end in sentence_spans:
        first = len(tokens)
        tokens.extend((start + a, start + b) for a, b in tokenize(text[start:end]))
        if len(tokens) > first:
            sentences.append((first, len(tokens)))
    return Text(text, tuple(tokens), tuple(sentences))
