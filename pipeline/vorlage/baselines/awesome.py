"""The extraction of awesome-align: words that choose each other by softmax in both directions.

    vorlage awesome --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

As in Dou & Neubig (2021), the score of two words is the product of their vectors in a hidden layer of a
pretrained encoder. The vectors keep their lengths. A softmax over the document words gives the probabilities
of each summary word, one over the summary words those of each document word. Words are linked when both
probabilities are above 0.001. The paper links pieces of words; here the vector of a word is the mean of those
of its pieces. The encoder is not trained further.
"""

from scipy.special import softmax

from vorlage.baselines.system import WordLinks, make_parser, write_all
from vorlage.baselines.word_vectors import VectorAligner, links_where, products
from vorlage.command.errors import command
from vorlage.encoder.encoder import Vectors
from vorlage.encoder.transformer import open_encoder
from vorlage.fingerprint import digest, fingerprint
from vorlage.settings import Embed, add_options, from_options

SYSTEM = "awesome"
# The published threshold.
THRESHOLD = 0.001


def match_both_ways(summary: Vectors, document: Vectors, threshold: float = THRESHOLD) -> WordLinks:
    """Return the links between rows of two matrices whose probabilities are above `threshold` both ways."""
    scores = products(summary, document)
    return links_where((softmax(scores, axis=1) > threshold) & (softmax(scores, axis=0) > threshold))


@command
def main(arguments: list[str] | None = None) -> None:
    """Align a corpus with the extraction of awesome-align."""
    parser = make_parser("awesome", main, __doc__)
    add_options(parser, Embed)
    options = parser.parse(arguments)
    embed = from_options(options, Embed)
    encoder = open_encoder(embed.model, embed.layer, embed.device)
    mark = digest((fingerprint("vorlage.baselines.awesome"), *encoder.about.values()))
    write_all(options, VectorAligner(encoder.encode_raw, match_both_ways, SYSTEM, mark))
