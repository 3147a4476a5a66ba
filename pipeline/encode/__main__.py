"""The encode stage: how alike the words and the sentences of each pair are, by a pretrained encoder.

    python -m pipeline.encode --corpus corpus.jsonl --extracts extracts.jsonl --output encode/1-of-1

For each pair the cosines of contextual vectors: of summary words and words of the extract, of summary
sentences and sentences of the extract, see :mod:`pipeline.encode.similarities`. Each pair is by itself: in
parts of a corpus (``--part``) they are those of the whole. A pair is held at a time, and of each its id and
16 bytes. `make embed` installs what it wants.
"""

import argparse
from array import array

import numpy as np

from pipeline import settings
from pipeline.corpus.readers.record import check_id
from pipeline.encode.similarities import measure, shape_of, write_similarities
from pipeline.encode.transformer import open_encoder
from pipeline.extract.extracts import read_extracted_pairs
from pipeline.io.parts import WHOLE, add_part, parse_part
from pipeline.run.errors import command
from pipeline.run.progress import Progress, start_log


def encode(encoder, corpus, extracts, folder, part=WHOLE):
    """Write the similarities of the pairs of a ``corpus.jsonl`` and its ``extracts.jsonl``, or of a part.

    The files are read twice, first for the shapes. Raises :class:`InputError` where they do not belong
    together; nothing is encoded then.
    """
    ids, shapes = [], array("i")
    for pair, extract in read_extracted_pairs(corpus, extracts, part):
        check_id(pair.id, corpus)
        ids.append(pair.id)
        shapes.extend(shape_of(pair, extract.sentences))
    with Progress("encode", len(ids)) as progress:
        pairs = read_extracted_pairs(corpus, extracts, part)
        found = (measure(encoder, pair, extract.sentences) for pair, extract in pairs)
        shapes = np.frombuffer(shapes, dtype=np.int32)
        write_similarities(folder, encoder.about, ids, shapes, progress.count(found))


@command
def main(arguments=None):
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.encode", description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True, help="corpus.jsonl of the corpus stage")
    parser.add_argument("--extracts", required=True, help="extracts.jsonl of the extract stage")
    add_part(parser)
    parser.add_argument("--output", required=True, help="folder to write, named as the part: some/3-of-10")
    parser.add_argument("--log", help="log file (default: standard error)")
    settings.add_options(parser, "embed")
    options = parser.parse_args(arguments)
    start_log(options.log)
    part = parse_part(options.part)
    encoder = open_encoder(**settings.from_options(options, "embed"))
    encode(encoder, options.corpus, options.extracts, options.output, part)


if __name__ == "__main__":
    main()
