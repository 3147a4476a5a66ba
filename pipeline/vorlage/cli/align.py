"""The command `vorlage align`: two files, a file of pairs, or a corpus with its extracts."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any, TypeAlias

from vorlage.alignments.stretches import find_stretches
from vorlage.api.alignment_model import AlignmentModel, find_openers
from vorlage.api.batches import align_all, make_request, map_batches
from vorlage.api.derivation import Derivation, derive
from vorlage.cli.outputs import (
    FILE,
    add_output_options,
    in_form,
    open_pairs,
    pair_id,
    parse,
    write,
)
from vorlage.command.errors import command
from vorlage.command.options import CommandParser, refuse_inputs
from vorlage.command.progress import start_log
from vorlage.documents.formats import check_order, read_text
from vorlage.documents.pair import Pair
from vorlage.documents.records import Record, read_records
from vorlage.extract.extracts import read_extracted_pairs
from vorlage.files.digests import digest, file_digest
from vorlage.files.jsonl import to_line
from vorlage.files.parts import add_part_option, parse_part
from vorlage.semihmm.decode.aligner import open_link_scorer, system_name
from vorlage.settings import Decoding
from vorlage.text.detect import Languages
from vorlage.views.alignment import COLUMNS, phrase_rows
from vorlage.views.console import ShownTable

# A pair, and the document sentences that it is aligned to; None for all, or for the best of a long document.
PairToAlign: TypeAlias = tuple[Record | Pair, Sequence[int] | None]


@command
def main(arguments: list[str] | None = None) -> None:
    """Find the part of a document that each part of its summary comes from."""
    parser = _make_parser()
    options = parse(parser, arguments, max_files=2)
    if options.extracts and not options.pairs:
        parser.error("argument --extracts: only allowed with --pairs")
    if options.explain and options.form not in ("json", "terminal"):
        parser.error(f"argument --explain: not allowed with --{options.form}")
    if options.log:
        start_log(options.log)
    pairs = open_pairs(_open_source(options), options)
    model = AlignmentModel(*find_openers(options.model, options.encoder, options.trees, options.similarities))
    decoding = Decoding.from_options(options, encoder=model.parameters.settings.encoder)
    system = system_name(model.parameters, decoding, options.system)
    chosen = decoding.model_dump(exclude={"rescorer"})
    if decoding.decoder == "rescored" and decoding.rescorer:
        refuse_inputs((options.output, options.html), [decoding.rescorer])
        open_link_scorer(decoding.rescorer, model.parameters.encoder)
        chosen["rescorer"] = file_digest(decoding.rescorer)
    fingerprint = digest((version("vorlage"), chosen, model.parameters.origin.fingerprint))
    find = partial(map_batches, partial(_answer, model, options, decoding, system, fingerprint))
    write(options, find, pairs, COLUMNS, "alignment")


def _make_parser() -> CommandParser:
    usage = "%(prog)s DOCUMENT SUMMARY [options]\n       %(prog)s --pairs FILE [--output FILE] [options]"
    parser = CommandParser("align", main, usage=usage, log=False)
    parser.add_argument("files", nargs="*", metavar="DOCUMENT SUMMARY", help=f"two files: each {FILE}")
    pairs = "instead: JSON lines or CSV with `id`, `document` and `summary`; - reads standard input"
    parser.add_argument("--pairs", "--corpus", metavar="FILE", help=pairs)
    parser.add_argument(
        "--extracts", metavar="FILE", help="extracts.jsonl of the corpus (default: all sentences)"
    )
    add_part_option(parser)
    add_output_options(parser, "alignments.jsonl", "a row for each pair of phrases")
    parser.add_argument("--system", help="name of the system in the output (default: semihmm-JUMP)")
    parser.add_argument(
        "--trees", metavar="FILE", help="trees.npz of the parse stage (default: parse if the model needs it)"
    )
    parser.add_argument(
        "--similarities", metavar="FOLDER", help="of the encode stage, for a model with an encoder"
    )
    parser.add_argument("--encoder", help="instead: the encoder, a folder or name (default: see config)")
    stretches = "write stretches too: which part of the document each part of a sentence comes from"
    parser.add_argument("--stretches", action="store_true", help=stretches)
    explain = "write the best path instead: a line for each step, with its jump and its rewrite"
    parser.add_argument("--explain", action="store_true", help=explain)
    parser.add_argument("--log", metavar="FILE", help="file for the log")
    Decoding.add_options(parser)
    return parser


def _open_source(options: Namespace) -> Callable[[], Iterable[PairToAlign]]:
    """Return a function that yields the pairs that the options name."""
    if not options.pairs:
        document, summary = map(read_text, options.files)
        check_order([document], summary)
        path = options.files[1]
        record = Record(pair_id(path), path, document, summary)
        return lambda: [(record, None)]
    part = parse_part(options.part)
    if options.extracts:
        read = partial(read_extracted_pairs, options.pairs, options.extracts, part)
        return lambda: ((pair, extract.sentences) for pair, extract in read())
    return lambda: ((record, None) for record in read_records(options.pairs, part))


def _answer(
    model: AlignmentModel,
    options: Namespace,
    decoding: Decoding,
    system: str,
    fingerprint: str,
    pairs: Iterable[PairToAlign],
) -> Iterator[Any]:
    """Align pairs, here or in another process, and yield each in the form of the output.

    `system`, `fingerprint`: in the output.
    """
    languages = Languages(options.language, options.document_language)
    requests = (
        model.request(text, options.tokenized, languages, decoding)
        if isinstance(text, Record)
        else make_request(model.aligner, text, sentences, decoding)
        for text, sentences in pairs
    )
    if options.explain:
        for aligner, pair, sentences, _ in requests:
            derivation = derive(aligner, pair, sentences)
            is_shown = options.form == "terminal"
            yield derivation_table(derivation) if is_shown else [to_line(derivation.to_json())]
        return
    for aligned in align_all(requests):
        stretches = find_stretches(aligned.alignment.links, aligned.pair) if options.stretches else []
        aligned.alignment = replace(
            aligned.alignment, system=system, fingerprint=fingerprint, stretches=stretches
        )
        yield in_form(aligned, options.form, partial(phrase_rows, aligned.alignment, aligned.pair))


def derivation_table(derivation: Derivation) -> ShownTable:
    """Return what the terminal shows of a derivation, a row for each step."""
    rows = [
        (
            step["summary_text"] or "",
            step["document_text"] or ("∅" if step["summary"] else ""),
            f"{step['from']} → {step['to'] or '∅'}",
            f"{step['jump']:.2g}",
            step["kind"],
            f"{step['rewrite']:.2g}",
            f"{step['log_probability']:.2f}",
        )
        for step in derivation.to_json()["steps"]
    ]
    columns = ("summary", "document", "jump", "jump Pr", "rewrite", "rewrite Pr", "log Pr")
    note = f"log Pr of the path: {derivation.log_probability:.6f}"
    return ShownTable(derivation.pair.id, columns, rows, ("jump", "jump Pr", "rewrite Pr", "log Pr"), [note])
