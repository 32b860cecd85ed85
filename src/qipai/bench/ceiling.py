"""The ceiling of a kernel: its own source, typed and translated to C by Cython, built when it is measured.

A kernel's subset (`docs/engines.md`) has everything that C needs: every number is a 64-bit integer, every buffer a
pointer, every tuple a constant of the module. So the same functions become C without a
second copy of a rule, and the difference between that and numba is the cost of numba.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from importlib import metadata
from types import ModuleType
from typing import Any, Final

from qipai.core.measure import Absent, peers_folder

__all__ = ["built", "translated"]

WIDTH: Final = {8: "signed char", 16: "short", 32: "int", 64: "long long"}
WHOLE: Final = "long long"
FLAGS: Final = ("-O3", "-w", "-shared", "-fPIC")
TYPES: Final = {"int": WHOLE, "bool": "bint", "Buffer": f"{WHOLE} *", "None": "void"}


def translated(module: ModuleType, root: str, struct: type[Any]) -> str:
    """Return the Cython source of a kernel function and all it calls; `struct` names its buffers."""
    with open(str(module.__file__), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    kernels = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(d) in ("kernel", "inlined") for d in node.decorator_list)
    }
    used = _reached(kernels, root)
    words = {n.id for name in used for n in ast.walk(kernels[name]) if isinstance(n, ast.Name)}
    widths = _widths(tree)
    consts, tables = [], []
    for word in sorted(words):
        value: Any = getattr(module, word, None)
        if isinstance(value, int):
            consts.append(f"    {word} = {value}")
        elif isinstance(value, (tuple, list)) or hasattr(value, "tolist"):
            entries: Sequence[Any] = value
            tables.append((word, [int(n) for n in entries], widths.get(word, 64)))
    c = "\n".join(
        f"static const {WIDTH[bits]} {name}[{len(values)}] = {{{', '.join(map(str, values))}}};"
        for name, values, bits in tables
    )
    fields: tuple[str, ...] = struct._fields
    lengths = {name: len(values) for name, values, _bits in tables}
    out = [
        "# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False",
        "from libc.stdlib cimport malloc, free",
        f'cdef extern from *:\n    """\n{c}\n    """',
        *(f"    const {WIDTH[bits]} {name}[{len(values)}]" for name, values, bits in tables),
        "cdef enum:",
        *(consts or ["    NOTHING = 0"]),
        f"cdef struct {struct.__name__}:",
        *(f"    {WHOLE} *{field}" for field in fields),
        *(_function(kernels[name], struct, lengths) for name in reversed(used)),
        DOOR.format(
            struct=struct.__name__,
            copies="\n        ".join(f"self.board.{field} = self.copied({field!r}, board)" for field in fields),
            root=root,
        ),
    ]
    return "\n".join(out)


DOOR: Final = """
cdef class Ground:
    cdef {struct} board
    cdef long long *out
    cdef list held

    cdef long long *copied(self, name, board) except NULL:
        values = getattr(board, name)
        cdef long long *cells = <long long *>malloc(8 * (len(values) + 64))
        for i in range(len(values)):
            cells[i] = values[i]
        return cells

    def __init__(self, board, room):
        self.out = <long long *>malloc(8 * room)
        {copies}

    def run(self, long long depth):
        return {root}(&self.board, depth, self.out)
