"""The pretrained encoder: where it is, its vectors, and the similarities of the words of a pair."""
