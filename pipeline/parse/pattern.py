"""Parser ``pattern``: TextBlob's tagger and a cascade of rules, with nothing to download.

Tags (:mod:`pipeline.parse.tags`) become base phrases, from left to right: ``BASE`` of
:mod:`pipeline.parse.cascade`. Then the sentence is read from its end: each phrase is put before those read so
far, and as long as one of ``RULES`` there fits what now comes first, that is made a constituent. So what a
verb or a preposition takes is already built when it is met, and verb phrases nest to the right, as in the
Penn Treebank.
"""

import re
from functools import cache

from pipeline.parse.brackets import ROOT
from pipeline.parse.cascade import BASE, RULES, label
from pipeline.parse.parser import Parse
from pipeline.parse.tags import tag
from pipeline.text.nltk import nltk

WINDOW = 12  # constituents that a rule can see
DEEPEST = 150
# A base rule makes a phrase at most one higher than what it finds; words are two high.
HIGHEST_BASE = len(BASE) + 2
PUNCTUATION = frozenset([",", ":", ".", "./q", "``", "''"])


def open_parser(settings):
    """The parser; it has no settings."""
    return Pattern()


class Pattern:
    """Tags and a cascade of rules; see the module."""

    version = ""

    def parse(self, sentences):
        """Yield the :class:`Parse` of each sentence; none is refused."""
        for tokens in sentences:
            yield Parse(parse_tagged(tokens, tag(tokens)))


def parse_tagged(tokens, tags):
    """The tree of a sentence from its tokens and their Penn tags."""
    leaves = [nltk.Tree(tag, [token]) for token, tag in zip(tokens, tags, strict=True)]
    labels = [
        label(token.lower(), tag, tags[max(i - 1, 0) : i], tags[i + 1 : i + 3])
        for i, (token, tag) in enumerate(zip(tokens, tags, strict=True))
    ]
    text = _text(labels)
    for base in BASE:
        if base.pattern.search(text):
            labels, leaves = _everywhere(base, text, labels, leaves)
            text = _text(labels)
    return nltk.Tree(ROOT, [_whole(*_from_the_end(labels, leaves))])


def _text(labels):
    """Labels as the patterns of rules read them."""
    return " ".join(labels) + " " if labels else ""


def _everywhere(rule, text, labels, nodes):
    """The sentence with every match of a base rule made a constituent, from left to right."""
    made_labels, made_nodes, done, offset = [], [], 0, 0
    for match in rule.pattern.finditer(text):
        first = done + text.count(" ", offset, match.start())
        last = first + match[0].count(" ")
        made_labels += [*labels[done:first], rule.label]
        made_nodes += [*nodes[done:first], _constituent(rule, nodes[first:last])]
        done, offset = last, match.end()
    return made_labels + labels[done:], made_nodes + nodes[done:]


def _from_the_end(labels, nodes):
    """What is left of the sentence when the rules have been applied from its end: ``(labels, nodes)``."""
    unread = labels
    labels, built = [], []  # the first comes last
    height = HIGHEST_BASE  # of what is built, at most
    for i in range(len(nodes) - 1, -1, -1):
        labels.append(unread[i])
        built.append(nodes[i])
        before = " " + _text(unread[max(0, i - 4) : i])
        if unread[i] == "-LRB-" and "-RRB-" in labels[-WINDOW * 2 :]:
            count = labels[::-1].index("-RRB-") + 1
            _reduce(labels, built, count, nltk.Tree("PRN", built[: -count - 1 : -1]), "PRN")
            height += 1
        while _apply(labels, built, before, height):
            height += 1
    return labels[::-1], built[::-1]


def _apply(labels, built, before, height):
    """Apply the first rule that fits the beginning; returns whether one did.

    ``height``: no tree in ``built`` is higher.
    """
    rule, count = _first(_text(labels[: -WINDOW - 1 : -1]), before)
    if rule is None:
        return False
    node = _constituent(rule, built[: -count - 1 : -1])
    if height >= DEEPEST and node.height() > DEEPEST:
        return False
    _reduce(labels, built, count, node, rule.label)
    return True


def _first(text, before):
    """The first rule that fits between ``before`` and ``text`` and how many labels it takes, or two Nones."""
    at = 0
    while match := _patterns(at).match(text):
        at += match.lastindex
        rule = RULES[at - 1]
        if rule.before is None or rule.before.search(before):
            return rule, match[0].count(" ")
    return None, None


@cache
def _patterns(at):
    """One pattern for the rules from ``at`` on, with a group for each: it finds the first that fits.

    That is one call into the engine of patterns, in place of one for each rule.
    """
    return re.compile("|".join([*(f"({rule.pattern.pattern})" for rule in RULES[at:]), r"(?!)"]))


def _reduce(labels, built, count, node, label):
    del labels[-count:], built[-count:]
    labels.append(label)
    built.append(node)


def _constituent(rule, nodes):
    opened = None if rule.open is None else rule.open % len(nodes)
    children = []
    for i, node in enumerate(nodes):
        children.extend(node if i == opened else [node])
    return nltk.Tree(_plain(rule.label), children)


def _plain(label):
    return label.split("/")[0] if label[0].isalpha() else label


def _whole(labels, nodes):
    """One tree of what is left: the clause, with what stands around it inside."""
    phrases = [label for label in labels if label not in PUNCTUATION]
    clauses = [i for i, label in enumerate(labels) if label in ("S", "SINV", "SQ", "SBARQ")]
    if len(clauses) == 1:
        i = clauses[0]
        return nltk.Tree(nodes[i].label(), [*nodes[:i], *nodes[i], *nodes[i + 1 :]])
    if len(phrases) == 1 and phrases[0].startswith("VP"):
        return nltk.Tree("S", nodes)
    if len(nodes) == 1 and isinstance(nodes[0][0], nltk.Tree):
        return nodes[0]
    if len(phrases) == 1:
        i = next(i for i, label in enumerate(labels) if label not in PUNCTUATION)
        inner = list(nodes[i]) if isinstance(nodes[i][0], nltk.Tree) else [nodes[i]]
        return nltk.Tree(
            nodes[i].label() if isinstance(nodes[i][0], nltk.Tree) else "X",
            [*nodes[:i], *inner, *nodes[i + 1 :]],
        )
    verbal = any(label.startswith(("VP", "S")) for label in labels)
    return nltk.Tree("S" if verbal else "FRAG", nodes)
