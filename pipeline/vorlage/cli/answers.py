"""Runs `vorlage align` and `vorlage attribute`, from the texts to what is found in them."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO, TextIOWrapper
from itertools import tee
from pathlib import Path
from typing import TypeAlias

from rich.console import Console

from vorlage.api import TrainedModel, load_model
from vorlage.attribution.documents import joined
from vorlage.cli.findings import Aligned, Attributed, Finding
from vorlage.cli.pair_lines import PairLines
from vorlage.cli.terminal import View, show
from vorlage.command.errors import InputError
from vorlage.command.progress import Progress
from vorlage.corpus.records import Side
from vorlage.documents import STANDARD_INPUT, read_documents, read_text
from vorlage.files.jsonl import to_line
from vorlage.files.outputs import write_lines, write_text
from vorlage.files.tables import to_row
from vorlage.semihmm.decode.decoding import Decoding
from vorlage.semihmm.decode.stage import make_stamp
from vorlage.semihmm.kernels.compile import announce_compilation
from vorlage.settings import section
from vorlage.viewer.viewer import ViewName, viewer_page

FILE_WIDTH = 100  # columns of a file with what a terminal shows

# One document, or several by name.
Documents: TypeAlias = Side | Mapping[str, str]
# The id, the documents and the text of a pair.
Given: TypeAlias = tuple[str, Documents, Side]


def answer(options: Namespace) -> None:
    """Run the command whose options `vorlage.cli.usage` has parsed."""
    inputs = [*options.files, *filter(None, (options.pairs, options.model))]
    if inputs.count(STANDARD_INPUT) > 1:
        raise InputError("-: standard input can be read once; give a file for the other text")
    if options.pairs:
        _answer_pairs(options)
    else:
        _answer_files(options)


def _answer_files(options: Namespace) -> None:
    *paths, path = options.files
    texts = read_documents(paths) if options.command == "attribute" else {paths[0]: read_text(paths[0])}
    documents: Documents = next(iter(texts.values())) if len(texts) == 1 else texts
    text = read_text(path)
    given = sum(map(len, texts.values()))
    if len(text) > given:
        print(
            "note: the text is longer than its documents; documents come first, the text last",
            file=sys.stderr,
        )
    named = path != STANDARD_INPUT and path.isprintable()
    [found] = _find(options, [(Path(path).stem if named else "pair", documents, text)])
    if options.html:
        _write_page(options, found.to_json()["id"], [found])
    elif options.json or options.tsv:
        _write(options.output, _lines(options, [found]))
    else:
        _show(found.view(), options.output)


def _answer_pairs(options: Namespace) -> None:
    pairs = PairLines(options.pairs)
    count = pairs.check()
    with Progress(options.command, count) as progress:
        found = progress.count(_find(options, pairs.pairs()))
        if options.html:
            _write_page(options, pairs.title, found)
        else:
            _write(options.output, _lines(options, found))


def _find(options: Namespace, pairs: Iterable[Given]) -> Iterator[Finding]:
    """Load the model, and yield what the command finds of each pair, in order."""
    announce_compilation()
    model = load_model(*filter(None, [options.model]))
    return _align(model, options, pairs) if options.command == "align" else _attribute(model, options, pairs)


def _align(model: TrainedModel, options: Namespace, pairs: Iterable[Given]) -> Iterator[Finding]:
    decoding = Decoding.from_settings(section("semihmm", {}, encoder=model.parameters.settings["encoder"]))
    stamp = make_stamp(model.parameters, decoding)
    records = ({"id": id, "document": document, "summary": text} for id, document, text in pairs)
    for aligned in model.align_many(records, workers=options.workers, tokenized=options.tokenized):
        yield Aligned(aligned, stamp)


def _attribute(model: TrainedModel, options: Namespace, pairs: Iterable[Given]) -> Iterator[Finding]:
    pairs, given_pairs = tee(pairs)  # of which workers are a few ahead
    records = ({"id": id, "document": documents, "summary": text} for id, documents, text in pairs)
    found_in = model.attribute_many(records, workers=options.workers, tokenized=options.tokenized)
    for (_, documents, text), found in zip(given_pairs, found_in, strict=True):
        named = documents if isinstance(documents, Mapping) else {"": documents}
        given = {name: joined(side) for name, side in named.items()}
        yield Attributed(found, given, joined(text))


def _lines(options: Namespace, found: Iterable[Finding]) -> Iterator[str]:
    """Yield the lines of a JSON-lines file or a table."""
    if not options.tsv:
        yield from (to_line(finding.to_json()) for finding in found)
        return
    for number, finding in enumerate(found):
        for row in [*([] if number else [finding.columns]), *finding.rows()]:
            yield to_row(row)


def _write_page(options: Namespace, title: str, found: Iterable[Finding]) -> None:
    """Write a page with the viewer of what is found."""
    view: ViewName = "alignment" if options.command == "align" else "attribution"
    write_text(options.html, viewer_page(title, (finding.viewer_data() for finding in found), view))


def _write(output: str | None, lines: Iterable[str]) -> None:
    """Write lines to a file, or to standard output in UTF-8."""
    if output:
        write_lines(output, lines)
        return
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    for line in lines:
        print(line)
    sys.stdout.flush()


def _show(view: View, output: str | None) -> None:
    """Show a text with its sources in the terminal, or write it to a file."""
    if output:
        buffer = StringIO()
        show(view, Console(file=buffer, color_system=None, width=FILE_WIDTH))
        write_text(output, buffer.getvalue())
        return
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    show(view, Console())
    sys.stdout.flush()
