"""Decoding: posteriors of both directions, and the links and phrases chosen from them."""
