"""Trees: a file of Penn brackets, one per line, or the arrays of ``trees.npz``."""

from fuzz.mutators import npz, pieces
from fuzz.target import Target, put
from pipeline.parse.brackets import escape, read_tree, write_tree
from pipeline.parse.sentences import sentence_id
from pipeline.parse.tree_arrays import Trees
from pipeline.parse.trees import BracketedTrees

SENTENCE = ("The", "old", "printer", "ships", "(", "in", "June", ")")
TREES = (
    "(TOP (S (NP (DT The) (JJ old) (NN printer)) (VP (VBZ ships) (PRN (-LRB- -LRB-) "
    "(PP (IN in) (NP (NNP June))) (-RRB- -RRB-)))))",
    "( (S (NP-SBJ-1 (DT No) (NN one)) (VP (VBD asked))))",
    "(ROOT (FRAG (NP (NN a\u00a0b)) (. .)))",
)


def check(data):
    """Check brackets or arrays, by the first bytes."""
    (check_arrays if data.startswith(b"PK") else check_brackets)(data)


def check_brackets(data):
    """Check that a written tree is read as it was written, and that its constituents are nested."""
    path = put("own.mrg", data)
    parser = BracketedTrees(path)
    for _, line in parser.lines.values():
        tree = read_tree(line)
        written = write_tree(tree)
        assert write_tree(read_tree(written)) == written
        assert read_tree(written).leaves() == [escape(leaf) for leaf in tree.leaves()]
        check_tree(parser, tree)


def check_tree(parser, tree):
    """Check that the parser returns the tree for its own leaves, with nested arrays."""
    leaves = tree.leaves()
    found = [parse.tree for parse in parser.parse([tuple(leaves)])]
    assert [one.leaves() for one in found] == [leaves]
    nodes = Trees.collect((sentence_id(leaves), one) for one in found).of(leaves)
    check_nodes(nodes, len(leaves))


def check_nodes(nodes, size):
    """Check that spans are half-open, over ``size`` tokens, in pre-order and inside their parents' spans."""
    start, end, parent = nodes.start.tolist(), nodes.end.tolist(), nodes.parent.tolist()
    assert (start[0], end[0], parent[0]) == (0, size, -1)
    for i in range(1, len(start)):
        assert 0 <= parent[i] < i and start[parent[i]] <= start[i] < end[i] <= end[parent[i]]


def check_arrays(data):
    """Check that an accepted file has nested nodes for the sentence, or none."""
    trees = Trees.load(put("trees.npz", data))
    try:
        nodes = trees.of(SENTENCE)
    except KeyError:
        return
    check_nodes(nodes, len(SENTENCE))
    assert all(0 <= label < len(trees.labels) for label in nodes.label.tolist())


def mutate(data, random):
    """Change arrays of an archive or brackets of a text."""
    return (npz if data.startswith(b"PK") else pieces)(data, random)


def seeds():
    """Return trees of a treebank, and the arrays of a tree."""
    texts = [f"{tree}\n".encode() for tree in TREES]
    path = put("seed.npz", b"")
    Trees.collect([(sentence_id(SENTENCE), read_tree(TREES[0]))], {"backend": "pattern"}).save(path)
    return [*texts, b"".join(texts), path.read_bytes()]


TARGET = Target((check,), seeds, mutate)
