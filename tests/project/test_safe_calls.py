"""No call in the code runs the content of a file: no pickle, eval, shell, unsafe XML, YAML or archive."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = [*ROOT.glob("pipeline/**/*.py"), *ROOT.glob("benchmarks/*.py")]
RULES = [ROOT / "Snakefile", *ROOT.glob("workflow/rules/*.smk")]

# Modules that unpickle, run code or expand entities of XML.
MODULES = (
    "pickle cPickle dill cloudpickle marshal shelve joblib code codeop pty runpy xml lxml telnetlib".split()
)
# Calls that do, by name or by its last part.
NAMES = ("eval", "exec", "compile", "__import__", "yaml.load")
CALLS = "system popen spawnl getoutput getstatusoutput extractall".split()
CALLS += "read_pickle to_pickle unsafe_load full_load load_all literal_eval".split()
# Calls that are safe with an option: last part of the name → option, value.
OPTIONS = {
    "np.load": ("allow_pickle", False),
    "numpy.load": ("allow_pickle", False),
    "torch.load": ("weights_only", True),
    "AutoModel.from_pretrained": ("use_safetensors", True),
    "Environment": ("autoescape", True),
}


def violations(text):
    """Return the forbidden imports and calls of a module, as ``line: source``."""
    tree = ast.parse(text)
    for node in ast.walk(tree):  # imports for annotations never run
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    found = [
        node for node in ast.walk(tree) if imports_one(node) or (isinstance(node, ast.Call) and bad(node))
    ]
    return [f"{node.lineno}: {ast.unparse(node)}" for node in found]


def imports_one(node):
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    return any(name.split(".")[0] in MODULES for name in names)


def bad(call):
    name = ast.unparse(call.func)
    given = {option.arg: getattr(option.value, "value", None) for option in call.keywords}
    if given.get("shell"):
        return True
    if name in NAMES or name.rpartition(".")[2] in CALLS:
        return True
    for safe, (option, value) in OPTIONS.items():
        if name == safe or name.endswith(f".{safe}"):
            return given.get(option) is not value and given.get(option) != value
    return False


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from xml.etree import ElementTree",
        "import joblib; joblib.load(path)",
        "import runpy; runpy.run_path(path)",
        "if TYPE_CHECKING:\n    pass\nelse:\n    import pickle",
        "eval(text)",
        "subprocess.run(text, shell=True)",
        "os.system(text)",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "torch.load(path)",
        "torch.load(path, weights_only=False)",
        "yaml.load(text)",
        "yaml.load(text, Loader=yaml.Loader)",
        "tarfile.open(path).extractall(folder)",
        "pandas.read_pickle(path)",
        "jinja2.Environment()",
        "AutoModel.from_pretrained(name)",
        "__import__(name)",
    ],
)
def test_violation_is_found(line):
    assert violations(line)


def test_safe_code_is_not_a_violation():
    safe = (
        "re.compile(a); np.load(p, allow_pickle=False); yaml.safe_load(t); subprocess.run([a], shell=False)\n"
        "if TYPE_CHECKING:\n    from xml.etree.ElementTree import Element"
    )
    assert violations(safe) == []


@pytest.mark.guarantee("no code in data")
@pytest.mark.parametrize("path", sorted(CODE), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_code_does_not_run_the_content_of_files(path):
    assert violations(path.read_text()) == []


@pytest.mark.guarantee("no code in data")
@pytest.mark.parametrize("path", sorted(RULES), ids=lambda path: path.name)
def test_rules_do_not_run_the_content_of_files(path):
    """``ast`` cannot parse rule files, so their text is searched for the same names."""
    text = path.read_text()
    names = "|".join(map(re.escape, [*NAMES, *CALLS]))
    assert not re.search(rf"(?<![\w.])(?:\w+\.)?(?:{names})\(", text.replace("re.compile", ""))
    assert not re.search(rf"^\s*(?:import|from) (?:{'|'.join(MODULES)})\b", text, re.MULTILINE)
