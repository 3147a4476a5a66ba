"""Train a translation model: `vorlage train-translation`.

    vorlage train-translation --model ibm1 --source doc --corpus corpus.jsonl \\
        --extracts extracts.jsonl --output ibm1-doc
    vorlage train-translation --model hmm --source doc --start ibm1-doc --output hmm-doc

Model 1 → HMM → Model 4: each is trained from the one before, and stored in a folder of its own. The training
data are the sentence pairs of `vorlage.baselines.bitext`.
"""

from vorlage.baselines import translation
from vorlage.baselines.bitext import WordPair, make_bitext
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.settings import Translation, add_options, from_options
from vorlage.types import StrPath


def read_pairs(corpus: StrPath, extracts: StrPath) -> list[WordPair]:
    """Return the sentence pairs of a corpus, and write their numbers to the log."""
    longest = translation.longest_sentence()
    bitext = make_bitext(corpus, extracts, longest)
    log.info(
        f"{bitext.sentences} summary sentences in {bitext.sides} pairs of up to {longest} words on a side, "
        f"{len(bitext.pairs) - bitext.sides} pairs of identical words"
    )
    return bitext.pairs


@command
def main(arguments: list[str] | None = None) -> None:
    """Train a translation model on a corpus and its extracts."""
    parser = CommandParser("train-translation", main)
    parser.add_argument("--model", required=True, choices=translation.MODELS, help="which model")
    parser.add_argument(
        "--source", required=True, choices=translation.SOURCES, help="the source: document or summary"
    )
    parser.add_argument(
        "--start", help="folder of the model to start from: hmm needs an ibm1, model4 needs an hmm"
    )
    parser.add_argument("--corpus", help="corpus.jsonl of the corpus stage, without --start")
    parser.add_argument("--extracts", help="extracts.jsonl of the extract stage, without --start")
    parser.add_argument("--output", required=True, help="folder to write")
    parser.add_argument("--seed", type=int, default=1, help="seed of eflomal (default: 1)")
    add_options(parser, Translation)
    options = parser.parse(arguments)
    settings = from_options(options, Translation)
    start = None
    pairs: list[WordPair] = []
    start_name = translation.MODELS[options.model].start
    if start_name:
        if not options.start:
            raise InputError(
                f"--start is missing: the training of {options.model} starts from {start_name}; "
                "give the folder of that model"
            )
        start = translation.load(start_name, options.start)
    elif options.corpus and options.extracts:
        pairs = read_pairs(options.corpus, options.extracts)
    else:
        raise InputError(f"--corpus and --extracts are missing: {options.model} is trained on them")
    model = translation.train(options.model, pairs, options.source, settings.iterations, options.seed, start)
    translation.save(model, options.output)
    log.info(f"{options.model}: trained on {model.num_sentence_pairs} sentence pairs")
