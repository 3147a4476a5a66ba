"""Attribution: from the reading of a text over evidence, findings and support to its result."""
