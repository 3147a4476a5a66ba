"""Words that frame what a text says, and so need no source: *The passage describes …*"""

from vorlage.attribution.rules.linked import Side

_NOUNS = frozenset(
    """passage article text document excerpt summary author authors writer paper study report story piece
    transcript email conversation narrator speaker section paragraph overview description content context
    information provided given following concise brief key main points point""".split()
)
_VERBS = frozenset(
    """describe describes described discuss discusses discussed mention mentions mentioned state states stated
    say says said explain explains explained report reports reported note notes noted detail details detailed
    highlight highlights highlighted outline outlines outlined cover covers covered provide provides provided
    summarize summarizes summarized summarise summarises present presents presented include includes
    introduce introduces introduced focus focuses focused indicate indicates according based emphasize
    emphasizes suggest suggests tell tells""".split()
)
BEGINNING = 10  # words of a sentence in which a frame stands


def find_frames(text: Side) -> set[int]:
    """Return the words that frame a sentence: at its beginning, a noun such as *passage*, with its verb."""
    frames: set[int] = set()
    for first, end in text.text.sentences:
        head = range(first, min(end, first + BEGINNING))
        nouns = [t for t in head if text.lower[t] in _NOUNS]
        if not nouns or text.lower[nouns[0] - 1 : nouns[0]] == ["a"] or nouns[0] - first > 6:
            continue
        verbs = [
            t
            for t in head
            if text.lower[t] in _VERBS and (t > nouns[0] or text.lower[t] in ("according", "based"))
        ]
        if verbs or text.lower[first] == "here":
            last = max([*nouns, *verbs[:1]])
            frames.update(
                t for t in range(first, last + 1) if text.lower[t] in _NOUNS | _VERBS or not text.content[t]
            )
    return frames
