"""Text for people: control characters never reach a terminal or a table, and any locale can print it."""

import io
import logging
import re
import sys

# C0 and C1 controls but for tabs and line feeds: they could move the cursor, hide text or run commands.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    r"""Return a text whose control characters, but for tabs and line feeds, are escaped: `\x1b`."""
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def say(text: str) -> None:
    """Print a text to standard output, with control characters visible."""
    print(visible(text))


def accept_any_locale() -> None:
    r"""Make standard output and standard error escape what their encoding lacks, such as `\u2192`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class VisibleFormatter(logging.Formatter):
    """Formats log records with control characters visible."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        return visible(super().format(record))
