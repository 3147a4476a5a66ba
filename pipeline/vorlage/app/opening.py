"""Opens files by what they hold: pairs, alignments, gold and sources, from the disk or from the page."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from vorlage.app.found_sources import KEYS
from vorlage.app.opened import Opened
from vorlage.app.record_file import Given, RecordFile
from vorlage.command.errors import InputError, shorten
from vorlage.report.selection import read_golds
from vorlage.types import JsonObject

FORMATS = (
    "give a folder of results (results/<name>), an alignments.jsonl, pairs as JSON lines with `id`, "
    "`document` and `summary`, or what `vorlage attribute --json` has written of them"
)
CORPUS = Path("corpus/corpus.jsonl")  # in a folder of results


class TextsMissing(InputError):
    """The texts that sources are of have not been opened."""


def open_paths(paths: Sequence[str]) -> list[Opened]:
    """Open the files and folders of the command line; raise `InputError` for one that is neither."""
    opened: list[Opened] = []
    for folder in filter(Path.is_dir, map(Path, paths)):
        opened = open_files(_in_results(folder), opened)
    return open_files([Given(path) for path in map(Path, paths) if not path.is_dir()], opened)


def open_files(files: Iterable[Given], opened: Sequence[Opened]) -> list[Opened]:
    """Return what is opened together with more files; raise `InputError` for one that cannot be used.

    Alignments, gold and sources go with the first corpus that has all their pairs, of those that are given
    with them and then of those `opened` before. Alignments without one go with the corpus of their folder
    of results, or by themselves. What the page has sent again replaces what it sent before.
    """
    shelf = [replace(one, systems=[*one.systems], golds={**one.golds}) for one in opened]
    kinds = [(find_kind(file.first(), file.path), file) for file in files]
    new = [Opened(_name(file.path), RecordFile.open(file)) for kind, file in kinds if kind == "pairs"]
    for one in new:
        _place(shelf, one)
    for kind, file in kinds:
        if kind in _ADDERS:
            _ADDERS[kind](shelf, [*new, *shelf], file)
    return shelf


def find_kind(record: JsonObject, path: Path) -> str:
    """Return what a file is by its first record; raise `InputError` for anything else."""
    kinds = {
        "alignments": {"document_tokens", "summary_tokens", "alignments"},
        "sources": KEYS,
        "pairs": {"document", "summary"},
        "gold": {"id", "alignments"},
    }
    for kind, keys in kinds.items():
        if keys <= record.keys():
            return kind
    raise InputError(f"{path}: has neither pairs nor alignments; {FORMATS}")


def _add_alignments(shelf: list[Opened], homes: Sequence[Opened], given: Given) -> None:
    file = RecordFile.open(given)
    home = _find_home(homes, file.places)
    if home is None:
        home = Opened(given.path.name, None if given.content is not None else _corpus_around(file))
        home.systems.append(file)
        _place(shelf, home)
        return
    system = file.first.get("system")
    for number, other in enumerate(home.systems):
        if other.first.get("system") == system:
            if None in (other.given.content, given.content):
                raise InputError(
                    f"{file.path}: system {shorten(system)} is in {other.path} too; give each system once"
                )
            home.systems[number] = file
            return
    home.systems.append(file)


def _add_gold(shelf: list[Opened], homes: Sequence[Opened], given: Given) -> None:
    golds = read_golds(given.path, ((number, line) for number, _, line in given.lines()))
    if not golds:  # no pair is finished
        return
    home = _find_home(homes, golds)
    if home is None:
        raise InputError(f"{given.path}: is gold of pairs that are not opened; open the pairs with it")
    home.golds.clear()
    home.golds.update(golds)


def _add_sources(shelf: list[Opened], homes: Sequence[Opened], given: Given) -> None:
    file = RecordFile.open(given)
    home = _find_home(homes, file.places)
    if home is None:
        raise TextsMissing(
            f"{given.path}: has sources, but not the texts that they are of; open the pairs with these ids "
            "too, or put the document and the text into the page first"
        )
    _place(shelf, Opened(given.path.name, home.corpus, sources=file))


_ADDERS: dict[str, Callable[[list[Opened], Sequence[Opened], Given], None]] = {
    "alignments": _add_alignments,
    "gold": _add_gold,
    "sources": _add_sources,
}


def _find_home(homes: Sequence[Opened], ids: Collection[str]) -> Opened | None:
    """Return the first corpus that has all these pairs."""
    corpora = (one for one in homes if one.corpus and not one.sources)
    return next((one for one in corpora if one.corpus and one.corpus.places.keys() >= set(ids)), None)


def _place(shelf: list[Opened], new: Opened) -> None:
    """Add what is opened, in place of what the page has sent before under the same name with the same ids."""

    def key(one: Opened) -> object:
        return one.name, one.main.first.get("system"), one.ids

    for number, one in enumerate(shelf):
        if None not in (one.main.given.content, new.main.given.content) and key(one) == key(new):
            shelf[number] = new
            return
    shelf.append(new)


def _name(path: Path) -> str:
    """Return the name of pairs: that of their file or, in a folder of results, of the folder."""
    inside = path.parts[-2:] == CORPUS.parts and path.parents[1].name
    return inside or path.name


def _in_results(folder: Path) -> list[Given]:
    """Return the files of a folder of results."""
    if not (folder / CORPUS).is_file():
        raise InputError(f"{folder}: is a folder without {CORPUS}; {FORMATS}")
    folder = folder.resolve() if folder.name in ("", "..") else folder
    gold = folder / CORPUS.with_name("gold.jsonl")
    golds = [gold] if gold.is_file() and gold.stat().st_size else []
    systems = folder.glob("align/*/alignments.jsonl")
    return in_order([Given(path) for path in (folder / CORPUS, *golds, *systems)])


def in_order(files: Iterable[Given]) -> list[Given]:
    """Return files in the order to open them: the viewer begins with the first system."""
    return sorted(files, key=lambda file: (not file.path.parent.name.startswith("semihmm"), file.path))


def _corpus_around(file: RecordFile) -> RecordFile | None:
    """Return the corpus that alignments on the disk belong to by their place."""
    folders = file.path.resolve().parents[2:3]
    corpora = [RecordFile.open(Given(folder / CORPUS)) for folder in folders if (folder / CORPUS).is_file()]
    return next((corpus for corpus in corpora if file.places.keys() <= corpus.places.keys()), None)
