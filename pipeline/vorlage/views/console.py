"""Shows results in a terminal or as text: what draws itself by `__rich_console__`, and tables."""

import re
from collections.abc import Container, Iterator, Sequence
from io import StringIO
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType
from rich.table import Table
from rich.text import Text

# What is shown for these signs where the encoding lacks them, as ASCII and Windows-1252 do.
SIGNS = {**dict(zip("✓✗«»■“”‘’–", "+x<>#\"\"''-", strict=True)), "←": "<-", "≠": "!=", "…": "..."}
JOINERS = "\u200c\u200d"  # They join letters and emoji, although Python does not count them as printable.


class ShownTable(NamedTuple):
    """A table about the pair `id`, with `notes` below it; its columns `numbers` are aligned right."""

    id: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Container[str]
    notes: Sequence[str] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        table = Table(box=None, pad_edge=False)
        for name in self.columns:
            table.add_column(name, justify="right" if name in self.numbers else "left")
        for row in self.rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        yield table
        yield from map(Text, self.notes)


def show(result: ConsoleRenderable, console: Console) -> None:
    """Print a result, without spaces at the ends of lines."""
    with console.capture() as capture:
        console.print(result)
    # A table pads its lines with spaces, which a file should not have.
    lines = capture.get().splitlines()
    console.file.write("\n".join(map(str.rstrip, lines)) + "\n")


def shown_text(result: ConsoleRenderable, width: int) -> str:
    """Return what a console without colours shows."""
    buffer = StringIO()
    show(result, Console(file=buffer, color_system=None, width=width))
    return buffer.getvalue()


def replace_signs(error: UnicodeError) -> tuple[str, int]:
    """Return what is shown for characters that cannot be encoded: an error handler for `codecs`."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    return "".join(SIGNS.get(character, "?") for character in missing), error.end


def printable(text: str) -> str:
    """Return a text with spaces for the characters that could move the cursor or hide others.

    The marks `>` of a quoted e-mail become spaces where they follow a line break.
    """
    text = re.sub(r"\n[ \t>]+", lambda match: " " * len(match[0]), text)
    return "".join(c if c.isprintable() or c in JOINERS else " " for c in text)
