"""The model of a sharded training: ``python -m pipeline.train.sharded.finish``."""

from pipeline.fingerprint import digest, file_digest, fingerprint
from pipeline.io.jsonl import write_text
from pipeline.run.errors import InputError, command
from pipeline.semihmm.model import Origin
from pipeline.train.__main__ import load_reverse, open_similarities
from pipeline.train.em import Iteration
from pipeline.train.finish import make_model
from pipeline.train.sharded import command as command_line
from pipeline.train.sharded.command import COMMAND
from pipeline.train.sharded.files import State, read_index
from pipeline.wordnet.digest import wordnet_digest

STEPS = ("collect", "forests", "index", "start", "expect", "add", "maximise", "finish")


@command
def main(arguments=None):
    """Write the model that a training has come to."""
    parser = command_line.arguments("finish", main, "corpus", "extracts", "index", "state")
    parser.add_argument("--trees", help="trees.npz of the parse stage, where the jump model walks over them")
    parser.add_argument("--wordnet-data", help="folder made by `python -m pipeline.wordnet`")
    parser.add_argument("--similarities", help="folder of the encode stage, where `encoder` is set")
    parser.add_argument("--reverse-model", help="model.npz of the other direction, to keep with this one")
    parser.add_argument("--model", required=True, help="file to write, model.npz")
    parser.add_argument("--em", required=True, help="table to write, em.tsv: one row an iteration")
    given = command_line.parse(parser, arguments)
    state = State.load(given.state)
    if not state.iterations:
        raise InputError(
            f"{given.state}: no iteration is done; give the folder of `{COMMAND.format('maximise')}`"
        )
    wordnet = ""
    if state.settings["wordnet"]:
        wordnet = wordnet_digest(given.wordnet_data)
    code = fingerprint(
        *(f"pipeline.train.sharded.{step}" for step in STEPS), f"pipeline.semihmm.jumps.{state.jump}"
    )
    inputs = [file_digest(path) for path in (given.corpus, given.extracts, given.trees) if path]
    store = open_similarities(given.similarities, state.settings)
    encoder = store.about if store else {}
    reverse = None
    if given.reverse_model:
        reverse = load_reverse(given.reverse_model, state.settings, encoder)
    inputs += [encoder] + ([reverse.origin.fingerprint] if reverse else [])
    origin = Origin(wordnet, inputs[0], digest((code, state.settings, wordnet, inputs)))
    model = make_model(
        state.jump,
        read_index(given.index),
        state.parameters,
        state.settings,
        state.parser,
        origin,
        encoder,
        reverse,
    )
    model.save(given.model)
    rows = [Iteration.HEADER, *(iteration.row() for iteration in state.iterations)]
    write_text(given.em, "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