"""


def _reached(kernels: dict[str, ast.FunctionDef], root: str) -> list[str]:
    """Return the kernels that one calls, itself first, what is called after what calls it."""
    found: list[str] = []

    def visit(name: str) -> None:
        if name in found:
            found.remove(name)
        found.append(name)
        for node in ast.walk(kernels[name]):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kernels:
                visit(node.func.id)

    visit(root)
    return found


def _widths(tree: ast.Module) -> dict[str, int]:
    """Return the bits of an entry, by table: the second argument of `thawed`."""
    found = {}
    for node in tree.body:
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "thawed":
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(target, ast.Name) and len(value.args) > 1 and isinstance(value.args[1], ast.Constant):
                found[target.id] = int(str(value.args[1].value))
    return found


class _InC(ast.NodeTransformer):
    """Removes what C does not have: `int()`, docstrings, loops over constant tuples."""

    def __init__(self, lengths: dict[str, int], tuples: set[str]) -> None:
        self.lengths, self.tuples = lengths, tuples
        self.counters: list[str] = []

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "int":
            return node.args[0]
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        if isinstance(node.iter, ast.Name):
            name = node.iter.id
            length = self.lengths.get(name, 4)  # a tuple that is passed as an argument is one of the four directions
            counter = f"_at{len(self.counters)}"
            self.counters.append(counter)
            assert isinstance(node.target, ast.Name)
            first = ast.parse(f"{node.target.id} = {name}[{counter}]").body[0]
            loop = ast.parse(f"for {counter} in range({length}):\n    pass").body[0]
            assert isinstance(loop, ast.For)
            loop.body = [first, *node.body]
            return loop
        return node


def _function(node: ast.FunctionDef, struct: type[Any], lengths: dict[str, int]) -> str:
    """Return a kernel function as a typed one."""
    pointers, given, tuples = set[str](), [], set[str]()
    for arg in node.args.args:
        kind = ast.unparse(arg.annotation) if arg.annotation else "int"
        if kind == struct.__name__:
            given.append(f"{kind} *{arg.arg}")
        elif kind.startswith("tuple"):
            tuples.add(arg.arg)
            given.append(f"const {WHOLE} *{arg.arg}")
        else:
            if kind == "Buffer":
                pointers.add(arg.arg)
            given.append(f"{TYPES[kind]} {arg.arg}")
    mine = _InC(lengths, tuples)
    node = mine.visit(ast.fix_missing_locations(node))
    names = {arg.arg for arg in node.args.args}
    local: dict[str, str] = dict.fromkeys(mine.counters, WHOLE)

    def note(target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Tuple):
            values = value.elts if isinstance(value, ast.Tuple) else [None] * len(target.elts)
            for one, its in zip(target.elts, values, strict=True):
                note(one, its)
        elif isinstance(target, ast.Name) and target.id not in names:
            is_buffer = isinstance(value, ast.Attribute) or (isinstance(value, ast.Name) and value.id in pointers)
            local.setdefault(target.id, f"{WHOLE} *" if is_buffer else WHOLE)

    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign):
            note(inner.targets[0], inner.value)
        elif isinstance(inner, (ast.AugAssign, ast.For)):
            note(inner.target, None)
    back = TYPES[ast.unparse(node.returns) if node.returns else "None"]
    head = f"cdef {back} {node.name}({', '.join(given)}) noexcept nogil:"
    lines = [f"    cdef {kind} {name}" for name, kind in local.items()]
    body = [f"    {row}" for inner in node.body for row in ast.unparse(inner).splitlines()]
    return "\n".join([head, *lines, *body])


def built(name: str, source: str) -> Any:
    """Return the module that Cython and the C compiler make of a source; raises Absent if they are not installed."""
    if importlib.util.find_spec("Cython") is None:
        raise Absent("Cython is not installed")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise Absent("there is no C compiler")
    stamp = hashlib.sha256(f"{source}{sys.version}{metadata.version('cython')}".encode()).hexdigest()[:16]
    folder = peers_folder() / "ceiling" / stamp
    binary = folder / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not binary.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.pyx").write_text(source, encoding="utf-8")
        half = folder / f"{name}.half"
        steps: Sequence[Sequence[str]] = (
            (sys.executable, "-m", "cython", "-3", f"{name}.pyx", "-o", f"{name}.c"),
            (compiler, *FLAGS, f"-I{sysconfig.get_path('include')}", f"{name}.c", "-o", str(half)),
        )
        for step in steps:
            done = subprocess.run(step, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                said = (done.stderr or done.stdout).strip().splitlines()
                raise Absent(f"{step[0]} failed: {said[-1] if said else done.returncode}")
        half.replace(binary)
    spec = importlib.util.spec_from_file_location(name, binary)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
