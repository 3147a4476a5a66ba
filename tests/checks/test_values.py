"""Where quantities and dates are looked for."""

import pytest
from toy import ROOT
from vorlage.checks import dates
from vorlage.checks.dates import read_dates
from vorlage.checks.quantity_phrases import read_quantities
from vorlage.files.jsonl import read_jsonl
from vorlage.text.english import ENGLISH
from vorlage.text.tokenize import make_text
from vorlage.text.wordnet import open_wordnet

# Several for each reader of dates.
FORMS = """
on 3/4/2020|by 12.5.1999|last monday|this spring|next sept|tomorrow|two years ago|in three weeks|5 may 1980
the previous march|the 21st of june , 2004|march 3|sept. 14|in december 2011|on tuesdays|on thurs .|q3 2020
the first quarter of 2019|in 2019-20|from 1914 to 1918|the 1960s|the mid-'90s|the '80s|in 1066|in 1789
half past six|a quarter to nine p.m.|at 5 a.m.|at six o'clock|at 7 pm|at 17:45|at noon|until midnight
henry viii|elizabeth ii|flight ba-27|version 2.0.13|a 3-2 win|rooms 12 - 14|2000 tonnes|march 14 percent
"""


def bundled_sentences():
    records = [r for name in ("sample", "genres") for _, r in read_jsonl(ROOT / f"data/{name}/corpus.jsonl")]
    texts = [make_text(record[side]) for record in records for side in ("document", "summary")]
    return [" ".join(words) for text in texts for words in text.sentence_words()]


def test_a_look_at_the_words_first_hides_no_date(monkeypatch):
    forms = FORMS.strip().replace("\n", "|").split("|")
    sentences = [*forms, *bundled_sentences()]
    cases = [(sentence.lower(), cased) for sentence in sentences for cased in (None, sentence)]
    found = [list(read_dates(*case)) for case in cases]
    assert sum(map(bool, found[: 2 * len(forms)])) > len(forms)
    everywhere = [(frozenset({""}), pattern, read) for _, pattern, read in dates._readers()]
    monkeypatch.setattr(dates, "_readers", lambda: everywhere)
    assert [list(read_dates(*case)) for case in cases] == found


@pytest.mark.parametrize("ending", ["", "s"])
def test_a_word_that_begins_like_a_bound_has_none(ending):
    """All such words of WordNet, as *underscores*, *someone* and *overdose*; *sometimes* is a frequency."""
    bounds = tuple(filter(str.isalpha, ENGLISH.bounds))
    words = {word + ending for word in open_wordnet().lemmas if word.isalpha() and word.startswith(bounds)}
    words -= ENGLISH.bounds.keys() | {"sometimes"}
    assert len(words) > 400
    assert [word for word in words if list(read_quantities(f"the {word} ships"))] == []


@pytest.mark.parametrize("bound", ["~", "≈", "<", "≥", "under ", "over ", "some ", "about ", "at least "])
def test_a_bound_may_stand_at_its_number(bound):
    [(_, bounded)], [(_, plain)] = map(list, map(read_quantities, (f"{bound}5 ships", "5 ships")))
    assert bounded.value == plain.value == 5 and bounded != plain
