"""Print the parameters of a model: ``python -m pipeline.semihmm.describe model.npz``."""

import argparse
import json
import sys

import numpy as np

from pipeline.run.errors import command
from pipeline.semihmm.model import Model
from pipeline.semihmm.phrases.rewrite import PARTS
from pipeline.semihmm.phrases.table import PADDING


def describe(model):
    """All parameters of a :class:`Model` as a dict of plain values, ready for JSON."""
    words, lexicon = model.words, model.lexicon
    documents = np.repeat(np.arange(len(words)), np.diff(lexicon.rows))
    rows = zip(documents.tolist(), lexicon.summary.tolist(), lexicon.counts.tolist(), strict=True)
    phrases = zip(
        lexicon.phrases.tolist(), lexicon.phrase_counts.tolist(), lexicon.phrase_totals.tolist(), strict=True
    )

    def text(side):
        return " ".join(words[w] for w in side if w != PADDING)

    return {
        "jump_model": model.jump,
        **model.origin._asdict(),
        "settings": model.settings,
        "encoder": model.encoder,
        "jump": model.jumps.describe(),
        "lambda": dict(zip(PARTS, model.mixture.weights.tolist(), strict=True)),
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
                {"document": text(d), "summary": text(s), "count": count, "total": total}
                for (d, s), count, total in phrases
            ],
        },
        "reverse": describe(model.reverse) if model.reverse else None,
    }


def _highlights(parameters, most):
    """The parameters of a jump model in words: numbers as they are, of a table the largest."""
    for name, value in parameters.items():
        if isinstance(value, dict):
            largest = sorted(value.items(), key=lambda item: -item[1])[:most]
            yield from (f"{key} {x:.4f}" for key, x in largest)
        elif name != "null":
            yield f"{name} {value:.2f}"


def summary(model, most):
    """The parameters a person looks at first, as lines of text; ``most``: how many of each list."""
    words = model.words
    nulls = np.argsort(-model.null.probability, kind="stable")[:most]
    lexicon = model.lexicon
    documents = np.repeat(np.arange(len(words)), np.diff(lexicon.rows))
    unlike = np.flatnonzero(documents != lexicon.summary)
    best = unlike[np.argsort(-lexicon.counts[unlike], kind="stable")[:most]]
    return [
        f"jump model      {model.jump}, corpus {model.origin.corpus}, trained by {model.origin.fingerprint}",
        f"null            {model.jumps.null:.4f} of the moves",
        "lambda          "
        + ", ".join(f"{part} {x:.4f}" for part, x in zip(PARTS, model.mixture.weights, strict=True)),
        f"eta             {model.mixture.eta:.4f}",
        "jumps           " + ", ".join(_highlights(model.jumps.describe(), most)),
        "null words      " + ", ".join(f"{words[w]} {model.null.probability[w]:.4f}" for w in nulls),
        "unlike rewrites "
        + ", ".join(
            f"{words[documents[e]]} → {words[lexicon.summary[e]]} {lexicon.counts[e]:.1f}" for e in best
        ),
        f"lexicon         {len(lexicon.counts)} word pairs, {len(lexicon.phrase_counts)} phrase pairs",
    ]


@command
def main(arguments=None):
    """Print the parameters of a trained model."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.semihmm.describe", description=main.__doc__)
    parser.add_argument("model", help="model.npz of `python -m pipeline.train`")
    parser.add_argument("--json", action="store_true", help="all parameters as JSON")
    parser.add_argument(
        "--most", type=int, default=8, help="entries of each list without --json (default: 8)"
    )
    given = parser.parse_args(arguments)
    model = Model.load(given.model)
    if given.json:
        json.dump(describe(model), sys.stdout, ensure_ascii=False, indent=1)
        print()
    else:
        print("\n".join(summary(model, given.most)))


if __name__ == "__main__":
    main()
