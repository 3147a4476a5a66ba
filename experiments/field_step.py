"""Runs a step of `make field`: the measurement of systems on public sets.

python experiments/field_step.py convert --help
"""

import sys

from field import convert, passages, score

STEPS = {"convert": convert.main, "passages": passages.main, "score": score.main}


def main() -> None:
    """Run the step that the first argument names."""
    name, *options = sys.argv[1:] or [""]
    if name not in STEPS:
        sys.exit(f"error: {name} is not a step; choose from {', '.join(STEPS)}")
    STEPS[name](options)


if __name__ == "__main__":
    main()
