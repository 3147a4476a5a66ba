"""What the app shows: the corpora of the command line, and those that the page has sent, in memory."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from vorlage.app.found_sources import sources_data
from vorlage.app.opened import Opened
from vorlage.app.opening import TextsMissing, in_order, open_files
from vorlage.app.record_file import Given
from vorlage.app.security import MOST_BYTES
from vorlage.app.texts_sent import PASTED, Part, Sent
from vorlage.attribution.documents import Documents
from vorlage.command.errors import InputError
from vorlage.text.tokenize import make_text
from vorlage.types import JsonObject
from vorlage.viewer.viewer import viewer_page

MOST_HELD = 4 * MOST_BYTES  # of all files that the page has sent


class Shelf:
    """The corpora that are opened, by their numbers. Files that are sent are held until the app ends."""

    def __init__(self, opened: Sequence[Opened]) -> None:
        self.opened = list(opened)
        self._lock = Lock()

    def listing(self) -> list[JsonObject]:
        """Return the `name` of each corpus, and how many `pairs` and `systems` it has."""
        return [
            {
                "name": one.name,
                "pairs": len(one.ids),
                "systems": len(one.systems),
                "sources": bool(one.sources),
            }
            for one in self.opened
        ]

    def add(self, parts: Sequence[Part], texts: Sent | None) -> JsonObject:
        """Open what was sent; return the `corpora` then, the number `shown` first, and its `page`.

        Sources without a corpus are those of `texts`, what is in the form: their `page` is made and they
        are not held. Raise `InputError` if a file cannot be used; then nothing changes.
        """
        files = in_order([Given(Path(part.name or PASTED), part.content) for part in parts])
        with self._lock:
            try:
                opened = open_files(files, self.opened)
            except TextsMissing:
                if texts is None or len(files) > 1:
                    raise
                return {"corpora": self.listing(), "shown": None, "page": _page_of(files[0], texts)}
            _check_size(opened)
            held, self.opened = self.opened, opened
        changed = [number for number, one in enumerate(opened) if [one] != held[number : number + 1]]
        return {"corpora": self.listing(), "shown": changed[0] if changed else None, "page": None}


def _check_size(opened: Sequence[Opened]) -> None:
    """Raise `InputError` if the files that were sent are too large to hold."""
    files = [file for one in opened for file in (one.corpus, *one.systems, one.sources) if file]
    contents = {id(file.given.content): len(file.given.content or b"") for file in files}
    if sum(contents.values()) > MOST_HELD:
        raise InputError(
            f"more than {MOST_HELD >> 20} MB were opened from the page; name these files when you start the "
            "app: `vorlage serve FILE`"
        )


def _page_of(file: Given, texts: Sent) -> str:
    """Return the page of the sources in a file, which are those of `texts`."""
    documents, text = texts.extract()
    where = f"{file.path}, line 1"
    return viewer_page(
        texts.title,
        [sources_data(file.first(), Documents.of(documents), make_text(text), where)],
        "attribution",
    )
