# The types of the names that __init__.py imports on first use.
from pipeline.api import load_model as load_model
from pipeline.run.errors import InputError as InputError

__version__: str
__all__ = ["InputError", "load_model"]
