"""One module a target, with the :class:`fuzz.target.Target` ``TARGET``."""
