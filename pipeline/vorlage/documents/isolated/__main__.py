"""Extracts the text of a PDF, a Word document, an HTML page or a mail in a process of its own.

    python -m vorlage.documents.isolated pdf 30 < file

The libraries can take minutes and gigabytes for a small file that was made for that, and hold Python's lock
meanwhile. So `vorlage.documents.formats` runs this as a program. It writes a JSON object: `pages`, a list of
texts, or `missing`, how to install a package, or `error`.
"""

import json
import sys
from importlib import import_module

from vorlage.command.errors import find_missing
from vorlage.documents.isolated.raised import write_raised

MAX_CHARACTERS = 10_000_000
MAX_MEMORY = 2 << 30  # bytes


def limit(seconds: int) -> None:
    """Limit the time and the memory of this process, where the system can do it."""
    if sys.platform != "win32":
        import resource
        import signal

        signal.alarm(seconds)  # ends the process even in a library that does not return
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MAX_MEMORY if hard == resource.RLIM_INFINITY else min(MAX_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main(kind: str, seconds: str) -> None:
    """Write what the file on standard input holds. `kind`: a module beside this one with `read_pages`."""
    limit(int(seconds))
    answer: dict[str, object]
    try:
        pages, characters = [], 0
        for page in import_module(f"vorlage.documents.isolated.{kind}").read_pages(sys.stdin.buffer.read()):
            pages.append(write_raised(page))
            characters += len(page)
            if characters > MAX_CHARACTERS:
                raise ValueError(f"more than {MAX_CHARACTERS:,} characters")
        answer = {"pages": pages}
    except ModuleNotFoundError as error:
        answer = {"missing": find_missing(error) or str(error)}
    except Exception as error:  # pypdf raises what it meets in a damaged file, not only errors of its own
        answer = {"error": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
