"""Cohen's κ between two annotators (Cohen 1960; Carletta 1995), from the sizes of sets alone."""


def kappa(both: int, first: int, second: int, cells: int) -> float:
    """Return κ over binary decisions, one for each cell (summary word, document word).

    Of `cells` in all, the first annotator linked `first`, the second `second`, and the two of them
    `both`. With observed agreement p and chance agreement e, κ = (p − e) / (1 − e); it is NaN where e is 1,
    as when neither annotator linked anything. The computation is exact up to one division: the cells,
    millions in a corpus, are never listed.
    """
    agreed = cells - first - second + 2 * both
    chance = first * second + (cells - first) * (cells - second)
    if chance == cells * cells:
        return float("nan")
    return (agreed * cells - chance) / (cells * cells - chance)
