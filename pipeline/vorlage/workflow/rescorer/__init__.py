"""The decoder `rescored`: boosted trees, fitted to gold, score the links again (needs LightGBM)."""
