"""Sentences too long for a parser, cut into pieces that are not."""

# Where a clause may end, by how good a place it is to cut after.
CLAUSE_ENDS = ({";", ":", "--", "–", "—", "...", "…"}, {",", ")", "''", '"', "”"})


def cut(tokens, longest, size=len):
    """``tokens`` as consecutive pieces of at most ``longest``, measured by ``size`` of a list of tokens.

    Cut after the punctuation of clauses that is nearest the middle, the stronger first, and where there is
    none in the middle half, in the middle. A single token is never cut.
    """
    if len(tokens) < 2 or size(tokens) <= longest:
        return [tokens]
    middle = _middle(tokens)
    return cut(tokens[:middle], longest, size) + cut(tokens[middle:], longest, size)


def _middle(tokens):
    half, quarter = len(tokens) // 2, len(tokens) // 4
    for ends in CLAUSE_ENDS:
        places = [i for i in range(half - quarter, half + quarter + 1) if i > 0 and tokens[i - 1] in ends]
        if places:
            return min(places, key=lambda i: abs(i - half))
    return half
