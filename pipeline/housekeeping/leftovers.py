"""What is left below a folder of results that nobody wants: it goes when a run of the workflow ends.

That is what processes were writing when they were killed, and the checksums of files that are gone: Snakemake
removes the files of an iteration of EM and of the parts of a corpus, and does not know of their checksums.
"""

from pathlib import Path

from pipeline.io.checksums import ENDING, beside
from pipeline.io.outputs import leftovers, remove


def sweep(folder):
    """Remove it, and folders that are empty without it. No process on this machine loses what it writes."""
    for path in [*leftovers(folder), *_orphans(folder)]:
        remove(path)
        _remove_empty(path.parent, folder)


def _orphans(folder):
    """The checksums of files that are not there."""
    for path in Path(folder).rglob(f".?*{ENDING}"):
        of = path.with_name(path.name.removeprefix(".").removesuffix(ENDING))
        if beside(of) == path and not of.exists():
            yield path


def _remove_empty(path, folder):
    """Remove a folder below ``folder``, and those around it, as far as they are empty."""
    while path != Path(folder) and path.is_dir() and not any(path.iterdir()):
        path.rmdir()
        path = path.parent
