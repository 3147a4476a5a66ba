"""Parser ``pattern``: TextBlob's tagger and a cascade of rules, with nothing to download.

Tags (:mod:`pipeline.parse.tags`) become base phrases, from left to right (:data:`BASE`). Then the sentence
is read from its end: each phrase is put before those read so far, and as long as one of :data:`RULES` fits
what now comes first, that is made a constituent. So what a verb or a preposition takes is already built when
it is met, and verb phrases nest to the right, as in the Penn Treebank.

Inside, labels are finer than the Penn Treebank's: what follows a slash, as in VP/to, is dropped from the
tree.
"""

import re
from typing import NamedTuple

from nltk import Tree

from pipeline.parse.brackets import ROOT
from pipeline.parse.parser import Parse
from pipeline.parse.tags import tag

WINDOW = 12  # constituents that a rule can see
DEEPEST = 150
PUNCTUATION = frozenset([",", ":", ".", "``", "''"])

CLAUSAL = frozenset("although because if lest though unless whereas whether while".split())
EITHER = frozenset("after as before like once since so than until".split())
# Prepositions that belong to a noun before them more often than to its verb.
NOMINAL = frozenset("about against among between for including of per than".split())
ROUGHLY = frozenset("about almost approximately around nearly only over roughly some".split())
AUXILIARIES = frozenset(
    "am are be been being is was were 's 're 'm 've have has had having do does did".split()
)


class Rule(NamedTuple):
    """Where ``pattern`` fits the labels at hand, they become a constituent ``label``.

    ``before``: what must fit the end of the labels not read yet. ``open``: index of the one among the matched
    that gives its children in place of itself, so that the constituent is flat.
    """

    label: str
    pattern: re.Pattern
    before: re.Pattern | None
    open: int | None


def rule(label, pattern, before=None, open=None):
    """A :class:`Rule` from regular expressions in which every label ends with a space."""
    return Rule(label, re.compile(pattern), before and re.compile(f"(?:{before})$"), open)


NOUN = "(?:NN |NNS |NNP |NNPS |FW )"
MODIFIER = f"(?:JJ CC (?=JJ )|JJ |JJR |JJS |ADJP |CD |QP |QP/m |\\$ CD |{NOUN})"
DETERMINER = r"(?:PDT DT |PDT PRP\$ |DT |PRP\$ |WP\$ )"
NOUNS = f"(?:(?:{NOUN}, )*{NOUN}(?:, )?CC )?{NOUN}+"
# Base phrases, in this order, each over the whole sentence.
BASE = [
    rule("QP", r"\$ CD CD TO \$ CD CD |CD TO CD (?=NN)"),
    rule("QP/m", r"(?:\$ |# )CD (?:CD )+"),
    rule("ADJP", rf"QP/m (?=(?:JJ )*{NOUN})"),
    rule("QP", r"(?:ROUGHLY |JJR CP |RBR CP )?(?:\$ |# )?CD (?:(?:CC )?(?:\$ |# )?CD )+"),
    rule("QP", r"(?:ROUGHLY |JJR CP |RBR CP )(?:\$ |# )?CD "),
    rule("ADJP", rf"(?:RB |RBS |RBR |ROUGHLY )(?:JJ |V/n )(?=(?:JJ )*{NOUN})"),
    rule("NP", r"NNP CD , CD "),
    rule("NP", rf"{DETERMINER}(?:{MODIFIER}|V/n |V/g )*{NOUNS}(?:CD )?"),
    rule("NP", rf"{MODIFIER}(?:{MODIFIER}|V/n |V/g )*?{NOUNS}(?:CD )?"),
    rule("NP", rf"{NOUNS}(?:CD )?"),
    rule("NP", rf"{DETERMINER}(?:JJ |JJS |CD |QP )*(?:V/g (?!DT |PRP))?"),
    rule("NP", r"(?:CD )?FRACTION |(?:\$ |# )CD |QP |QP/m |CD |EX "),
    rule("NP/p", r"PRP "),
    rule("NP/s", r"NP POS ", open=0),
    rule("NP", r"NP/s NP ", open=-1),
    rule("NP", r"NP/s NP ", open=-1),
    rule("NP", r"NP/s (?:JJ |JJS |V/g |V/n )+"),
    rule("ADJP", r"(?:RB |RBR |RBS |ROUGHLY )*(?:JJ |JJR |JJS )(?:CC JJ )?"),
    rule("ADVP", r"(?:RB |RBR |RBS |ROUGHLY )+"),
    rule("PRT", r"RP "),
    rule("WHNP", r"W "),
    rule("WHADVP", r"WRB "),
    rule("INTJ", r"UH "),
]

