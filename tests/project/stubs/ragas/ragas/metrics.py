"""What the recipe for Ragas needs of it: a function with this decorator is a metric with `score`."""

from dataclasses import dataclass


@dataclass
class MetricResult:
    value: float
    reason: str = ""


def numeric_metric(*, name, allowed_values=(0.0, 1.0)):
    def decorate(function):
        def score(**fields):
            result = function(**fields)
            assert allowed_values[0] <= result.value <= allowed_values[1]
            return result

        function.name, function.score = name, score
        return function

    return decorate
