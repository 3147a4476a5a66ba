"""Speakers to whom a text gives what somebody else says in its document."""

from collections.abc import Iterator

from vorlage.attribution.findings.agents import PROPER, QUOTES, Stems, name_of, roles_of, with_names
from vorlage.attribution.findings.reading import CONTRADICTED, Difference, Linked, ReadText
from vorlage.text.english import ENGLISH
from vorlage.text.tags import NOUNS

APPOSITION = 8  # words of a speaker: *Omar Reyes, the mayor of Orm*
# The share of the words of a statement that one other speaker says, and the least number of them.
SAID, WORDS = 0.6, 2


def find_speakers(pair: Linked) -> Iterator[Difference]:
    """Yield the speakers whose words the document gives to somebody else.

    The sentence of the document that has most words of the statement is that of another speaker.
    """
    text, document = pair.text, pair.document
    verbs = [t for t, word in enumerate(text.lower) if word in ENGLISH.speech_verbs]
    speakers = _speakers(document) if verbs else {}
    for t in verbs:
        roles = roles_of(text, t)
        if roles is None or text.tags[roles.agent] not in PROPER:
            continue
        name = name_of(text, roles.agent)
        said = [i for i in text.sentence(t) if text.content[i] and text.stems[i] not in name]
        counts = pair.homes(said)
        own = max((counts[n] for n in counts if name & speakers.get(n, name)), default=0)
        number, count = max(counts.items(), key=lambda item: item[1], default=(0, 0))
        known = all(stem in document.stem_places for stem in name)
        if known and count > own and count >= max(WORDS, SAID * len(said)):
            span = with_names(text, roles.agent), roles.agent + 1
            message = "“{}” did not say this: the source is “{}”"
            source = document.text.sentences[number]
            yield pair.difference(span, source, "speaker", CONTRADICTED, message)


def _speakers(side: ReadText) -> dict[int, Stems]:
    """Return the stems of the names of who says each sentence; sentences that nobody says have none."""
    speakers: dict[int, Stems] = {}
    voice: Stems = frozenset()
    for number, (first, end) in enumerate(side.text.sentences):
        verb = next((i for i in range(first, end) if side.lower[i] in ENGLISH.speech_verbs), None)
        roles = roles_of(side, verb) if verb is not None else None
        agent = roles and roles.agent
        label = next((i for i in range(first + 1, min(first + 4, end)) if side.words[i] == ":"), None)
        if label is not None and all(tag in PROPER for tag in side.tags[first:label]):
            agent = label - 1
        if agent is not None:  # *the mayor* may have a name elsewhere
            near = range(max(first, agent - APPOSITION), min(end, agent + APPOSITION))
            named = any(side.tags[i] in PROPER for i in near)
            voice = frozenset(side.stems[i] for i in near if named and side.tags[i] in NOUNS)
        elif not any(word in QUOTES for word in side.words[first:end]):
            voice = frozenset()
        if voice:
            speakers[number] = voice
    return speakers
