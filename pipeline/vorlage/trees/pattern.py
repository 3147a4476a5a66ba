"""Parser `pattern`: TextBlob's tagger and a cascade of rules, with nothing to download.

First, `BASE` of `vorlage.trees.cascade` groups the tagged words (`vorlage.text.tags`) into
base phrases, from left to right. Then the sentence is read from its end: each phrase is put before those read
so far, and as long as one of `RULES` matches at the first of them, what it matches becomes a constituent.
So when a verb or a preposition is read, its complements are already built, and verb phrases nest to the
right, as in the Penn Treebank.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nltk import Tree

from vorlage.settings import Parse
from vorlage.text.tags import tag
from vorlage.trees.cascade import BASE, RULES, Rule, word_label
from vorlage.trees.parser import ROOT, ParsedSentence, Parser

WINDOW = 12  # constituents that a rule can see
DEEPEST = 150  # Python's stack limits the height of a tree
PUNCTUATION = frozenset([",", ":", ".", "./q", "``", "''"])


class Node(NamedTuple):
    """A constituent: its label in the rules, its tree, and a bound on the height of the tree."""

    label: str
    tree: Tree
    height: int = 2


def open_parser(settings: Parse) -> Parser:
    """Return the parser; it has no settings."""
    return parse


def parse(sentences: Sequence[Sequence[str]]) -> Iterator[ParsedSentence]:
    """Yield the parse of each sentence; none is refused."""
    for tokens in sentences:
        yield ParsedSentence(parse_tagged(tokens, tag(tokens)))


def parse_tagged(tokens: Sequence[str], tags: Sequence[str]) -> Tree:
    """Return the tree of a sentence from its tokens and their Penn tags."""
    nodes = [
        Node(word_label(token.lower(), tag, tags[max(i - 1, 0) : i], tags[i + 1 : i + 3]), Tree(tag, [token]))
        for i, (token, tag) in enumerate(zip(tokens, tags, strict=True))
    ]
    for rule in BASE:
        nodes = _apply_everywhere(rule, nodes)
    return Tree(ROOT, [_join_nodes(_apply_from_end(nodes))])


def _label_text(nodes: Sequence[Node]) -> str:
    """Return the labels in the form that the patterns of rules match."""
    return "".join(f"{node.label} " for node in nodes)


def _apply_everywhere(rule: Rule, nodes: list[Node]) -> list[Node]:
    """Return the nodes of a sentence with every match of a base rule made a constituent."""
    text = _label_text(nodes)
    applied: list[Node] = []
    done, offset = 0, 0
    for match in rule.pattern.finditer(text):
        first = done + text.count(" ", offset, match.start())
        last = first + match[0].count(" ")
        applied += [*nodes[done:first], _constituent(rule.label, nodes[first:last], rule.flatten)]
        done, offset = last, match.end()
    return applied + nodes[done:]


def _apply_from_end(unread: Sequence[Node]) -> list[Node]:
    """Return the nodes of a sentence after the rules have been applied from its end."""
    built: list[Node] = []  # in reverse order
    for i in range(len(unread) - 1, -1, -1):
        built.append(unread[i])
        if unread[i].label == "-LRB-":
            labels = [node.label for node in built[: -WINDOW * 2 - 1 : -1]]
            if "-RRB-" in labels:  # the bracket that closes it is near
                count = labels.index("-RRB-") + 1
                built[-count:] = [_constituent("PRN", built[: -count - 1 : -1])]
        before = " " + _label_text(unread[max(0, i - 4) : i])
        while match := _first_match(_label_text(built[: -WINDOW - 1 : -1]), before):
            rule, count = match
            node = _constituent(rule.label, built[: -count - 1 : -1], rule.flatten)
            if node.height > DEEPEST:
                break
            built[-count:] = [node]
    return built[::-1]


def _first_match(text: str, before: str) -> tuple[Rule, int] | None:
    """Return the first rule that matches between `before` and `text`, and how many labels it matches."""
    for rule in RULES:
        match = rule.pattern.match(text)
        if match and (rule.before is None or rule.before.search(before)):
            return rule, match[0].count(" ")
    return None


def _constituent(label: str, nodes: Sequence[Node], flatten: int | None = None) -> Node:
    """Return a constituent of some nodes; that with the index `flatten` is replaced by its children."""
    children: list[Tree] = []
    for i, node in enumerate(nodes):
        children.extend(node.tree if flatten in (i, i - len(nodes)) else [node.tree])
    return Node(label, Tree(label.split("/")[0], children), 1 + max(node.height for node in nodes))


def _join_nodes(nodes: Sequence[Node]) -> Tree:
    """Return one tree of the remaining nodes: a single clause or phrase takes those around it inside."""
    trees = [node.tree for node in nodes]
    phrases = [i for i, node in enumerate(nodes) if node.label not in PUNCTUATION]
    clauses = [i for i in phrases if nodes[i].label in ("S", "SINV", "SQ", "SBARQ")]
    heads = clauses if len(clauses) == 1 else phrases
    if len(heads) > 1 or not heads:
        return Tree("S" if any(node.label.startswith(("VP", "S")) for node in nodes) else "FRAG", trees)
    (i,) = heads
    if nodes[i].label.startswith("VP"):
        return Tree("S", trees)
    is_word = isinstance(trees[i][0], str)
    children = [trees[i]] if is_word else list(trees[i])
    return Tree("X" if is_word else trees[i].label(), [*trees[:i], *children, *trees[i + 1 :]])
