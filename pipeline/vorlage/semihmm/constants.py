"""The constants of the model that were tuned once and are no settings; docs/model.md lists them.

They were chosen on the sets of docs/results.md; docs/results/trials.tsv has what was tried.
"""

# Similarity of sentences.
LEAST_COSINE = 0.03  # added to a cosine: sentences without a common word are unlikely, not impossible
VECTOR_POWER = 2.0  # power of the cosine of two sentence vectors, which is high for all sentences
RELATED_STEMS = 0.4  # cosine of related sentences, by stems
RELATED_VECTORS = 0.78  # the same by sentence vectors
VECTOR_SUPPORT = 4.5  # exponent of sentence vectors as support, relative to that of stems
LENGTH_SUPPORT = 2.0  # the same of the ratio of lengths

# Rewrites.
UNSEEN = 0.5  # occurrences of a word that is in no summary of training
LEAST_REST = 0.01  # least share of the vocabulary that is not in a summary, for the encoder's part

# Decoding.
NEIGHBOUR_DECAY = 0.7  # weight of a neighbour in the null posterior, for each word of distance
NEIGHBOUR_REACH = 15  # words: the farthest neighbour
LONGEST_GAP = 4  # words of each side of a gap between links
COVERED = 0.5  # least share of linked words in the document sentence of a gap
ACROSS_GAP = 0.3  # least `gap_threshold` across languages, whose order of words differs more
