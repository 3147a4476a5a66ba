"""Attribution: from the reading of a text over evidence, findings and judgements to its result."""
