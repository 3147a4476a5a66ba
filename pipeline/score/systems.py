"""What a system said of the annotated pairs, checked against the corpus."""

from pipeline.alignments import read_alignments
from pipeline.errors import InputError


def read_system(path, annotated, ids):
    """Read one ``alignments.jsonl``: ``(system name, {pair id: Alignment})`` of the annotated pairs.

    ``annotated`` and ``ids`` come from :func:`pipeline.score.reference.read_annotated`. Raises
    :class:`InputError` for a file that mixes systems or fingerprints, that has a pair twice, lacks an
    annotated one or knows one that the corpus does not, and for tokens or spans that are not the
    corpus's.
    """
    first, seen, alignments = None, set(), {}
    for alignment in read_alignments(path):
        where = f"{path}: pair {alignment.id}"
        first = first or alignment
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
        if alignment.id not in ids:
            raise InputError(f"{where}: is not in the corpus; align the corpus that is scored")
        if alignment.id in seen:
            raise InputError(f"{where}: is in the file twice; align the corpus again")
        seen.add(alignment.id)
        if alignment.id in annotated:
            _check(alignment, annotated[alignment.id][0], where)
            alignments[alignment.id] = alignment
    if first is None:
        raise InputError(f"{path}: holds no alignments; align the corpus first")
    missing = [key for key in annotated if key not in alignments]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise InputError(f"{path}: no alignment of pair {missing[0]}{more}, which has gold; align it too")
    return first.system, alignments


def read_systems(paths, annotated, ids):
    """Yield ``(system name, {pair id: Alignment})`` of each file; :class:`InputError` for a system twice."""
    files = {}
    for path in paths:
        system, alignments = read_system(path, annotated, ids)
        if system in files:
            raise InputError(f"{path}: system {system!r} is in {files[system]} too; give each system once")
        files[system] = path
        yield system, alignments


def _check(alignment, pair, where):
    for side in ("document", "summary"):
        if getattr(alignment, f"{side}_words") != getattr(pair, side).words:
            raise InputError(
                f"{where}: its {side} tokens are not those of the corpus, so it was made from another "
                "corpus; align this one"
            )
    sizes = {"summary": len(alignment.summary_words), "document": len(alignment.document_words)}
    for link in alignment.links:
        for side, size in sizes.items():
            span = getattr(link, side)
            if span is not None and not _is_span(span, size):
                raise InputError(
                    f"{where}: {side} span {list(span)} is not one; the {side} has {size} tokens and spans "
                    "are half-open from 0"
                )


def _is_span(span, size):
    return len(span) == 2 and all(type(end) is int for end in span) and 0 <= span[0] < span[1] <= size
