"""What the recipe for DeepEval needs of it: a metric has these two methods."""

from abc import ABC, abstractmethod


class BaseMetric(ABC):
    @abstractmethod
    def measure(self, test_case): ...

    @abstractmethod
    async def a_measure(self, test_case): ...
