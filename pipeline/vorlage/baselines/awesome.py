"""The extraction of awesome-align: words that choose each other by softmax in both directions.

As in Dou & Neubig (2021), the score of two words is the product of their vectors in a hidden layer of a
pretrained encoder. The vectors keep their lengths. A softmax over the document words gives the probabilities
of each summary word, one over the summary words those of each document word. Words are linked when both
probabilities are above 0.001. The paper links pieces of words; here the vector of a word is the mean of those
of its pieces. The encoder is not trained further.
"""

from scipy.special import softmax

from vorlage.baselines.system import WordLinks
from vorlage.baselines.word_vectors import links_where, products
from vorlage.encoder.encoder import Vectors

# The published threshold.
THRESHOLD = 0.001


def match_both_ways(summary: Vectors, document: Vectors, threshold: float = THRESHOLD) -> WordLinks:
    """Return the links between rows of two matrices whose probabilities are above `threshold` both ways."""
    scores = products(summary, document)
    return links_where((softmax(scores, axis=1) > threshold) & (softmax(scores, axis=0) > threshold))
