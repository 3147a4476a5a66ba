"""What `vorlage align` and `vorlage attribute` share: options, pairs, and the forms of their output."""

import codecs
import sys
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import find_spec
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, TypeVar

from rich.console import Console, ConsoleRenderable
from rich.markup import escape

from vorlage.command.errors import InputError
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.documents.records import DEFAULT_ID, STANDARD_INPUT
from vorlage.files.inputs import is_special, printable_path
from vorlage.files.jsonl import to_line
from vorlage.files.outputs import check_folder, replacing, to_row, write_lines, write_text
from vorlage.files.parts import WHOLE
from vorlage.text.detect import check_language
from vorlage.types import JsonObject
from vorlage.views.console import replace_signs, show, shown_text
from vorlage.views.viewer import ViewName, viewer_page

Item = TypeVar("Item")


class Result(Protocol):
    """What is found of a pair."""

    def to_json(self) -> JsonObject:
        """Return it as a line of JSON."""

    def viewer_data(self) -> JsonObject:
        """Return what the viewer shows of it."""


class Shown(ConsoleRenderable, Protocol):
    """What a terminal shows of a pair."""

    @property
    def id(self) -> str:
        """The id of the pair."""


FILE = "a text, PDF, Word document, HTML page, mail, subtitles or table (CSV); - reads standard input"
TABLES = {"csv": ",", "parquet": "", "tsv": "\t"}  # forms of a table, and what separates its cells
JSON = ("json", "jsonl", "ndjson")
ENDINGS = (*TABLES, *JSON, "txt", "log", "out")  # of files, if it is the name of a format
FILE_WIDTH = 100  # columns of a file with what a terminal shows


def add_output_options(parser: ArgumentParser, line: str, row: str) -> None:
    """Add the options that both commands have; `line`, `row`: what a line of JSON and a table hold."""
    output = "file to write; .csv, .parquet, .tsv write a table, .jsonl JSON lines (default: standard output)"
    parser.add_argument("--output", metavar="FILE", help=output)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help=f"write JSON lines: {line}")
    forms.add_argument("--tsv", action="store_true", help=f"write a table: {row}")
    forms.add_argument("--html", metavar="FILE", help="write a page with the viewer, which opens from disk")
    parser.add_argument("--model", metavar="FILE", help="a trained model (default: the supplied one)")
    for option, side in (("--language", "text"), ("--document-language", "document")):
        shown = f"of the {side}, two letters such as de (default: detected)"
        parser.add_argument(option, metavar="CODE", type=partial(check_language, name=option), help=shown)
    parser.add_argument(
        "--tokenized", action="store_true", help="tokens are separated by spaces; a line is a sentence"
    )
    parser.add_argument(
        "--processes", type=int, default=1, help="how many work on the pairs of a file (default: 1)"
    )


def parse(parser: CommandParser, arguments: list[str] | None, max_files: int | None) -> Namespace:
    """Parse the options of a command with at most `max_files` files; wrong ones end it with status 2.

    `options.form` is `json`, one of `TABLES`, `html`, `terminal` or, if only a report is asked for, `none`.
    """
    options = parser.parse(arguments)
    if options.pairs:
        if options.files:
            parser.error("argument --pairs: not allowed with files")
    elif len(options.files) < 2 or len(options.files) > (max_files or len(options.files)):
        parser.error(f"give {'two' if max_files else 'at least two'} files, or --pairs")
    if options.html and options.output:
        parser.error("argument --output: not allowed with --html, which names the file")
    if options.processes < 1:
        parser.error(f"argument --processes: {options.processes} is not a whole number of at least 1")
    if options.files.count(STANDARD_INPUT) > 1:
        raise InputError("-: standard input can be read once; give a file for the other text")
    for path in filter(None, (options.output, options.html, *_reports(options))):
        check_folder(path)
    ending = Path(options.output or "").suffix.lower().removeprefix(".")
    if ending.isalpha() and ending not in ENDINGS:
        shown = ", ".join(f".{name}" for name in ENDINGS)
        raise InputError(f"{options.output}: --output writes no .{ending}; use a name that ends in {shown}")
    chosen = [form for form in ("json", "tsv", "html") if getattr(options, form)]
    options.form = chosen[0] if chosen else _usual_form(options, ending)
    if options.form == "parquet" and not find_spec("pyarrow"):
        raise InputError("--output: Parquet needs pandas and pyarrow; `pip install pandas pyarrow`")
    return options


