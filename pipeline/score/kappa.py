"""Cohen's κ between two annotators (Cohen 1960; Carletta 1995), from the sizes of sets alone."""


def kappa(both, first, second, cells):
    """κ over binary decisions, one a (summary word, document word) cell.

    ``first`` and ``second`` cells were linked by either annotator, ``both`` by the two of them, of
    ``cells`` in all. With observed agreement p and chance agreement e, κ = (p − e) / (1 − e); not a number
    where e is 1, as when neither annotator linked anything. Exact up to one division: the cells, millions
    in a corpus, are never listed.
    """
    agreed = cells - first - second + 2 * both
    chance = first * second + (cells - first) * (cells - second)
    if chance == cells * cells:
        return float("nan")
    return (agreed * cells - chance) / (cells * cells - chance)
