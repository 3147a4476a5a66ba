"""Fuzzing of everything that reads a file: the same targets with hypothesis, atheris and earlier findings.

A target (``targets/``) passes bytes to a real reader. The reader returns a result, which the target checks,
or raises ``InputError``; anything else is a finding. ``make fuzz`` runs the targets with atheris;
``test_fuzz.py`` runs them with hypothesis and on the earlier findings in ``cases/<target>/``.
"""
