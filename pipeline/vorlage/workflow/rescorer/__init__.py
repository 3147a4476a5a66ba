"""The decoder `rescored`: links that boosted trees, fitted to gold, score anew (needs LightGBM)."""
