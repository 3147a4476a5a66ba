"""What `vorlage align` and `vorlage attribute` share: options, pairs, and the forms of their output."""

import codecs
import os
import sys
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import find_spec
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from rich.console import Console
from rich.markup import escape

from vorlage.alignments.terminal import ShownTable, replace_signs, show, shown_text
from vorlage.alignments.viewer import ViewName, viewer_page
from vorlage.api.aligned import AlignedPair
from vorlage.api.blocks import Task
from vorlage.api.trained_model import TrainedModel
from vorlage.attribution.result import Attribution
from vorlage.command.errors import InputError, Stopped
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress
from vorlage.documents.records import ONE, STANDARD_INPUT
from vorlage.encoder.installed import MULTILINGUAL, find_model
from vorlage.files.inputs import is_special, printable_path
from vorlage.files.outputs import (
    append_lines,
    check_folder,
    remove_leftovers,
    replacing,
    take_over,
    write_lines,
    write_text,
)
from vorlage.files.parts import WHOLE
from vorlage.files.tables import to_row
from vorlage.semihmm.decode.load import SHIPPED
from vorlage.text.detect import check_language
from vorlage.workflow.fingerprint import digest, file_digest, package_fingerprint

Item = TypeVar("Item")
Shown: TypeAlias = Attribution | AlignedPair | ShownTable  # what a terminal shows of a pair

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
    resume = "continue with the pairs that the same command had left when it was stopped or killed"
    parser.add_argument("--resume", action="store_true", help=resume)


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
    if (ending := _ending(options)).isalpha() and ending not in ENDINGS:
        shown = ", ".join(f".{each}" for each in ENDINGS)
        raise InputError(f"{options.output}: --output writes no .{ending}; use a name that ends in {shown}")
    chosen = [form for form in ("json", "tsv", "html") if getattr(options, form)]
    options.form = chosen[0] if chosen else _usual_form(options)
    if options.resume and not _is_resumable(options):
        parser.error("argument --resume: only allowed with --pairs FILE and --output FILE, for JSON lines")
    if options.form == "parquet" and not find_spec("pyarrow"):
        raise InputError("--output: Parquet needs pandas and pyarrow; `pip install pandas pyarrow`")
    return options


def _ending(options: Namespace) -> str:
    """Return the ending of the output's name in small letters, without the dot."""
    return Path(options.output or "").suffix.lower().removeprefix(".")


def _reports(options: Namespace) -> list[str]:
    """Return the files of the reports over all texts, which `vorlage attribute` writes."""
    return [path for name in ("report", "junit") if (path := vars(options).get(name))]


def _usual_form(options: Namespace) -> str:
    """Return the form of the output if no option chooses it: pairs are for programs, except in a terminal."""
    if (ending := _ending(options)) in TABLES or ending in JSON:
        return "json" if ending in JSON else ending
    if _reports(options) and not options.output:
        return "none"
    return "json" if options.pairs and (options.output or not sys.stdout.isatty()) else "terminal"


def pair_id(path: str) -> str:
    """Return the id of a pair whose text is in a file."""
    return Path(path).stem if path != STANDARD_INPUT and path.isprintable() else ONE


def _is_resumable(options: Namespace) -> bool:
    """Return whether what is finished is kept when the command is stopped."""
    files = options.pairs and options.output and not is_special(options.output)
    return options.form == "json" and bool(files) and not _is_read_once(options) and not is_checked(options)


def is_checked(options: Namespace) -> bool:
    """Return whether all texts together must pass, and status 1 says that one does not."""
    return bool(_reports(options)) or vars(options).get("fail_under") is not None


def _is_read_once(options: Namespace) -> bool:
    """Return whether the pairs, or their extracts, come from a pipe."""
    paths = filter(None, (options.pairs, vars(options).get("extracts")))
    return any(path == STANDARD_INPUT or is_special(path) for path in paths)


def _fingerprint(options: Namespace, model: TrainedModel) -> str:
    """Return the fingerprint of all that decides the output: code, model, settings and files."""
    values = dict(vars(options)) | {"model": options.model or SHIPPED}
    for name in ("output", "processes", "resume", "log"):
        values.pop(name, None)
    for name, value in values.items():
        if isinstance(value, str | Path) and os.path.exists(value):
            values[name] = _digest(Path(value))
    return digest(
        (package_fingerprint(), model.parameters.encoder, find_model(MULTILINGUAL), sorted(values.items()))
    )


def _digest(path: Path) -> Any:
    """Return a digest of a file, or the names, sizes and times of those of a folder, which may be large."""
    if not path.is_dir():
        return file_digest(path)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]


def input_name(options: Namespace) -> str:
    """Return the name of what a command reads, for messages and titles."""
    path = options.pairs or options.files[-1]
    return "standard input" if path == STANDARD_INPUT else printable_path(Path(path).name)


def open_pairs(read: Callable[[], Iterable[Item]], options: Namespace) -> tuple[Iterable[Item], int]:
    """Return the pairs of a command and their number; pairs of a pipe are held in memory.

    An error in any pair ends the command before the first answer. A part of a file may have no pairs.
    `read`: reads the pairs, each time from the beginning.
    """
    if _is_read_once(options):
        held = list(read())
        items, count = iter(held), len(held)
    else:
        items, count = iter(read()), sum(1 for _ in read())
    if not count and getattr(options, "part", str(WHOLE)) == str(WHOLE):
        raise InputError(
            f"{input_name(options)}: no pairs; write an object with `id`, `document` and `summary` a line"
        )
    return items, count


def write(
    options: Namespace,
    model: TrainedModel,
    answer: Callable[[TrainedModel, Any], Task[Any]],
    pairs: tuple[Iterable[Any], int],
    columns: Iterable[str],
    view: ViewName,
    take: Callable[[Any], Any] | None = None,
) -> None:
    """Write what a command finds.

    Args:
        options: `form`, the files to write, and the number of `processes`.
        model: the model.
        answer: the task that returns lines of JSON, rows, the data of the viewer, or what the terminal shows.
        pairs: those of `open_pairs`, which `answer` takes, and their number.
        columns: of a table.
        view: of a page.
        take: returns what is written of an answer; None for all of it.
    """
    fingerprint, kept, (items, count) = None, 0, pairs
    if _is_resumable(options):
        fingerprint = _fingerprint(options, model)
        if options.resume:
            kept = take_over(options.output, fingerprint)
        else:
            remove_leftovers(options.output)
    answers = model.map(answer, islice(items, kept, None), max(1, min(options.processes, count - kept)))
    with Progress(view, count - kept) as progress:
        counted = progress.count_all(map(take, answers) if take else answers)
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
            if fingerprint:
                try:
                    append_lines(options.output, lines, fingerprint, kept)
                except Stopped:
                    print(f"{kept + progress.done} of {count} pairs are kept for --resume", file=sys.stderr)
                    raise
            elif options.output:
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
