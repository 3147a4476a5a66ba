"""Cuts sentences that are too long for a parser into pieces."""

from collections.abc import Callable, Sequence

# Tokens that may end a clause, the better places for a cut first.
CLAUSE_ENDS = ({";", ":", "--", "–", "—", "...", "…"}, {",", ")", "''", '"', "”"})


def cut_sentence(tokens: list[str], longest: int, size: Callable[[list[str]], int] = len) -> list[list[str]]:
    """Return `tokens` as consecutive pieces of at most `longest`, as measured by `size`.

    A cut is made after the punctuation nearest the middle, stronger punctuation first, or in the middle if
    there is none in the middle half. A single token is never cut.
    """
    if len(tokens) < 2 or size(tokens) <= longest:
        return [tokens]
    middle = _middle(tokens)
    return cut_sentence(tokens[:middle], longest, size) + cut_sentence(tokens[middle:], longest, size)


def _middle(tokens: Sequence[str]) -> int:
    """Return how many tokens to cut off."""
    half, quarter = len(tokens) // 2, len(tokens) // 4
    for ends in CLAUSE_ENDS:
        places = [i for i in range(half - quarter, half + quarter + 1) if i > 0 and tokens[i - 1] in ends]
        if places:
            return min(places, key=lambda i: abs(i - half))
    return half