NP = "(?:NP |NP/p |NP/c |NP/s )"
PP = "(?:PP |PP/n )"
CLAUSES = "SBAR |SBAR/r |SBAR/t |S/to |S/g |S/b |"
LAST = r"(?:, (?:S/g |SBAR |PP |VP/n |ADVP )(?=\. |$))?"
COMPLEMENTS = f"(?:{NP}|PRT |ADVP |ADJP |{PP}|{CLAUSES}`` |'' )*{LAST}"
AFTER_AUXILIARY = f"(?:NOT )?(?:VP/n |VP/g |VP/b |{NP}|PRT |ADVP |ADJP |{PP}|{CLAUSES}`` |'' )*{LAST}"
KINDS = {"": "VP", "/b": "VP/b", "/g": "VP/g", "/n": "VP/n"}
RULES = [
    *(
        rule(label, f"{label} (?:, )?CC {label} ")
        for label in ["VP", "VP/b", "VP/g", "VP/n", "ADJP", "SBAR", "PP", "S/to"]
    ),
    *(rule(label, f"V{kind} {COMPLEMENTS}") for kind, label in KINDS.items()),
    *(rule(label, f"AUX{kind} {AFTER_AUXILIARY}") for kind, label in KINDS.items()),
    rule("VP", f"MD {AFTER_AUXILIARY}"),
    rule("ADJP", r"ADJP (?:PP |S/to |SBAR )", before=" (?:AUX|AUX/b|AUX/n) (?:ADVP |NOT )*"),
    rule("VP/to", r"TO (?:NOT |ADVP )*VP/b "),
    rule("S/to", r"VP/to "),
    rule("S/g", r"VP/g ", before=r" (?:V|V/b|V/g|V/n|P|P/n|CP|,|C) "),
    rule("NP/c", f"{NP}(?:, )?CC {NP}"),
    rule("NP/c", f"{NP}, NP/c ", open=-1),
    rule("NP", f"{NP}PP/n "),
    rule("NP", f"{NP}PRN "),
    rule("NP", f"{NP}(?:PP )+(?=VP |, SBAR/r )"),
    rule("NP", f"{NP}SBAR/r "),
    rule("NP", r"NP SBAR/t ", open=0),
    rule("NP", f"{NP}, SBAR/r (?:, )?"),
    rule("NP", f"{NP}(?:VP/n |VP/g )(?!CC )", before=r"(?<! AUX )(?<! AUX/b )(?<! AUX/n )"),
    rule("NP", f"{NP}(?:PP )+(?=, VP )", before=r" NP , "),
    rule("NP", f"{NP}, (?:{NP}|VP/n |ADJP ), (?=VP )"),
    rule("NP", f"{NP}, {NP}(?=\\. )", before=r" (?:V|P|P/n|AUX) "),
    rule("S", f"{NP}(?:ADVP |, (?:ADVP |PP ), )*VP ", before=r"(?<! P )(?<! P/n )(?<! TO )(?<! NP CC )"),
    rule("S", "NP/p (?:ADVP )*VP "),
    rule("S/b", f"{NP}VP/b ", before=r" (?:V|V/b|V/g|V/n) "),
    rule("S/r", r"(?:ADVP )*VP ", before=r" (?:WHNP|WHPP) "),
    rule("SBAR/r", r"WHNP (?:S |S/r |S/to )"),
    rule("SBAR", r"WHADVP (?:S |S/to )"),
    rule("SBAR/t", r"THAT S "),
    rule("SBAR", r"(?:C |CP )S "),
    rule("S/n", r"VP/n (?=, )", before=" CP "),
    rule("SBAR", r"CP S/n "),
    rule("PP", f"(?:P |CP |TO )(?:{NP}|S/g |SBAR |SBAR/r |ADVP |ADJP |{PP})"),
    rule("PP/n", f"P/n (?:{NP}|S/g |SBAR |SBAR/r |ADVP |ADJP |{PP})"),
    rule("SBAR", r"S ", before=r" (?:V|V/b|V/g|V/n) (?:NP/p )?"),
    rule("S", r"S (?:, )?(?:CC |: )S "),
    rule("S", r"(?:`` )?S , (?:'' )?S ", before=r"^ | (?:``|:) ", open=-1),
    rule("SINV", r"(?:`` )?S , '' VP "),
    rule(
        "S",
        f"(?:{PP}|ADVP |SBAR |S/g |S/to |VP/n |{NP}), S ",
        before=r"^ | (?:``|''|CC|C|CP|THAT|:|,) ",
        open=-1,
    ),
    rule("S", f"(?:{PP}|ADVP |SBAR |CC )S ", before=r"^ | (?:``|''|:|C|CP|THAT) ", open=-1),
]


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
    leaves = [Tree(tag, [token]) for token, tag in zip(tokens, tags, strict=True)]
    labels = [
        _label(token.lower(), tag, tags[i + 1 : i + 3])
        for i, (token, tag) in enumerate(zip(tokens, tags, strict=True))
    ]
    for base in BASE:
        labels, leaves = _everywhere(base, labels, leaves)
    return Tree(ROOT, [_whole(*_from_the_end(labels, leaves))])


