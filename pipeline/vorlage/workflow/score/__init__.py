"""Scores: links against gold, agreement of annotators, calibration."""
