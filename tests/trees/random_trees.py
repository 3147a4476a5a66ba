"""Trees for Hypothesis, with odd words and labels."""

from hypothesis import strategies as st
from nltk import Tree

words = st.text(
    st.characters(exclude_characters=" \t\r\n", exclude_categories=["Cs"]), min_size=1, max_size=4
)
labels = st.sampled_from(["S", "NP", "VP", "NP-SBJ-1", "-LRB-", "$", ",", "X=2"])
trees = st.recursive(
    st.builds(lambda label, word: Tree(label, [word]), labels, words),
    lambda below: st.builds(Tree, labels, st.lists(below, min_size=1, max_size=4)),
    max_leaves=12,
).map(lambda tree: Tree("TOP", [tree]))