def _reports(options: Namespace) -> list[str]:
    """Return the files of the reports over all texts, which `vorlage attribute` writes."""
    return [path for name in ("report", "junit") if (path := vars(options).get(name))]


def _usual_form(options: Namespace, ending: str) -> str:
    """Return the form of the output if no option chooses it: pairs are for programs, except in a terminal."""
    if ending in TABLES:
        return ending
    if ending in JSON:
        return "json"
    if _reports(options) and not options.output:
        return "none"
    return "json" if options.pairs and (options.output or not sys.stdout.isatty()) else "terminal"


def pair_id(path: str) -> str:
    """Return the id of a pair whose text is in a file."""
    return Path(path).stem if path != STANDARD_INPUT and path.isprintable() else DEFAULT_ID


def is_checked(options: Namespace) -> bool:
    """Return whether all texts together must pass, and status 1 says that one does not."""
    return bool(_reports(options)) or vars(options).get("fail_under") is not None


def input_name(options: Namespace) -> str:
    """Return the name of what a command reads, for messages and titles."""
    path = options.pairs or options.files[-1]
    return "standard input" if path == STANDARD_INPUT else printable_path(Path(path).name)


def open_pairs(read: Callable[[], Iterable[Item]], options: Namespace) -> tuple[Iterable[Item], int]:
    """Return the pairs of a command and their number; pairs of a pipe are held in memory.

    An error in any pair ends the command before the first answer. A part of a file may have no pairs.
    `read`: reads the pairs, each time from the beginning.
    """
    paths = filter(None, (options.pairs, vars(options).get("extracts")))
    if any(path == STANDARD_INPUT or is_special(path) for path in paths):
        held = list(read())
        items, count = iter(held), len(held)
    else:
        items, count = iter(read()), sum(1 for _ in read())
    if not count and getattr(options, "part", str(WHOLE)) == str(WHOLE):
        raise InputError(
            f"{input_name(options)}: no pairs; write an object with `id`, `document` and `summary` a line"
        )
    return items, count


def in_form(result: Result, form: str, rows: Callable[[], Iterable[Any]]) -> Any:
    """Return a result as `write` takes it: lines of JSON, `rows`, data of the viewer, or itself."""
    if form == "html":
        return result.viewer_data()
    if form == "json":
        return [to_line(result.to_json())]
    return list(rows()) if form in TABLES else result


def write(
    options: Namespace,
    find: Callable[[Iterable[Any], int], Iterable[Any]],
    pairs: tuple[Iterable[Any], int],
    columns: Iterable[str],
    view: ViewName,
) -> None:
    """Write what a command finds.

    Args:
        options: `form`, the files to write, and the number of `processes`.
        find: returns for pairs, by a number of processes, what is written of each, as `in_form` returns it.
        pairs: those of `open_pairs`, and their number.
        columns: of a table.
        view: of a page.
    """
    items, count = pairs
    answers = find(items, max(1, min(options.processes, count)))
    with Progress(view, count) as progress:
        counted = progress.count_all(answers)
        if options.form == "none":
            deque(counted, maxlen=0)
        elif options.form == "html":
            write_text(options.html, viewer_page(input_name(options), counted, view))
        elif options.form == "terminal":
            _show(counted, options.output, bool(options.pairs))
        elif options.form == "parquet":
            import pandas

            rows = pandas.DataFrame(list(chain.from_iterable(counted)), columns=list(columns))
            with replacing(options.output) as temporary:
                rows.convert_dtypes().to_parquet(temporary, index=False)
        else:
            lines: Iterable[Any] = chain.from_iterable(counted)
            if options.form in TABLES:
                lines = map(partial(to_row, delimiter=TABLES[options.form]), chain([columns], lines))
            if options.output:
                write_lines(options.output, lines)
            else:
                if isinstance(sys.stdout, TextIOWrapper):
                    sys.stdout.reconfigure(encoding="utf-8")
                for line in lines:
                    print(line)
                sys.stdout.flush()


def _show(results: Iterable[Shown], output: str | None, named: bool) -> None:
    """Show results in the terminal, `named` by the ids of their pairs, or write them to a file."""
    if output:
        write_text(output, "".join(shown_text(result, FILE_WIDTH) for result in results))
        return
    if isinstance(sys.stdout, TextIOWrapper):
        codecs.register_error("signs", replace_signs)
        sys.stdout.reconfigure(errors="signs")
    console = Console()
    for result in results:
        if named:
            console.rule(escape(result.id), align="left")
        show(result, console)
        sys.stdout.flush()
