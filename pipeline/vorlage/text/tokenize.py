"""Splits texts into sentences and tokens, with their character offsets.

Sentence boundaries come from NLTK's Punkt (Kiss & Strunk 2006) with the abbreviations and sentence starters
below in place of trained ones: nothing is downloaded, and the same text is always split the same way. English
tokens are Penn Treebank tokens, which parsers expect, cut by one pattern as by NLTK's `NLTKWordTokenizer`. In
other languages, a token is a word or number, in which hyphens, apostrophes, full stops and commas between
digits may be, or any other character. Chinese is cut into words by rjieba and Japanese by janome, if these
packages are installed; in other scripts without spaces between words, each character is a token. Full stops
of other scripts end sentences too. Every token is a slice of the raw text, and the tokens together hold every
character except white space, the marks `>` of quoted paragraphs that were wrapped, and what nobody sees.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any, TypeAlias

import regex

from vorlage.command.progress import log
from vorlage.text.lines import UNSPACED, unwrap
from vorlage.text.marks import CITATION, CITING, ITEM, RAISED_MARK
from vorlage.text.nltk import PunktParameters, PunktSentenceTokenizer
from vorlage.text.normal import remove_invisible
from vorlage.text.tokenized import Text, trim
from vorlage.types import Span

# Yields the half-open spans of the tokens, or of the sentences, of a string.
Splitter: TypeAlias = Callable[[str], Iterable[Span]]

ABBREVIATIONS = frozenset(
    """a.m adm al apr approx ariz assn assoc aug ave bros calif capt cf ch cmdr co col corp dec dept dist
    div dr ed eds e.g eq eqs esp est etc feb fig fla figs fri gen gov govt hon i.e inc inst jan jr jul
    jun lt ltd maj mar mass messrs mfg mon mr mrs ms mt no nos nov oct op p p.m ph.d pp pres prof rep
    reps rev sat sec sen sens sept sgt sr st supt thu tue u.k u.n univ u.s u.s.a v vol vs wed""".split()
)
# Those of other languages that are no English words: a text of few words may be taken for English.
FOREIGN_ABBREVIATIONS = frozenset(
    """aufl bd bijv blz bzw ca dhr dipl dott dra dvs ebd evtl geb gegr ggf inkl jh mevr mio mlle mln mld mme
    mrd např nr núm pág resp sig.ra sr sra srta str tj tsd tys tzv uds ul vgl zzgl др млн млрд напр руб стр
    тыс ул""".split()
)
SENTENCE_STARTERS = frozenset(
    """a after although an and as at but by for from he her his however if in it its many most on
    one other several she since some that the their there these they this those to under we when
    while with you""".split()
)


# A token of another language than English: a character of a script without spaces between words, a word, or
# any other character. Elided words, such as *l'*, are tokens.
_LETTERS = rf"(?:(?!{UNSPACED})[\p{{L}}\p{{M}}\p{{N}}])+"
_TOKEN = regex.compile(
    rf"{UNSPACED}\p{{M}}*"
    rf"|{_LETTERS}(?:(?:[-‐'’.·⁻\u200c\u200d]|(?<=\p{{N}}),(?=\p{{N}})){_LETTERS})*"
    r"|\0+|\S"
)
_ELISION = regex.compile(r"\p{L}+['’](?=\p{L})|" + _TOKEN.pattern)
ELIDING = frozenset({"ca", "fr", "it"})
# A stretch of Chinese or Japanese, which a package cuts into words, and these packages.
_STRETCH = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー々]+")
SEGMENTERS = {"zh": "rjieba", "ja": "janome"}
# A full stop that is part of an abbreviation or, in these languages, of an ordinal: *z. B.*, *3. Mai*
_OPEN = regex.compile(r"\b\p{L}\.$")
_ORDINAL = regex.compile(r"(?<![\p{N}\p{L}][.,]?)\p{N}{1,2}\.$")
ORDINALS = frozenset("bs cs da de et eu fi fo hr hu is lb lv nb nn no pl sk sl sr tr".split())
# Full stops of scripts that Punkt does not know, with closing quotation marks and brackets; and where else a
# sentence ends without a space behind it: *He left.She stayed.*, *It held.[3] He left.*
_FULL_STOP = regex.compile(r"[。！？｡।॥۔؟։።]+[\p{Pe}\p{Pf}\"]*")
_UNSPACED_END = regex.compile(
    r"(?<=(?:^|\s)[\"“'(]?\p{L}+[a-z])[.!?](?=[A-Z][a-z]*(?:\s|[,;:.!?](?:\s|$)))"
    rf"|{_FULL_STOP.pattern}"
)
_MARKED_END = rf"{_UNSPACED_END.pattern}|[.!?][\"”’)]*(?:{CITATION})+(?=\s+[\p{{Lu}}\"“])"
_FRENCH_SPACE = regex.compile(r"(?<=(?:^|\s)(«))\s|\s(?=(»)(?:[\s,.;:!?)]|$))")  # inside quotation marks
# What belongs to the sentence before: its closing quotation marks. What begins none: beside capitals a small
# letter, a mark that opens nothing, what follows a quotation as in 「…！」と言った and “…！”她说, and the
# month of a German date in a text that may be too short to be known as German.
_CLOSING_QUOTES = regex.compile(r"(?:\s?»|[\"'\p{Pf}\p{Pi}])+(?=[\s,.;:!?–—)]|$)")
_SMALL = regex.compile(r"(?:[–—]\s?)?\p{Ll}")
_GOES_ON = regex.compile(
    r"[,;:!?]|\.(?![\w.])|(?<=[。！？…][」』”’])(?:[とがをのにはも]|って|など"
    r"|(?<![：:，,]\s?[「『“‘][^「『“‘]*)\p{Han}(?!.*\p{Hiragana}))|(?<=\b(?i:am|ab|bis|de[mnrs]|vom|zum)\s\d{1,2}\.\s+)"
    r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
# What begins no sentence: marks of citations behind a full stop, the end of an emphasis.
_EMPHASIS_END = regex.compile(r"(?:[*_]{1,3}(?=\s|$))+\s*")
_CITED = rf"(?:\s*(?:{CITATION})|[*_]{{1,3}}(?=\s|$))+\s*"
_CITED_END = rf"(?<=[.!?][\"”’)]?)(?:\s*(?:{CITATION}|\0+))*$"
TAIL_CHARACTERS = 80  # characters of a sentence that are looked at for what ends none
# What ends none: the number of an item of a list, a title before a name.
_NUMBERED = regex.compile(rf"{ITEM}$")
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Messrs|Sen|Rep|Rev|Gov|Gen|Sgt|Capt|Lt|Col|Hon|St|vs|et al)\.$")
# Typographic apostrophes inside a word are read as plain ones: "don’t" is cut like "don't". Superscripts that
# are marks of citations are no part of the word before: as NULs, they are a token of their own.
_TYPOGRAPHIC = re.compile(r"(?<=\w)[’‘ʼ＇](?=\w)")
_RAISED = regex.compile(RAISED_MARK)
# English tokens: clitics, the two parts of contractions such as *cannot*, words, marks.
_MARK = r"\0\s;@#$%&?!*\[\](){}<>«»“”„‘’‒-―\"`"  # always a token, or a space between two
_CLOSING = "\"'])}>»”’ \n"
_FINAL = r"\.(?:(?<! )(?:\"|'')|'(?!')|[\])}>»”’ ])*$"  # the full stop of the sentence
_END = rf"(?=[{_MARK}]|$|[,:](?!\d)|--|''|\.\.|{_FINAL})"  # of a token
_BEFORE_CLITIC = rf"(?=(?:'[dmsDMS]?)?{_END})"
_NOT = rf"(?<!')(?:n't|N'T){_BEFORE_CLITIC}"
_CLITIC = rf"(?:'[dmsDMS]{_END}|'(?:ll|LL|re|RE|ve|VE){_BEFORE_CLITIC})"
_FIRST = (
    r"(?=[cdglmwCDGLMW])\b(?i:can(?=not\b)|gim(?=me\b)|gon(?=na\b)|got(?=ta\b)|lem(?=me\b)|wan(?=na\s)"
    r"|d(?='ye\b)|more(?='n\b))"
)
_CONTRACTED = frozenset(["cannot", "gimme", "gonna", "gotta", "lemme", "wanna"])  # all letters, two tokens
_SECOND = (
    r"(?=[nmt'NMT])(?i:(?<=\bcan)not|(?<=\bgim)me|(?<=\bgon)na|(?<=\bgot)ta|(?<=\blem)me|(?<=\bwan)na(?=\s)"
    r"|(?<=\bd)'ye|(?<=\bmore)'n)\b"
)
_APOSTROPHE = (  # inside a word, or before a letter that belongs to no other word, as in 't
    rf"(?!{_CLITIC}|'{_END}|'')'(?:(?<=\w')|(?!\w)|(?=(?i:re|ve|ll|[mtsdn])\b))"
)
_WORD = (
    rf"(?:(?!{_FIRST})[^\WnN]+|(?!{_NOT})[nN]|{_APOSTROPHE}|[^\w{_MARK}.,:'-]|-(?!-)|(?!{_FINAL}|\.\.)\."
    r"|[,:](?=\d)|(?<=(?<![,:])[,:])[,:])+"  # of two commas, the second begins a word
)
_ENGLISH = re.compile(rf"{_CLITIC}|{_NOT}|\.\.+|{_FIRST}|{_SECOND}|{_WORD}|--|''|``|\0+|\S")
# A word with a mark, and the next word: where Punkt decides whether a sentence ends.
_PLAIN_END = re.compile(r"([A-Za-z]*)[.?!]\s+[A-Za-z]\S*")
_SPACED_LINE, _SPACED_TOKEN = re.compile(r"[^\r\n]+"), re.compile(r"[^ \t\r\n]+")
_LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_TO_SPACES, _LINE = str.maketrans(dict.fromkeys(_LINE_BREAKS, " ")), re.compile(f"[^{_LINE_BREAKS}]+")


def make_text(text: str | Iterable[str], tokenized: bool = False, language: str = "en") -> Text:
    """Split a text into sentences and tokens.

    Sentences are joined by one line break each, and a line break inside a sentence becomes a space: the
    characters of the text correspond one for one to those of `"\\n".join(sentences)`.

    Args:
        text: a string, or sentences.
        tokenized: whether spaces separate tokens, which are kept as they are, and lines are sentences.
        language: a two-letter code.
    """
    if isinstance(text, str):
        return split_tokenized(text, language) if tokenized else split_text(text, language)
    if tokenized:
        return split_tokenized("\n".join(re.sub(r"[\r\n]", " ", line) for line in text), language)
    raw = "\n".join(sentence.translate(_TO_SPACES) for sentence in text)
    visible, places = remove_invisible(raw)
    return _assemble(raw, visible, places, _find_spans(_LINE, visible), _tokenizer(language), language)


def split_text(text: str, language: str = "en") -> Text:
    """Split a raw string into sentences and tokens; a line break that wraps no paragraph ends one.

    A form feed, before which a page ends, ends no sentence.
    """
    visible, places = remove_invisible(text)
    cased, unwrapped = not text.islower(), unwrap(visible.replace("\f", " "))
    spans = [
        (start + first, start + last)
        for start, end in _find_spans(_LINE, unwrapped)
        for first, last in _split_line(unwrapped[start:end], cased, language)
    ]
    return _assemble(text, unwrapped, places, spans, _tokenizer(language), language)


def split_tokenized(text: str, language: str = "en") -> Text:
    """Make a text from a string whose tokens are separated by spaces; each line is a sentence.

    Only spaces, tabs and line breaks separate tokens: a token may hold a no-break space or another unusual
    character, and tokens keep the numbers that the tokenizer of the user gave them.
    """
    lines, places = _find_spans(_SPACED_LINE, text), range(len(text))
    return _assemble(text, text, places, lines, lambda line: _find_spans(_SPACED_TOKEN, line), language)


def _assemble(
    raw: str, visible: str, places: Sequence[int], spans: Iterable[Span], tokenize: Splitter, language: str
) -> Text:
    """Make a text from its visible characters, their places in it, and the spans of sentences of these."""
    cut = visible if visible.isascii() else _RAISED.sub(lambda raised: "\0" * len(raised[0]), visible)
    tokens: list[Span] = []
    sentences: list[Span] = []
    for start, end in spans:
        first = len(tokens)
        tokens += [(places[start + a], places[start + b - 1] + 1) for a, b in tokenize(cut[start:end])]
        if len(tokens) > first:
            sentences.append((first, len(tokens)))
    return Text(raw, tuple(tokens), tuple(sentences), language)


def _split_line(line: str, cased: bool, language: str) -> list[Span]:
    """Return the spans of the sentences of a line.

    Punkt ends a sentence at each `?`, `!` and unknown abbreviation, inside quotations too. Unless the whole
    text is in lower case (`cased` false), none starts with a lower-case letter.
    """
    spans: list[Span] = []
    cited = regex.compile(_CITED) if CITING.search(line) else _EMPHASIS_END
    for start, end in _punkt_spans(line, language):
        for closing in (_CLOSING_QUOTES, cited) if spans else ():
            before = spans[-1][1]
            if match := closing.match(line, before, end):
                spans[-1] = (spans[-1][0], before + len(match[0].rstrip()))
                start = max(start, match.end())
        start, end = trim(line, (start, end))
        if start == end:
            continue
        if spans and _continues_sentence(line, spans[-1], start, cased, language):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _continues_sentence(line: str, before: Span, start: int, cased: bool, language: str) -> bool:
    """Return whether what starts somewhere in a line goes on with the sentence before."""
    last = line[max(before[0], before[1] - TAIL_CHARACTERS) : before[1]]
    if language != "en" and (_OPEN.search(last) or (language in ORDINALS and _ORDINAL.search(last))):
        return True
    begins_none = _GOES_ON.match(line, start) or (cased and _SMALL.match(line, start))
    return bool(begins_none or _NUMBERED.match(last) or _TITLE.search(last))


def _punkt_spans(line: str, language: str) -> Iterator[Span]:
    line = _FRENCH_SPACE.sub(r"\1\2", line)
    end = regex.compile(_MARKED_END) if CITING.search(line) else _UNSPACED_END
    ends = (end if language == "en" else _FULL_STOP).finditer(line)
    for first, last in pairwise([0, *(match.end() for match in ends), len(line)]):
        for start, end in _punkt(language)(line[first:last]):
            yield first + start, first + end


@cache
def _punkt(language: str) -> Splitter:
    parameters = PunktParameters()
    parameters.abbrev_types = set(FOREIGN_ABBREVIATIONS)
    if language == "en":
        parameters.abbrev_types |= ABBREVIATIONS
        parameters.sent_starters = set(SENTENCE_STARTERS)

    class _Punkt(PunktSentenceTokenizer):
        """Punkt, which decides at once after a word that is neither a letter nor an abbreviation."""

        def text_contains_sentbreak(self, text: str) -> bool:
            plain = _PLAIN_END.fullmatch(text)
            if plain and len(plain[1]) != 1 and plain[1].lower() not in parameters.abbrev_types:
                return True
            contains: bool = super().text_contains_sentbreak(text)
            return contains

    return _Punkt(parameters).span_tokenize


@cache
def _tokenizer(language: str) -> Splitter:
    if language in SEGMENTERS and (segment := _segmenter(language)):
        return partial(_segment_sentence, segment)
    if language != "en":
        return lambda sentence: _find_spans(_ELISION if language in ELIDING else _TOKEN, sentence)
    return _cut_english


def _cut_english(sentence: str) -> list[Span]:
    """Return the spans of the tokens of an English sentence, whose full stop may be before citation marks."""
    end = len(sentence)
    if CITING.search(sentence) and (cited := regex.search(_CITED_END, sentence)):
        end = cited.start()
    # Where the last word begins, whose full stop may be that of the sentence. Tokens before it depend on
    # nothing beyond the next space.
    last = sentence.rfind(" ", 0, len(sentence[:end].rstrip(_CLOSING))) + 1
    spans, position = list[Span](), 0
    for stretch in sentence[: last - 1].split(" ") if last else ():
        if stretch.isascii() and stretch.isalpha() and stretch.lower() not in _CONTRACTED:
            spans.append((position, position + len(stretch)))
        else:
            spans += [(position + start, position + stop) for start, stop in _cut(stretch)]
        position += len(stretch) + 1
    rest = _plain(sentence[last:])
    for first, part in ((last, rest[: end - last]), (end, rest[end - last :])):
        spans += [(first + start, first + stop) for start, stop in _find_spans(_ENGLISH, part)]
    return spans


# The cache is bounded because a stream of new texts is not.
@lru_cache(maxsize=1 << 16)
def _cut(stretch: str) -> list[Span]:
    """Return the spans of the English tokens of a stretch that a space and more text follow."""
    return _find_spans(_ENGLISH, f"{_plain(stretch)} a")[:-1]


def _plain(text: str) -> str:
    """Return a text whose apostrophes are as the pattern of tokens takes them."""
    return text if text.isascii() else _TYPOGRAPHIC.sub("'", text)


@cache
def _segmenter(language: str) -> Callable[[str], Iterable[str]] | None:
    """Return a function that cuts a stretch of Chinese or Japanese into words, None without its package."""
    try:
        if language == "zh":
            import rjieba

            return rjieba.cut
        from janome.tokenizer import Tokenizer

        return partial(Tokenizer().tokenize, wakati=True)
    except ImportError:
        log.warning(
            f"the package {SEGMENTERS[language]} is missing, so each character counts as a word; install it "
            f"with `make languages` or `pip install {SEGMENTERS[language]}`"
        )
        return None


def _segment_sentence(segment: Callable[[str], Iterable[str]], sentence: str) -> Iterator[Span]:
    """Yield the spans of the tokens of a sentence, whose stretches without spaces are cut into words."""
    place = 0
    for stretch in [*_STRETCH.finditer(sentence), None]:
        first = stretch.start() if stretch else len(sentence)
        yield from ((place + start, place + end) for start, end in _find_spans(_TOKEN, sentence[place:first]))
        place = first
        for word in segment(stretch[0]) if stretch else ():
            yield place, place + len(word)
            place += len(word)


def _find_spans(pattern: Any, text: str) -> list[Span]:
    return [match.span() for match in pattern.finditer(text)]
