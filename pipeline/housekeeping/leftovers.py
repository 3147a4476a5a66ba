"""Removes leftovers from a folder of results.

Leftovers are the temporary files of killed processes, and the checksums of files that no longer exist:
Snakemake removes the files of an iteration of EM and of the parts of a corpus, but knows nothing of their
checksums.
"""

from collections.abc import Iterator
from pathlib import Path

from pipeline.io.checksums import ENDING, sums_path
from pipeline.io.outputs import find_leftovers, remove
from pipeline.types import StrPath


def remove_leftovers(folder: StrPath) -> None:
    """Remove leftovers below a folder, and the folders that are empty without them.

    Temporary files of processes that are running on this machine are kept, but not those of other machines:
    call it when a run ends.
    """
    _remove([*find_leftovers(folder), *_orphans(folder)], Path(folder))


def remove_orphans(folder: StrPath) -> None:
    """Remove the checksums of files that do not exist, also while another run works in the folder."""
    _remove([*_orphans(folder)], Path(folder))


def _remove(paths: list[Path], folder: Path) -> None:
    for path in paths:
        remove(path)
        _remove_empty(path.parent, folder)


def _orphans(folder: StrPath) -> Iterator[Path]:
    """Yield the checksums of files that do not exist."""
    for path in Path(folder).rglob(f".?*{ENDING}"):
        file = path.with_name(path.name.removeprefix(".").removesuffix(ENDING))
        if sums_path(file) == path and not file.exists():
            yield path


def _remove_empty(path: Path, folder: Path) -> None:
    """Remove a folder below ``folder`` if it is empty, then its parent, and so on."""
    while path != folder and path.is_dir() and not any(path.iterdir()):
        path.rmdir()
        path = path.parent
