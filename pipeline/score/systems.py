"""What systems said of pairs, checked against the corpus."""

from pipeline.alignments import read_alignments
from pipeline.corpus.pair import read_pairs
from pipeline.io.parts import WHOLE
from pipeline.run.errors import InputError

GOLD = "gold"  # what tables call the gold, beside the systems


def read_one(path, part=WHOLE):
    """Yield the alignments of a file by one system, or of a part of it.

    Raises :class:`InputError` for a file without alignments and for one that mixes systems or fingerprints.
    """
    first = None
    for alignment in read_alignments(path, part):
        where = f"{path}: pair {alignment.id}"
        first = first or alignment
        if alignment.system == GOLD:
            raise InputError(f"{where}: is by a system {GOLD!r}, which is what the gold is called; rename it")
        if alignment.system != first.system:
            raise InputError(
                f"{where}: is by system {alignment.system!r}, pair {first.id} by {first.system!r}; "
                "give each system a file of its own"
            )
        if alignment.fingerprint != first.fingerprint:
            raise InputError(
                f"{where}: was made with other code, settings or model than pair {first.id}; "
                "align the whole corpus again"
            )
        yield alignment
    if first is None:
        raise InputError(f"{path}: holds no alignments; align the corpus first")


def read_system(path, annotated, ids):
    """Read one ``alignments.jsonl``: ``(system name, {pair id: Alignment})`` of the annotated pairs.

    ``annotated`` and ``ids`` come from :func:`pipeline.score.reference.read_annotated`. Raises
    :class:`InputError` as :func:`read_one` does, for a file that has a pair twice, lacks an annotated one or
    knows one that the corpus does not, and for tokens that are not the corpus's.
    """
    seen, alignments = set(), {}
    for alignment in read_one(path):
        where, system = f"{path}: pair {alignment.id}", alignment.system
        if alignment.id not in ids:
            raise InputError(f"{where}: is not in the corpus; align the corpus that is scored")
        if alignment.id in seen:
            raise InputError(f"{where}: is in the file twice; align the corpus again")
        seen.add(alignment.id)
        if alignment.id in annotated:
            check_tokens(alignment, annotated[alignment.id][0], path)
            alignments[alignment.id] = alignment
    missing = [key for key in annotated if key not in alignments]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise InputError(f"{path}: no alignment of pair {missing[0]}{more}, which has gold; align it too")
    return system, alignments


def read_systems(paths, annotated, ids):
    """Yield ``(system name, {pair id: Alignment})`` of each file; :class:`InputError` for a system twice."""
    files = {}
    for number, path in enumerate(paths):
        system, alignments = read_system(path, annotated, ids)
        _only_once(files, system, number, paths)
        yield system, alignments


def read_side_by_side(corpus, paths, wanted=None, part=WHOLE):
    """Yield ``(pair, alignments)`` of a ``part`` of the corpus, in its order, one pair held at a time.

    ``alignments``: of each system, in the order of the files ``paths``. ``wanted``: ids of the pairs to take
    (all). Raises :class:`InputError` as :func:`read_one` does, for a system twice, and for a file that lacks
    a pair, has another order than the corpus, or other tokens.
    """
    files, systems = [read_one(path, part) for path in paths], {}
    for pair in read_pairs(corpus, part):
        if wanted is not None and pair.id not in wanted:
            continue
        found = []
        for number, path in enumerate(paths):
            alignment = next((one for one in files[number] if one.id == pair.id), None)
            if alignment is None:
                raise InputError(
                    f"{path}: pair {pair.id} is missing, or not in the corpus's order; align the corpus again"
                )
            check_tokens(alignment, pair, path)
            _only_once(systems, alignment.system, number, paths)
            found.append(alignment)
        yield pair, found


def _only_once(files, system, number, paths):
    """Raise :class:`InputError` where ``files``, system → number of its path, has the system from another."""
    first = files.setdefault(system, number)
    if first != number:
        raise InputError(f"{paths[number]}: system {system!r} is in {paths[first]} too; give a system once")


def check_tokens(alignment, pair, path):
    """Raise :class:`InputError` unless an alignment has the tokens of its pair."""
    for side in ("document", "summary"):
        if getattr(alignment, f"{side}_words") != getattr(pair, side).words:
            raise InputError(
                f"{path}: pair {pair.id}: its {side} tokens are not those of the corpus, so it was made from "
                "another corpus; align this one"
            )
