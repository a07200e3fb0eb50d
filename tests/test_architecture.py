"""The walls of the house: which module may import which, and who may touch what."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parents[1] / "ragproof_ray"

# From top to bottom. A unit may import units that stand below its own line, and the
# ones that its own line allows it.
LAYERS = [
    {"__main__"},
    {"cli"},
    {"reports", "evaluation", "scaffold"},
    {"engine"},
    {"adapters"},
    {"dataset", "summary"},
    {"config"},
    {"metrics"},
    {"schema"},
    {"redaction"},
    {"errors"},
    {"__init__"},
]
# The root hands out public names lazily and may look at all of them.
UNLAYERED = {"__init__"}

# The left imports nothing of the right, although the layers would allow it.
STRANGERS = [
    ("config", "metrics"),
    ("summary", "config"),
    ("summary", "metrics"),
    ("adapters", "metrics"),
    ("adapters", "dataset"),
    ("adapters", "summary"),
    ("dataset", "config"),
]

# Third-party modules that only the named files may import.
KEPT_INSIDE = {
    "ray": {"engine/cluster.py"},
    "pyarrow.fs": {"engine/files.py"},
    "aiohttp": set(),
}


class Import(NamedTuple):
    """One import statement's target and where it stands."""

    path: str
    line: int
    module: str
    is_lazy: bool


def imports() -> Iterator[Import]:
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        lazy = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for inner in ast.walk(node)
        }
        typing_only = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            for name in names:
                is_lazy = id(node) in lazy or id(node) in typing_only
                yield Import(relative, node.lineno, name, is_lazy)


ALL = list(imports())


def unit_of(path: str) -> str:
    return path.split("/", maxsplit=1)[0].removesuffix(".py")


def own_target(module: str) -> str | None:
    parts = module.split(".")
    if parts[0] != "ragproof_ray":
        return None
    return parts[1] if len(parts) > 1 and parts[1] in known_units() else "__init__"


def known_units() -> set[str]:
    return set().union(*LAYERS)


def layer(unit: str) -> int:
    return next(index for index, units in enumerate(LAYERS) if unit in units)


def test_every_module_has_its_place_in_the_table():
    units = {
        unit_of(path.relative_to(PACKAGE).as_posix()) for path in PACKAGE.rglob("*.py")
    }

    assert units - known_units() == set()


def test_imports_only_point_down():
    wrong = [
        f"ragproof_ray/{found.path}:{found.line} imports {found.module}"
        for found in ALL
        if unit_of(found.path) not in UNLAYERED
        and (target := own_target(found.module)) is not None
        and target != unit_of(found.path)
        and layer(target) <= layer(unit_of(found.path))
    ]

    assert wrong == []


@pytest.mark.parametrize(("one", "other"), STRANGERS)
def test_strangers_do_not_import_each_other(one, other):
    wrong = [
        f"ragproof_ray/{found.path}:{found.line} imports {found.module}"
        for found in ALL
        if unit_of(found.path) == one and own_target(found.module) == other
    ]

    assert wrong == []


@pytest.mark.parametrize("library", KEPT_INSIDE)
def test_a_library_stays_in_its_room(library):
    wrong = [
        f"ragproof_ray/{found.path}:{found.line} imports {found.module}"
        for found in ALL
        if (found.module == library or found.module.startswith(f"{library}."))
        and found.path not in KEPT_INSIDE[library]
    ]

    assert wrong == []


def test_ray_is_loaded_only_when_used():
    eager = [
        f"ragproof_ray/{found.path}:{found.line}"
        for found in ALL
        if found.module.split(".")[0] == "ray" and not found.is_lazy
    ]

    assert eager == []


def test_modules_of_the_package_do_not_import_each_other_in_circles():
    graph: dict[str, set[str]] = {}
    names = {
        ".".join(
            ["ragproof_ray", *path.relative_to(PACKAGE).with_suffix("").parts]
        ).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
    }
    for found in ALL:
        if found.is_lazy:
            continue
        importer = ".".join(
            ["ragproof_ray", *found.path.removesuffix(".py").split("/")]
        ).removesuffix(".__init__")
        target = (
            found.module if found.module in names else found.module.rpartition(".")[0]
        )
        if target in names and target not in ("ragproof_ray", importer):
            graph.setdefault(importer, set()).add(target)

    assert circles(graph) == []


def circles(graph: dict[str, set[str]]) -> list[str]:
    found, done = [], set[str]()

    def visit(node: str, trail: list[str]) -> None:
        if node in trail:
            found.append(" -> ".join([*trail[trail.index(node) :], node]))
            return
        if node in done:
            return
        for following in sorted(graph.get(node, ())):
            visit(following, [*trail, node])
        done.add(node)

    for start in sorted(graph):
        visit(start, [])
    return found


BROAD_PLACES = {
    "adapters/loading.py": "the import of user code",
    "adapters/python.py": "around adapter calls",
    "adapters/threads.py": "around adapter calls",
    "cli/__init__.py": "the top level of the command line",
    "engine/local.py": "the boundary of a case, for a probe",
    "engine/processes.py": "raised again in the thread that waits",
    "engine/worker.py": "the boundary of a case",
    "metrics/user.py": "a user's metric",
}


def test_broad_handlers_stand_only_where_errors_become_data():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and swallows_anything(node):
                found.add(path.relative_to(PACKAGE).as_posix())

    assert found <= set(BROAD_PLACES)


def swallows_anything(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler catches everything; one that only tidies up is let be."""
    caught = "" if handler.type is None else ast.unparse(handler.type)
    ends_in_raise = (
        isinstance(handler.body[-1], ast.Raise) and handler.body[-1].exc is None
    )
    is_broad = caught == "" or {"Exception", "BaseException"} & set(
        caught.strip("()").split(", ")
    )
    return bool(is_broad) and not ends_in_raise


def test_modules_stay_readable():
    long = {
        path.relative_to(PACKAGE).as_posix(): lines
        for path in PACKAGE.rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }

    # Everything that needs Ray is in one file on purpose.
    assert set(long) <= {"engine/cluster.py"}, long
