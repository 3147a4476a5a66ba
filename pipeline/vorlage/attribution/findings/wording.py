"""Words in the place of others, and words added to a linked sentence."""

from collections import Counter
from collections.abc import Iterator

from vorlage.attribution.findings.reading import CHECK, CONTRADICTED, Difference, Linked, ReadText
from vorlage.attribution.findings.relations import opposite, relation
from vorlage.text.english import ENGLISH

# How much *one of* means, and the lines of quantities that it contradicts: *all* and *none*.
PART, TOTAL = -1, {ENGLISH.quantities["all"], ENGLISH.quantities["none"]}


def find_opposites(pair: Linked) -> Iterator[Difference]:
    """Yield the words of the text in whose place the document has their opposites.

    The document does not say the word itself nearby, and only neither or both are negated.
    """
    text, document = pair.text, pair.document
    for t, word in enumerate(text.lower):
        if not (text.content[t] or word in ENGLISH.comparing_words) or t in text.fact_at:
            continue
        near = _near(pair, t)
        if not near or any(document.stems[j] == text.stems[t] for j in near):
            continue
        for j in sorted(near, key=lambda j: (j not in pair.links.get(t, ()), j)):
            if j not in pair.links.get(t, ()) and pair.reverse.get(j, set()) - {t}:
                continue  # the opposite stands in the text too
            cut = "".join(document.lower[max(j - 2, 0) : j + 1]) == word  # *non - binary*
            if (
                not cut
                and opposite(word, document.lower[j])
                and _is_reversed(text, t) == _is_reversed(document, j)
            ):
                message = f"“{text.words[t]}”: the source says “{document.words[j]}”"
                yield Difference((t, t + 1), (j, j + 1), "opposite", CONTRADICTED, message)
                break


def _near(pair: Linked, t: int) -> set[int]:
    """Return the document words that a word is linked to, or that stand beside those of its neighbours."""
    near = set(pair.links.get(t, ()))
    if pair.text.lower[t] in ENGLISH.opposed_prepositions:
        return near
    anchors = [
        (i, j)
        for i in pair.text.around(t, 3)
        if i != t and (pair.text.content[i] or abs(i - t) == 1)
        for j in pair.links.get(i, ())
    ]
    if not any(pair.text.content[i] for i, _ in anchors):
        return near
    for i, j in anchors:
        for k in pair.document.around(j, 3):
            if k != j and (k > j) == (t > i):
                near.add(k)
    return near


def _is_reversed(side: ReadText, place: int) -> bool:
    """Return whether a word is negated, or the least of its kind: *least expensive*."""
    return place in side.negated or (place > 0 and side.lower[place - 1] in ("less", "least"))


def find_quantities(pair: Linked) -> Iterator[Difference]:
    """Yield the quantifiers of the text where the document has another before the same word."""
    text, document = pair.text, pair.document
    for t, word in enumerate(text.lower):
        group = _quantifier(text, t)
        if group is None or text.lower[t + 1 : t + 2] in (["one"], ["other"]):
            continue
        for i in range(t + 1, min(t + 4, text.sentence(t).stop)):
            places = [j for j in pair.links.get(i, ()) if document.stems[j] == text.stems[i]]
            if not text.content[i] or not places:
                continue
            for j in places:
                others = [
                    k
                    for k in range(max(document.sentence(j).start, j - 4), j)
                    if _quantifier(document, k) is not None and k + 1 not in document.fact_at
                ]
                if not others or any(_quantifier(document, k) == group for k in others):
                    continue
                k = others[-1]
                groups = {group, _quantifier(document, k)}
                if {word, document.lower[k]} <= ENGLISH.vague_quantities or (
                    PART in groups and groups.isdisjoint(TOTAL)
                ):
                    continue
                message = f"“{text.words[t]}”: the source says “{document.quote((k, j + 1))}”"
                yield Difference((t, t + 1), (k, k + 1), "quantity", CONTRADICTED, message)
            break


def _quantifier(side: ReadText, place: int) -> int | None:
    """Return how much of something a quantifier means: a line of `quantities`, or `PART` for *one of*."""
    word, following = side.lower[place], side.lower[place + 1 : place + 2]
    if word == "every" and place + 1 in side.fact_at:  # *every 15 years*
        return None
    part = following == ["of"] and (
        word == "one" or (place in side.fact_at and not word.startswith("percent"))
    )
    return ENGLISH.quantities.get(word, PART if part else None)


def find_frequencies(pair: Linked) -> Iterator[Difference]:
    """Yield how often something happens where a document sentence with most of its words says otherwise."""
    text, document = pair.text, pair.document
    for fact in text.facts:
        if fact.value.kind != "frequency":
            continue
        words = [t for t in text.clause(fact.words[0]) if text.content[t] and t not in range(*fact.words)]
        homes = Counter(
            n
            for t in words
            for n in {
                document.sentences[j] for j in pair.links.get(t, ()) if document.stems[j] == text.stems[t]
            }
        )
        for number, count in homes.items():
            if 2 * count <= len(words):
                continue
            stated = [each for each in document.facts if document.sentences[each.words[0]] == number]
            others = [each for each in stated if each.value.is_comparable(fact.value)]
            if others and not any(fact.value.agrees(each.value) for each in others):
                message = f"“{text.quote(fact.words)}” ≠ “{document.quote(others[0].words)}”"
                yield Difference(fact.words, others[0].words, "frequency", CONTRADICTED, message)
                break


def find_replaced(pair: Linked) -> Iterator[Difference]:
    """Yield the content words that stand exactly where the document has another of the same kind.

    The words before and after are linked to those before and after it, and WordNet knows of no synonym or
    broader word.
    """
    text, document = pair.text, pair.document
    for t in range(len(text.words)):
        slot = pair.slot(t)
        if not text.content[t] or slot is None or slot[1] - slot[0] > 2:
            continue
        fillers = [j for j in range(*slot) if document.content[j]]
        if len(fillers) != 1 or pair.reverse.get(fillers[0], set()) - {t}:
            continue
        j = fillers[0]
        is_near = text.stems[t] in {document.stems[k] for k in document.sentence(j)}
        related = relation(text.lower[t], document.lower[j]) in ("same", "synonym", "broader")
        alike = text.tags[t][:2] == document.tags[j][:2]
        if is_near or related or not alike or t in text.fact_at and j in document.fact_at:
            continue
        message = f"“{text.words[t]}” stands where the source says “{document.words[j]}”"
        yield Difference((t, t + 1), (j, j + 1), "replacement", CHECK, message)


def find_added(pair: Linked) -> Iterator[Difference]:
    """Yield stretches of unlinked words between words that are linked to neighbours in the document."""
    text, document = pair.text, pair.document
    for first, end in text.text.sentences:
        t = first
        while t < end:
            stop = t
            while stop < end and not pair.links.get(stop):
                stop += 1
            if stop > t:
                content = [i for i in range(t, stop) if text.content[i]]
                known = [i for i in content if text.stems[i] in document.stem_places]
                if content and not known and t > first and stop < end and _continues(pair, t - 1, stop):
                    span = content[0], content[-1] + 1
                    message = f"“{text.quote(span)}” was added to what the source says"
                    yield Difference(span, None, "addition", CHECK, message)
            t = max(stop, t + 1)


def _continues(pair: Linked, before: int, after: int) -> bool:
    """Return whether two words of the text are linked to neighbours in the document."""
    pairs = ((j, k) for j in pair.links.get(before, ()) for k in pair.links.get(after, ()))
    return any(0 < k - j <= 1 and pair.document.sentences[j] == pair.document.sentences[k] for j, k in pairs)
