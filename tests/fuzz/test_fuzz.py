"""Every target on its seeds, on inputs near them from hypothesis, and on every earlier finding."""

from pathlib import Path

import pytest
from guarantees import tried
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.mutators import damage
from fuzz.target import TARGETS, load, within
from pipeline.run.errors import InputError

CASES = Path(__file__).parent / "cases"
EXAMPLES = {"model": 100, "config": 150}


@pytest.fixture(scope="module", params=TARGETS)
def target(request):
    """Return ``(name, Target, seeds)``."""
    made = load(request.param)
    return request.param, made, made.seeds()


def changed(mutate, data, random, times):
    """Return ``data`` after a number of changes, most of them near its format."""
    for _ in range(times):
        data = (mutate if random.random() < 0.8 else damage)(data, random)
    return data


@pytest.mark.guarantee("fuzzed parsers")
def test_parsers_accept_or_refuse_inputs_near_their_format(target):
    name, target, seeds = target
    random = st.randoms(use_true_random=False)
    near = st.builds(changed, st.just(target.mutate), st.sampled_from(seeds), random, st.integers(0, 6))
    answers = []

    @settings(max_examples=EXAMPLES.get(name, 300), derandomize=True, suppress_health_check=list(HealthCheck))
    @given(near | st.binary(max_size=200))
    def each(data):
        answers.append(target.accepts(data))

    each()
    tried(len(answers))
    assert True in answers and False in answers, "all inputs were accepted or all were refused"


@pytest.mark.guarantee("fuzzed parsers")
def test_seeds_are_accepted(target):
    _, target, seeds = target
    assert (
        all(target.accepts(seed) for seed in seeds[:1]) and sum(map(target.accepts, seeds)) >= len(seeds) / 2
    )
    tried(len(seeds))


@pytest.mark.guarantee("found cases")
@pytest.mark.parametrize(
    "path", sorted(CASES.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_earlier_findings_are_accepted_or_refused(path):
    load(path.parent.name).accepts(path.read_bytes())


@pytest.mark.parametrize("wrong", [KeyError("id"), RecursionError(), InputError("no place")], ids=repr)
def test_targets_report_errors_that_are_not_refusals(monkeypatch, wrong):
    def fail(path):
        raise wrong

    target = load("gold")
    monkeypatch.setattr("fuzz.targets.gold.read_gold", fail)
    with pytest.raises(AssertionError if isinstance(wrong, InputError) else type(wrong)):
        target.accepts(target.seeds()[0])


def test_targets_report_wrong_round_trips(monkeypatch):
    target = load("gold")
    monkeypatch.setattr("fuzz.targets.gold.to_line", lambda record: '{"id": "a", "alignments": []}')
    with pytest.raises(AssertionError):
        target.accepts(target.seeds()[0])


def test_targets_report_inputs_that_take_too_long():
    with pytest.raises(TimeoutError), within(0.05):
        while True:
            pass
