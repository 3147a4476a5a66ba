"""Fuzzing of everything that reads a file: the same targets by hypothesis, by atheris and on found cases.

A target (``targets/``) takes bytes and gives them to a real reader. What comes out is a right result, which
the target checks, or an ``InputError``; anything else is a finding. ``make fuzz`` runs the targets by
atheris, ``test_fuzz.py`` by hypothesis and on the cases of ``cases/<target>/``.
"""
