"""Nine short pairs about printers."""

import json

PAIRS = [
    {
        "id": f"p{i}",
        "document": f"The {a} printer of {b} ships in June. It sells the old printer for less. No one asked.",
        "summary": f"{b} will ship a {a} printer in June.",
    }
    for i, (a, b) in enumerate((a, b) for a in ("fast", "cheap", "new") for b in ("Acme", "Bolt", "Crane"))
]


def write_pairs(path, pairs=PAIRS):
    path.write_text("".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs), encoding="utf-8")
    return str(path)
