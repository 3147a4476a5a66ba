"""Wrapped lines: a text has the same sentences whether a program wrapped it or not; others stay apart."""

import textwrap

import pytest
from vorlage.text.lines import unwrap
from vorlage.text.tokenize import split_text

LEASE = """The tenant must give notice in writing at least 60 days before the end of the lease, and Mr. \
Lund, who owns the house, is not allowed to enter the flat. The deposit is two months of rent.
Repairs of the heating are paid by the owner, unless the tenant has caused the damage. Guests may not park \
in the yard between the first of May and the end of September; the police may tow their cars away.
"""
GERMAN = """Der Hafen von Sünd blieb am Freitag wegen eines Sturms geschlossen, und die Fähren der Reederei \
fuhren erst am Montag wieder. Am 3. Mai war ein Kran in das Wasser gestürzt. Die Taucher suchten elf Tage \
lang nach den Teilen des Krans, die auf dem Grund des Beckens lagen.
"""
CHINESE = """港口因为大雾关闭了两天，渡轮停运，公司在声明中说乘客可以退票。港口的起重机在五月倒塌，没有人受\
伤。市长感谢了潜水员，他们在深水里工作了十一天，找到了所有的零件。
"""
MAIL = """From: Anna Vogel <anna.vogel@harbour-office.example>
To: Karl Lund
Subject: The crane in the north dock, and what the council of Orm decided about it

Dear Karl,

the council met on Tuesday and decided that the pump in the north dock
will be replaced before winter. The valve will be heated as soon as the
new one has come.

Two things remain:
- the crane, which fell in May and has not been paid for by its owner
  until now, must be taken away;
- forty ships may enter.
1. The mayor thanks the divers, who have worked for eleven days and some
nights.

Anna Vogel
Harbour Office
12 North Quay
Orm

On 3 March, Karl Lund wrote:
> Dear Anna, please tell me what the council thinks about the pump, and
> whether Jan Roth has paid for the crane, as he said he would.
>
> My number is the same.
>> We shall meet on Tuesday at ten in the morning, in the old office near
>> the lighthouse.
"""
VERSE = """The fog came down on Orm at ten,
And all the boats stayed in the bay,
The pilots and the ferrymen
Had nothing else to do that day
But count the gulls along the pier,
And none of them was sorry for
The crane that fell in May last year
And lies there on the harbour floor
"""
FREE_VERSE = """Fog at ten
and the boats of the harbour asleep, all of them,
under the crane
that nobody paid for, that nobody will pay for now,
while the gulls
count us from the pier, one by one by one, and lose
their place again
"""
LINES = """The harbour of Orm was closed on Friday because of a storm that lasted for three days
Ferries sail again on Monday
A crane fell into the deep water of the old port in May, and nobody was hurt by it
Divers searched for its parts
"""


def sentences(text, language="en"):
    found = split_text(text, language)
    assert found.raw == text
    spans = [(found.tokens[first][0], found.tokens[last - 1][1]) for first, last in found.sentences]
    return [" ".join(text[start:end].split()) for start, end in spans]


def wrap(text, width):
    return "".join(textwrap.fill(line, width, break_on_hyphens=False) + "\n" for line in text.splitlines())


@pytest.mark.parametrize("width", [60, 66, 72, 80, 100])
@pytest.mark.parametrize(("text", "language"), [(LEASE, "en"), (GERMAN, "de")])
def test_a_wrapped_text_has_the_same_sentences(text, language, width):
    wrapped = wrap(text, width)
    for changed in (wrapped, wrapped.replace("\n", " \n"), wrapped.replace("\n", "\r\n")):
        assert sentences(changed, language) == sentences(text, language)
    quoted = "Karl Lund wrote:\n" + textwrap.indent(wrapped, "> ")
    found = split_text(quoted, language)
    assert [word for word in found.words if word != ">"] == found.words
    assert len(found.sentences) == 1 + len(sentences(text, language))


@pytest.mark.parametrize("width", [24, 30, 38])
def test_a_wrapped_text_without_spaces_has_the_same_sentences(width):
    lines = [CHINESE[start : start + width] for start in range(0, len(CHINESE), width)]
    found = sentences("\n".join(lines), "zh")
    assert [sentence.replace(" ", "") for sentence in found] == sentences(CHINESE, "zh")


def test_an_e_mail():
    assert sentences(MAIL) == [
        *MAIL.splitlines()[:3],
        "Dear Karl,",
        "the council met on Tuesday and decided that the pump in the north dock will be replaced before "
        "winter.",
        "The valve will be heated as soon as the new one has come.",
        "Two things remain:",
        "- the crane, which fell in May and has not been paid for by its owner until now, must be taken "
        "away;",
        "- forty ships may enter.",
        "1. The mayor thanks the divers, who have worked for eleven days and some nights.",
        *["Anna Vogel", "Harbour Office", "12 North Quay", "Orm"],
        "On 3 March, Karl Lund wrote:",
        "Dear Anna, please tell me what the council thinks about the pump, and > whether Jan Roth has paid "
        "for the crane, as he said he would.",
        "My number is the same.",
        "We shall meet on Tuesday at ten in the morning, in the old office near >> the lighthouse.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        *(VERSE, FREE_VERSE, LINES, LINES.lower(), MAIL[:150]),
        LINES + VERSE + FREE_VERSE,
        "# Report of the harbour office in Orm for the year\nthe crane fell.\n",
        "| year of the report | boats in the old harbour |\n| 2019 | 12 |\nand no more\n",
        "2019  120  80  95  1400  22  17  300  41  12\n2020  150  95  91  1420  25  19  310  40  10\n" * 3,
        "One line.",
        "",
    ],
)
def test_lines_that_nobody_wrapped_stay_apart(text):
    assert unwrap(text) == text
