"""Who did what to whom: subjects and objects that were exchanged, and what somebody else did."""

from collections.abc import Iterator
from itertools import takewhile

from vorlage.attribution.findings.linked import CONTRADICTED, Difference, Linked, ReadText
from vorlage.text.english import ENGLISH

NOUNS = ("NN", "NNS", "NNP", "NNPS")
PROPER = {"NNP", "NNPS"}


def find_roles(pair: Linked) -> Iterator[Difference]:
    """Yield the subjects of verbs that have another subject in the document, and exchanged comparisons."""
    text, document = pair.text, pair.document
    for t, tag in enumerate(text.tags):
        subject = _subject(text, t) if tag.startswith("VB") and text.content[t] else None
        if subject is None:
            continue
        for j in sorted(pair.links.get(t, ())):
            source_subject = _subject(document, j)
            alike = document.tags[j].startswith("VB") and _passive(text, t) == _passive(document, j)
            if alike and (
                _exchanged(pair, t, subject, j, source_subject)
                or _of_another(pair, t, subject, j, source_subject)
            ):
                source = (j if source_subject is None else source_subject, j + 1)
                message = f"“{text.quote((subject, t + 1))}”: the source says “{document.quote(source)}”"
                yield Difference((subject, t + 1), source, "role", CONTRADICTED, message)
                break
    yield from _compared(pair)


def _exchanged(pair: Linked, t: int, subject: int, j: int, source_subject: int | None) -> bool:
    """Return whether the subject of a verb comes after the verb in the document, and another noun before it.

    The other noun is an object in the text, or both are names and the text does not have it first.
    """
    text, document = pair.text, pair.document
    sentence = document.sentence(j)
    before = set(document.stems[sentence.start : j])
    after = set(document.stems[j + 1 : sentence.stop])
    name, objects = _name(text, subject), _objects(text, t)
    if not name & after or name & before:
        return False
    if objects & before and not objects & after:
        return True
    earlier = set(text.stems[text.sentence(t).start : t])
    return _are_names(pair, subject, source_subject) and not _name(document, source_subject) & earlier


def _of_another(pair: Linked, t: int, subject: int, j: int, source_subject: int | None) -> bool:
    """Return whether the document has the same verb with another name, and the text's name elsewhere."""
    text, document = pair.text, pair.document
    if text.stems[t] != document.stems[j] or not _are_names(pair, subject, source_subject):
        return False
    name = _name(text, subject)
    document_stems = {document.stems[k] for k in document.sentence(j)}
    text_stems = {text.stems[i] for i in text.sentence(t)}
    if not all(stem in document.stem_places for stem in name) or name & document_stems:
        return False
    return not _name(document, source_subject) & text_stems


def _are_names(pair: Linked, subject: int, source_subject: int | None) -> bool:
    """Return whether the subjects of both sides are proper nouns."""
    return (
        source_subject is not None and {pair.text.tags[subject], pair.document.tags[source_subject]} <= PROPER
    )


def _compared(pair: Linked) -> Iterator[Difference]:
    """Yield comparisons whose sides were exchanged: *larger in men than in women*."""
    text, document = pair.text, pair.document
    for t, word in enumerate(text.lower):
        if word not in ("than", "compared"):
            continue
        clause = text.clause(t)
        compared = [i for i in text.around(t, 12) if text.tags[i] in (*NOUNS, "JJ") and text.content[i]]
        left = [i for i in compared if clause.start <= i < t]
        right = [i for i in compared if t < i <= t + 5]
        for sentence in sorted(pair.home(t)):
            places = range(*document.text.sentences[sentence])
            for j in places:
                if document.lower[j] != word:
                    continue
                before = {document.stems[k] for k in range(document.clause(j).start, j)}
                after = {document.stems[k] for k in range(j + 1, min(places.stop, j + 6))}
                lefts = [i for i in left if text.stems[i] in after - before]
                rights = [i for i in right if text.stems[i] in before - after]
                if lefts and rights:
                    span = (lefts[0], rights[-1] + 1)
                    message = f"“{text.quote(span)}”: the source compares the other way round"
                    yield Difference(span, (j, j + 1), "role", CONTRADICTED, message)
                    return


def _subject(side: ReadText, verb: int) -> int | None:
    """Return the head of the noun phrase before a verb, in its clause."""
    clause = side.clause(verb)
    for place in range(verb - 1, clause.start - 1, -1):
        tag = side.tags[place]
        if tag in NOUNS or tag == "PRP":
            return place
        if tag.startswith("VB") and side.content[place] or tag in ("IN", "CC", "TO"):
            return None
    return None


def _name(side: ReadText, head: int | None) -> set[str]:
    """Return the stems of the last noun of a noun phrase and of the capitalised words before it."""
    if head is None:
        return set()
    stems = {side.stems[head]}
    place = head - 1
    first = side.sentence(head).start
    while place >= first and side.tags[place] in PROPER and side.words[place][:1].isupper():
        if side.lower[place].rstrip(".") not in ENGLISH.titles:
            stems.add(side.stems[place])
        place -= 1
    return stems


def _objects(side: ReadText, verb: int) -> set[str]:
    """Return the stems of the nouns after a verb, up to a preposition, in its clause."""
    after = range(verb + 1, min(side.clause(verb).stop, verb + 5))
    direct = takewhile(lambda i: side.tags[i] not in ("IN", "TO"), after)
    return {
        side.stems[i]
        for i in direct
        if side.tags[i] in NOUNS and side.content[i] and side.lower[i].rstrip(".") not in ENGLISH.titles
    }


def _passive(side: ReadText, verb: int) -> bool:
    first = max(side.sentence(verb).start, verb - 3)
    helped = any(side.lower[i] in ENGLISH.passive_auxiliaries for i in range(first, verb))
    return helped and side.tags[verb] in ("VBN", "VBD")
