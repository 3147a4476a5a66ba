"""Parser `pattern`: TextBlob's tagger and a cascade of rules, with nothing to download.

First, `BASE` of `vorlage.trees.cascade` groups the tagged words (`vorlage.trees.tags`) into
base phrases, from left to right. Then the sentence is read from its end: each phrase is put before those read
so far, and as long as one of `RULES` matches at the first of them, what it matches becomes a constituent.
So when a verb or a preposition is read, its complements are already built, and verb phrases nest to the
right, as in the Penn Treebank.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from nltk import Tree

from vorlage import settings
from vorlage.trees.brackets import ROOT
from vorlage.trees.cascade import BASE, RULES, Rule, word_label
from vorlage.trees.parser import Parse
from vorlage.trees.tags import tag

WINDOW = 12  # constituents that a rule can see
DEEPEST = 150
# A base rule makes a phrase at most one higher than its highest node; words have height 2.
HIGHEST_BASE = len(BASE) + 2
PUNCTUATION = frozenset([",", ":", ".", "./q", "``", "''"])


def open_parser(parse: settings.Parse) -> "Pattern":
    """Return the parser; it has no settings."""
    return Pattern()


class Pattern:
    """Parses with a tagger and a cascade of rules; see the module."""

    version = ""

    def parse(self, sentences: Sequence[Sequence[str]]) -> Iterator[Parse]:
        """Yield the `Parse` of each sentence; none is refused."""
        for tokens in sentences:
            yield Parse(parse_tagged(tokens, tag(tokens)))


def parse_tagged(tokens: Sequence[str], tags: Sequence[str]) -> Tree:
    """Return the tree of a sentence from its tokens and their Penn tags."""
    nodes = [Tree(tag, [token]) for token, tag in zip(tokens, tags, strict=True)]
    labels = [
        word_label(token.lower(), tag, tags[max(i - 1, 0) : i], tags[i + 1 : i + 3])
        for i, (token, tag) in enumerate(zip(tokens, tags, strict=True))
    ]
    text = _text(labels)
    for base in BASE:
        if base.pattern.search(text):
            labels, nodes = _apply_everywhere(base, text, labels, nodes)
            text = _text(labels)
    return Tree(ROOT, [_join(*_apply_from_end(labels, nodes))])


def _text(labels: Sequence[str]) -> str:
    """Return labels in the form that the patterns of rules match."""
    return " ".join(labels) + " " if labels else ""


def _apply_everywhere(
    rule: Rule, text: str, labels: list[str], nodes: list[Tree]
) -> tuple[list[str], list[Tree]]:
    """Return the labels and nodes of a sentence with every match of a base rule made a constituent."""
    new_labels: list[str] = []
    new_nodes: list[Tree] = []
    done, offset = 0, 0
    for match in rule.pattern.finditer(text):
        first = done + text.count(" ", offset, match.start())
        last = first + match[0].count(" ")
        new_labels += [*labels[done:first], rule.label]
        new_nodes += [*nodes[done:first], _constituent(rule, nodes[first:last])]
        done, offset = last, match.end()
    return new_labels + labels[done:], new_nodes + nodes[done:]


def _apply_from_end(unread: list[str], nodes: list[Tree]) -> tuple[list[str], list[Tree]]:
    """Return the labels and nodes of a sentence after the rules have been applied from its end."""
    labels: list[str] = []
    built: list[Tree] = []  # in reverse order, like labels
    height = HIGHEST_BASE  # no tree in built is higher
    for i in range(len(nodes) - 1, -1, -1):
        labels.append(unread[i])
        built.append(nodes[i])
        before = " " + _text(unread[max(0, i - 4) : i])
        if unread[i] == "-LRB-" and "-RRB-" in labels[-WINDOW * 2 :]:
            count = labels[::-1].index("-RRB-") + 1
            _reduce(labels, built, count, Tree("PRN", built[: -count - 1 : -1]), "PRN")
            height += 1
        while _apply_first(labels, built, before, height):
            height += 1
    return labels[::-1], built[::-1]


def _apply_first(labels: list[str], built: list[Tree], before: str, height: int) -> bool:
    """Apply the first rule that matches at the first node, and return whether there is one.

    `height`: no tree in `built` is higher.
    """
    match = _first_match(_text(labels[: -WINDOW - 1 : -1]), before)
    if match is None:
        return False
    rule, count = match
    node = _constituent(rule, built[: -count - 1 : -1])
    if height >= DEEPEST and node.height() > DEEPEST:
        return False
    _reduce(labels, built, count, node, rule.label)
    return True


def _first_match(text: str, before: str) -> tuple[Rule, int] | None:
    """Return the first rule that matches between `before` and `text`, and how many labels it matches."""
    at = 0
    while match := _rules_from(at).match(text):
        at += match.lastindex or 0
        rule = RULES[at - 1]
        if rule.before is None or rule.before.search(before):
            return rule, match[0].count(" ")
    return None


@cache
def _rules_from(at: int) -> re.Pattern[str]:
    """Return one pattern that matches where the rules from `at` on do, with a group for each.

    It finds the first rule that matches in one call, where separate patterns would take a call for each rule.
    """
    return re.compile("|".join([*(f"({rule.pattern.pattern})" for rule in RULES[at:]), r"(?!)"]))


def _reduce(labels: list[str], built: list[Tree], count: int, node: Tree, label: str) -> None:
    """Replace the last `count` labels and nodes by one."""
    del labels[-count:], built[-count:]
    labels.append(label)
    built.append(node)


def _constituent(rule: Rule, nodes: Sequence[Tree]) -> Tree:
    flattened = None if rule.flatten is None else rule.flatten % len(nodes)
    children: list[Tree] = []
    for i, node in enumerate(nodes):
        children.extend(node if i == flattened else [node])
    return Tree(_penn_label(rule.label), children)


def _penn_label(label: str) -> str:
    return label.split("/")[0] if label[0].isalpha() else label


def _join(labels: Sequence[str], nodes: list[Tree]) -> Tree:
    """Return one tree of the remaining nodes: a single clause takes those around it inside."""
    phrases = [label for label in labels if label not in PUNCTUATION]
    clauses = [i for i, label in enumerate(labels) if label in ("S", "SINV", "SQ", "SBARQ")]
    if len(clauses) == 1:
        i = clauses[0]
        return Tree(nodes[i].label(), [*nodes[:i], *nodes[i], *nodes[i + 1 :]])
    if len(phrases) == 1 and phrases[0].startswith("VP"):
        return Tree("S", nodes)
    if len(nodes) == 1 and isinstance(nodes[0][0], Tree):
        return nodes[0]
    if len(phrases) == 1:
        i = next(i for i, label in enumerate(labels) if label not in PUNCTUATION)
        inner = list(nodes[i]) if isinstance(nodes[i][0], Tree) else [nodes[i]]
        return Tree(
            nodes[i].label() if isinstance(nodes[i][0], Tree) else "X",
            [*nodes[:i], *inner, *nodes[i + 1 :]],
        )
    verbal = any(label.startswith(("VP", "S")) for label in labels)
    return Tree("S" if verbal else "FRAG", nodes)
