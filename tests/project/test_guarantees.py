"""The page on guarantees matches the tests."""

import guarantees
import pytest
from guarantees import GUARANTEES, PAGE, exists, names, read, tables, with_tables


def test_page_has_the_current_tables():
    page = PAGE.read_text(encoding="utf-8")
    assert with_tables(page, read()) == page, "run `make guarantees`"


@pytest.mark.parametrize("name", names())
def test_each_guarantee_is_held_by_existing_tests(name):
    rows = {key: cases for key, cases in read().items() if key[0] == name}
    assert rows, f"no test was counted for {name}; run `make guarantees`"
    assert all(exists(*key) and cases > 0 for key, cases in rows.items())


def test_names_are_unique():
    assert len(set(names())) == len(names())
    assert all(promise.endswith(".") for section in GUARANTEES.values() for promise in section.values())


def test_cases_of_a_guarantee_are_summed(monkeypatch):
    monkeypatch.setattr(guarantees, "GUARANTEES", {"Faults": {"kills": "Kills lose nothing."}})
    table = tables({("kills", "tests/a.py::one"): 1200, ("kills", "tests/a.py::two"): 34})
    assert "| Kills lose nothing. | 1,234 | `tests/a.py` |" in table
