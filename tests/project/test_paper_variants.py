"""The tables of the variants of the paper are those of their file, and every variant was measured."""

import pandas as pd
import paper_variants
from markdown import insert
from paper_variant_tables import tables
from variants import ROOT
from vorlage.settings import section

WRITTEN = pd.read_table(paper_variants.OUTPUT)


def test_the_tables_of_the_pages_are_those_of_the_file():
    for page, of_page in tables(WRITTEN).items():
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for mark, table in of_page.items():
            assert insert(text, mark, table) == text, "run python benchmarks/paper_variants.py --tables"


def test_every_variant_was_measured_on_the_bundled_corpus():
    found = {(row["variant"], row["jump"]) for _, row in WRITTEN[WRITTEN["corpus"] == "sample"].iterrows()}
    assert found == {(name, jump) for name, v in paper_variants.VARIANTS.items() for jump in v.jumps}
    for variant in paper_variants.VARIANTS.values():
        section("semihmm", {**paper_variants.BASES[variant.base], **variant.changed})


def test_gains_are_differences_from_the_base():
    f = {
        (row["corpus"], row["variant"], row["jump"], row["words"]): row["soft_f"]
        for _, row in WRITTEN.iterrows()
    }
    for _, row in WRITTEN[WRITTEN["base"].notna()].iterrows():
        base = f[row["corpus"], row["base"], row["jump"], row["words"]]
        assert abs(row["soft_f"] - base - row["difference"]) < 2e-6
        assert (
            row["difference_low"] - 1e-9 <= row["difference_high"]
            and row["low"] <= row["soft_f"] <= row["high"]
        )
