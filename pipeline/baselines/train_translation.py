"""Train a translation model: ``python -m pipeline.baselines.train_translation``.

    python -m pipeline.baselines.train_translation --model ibm1 --source doc --corpus corpus.jsonl \\
        --extracts extracts.jsonl --output ibm1-doc
    python -m pipeline.baselines.train_translation --model hmm --source doc --start ibm1-doc --output hmm-doc

Model 1 → HMM → Model 4 are trained one from the other, each in a folder of its own, on the sentence pairs of
:mod:`pipeline.baselines.bitext`.
"""

import argparse

from pipeline.baselines import translation
from pipeline.baselines.bitext import make_bitext
from pipeline.run.errors import InputError, command
from pipeline.run.progress import log, start_log
from pipeline.settings import add_options, from_options


@command
def main(arguments=None):
    """Train a translation model on a corpus and its extracts."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.baselines.train_translation", description=main.__doc__
    )
    parser.add_argument("--model", required=True, choices=translation.MODELS, help="which model")
    parser.add_argument(
        "--source", required=True, choices=translation.SOURCES, help="the source: document or summary"
    )
    parser.add_argument("--start", help="folder of the model to start from: hmm wants an ibm1, model4 an hmm")
    parser.add_argument("--corpus", help="corpus.jsonl of the corpus stage, without --start")
    parser.add_argument("--extracts", help="extracts.jsonl of the extract stage, without --start")
    parser.add_argument("--output", required=True, help="folder to write")
    parser.add_argument("--seed", type=int, default=1, help="for eflomal (default: 1)")
    parser.add_argument("--log", help="log file (default: standard error)")
    add_options(parser, "translation")
    given = parser.parse_args(arguments)
    start_log(given.log)
    settings = from_options(given, "translation")
    start, pairs = None, []
    before = translation.MODELS[given.model][1]
    if before:
        if not given.start:
            raise InputError(f"--start is missing: {given.model} is trained from the folder of an {before}")
        start = translation.load(before, given.start)
    elif given.corpus and given.extracts:
        longest = translation.longest_sentence()
        bitext = make_bitext(given.corpus, given.extracts, longest)
        pairs = bitext.pairs
        log.info(
            f"{bitext.sentences} summary sentences in {bitext.sides} pairs of up to {longest} words a side, "
            f"{len(pairs) - bitext.sides} pairs of identical words"
        )
    else:
        raise InputError(f"--corpus and --extracts are missing: {given.model} is trained on them")
    model = translation.train(given.model, pairs, given.source, settings["iterations"], given.seed, start)
    translation.save(model, given.output)
    log.info(f"{given.model} trained on {model.num_sentence_pairs} sentence pairs")


if __name__ == "__main__":
    main()
