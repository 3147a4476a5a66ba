"""Fit the decoder `rescored` of a trained model to gold: `vorlage fit-rescorer`."""

from collections.abc import Sequence

from vorlage.api.alignment_model import find_shipped
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.command.progress import Progress, log
from vorlage.semihmm.decode.load import open_aligner
from vorlage.settings import Decoding
from vorlage.workflow.rescorer.fitting import cross_validate, fit, gain_rows, make_example
from vorlage.workflow.score.reference import read_annotated
from vorlage.workflow.tables import format_table


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Fit the decoder `rescored` of a trained model to gold, and print what it gains by cross-validation."""
    parser = CommandParser("fit-rescorer", main)
    parser.add_argument("--gold", required=True, help="gold alignments of words, with sure links")
    parser.add_argument("--corpus", required=True, help="its pairs: corpus.jsonl of the corpus stage")
    parser.add_argument("--model", help="the trained model (default: the supplied one)")
    parser.add_argument("--encoder", help="its encoder, a folder or name (default: see config)")
    parser.add_argument("--trees", help="trees.npz of the parse stage (default: parse if the model needs it)")
    parser.add_argument("--output", required=True, help="file to write, such as rescorer.npz")
    Decoding.add_options(parser, set(Decoding.model_fields) - {"decoder", "rescorer"})
    options = parser.parse(arguments)

    annotated, _ = read_annotated(options.corpus, options.gold)
    model = options.model or find_shipped(options.encoder)
    aligner = open_aligner(model, options.trees, None, options.encoder)
    decoding = Decoding.from_options(options, encoder=aligner.model.settings.encoder)
    with Progress("align", len(annotated)) as progress:
        examples = [
            make_example(aligner, pair, golds, decoding) for pair, golds in progress.count(annotated.values())
        ]
    log.info(f"{options.gold}: fitting trees to {len(examples)} pairs")
    chosen, threshold = cross_validate(examples)
    fit(examples, threshold, aligner.model.encoder).save(options.output)
    usual, rescored = rows = gain_rows(examples, chosen)
    print(format_table(rows, ["decoder", "P", "R", "F", "gain"]))
    print(f"by cross-validation on {len(examples)} pairs; links are above {threshold:.2f}")
    if float(rescored["F"]) <= float(usual["F"]):
        print("this gold is too little for a gain; keep the decoder `posterior`, or annotate more pairs")
