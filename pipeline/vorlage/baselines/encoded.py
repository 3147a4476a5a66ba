"""Aligns a corpus by the encoder, without a model: `vorlage embed`.

    vorlage embed --system transport-unbalanced --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

The systems are `embed`, `awesome`, those of SimAlign and those of optimal transport, each in its own module.
"""

from collections.abc import Sequence
from functools import partial

from vorlage.baselines.awesome import match_both_ways
from vorlage.baselines.embed import match_mutually
from vorlage.baselines.simalign import METHODS, open_simalign
from vorlage.baselines.system import Baseline, make_parser, stamp, write_all
from vorlage.baselines.transport import CHOSEN, match_by_transport
from vorlage.baselines.word_vectors import VectorAligner
from vorlage.command.errors import command
from vorlage.encoder.installed import model_folder
from vorlage.encoder.transformer import open_encoder
from vorlage.fingerprint import file_digest
from vorlage.settings import Embed, add_options, from_options

SYSTEMS = (
    "embed",
    "awesome",
    *(f"simalign-{name}" for name in METHODS),
    *(f"transport-{kind}" for kind in CHOSEN),
)


def open_system(system: str, embed: Embed) -> Baseline:
    """Return one of `SYSTEMS` with the encoder of the settings `embed`."""
    method, _, kind = system.partition("-")
    if method == "simalign":
        folder = model_folder(embed.model)
        mark = stamp(system, file_digest(folder), embed.layer)
        return open_simalign(folder, embed.layer, embed.device, system, mark)
    encoder = open_encoder(embed.model, embed.layer, embed.device)
    mark = stamp(system, *encoder.about.values())
    if method == "awesome":
        return VectorAligner(encoder.encode_raw, match_both_ways, system, mark)
    match = partial(match_by_transport, kind, CHOSEN[kind]) if method == "transport" else match_mutually
    return VectorAligner(encoder.encode, match, system, mark)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Align a corpus by the vectors of an encoder."""
    parser = make_parser("embed", main, __doc__)
    parser.add_argument("--system", required=True, choices=SYSTEMS, help="name of the system")
    add_options(parser, Embed)
    options = parser.parse(arguments)
    write_all(options, open_system(options.system, from_options(options, Embed)))
