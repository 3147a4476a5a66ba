"""Which pairs of a corpus take part: length limits, the shortest, a random sample."""

import hashlib


def select(sizes, annotated, rules, seed):
    """The pairs that ``rules`` leave out: a dict, id → reason.

    ``sizes``: id → (document tokens, summary tokens) of all usable pairs. ``annotated``: the ids that
    have gold. ``rules``: the section ``corpus.select`` of the settings. The length limits hold for every
    pair. Of those within them the ``shortest`` by document tokens are kept (ties by id), then of these a
    random ``sample``; a pair with gold is kept whether it is among them or not, as in Daumé & Marcu
    (2005, Section 2), where 2,000 shortest and 45 annotated documents make 2,033.
    """
    out = {}
    for name, (document, summary) in sizes.items():
        for side, length in (("document", document), ("summary", summary)):
            limit = rules[f"max_{side}_words"]
            if limit is not None and length > limit:
                out.setdefault(name, f"{side} of {length} words, more than max_{side}_words {limit}")

    kept = set(sizes) - set(out)
    for rule, reason, order in (
        ("shortest", "not among the {} shortest documents", lambda name: (sizes[name][0], name)),
        ("sample", "not in the random sample of {}", lambda name: _rank(name, seed)),
    ):
        if rules[rule] is not None:
            chosen = set(sorted(kept, key=order)[: rules[rule]]) | (kept & annotated)
            out.update(dict.fromkeys(kept - chosen, reason.format(rules[rule])))
            kept = chosen
    return out


def _rank(name, seed):
    """A number that depends on the id and the seed alone: the sample grows and shrinks with the corpus."""
    return hashlib.sha256(f"{seed} {name}".encode()).digest()
