"""Config files that are not YAML, repeat keys or expand without end, for the reader and for Snakemake."""

CORPUS = "corpus: {name: mine, reader: jsonl, path: mine.jsonl}\n"


def bomb():
    """Return ten lists, each of ten copies of the one before: ten billion values."""
    names = "abcdefghij"
    lists = [f"a: &a [{'x, ' * 9}x]"]
    for before, name in zip(names, names[1:], strict=False):
        lists.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]")
    return CORPUS + "\n".join(lists)


# Name → content and part of the message.
NO_YAML = {
    "not YAML": ("systems: [cutpaste\n", "line 2: not valid YAML"),
    "tab": ("semihmm:\n\titerations: 3\n", "line 2: not valid YAML"),
    "NUL": ("seed: \0\n", "not valid YAML"),
    "key twice": (CORPUS + "seed: 1\nseed: 2\n", "line 3: not valid YAML (the key `seed` occurs twice)"),
    "section twice": (CORPUS + CORPUS, "line 2: not valid YAML (the key `corpus` occurs twice)"),
    "bomb": (bomb(), "more than 10000 values, including those that aliases repeat"),
    "alias of itself": ("semihmm: &a\n  fake_counts: *a\n", "an alias is inside the value that it repeats"),
    "deep": ("seed: " + "[" * 100_000 + "]" * 100_000, "nested too deeply"),
    "digits": ("seed: " + "9" * 5000, "not valid YAML"),
    "no date": ("seed: 2026-13-45", "month must be in 1..12"),
    "code": ("seed: !!python/object/apply:os.system ['false']", "line 1: not valid YAML"),
    "UTF-16": (CORPUS.encode("utf-16"), "in UTF-16; convert it to UTF-8"),
    "Latin-1": (b"seed: caf\xe9", "line 1: not UTF-8 at byte 9"),
}
