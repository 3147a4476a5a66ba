"""Print the parameters of a model: `vorlage describe model.npz`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.semihmm.model import Model
from vorlage.semihmm.table import are_longer, phrase_texts, row_of_entries


def describe(model: Model) -> dict[str, Any]:
    """Return all parameters of a `Model` as plain values, ready for JSON."""
    words, parameters, table = model.vocabulary.words, model.parameters, model.table
    entries = zip(
        row_of_entries(table).tolist(), table.partners.tolist(), parameters.counts.tolist(), strict=True
    )
    phrases = phrase_texts(words, table.longer)
    lexicon: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for (d, s, count), longer in zip(entries, are_longer(table).tolist(), strict=True):
        total = parameters.totals[d].item()
        entry = {"document": phrases[d], "summary": phrases[s], "count": count, "total": total}
        lexicon[longer].append(entry)
    return {
        "jump_model": model.jump,
        **asdict(model.origin),
        "settings": model.settings.model_dump(mode="json"),
        "encoder": model.encoder,
        "jump": model.jumps.describe(),
        "lambda": parameters.by_part(),
        "eta": parameters.eta,
        "null": {
            "unseen": parameters.unseen,
            "words": {w: p for w, p in zip(words, parameters.null.tolist(), strict=False) if p},
        },
        "lexicon": {"words": lexicon[False], "phrases": lexicon[True]},
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
    words, parameters, table = model.vocabulary.words, model.parameters, model.table
    nulls = np.argsort(-parameters.null[: len(words)], kind="stable")[:most]
    longer, documents = are_longer(table), row_of_entries(table)
    unlike = np.flatnonzero(~longer & (documents != table.partners))
    best = unlike[np.argsort(-parameters.counts[unlike], kind="stable")[:most]].tolist()
    rewrites = [
        f"{words[documents[e]]} → {words[table.partners[e]]} {parameters.counts[e]:.1f}" for e in best
    ]
    return [
        f"jump model      {model.jump}, corpus {model.origin.corpus}, trained by {model.origin.fingerprint}",
        f"null            {model.jumps.null_probability:.4f} of the transitions",
        "lambda          " + ", ".join(f"{part} {x:.4f}" for part, x in parameters.by_part().items()),
        f"eta             {parameters.eta:.4f}",
        "jumps           " + ", ".join(_highlights(model.jumps.describe(), most)),
        "null words      " + ", ".join(f"{words[w]} {parameters.null[w]:.4f}" for w in nulls),
        "unlike rewrites " + ", ".join(rewrites),
        f"lexicon         {np.sum(~longer)} word pairs, {np.sum(longer)} phrase pairs",
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