def _label(word, tag, following):
    """What the rules call a word: its tag, or a finer or coarser label."""
    if tag == "IN":
        if word == "that":
            return "THAT"
        kind = "C" if word in CLAUSAL else "CP" if word in EITHER else "P/n" if word in NOMINAL else "P"
        return "ROUGHLY" if word in ROUGHLY and following[:1] in (["CD"], ["$"]) else kind
    if tag == "CD" and "/" in word:
        return "FRACTION"
    if tag == "TO":
        return "TO" if "VB" in following[:1] or following == ["RB", "VB"] or following[:1] == ["CD"] else "P"
    if tag == "RB":
        if word in ("not", "n't", "n’t"):
            return "NOT"
        return "ROUGHLY" if word in ROUGHLY and following[:1] in (["CD"], ["$"]) else "RB"
    verb = {"VBD": "", "VBZ": "", "VBP": "", "VB": "/b", "VBG": "/g", "VBN": "/n"}.get(tag)
    if verb is not None:
        return ("AUX" if word in AUXILIARIES else "V") + verb
    return {"WDT": "W", "WP": "W"}.get(tag, tag)


def _everywhere(rule, labels, nodes):
    """The sentence with every match of a base rule made a constituent, from left to right."""
    text = "".join(f"{label} " for label in labels)
    made_labels, made_nodes, done, offset = [], [], 0, 0
    for match in rule.pattern.finditer(text):
        if match.start() and text[match.start() - 1] != " ":
            continue
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
    for i in range(len(nodes) - 1, -1, -1):
        labels.append(unread[i])
        built.append(nodes[i])
        before = " " + "".join(f"{label} " for label in unread[max(0, i - 4) : i])
        if unread[i] == "-LRB-" and "-RRB-" in labels[-WINDOW * 2 :]:
            count = labels[::-1].index("-RRB-") + 1
            _reduce(labels, built, count, Tree("PRN", built[: -count - 1 : -1]), "PRN")
        while _apply(labels, built, before):
            pass
    return labels[::-1], built[::-1]


def _apply(labels, built, before):
    """Apply the first rule that fits the beginning; returns whether one did."""
    text = "".join(f"{label} " for label in labels[: -WINDOW - 1 : -1])
    for rule in RULES:
        match = rule.pattern.match(text)
        if match and (rule.before is None or rule.before.search(before)):
            count = match[0].count(" ")
            node = _constituent(rule, built[: -count - 1 : -1])
            if node.height() > DEEPEST:
                return False
            _reduce(labels, built, count, node, rule.label)
            return True
    return False


def _reduce(labels, built, count, node, label):
    del labels[-count:], built[-count:]
    labels.append(label)
    built.append(node)


def _constituent(rule, nodes):
    opened = None if rule.open is None else rule.open % len(nodes)
    children = []
    for i, node in enumerate(nodes):
        children.extend(node if i == opened else [node])
    return Tree(_plain(rule.label), children)


def _plain(label):
    return label.split("/")[0] if label[0].isalpha() else label


def _whole(labels, nodes):
    """One tree of what is left: the clause, with what stands around it inside."""
    phrases = [label for label in labels if label not in PUNCTUATION]
    clauses = [i for i, label in enumerate(labels) if label in ("S", "SINV")]
    if len(clauses) == 1:
        i = clauses[0]
        return Tree(nodes[i].label(), [*nodes[:i], *nodes[i], *nodes[i + 1 :]])
    if len(nodes) == 1 and isinstance(nodes[0][0], Tree):
        return nodes[0]
    if len(phrases) == 1:
        i = next(i for i, label in enumerate(labels) if label not in PUNCTUATION)
        if phrases[0].startswith("VP"):
            return Tree("S", nodes)
        inner = list(nodes[i]) if isinstance(nodes[i][0], Tree) else [nodes[i]]
        return Tree(
            nodes[i].label() if isinstance(nodes[i][0], Tree) else "X", [*nodes[:i], *inner, *nodes[i + 1 :]]
        )
    verbal = any(label.startswith(("VP", "S")) for label in labels)
    return Tree("S" if verbal else "FRAG", nodes)
