"""The rules of the parser `pattern`: labels of words, rules of base phrases, and rules of larger phrases.

Labels are finer than the Penn Treebank's; the part after a slash, as in VP/to, is dropped from the tree. In
the patterns, every label ends with a space. The words are of closed classes only.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from vorlage.text.english import ENGLISH

# The labels of subordinating conjunctions and prepositions; of two labels of a word, the later one counts.
PREPOSITIONS = {
    **dict.fromkeys(ENGLISH.verb_prepositions, "P/l"),
    **dict.fromkeys(ENGLISH.noun_prepositions, "P/n"),
    **dict.fromkeys(ENGLISH.clause_prepositions, "CP"),
    **dict.fromkeys(ENGLISH.subordinators, "C"),
}
VERBS = {"VBD": "", "VBZ": "", "VBP": "", "VB": "/b", "VBG": "/g", "VBN": "/n"}
WORD_LABELS = {"%": "PCT", "a": "A", "an": "A", "?": "./q", "what": "W/d", "&": "AMP"}
WORD_LABELS |= dict.fromkeys(["n't", "n’t", "not"], "NOT")


def word_label(word: str, tag: str, before: Sequence[str], following: Sequence[str]) -> str:
    """Return the label of a lower-cased word in the rules: its tag, or a finer or coarser label.

    `before` and `following` are lists of tags: of the word before, if any, and of up to two words after.
    """
    if tag == "IN" and word == "that":
        return "THAT"
    if tag in ("IN", "RB") and word in ENGLISH.approximators and following[:1] in (["CD"], ["$"]):
        return "ROUGHLY"
    if tag == "IN":
        return PREPOSITIONS.get(word, "P")
    if tag == "CD" and "/" in word:
        return "FRACTION"
    if tag == "TO":
        verb = following[:1] == ["VB"] or following == ["RB", "VB"]
        return "TO" if verb or following[:1] in (["CD"], ["$"]) else "P/l"
    if tag in ("RB", "RBR", "JJR") and word in ENGLISH.ago:
        return "AGO"
    if tag in VERBS:
        return ("AUX" if word in ENGLISH.phrase_auxiliaries else "V") + VERBS[tag]
    if tag in ("WDT", "WP") and word in ("which", "whom"):
        return "W/p" if before in (["IN"], ["TO"]) else "W"
    if tag == "WRB" and word == "how":
        return "HOW"
    if tag in ("NN", "DT", ".", "WP", "WDT", "RB", "CC"):
        tag = WORD_LABELS.get(word, tag)
    return {"WDT": "W", "WP": "W"}.get(tag, tag)


class Rule(NamedTuple):
    """A rule that makes the labels which `pattern` matches a constituent `label`.

    `before`: a pattern that must match the end of the labels that are not read yet. `flatten`: the index
    of the matched node that is replaced by its children, which makes the constituent flat.
    """

    label: str
    pattern: re.Pattern[str]
    before: re.Pattern[str] | None
    flatten: int | None


def rule(label: str, pattern: str, before: str | None = None, flatten: int | None = None) -> Rule:
    """Return a `Rule` from regular expressions in which every label ends with a space."""
    compiled = re.compile(f"(?:{before})$") if before else None
    return Rule(label, re.compile(rf"(?<!\S){pattern}"), compiled, flatten)


NOUN = "(?:NN |NNS |NNP |NNPS |FW |PCT )"
QUALITY = r"(?:JJ CC (?=JJ )|JJ |JJR |JJS |ADJP |CD |QP |QP/m |\$ CD )"
MODIFIER = f"(?:{QUALITY}|{NOUN})"
DETERMINER = r"(?:PDT DT |PDT A |PDT PRP\$ |DT |A |PRP\$ |WP\$ )"
NOUNS = f"(?:(?:(?:{NOUN}, )+{NOUN}(?:, )?|{NOUN})CC |{NOUN}+AMP )?{NOUN}+"
# Rules of base phrases, applied in this order, each to the whole sentence.
BASE = [
    rule("QP", r"\$ CD CD TO \$ CD CD |CD TO CD (?=NN)"),
    rule("QP/m", r"(?:ROUGHLY |JJR CP |RBR CP )?(?:\$ |# )CD (?:CD )+"),
    rule("ADJP", rf"(?:QP/m |CD PCT )(?=(?:JJ )*{NOUN})"),
    rule("QP", r"(?:ROUGHLY |JJR CP |RBR CP )?(?:\$ |# )?CD (?:(?:CC )?(?:\$ |# )?CD )+"),
    rule("QP", r"(?:ROUGHLY |JJR CP |RBR CP )(?:\$ |# )?CD "),
    rule("ADJP", rf"(?:RB |RBS |RBR |ROUGHLY )(?:JJ |V/n )(?=(?:JJ )*{NOUN})"),
    # Amounts for a unit (two francs a share), and times before now (a year ago).
    rule("NP/q", rf"(?:\$ CD |QP/m |(?:QP |CD ){NOUN})(?=A NN (?!{NOUN}|POS ))"),
    rule("NP/a", r"(?<=NP/q )A NN |(?:A |CD |QP )(?:NN |NNS )(?=AGO )"),
    rule("NP", r"NP/q NP/a "),
    rule("ADVP", r"NP/a AGO "),
    rule("NP", r"NNP CD , CD "),
    # Phrases that begin questions and relative clauses.
    rule("WHADJP", r"HOW JJ "),
    rule("WHADVP", r"HOW RB |HOW |WRB "),
    rule("WHNP", rf"WHADJP {NOUN}+|W/d {NOUN}+|WP\$ {QUALITY}*{NOUN}+|W(?:/d)? "),
    rule("WHNP/p", r"W/p "),
    rule("WHPP", r"(?:P|P/n|P/l|CP) WHNP/p "),
    rule("NP", rf"{DETERMINER}(?:{QUALITY}*+(?:V/n |V/g ))*{MODIFIER}*{NOUNS}(?:CD )?"),
    rule("NP", rf"{MODIFIER}(?:{MODIFIER}|V/n |V/g )*?{NOUNS}(?:CD )?"),
    rule("NP", rf"(?:(?:(?<=P/n )|(?<=C ))V/n |^V/n (?={NOUN}+V )|^V/g (?=NNS V )){NOUNS}"),
    rule("NP", rf"{NOUNS}(?:CD )?"),
    rule("NP", rf"{DETERMINER}(?:JJ |JJS |CD |QP )*(?:V/g (?!DT |PRP|A ))?"),
    rule("NP", r"JJ CD "),
    rule("NP", r"(?:CD )?FRACTION |(?:\$ |# )CD |QP |QP/m |CD |EX "),
    rule("NP/p", r"PRP "),
    rule("NP/s", r"NP POS ", flatten=0),
    rule("NP", r"NP/s NP ", flatten=-1),
    rule("NP", r"NP/s NP ", flatten=-1),  # again, for a possessive before another
    rule("NP", r"NP/s (?:JJ |JJS |V/g |V/n )+"),
    rule("ADJP", r"(?:RB |RBR |RBS |ROUGHLY )*(?:JJ |JJR |JJS )(?:CC JJ )?"),
    rule("ADVP", r"(?:RB |RBR |RBS |ROUGHLY |AGO )+"),
    rule("PRT", r"RP "),
    rule("INTJ", r"UH "),
]

NP = r"(?:NP(?:/\w)? )"
PP = r"(?:PP(?:/\w)? )"
P = r"(?:P|P/n|P/l)"
V = "(?:V|V/b|V/g|V/n)"
WH = "(?:WHNP|WHADVP|WHADJP|WHPP)"
END = r"\.(?:/q)? "
CLAUSES = "SBAR |SBAR/r |SBAR/t |S/to |S/g |S/b |"
LAST = rf"(?:, (?:S/g |SBAR |{PP}|VP/n |ADVP )(?=(?:{END})|$))?"
COMPLEMENTS = f"(?:{NP}|PRT |ADVP |ADJP |{PP}|{CLAUSES}`` |'' )*{LAST}"
AFTER_AUXILIARY = f"(?:NOT )?(?:VP/n |VP/g |VP/b |{NP}|PRT |ADVP |ADJP |{PP}|{CLAUSES}`` |'' )*{LAST}"
KINDS = {"": "VP", "/b": "VP/b", "/g": "VP/g", "/n": "VP/n"}
# Rules of larger phrases; the first one that matches is applied.
RULES = [
    # Questions: the auxiliary before its subject.
    rule(
        "SQ",
        f"(?:AUX |MD )(?:NOT )?{NP}(?:ADVP |NOT |VP/b |VP/n |VP/g |{NP}|ADJP |{PP}|{CLAUSES}PRT )*(?!VP )",
        before=rf"(?:^| ``|^ CC) (?:{WH} )?",
    ),
    rule("SQ", r"(?:ADVP )*VP (?=\./q )", before=r"^ WHNP "),
    rule("SBARQ", f"{WH} SQ "),
    # Coordination of phrases of one kind.
    *(
        rule(label, f"{label} (?:, )?CC {label} ")
        for label in ["VP", "VP/b", "VP/g", "VP/n", "ADJP", "SBAR", "PP", "PP/l", "PP/n", "S/to"]
    ),
    rule("ADJP", "V/n CC ADJP ", before=" (?:AUX|AUX/b|AUX/n) (?:ADVP |NOT )*", flatten=-1),
    rule("VP", "ADVP VP ", before=" CC ", flatten=-1),
    # A verb and its complements.
    rule("VP", f"V (?={NP}(?:{END}|, ))", before=" , '' "),
    rule("VP", "V (?:, |: )`` (?:S |SQ |SBARQ )"),
    *(rule(label, f"V{kind} CC V{kind} {COMPLEMENTS}") for kind, label in KINDS.items()),
    *(rule(label, f"V{kind} {COMPLEMENTS}", before=f"(?<! V{kind} CC )") for kind, label in KINDS.items()),
    *(rule(label, f"AUX{kind} {AFTER_AUXILIARY}") for kind, label in KINDS.items()),
    rule("VP", f"MD {AFTER_AUXILIARY}"),
    rule("ADJP", f"ADJP (?:{PP}|S/to |SBAR )", before=" (?:AUX|AUX/b|AUX/n) (?:ADVP |NOT )*", flatten=0),
    rule("VP/to", r"TO (?:NOT |ADVP )*VP/b "),
    rule("S/to", r"VP/to "),
    rule("S/g", r"VP/g ", before=rf" (?:{V}|{P}|CP|,|C) "),
    rule("S/g", r"VP/g (?=VP )", before="^ "),
    # A noun and the modifiers after it.
    rule("NP/c", f"{NP}(?:, )?CC {NP}"),
    rule("NP/c", f"{NP}, NP/c ", flatten=-1),
    rule("NP", f"{NP}PP/n "),
    rule("NP", f"{NP}PP ", before=rf" (?:{P}|CP) "),
    rule("NP", f"{NP}ADJP ", before=rf" {P} "),
    rule("NP", f"{NP}PRN "),
    rule("NP", f"{NP}{PP}+(?=VP |, SBAR/r )"),
    rule("NP", f"{NP}SBAR/r "),
    rule("NP", r"NP SBAR/t ", flatten=0),
    rule("NP", f"{NP}, SBAR/r (?:, )?"),
    rule("NP", f"{NP}(?:VP/n |VP/g )(?!CC )", before=r"(?<! AUX )(?<! AUX/b )(?<! AUX/n )"),
    rule("NP", f"{NP}{PP}+(?=, VP )", before=r" NP , "),
    rule("NP", f"{NP}, (?:{NP}|VP/n |ADJP ), (?=VP )"),
    rule("NP", f"{NP}, {NP}(?={END})", before=rf" (?:V|{P}|AUX) "),
    # Clauses.
    rule(
        "S",
        f"{NP}(?:ADVP |, (?:ADVP |{PP}), )*VP ",
        before=r"(?<! P )(?<! P/n )(?<! P/l )(?<! TO )(?<! NP CC )(?<!^ V/g )| V NP CC ",
    ),
    rule("S", "NP/p (?:ADVP )*VP "),
    rule("S/b", f"{NP}VP/b ", before=f" {V} "),
    rule("S/r", r"(?:ADVP )*VP ", before=r" (?:WHNP|WHPP) "),
    rule("SBAR/r", r"(?:WHNP|WHPP) (?:S |S/r |S/to )"),
    rule("SBAR", r"(?:WHADVP|WHADJP) (?:S |S/to )"),
    rule("SBAR/t", r"THAT S "),
    rule("SBAR", r"(?:C |CP )S "),
    rule("S/n", r"VP/n (?=, )", before=" CP "),
    rule("SBAR", r"CP S/n "),
    # A preposition and its object.
    rule("PP/l", r"C PP/n ", flatten=-1),
    rule("PP", f"P (?:{NP}|S/g |SBAR |SBAR/r |ADVP |ADJP |{PP})"),
    rule("PP/l", f"(?:P/l |CP |TO )(?:{NP}|S/g |SBAR |SBAR/r |ADVP |ADJP |{PP})"),
    rule("PP/n", f"P/n (?:{NP}|S/g |SBAR |SBAR/r |ADVP |ADJP |{PP})"),
    # Clauses in clauses.
    rule("SBAR", r"S ", before=rf" {V} (?:NP/p )?"),
    rule("S", r"S (?:, )?(?:CC |: )S "),
    rule("S", r"(?:`` )?S , (?:'' )?S ", before=r"^ | (?:``|:) ", flatten=-1),
    rule("SINV", rf"(?:`` )?S , '' VP {NP}", before="^ |^ `` "),
    rule(
        "S",
        f"(?:{PP}|ADVP |SBAR |S/g |S/to |VP/n ), S ",
        before=r"^ | (?:``|''|CC|C|CP|THAT|:|,) ",
        flatten=-1,
    ),
    rule("S", f"(?:{PP}|ADVP |SBAR |CC )S ", before=r"^ | (?:``|''|:|C|CP|THAT) ", flatten=-1),
]
