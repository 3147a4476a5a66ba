"""Training: blocks of pairs, EM, checkpoints."""
