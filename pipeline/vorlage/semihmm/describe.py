"""Print the parameters of a model: `vorlage describe model.npz`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.semihmm.model import Model
from vorlage.semihmm.rewrite.mixture import PARTS
from vorlage.semihmm.rewrite.table import phrase_words, row_of_entries


def describe(model: Model) -> dict[str, Any]:
    """Return all parameters of a `Model` as plain values, ready for JSON."""
    words, lexicon, table = model.words, model.lexicon, model.lexicon.table
    listed = len(table.partners)
    counts = lexicon.counts.tolist()
    rows = zip(row_of_entries(table).tolist(), table.partners.tolist(), counts[:listed], strict=True)
    phrases = zip(table.phrase_pairs.tolist(), counts[listed:], strict=True)

    def text(phrase: int) -> str:
        return " ".join(words[word] for word in phrase_words(table, phrase))

    return {
        "jump_model": model.jump,
        **model.origin._asdict(),
        "settings": model.settings.model_dump(mode="json"),
        "encoder": model.encoder,
        "jump": model.jumps.describe(),
        "lambda": dict(zip(PARTS, model.mixture.weights.tolist(), strict=False)),
        "eta": model.mixture.eta,
        "null": {
            "unseen": model.null.unseen,
            "words": {w: p for w, p in zip(words, model.null.probability.tolist(), strict=True) if p},
        },
        "lexicon": {
            "words": [
                {"document": words[d], "summary": words[s], "count": count, "total": lexicon.totals[d].item()}
                for d, s, count in rows
            ],
            "phrases": [
                {"document": text(d), "summary": text(s), "count": count, "total": lexicon.totals[d].item()}
                for (d, s), count in phrases
            ],
        },
        "reverse": describe(model.reverse) if model.reverse else None,
    }


def _highlights(parameters: Mapping[str, Any], most: int) -> Iterator[str]:
    """Yield the parameters of a jump model as text: numbers as they are, the largest entries of a table."""
    for name, value in parameters.items():
        if isinstance(value, dict):
            largest = sorted(value.items(), key=lambda item: -item[1])[:most]
            yield from (f"{key} {x:.4f}" for key, x in largest)
        elif name != "null":
            yield f"{name} {value:.2f}"


def summary(model: Model, most: int) -> list[str]:
    """Return the parameters that a person looks at first, as lines; `most`: entries of each list."""
    words, table = model.words, model.lexicon.table
    nulls = np.argsort(-model.null.probability, kind="stable")[:most]
    counts, documents = model.lexicon.counts[: len(table.partners)], row_of_entries(table)
    unlike = np.flatnonzero(documents != table.partners)
    best = unlike[np.argsort(-counts[unlike], kind="stable")[:most]]
    weights = zip(PARTS, model.mixture.weights, strict=False)
    return [
        f"jump model      {model.jump}, corpus {model.origin.corpus}, trained by {model.origin.fingerprint}",
        f"null            {model.jumps.null:.4f} of the transitions",
        "lambda          " + ", ".join(f"{part} {x:.4f}" for part, x in weights),
        f"eta             {model.mixture.eta:.4f}",
        "jumps           " + ", ".join(_highlights(model.jumps.describe(), most)),
        "null words      " + ", ".join(f"{words[w]} {model.null.probability[w]:.4f}" for w in nulls),
        "unlike rewrites "
        + ", ".join(f"{words[documents[e]]} → {words[table.partners[e]]} {counts[e]:.1f}" for e in best),
        f"lexicon         {len(counts)} word pairs, {len(table.phrase_pairs)} phrase pairs",
    ]


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Print the parameters of a trained model."""
    parser = CommandParser("describe", main, log=False)
    parser.add_argument("model", help="model.npz of `vorlage train`")
    parser.add_argument("--json", action="store_true", help="print all parameters as JSON")
    parser.add_argument(
        "--most", type=int, default=8, help="entries of each list without --json (default: 8)"
    )
    options = parser.parse(arguments)
    model = Model.load(options.model)
    if options.json:
        print(json.dumps(describe(model), ensure_ascii=False, indent=1))
    else:
        print("\n".join(summary(model, options.most)))
