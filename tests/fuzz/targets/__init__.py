"""One module for each target, with the :class:`fuzz.target.Target` ``TARGET``."""
