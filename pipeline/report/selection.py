"""Which pairs the report shows, their gold as spans of tokens, and how well each system does on them."""

from pipeline.corpus.gold import read_gold
from pipeline.corpus.pair import read_pairs
from pipeline.score import phrases
from pipeline.score.counts import count_links
from pipeline.score.metrics import scores
from pipeline.score.reference import make_reference


def gold_spans(pair, golds):
    """``(unit, spans)`` of a pair for the viewer, or None without gold.

    Spans are ``[summary spans, document spans, sure]`` in tokens. Where there is gold in tokens, that in
    characters is left out.
    """
    if not golds:
        return None
    unit = "token" if any(gold.unit == "token" for gold in golds) else "char"
    found = []
    for gold in golds:
        if gold.unit != unit:
            continue
        for link in gold.links:
            sides = link.summary, link.document
            if unit == "char":
                sides = [
                    _runs(phrases.tokens_inside(text, spans))
                    for text, spans in zip((pair.summary, pair.document), sides, strict=True)
                ]
            found.append([*([list(span) for span in spans] for spans in sides), int(link.sure)])
    return unit, found


def _runs(tokens):
    """The half-open spans of a set of tokens."""
    spans = []
    for token in sorted(tokens):
        if spans and spans[-1][1] == token:
            spans[-1][1] += 1
        else:
            spans.append([token, token + 1])
    return spans


def choose(corpus, golds, most):
    """The ids of the pairs of the viewer: at most ``most``, those with gold first, each in corpus order."""
    annotated, others = [], []
    for pair in read_pairs(corpus):
        listed = annotated if pair.id in golds else others
        if len(listed) < most:
            listed.append(pair.id)
    return (annotated + others)[:most]


def pair_f(pair, golds, alignments):
    """F of each system on one pair (SoftF over all words, or F of phrases), or None without gold."""
    if not golds:
        return None
    tokens = [gold for gold in golds if gold.unit == "token"]
    if tokens:
        reference = make_reference(pair, tokens)
        return {
            one.system: round(float(scores(count_links(one.links, reference))["soft_f"][0]), 3)
            for one in alignments
        }
    targets = phrases.find_targets({pair.id: (pair, golds)})[pair.id]
    return {
        one.system: round(float(phrases.phrase_f(phrases.count(one.links, pair, *targets))[0]), 3)
        for one in alignments
    }


def read_golds(path):
    """Pair id → list of Gold of a gold file, or nothing where there is none."""
    golds = {}
    for _, gold in read_gold(path) if path else ():
        golds.setdefault(gold.id, []).append(gold)
    return golds
