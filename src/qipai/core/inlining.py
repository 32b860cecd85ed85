"""How a compiled kernel calls another: by code that goes into the caller, and is compiled for nobody else.

numba compiles what a kernel calls as if Python called it as well: optimized and made machine code with everything that
it calls in turn, with two wrappers, and once more for each width and each known value of an argument. And a kernel that
calls what came out of the cache cannot have it inlined. Here each kernel has a second side for other kernels: code
that is never run by itself, made anew from its source in each process that compiles a caller (decision 0035).
"""

from __future__ import annotations

from importlib import import_module
from types import FunctionType
from typing import Any, Final

__all__ = ["give", "lacking"]

# numba has no types; where it is not installed this module is not imported.
numba: Any = import_module("numba")
codegen: Any = import_module("numba.core.codegen")
compiler: Any = import_module("numba.core.compiler")
typing: Any = import_module("numba.core.typing")
lock: Any = import_module("numba.core.compiler_lock").global_compiler_lock

# What is used of numba that it promises nobody: object, what it must have, and what its methods must speak of.
INSIDES: Final[tuple[tuple[str, Any, str], ...]] = (
    ("numba.config", getattr(numba, "config", None), "CACHE_LOCATOR_CLASSES"),
    ("numba.core.codegen", codegen, "JITCodeLibrary"),
    ("numba.core.compiler", compiler, "Flags compile_extra"),
    ("numba.core.typing", typing, "make_concrete_template"),
    ("JITCodeLibrary", getattr(codegen, "JITCodeLibrary", None), "enable_object_caching _get_module_for_linking"),
)
SPOKEN_OF: Final = ("_finalized", "_linking_libraries", "_final_module")  # by the methods of JITCodeLibrary


def lacking() -> list[str]:
    """Return what this numba lacks of what kernels are compiled with, nothing where all is there."""
    found = [f"{whose}.{name}" for whose, which, names in INSIDES for name in names.split() if not hasattr(which, name)]
    methods = [vars(kind).values() for kind in getattr(codegen, "JITCodeLibrary", object).__mro__]
    spoken = {
        name for each in methods for one in each if isinstance(one, FunctionType) for name in one.__code__.co_names
    }
    return found + [f"JITCodeLibrary.{name}" for name in SPOKEN_OF if name not in spoken]


def _finalize(library: Any) -> None:
    """Put into the code of a kernel that of those it calls; the caller's library optimizes it all together."""
    if library._finalized:
        return
    for other in dict.fromkeys(library._linking_libraries):
        library._final_module.link_in(other._get_module_for_linking(), preserve=True)
    library._final_module.verify()
    library._finalized = True


_Plain: Any = type("_Plain", (getattr(codegen, "JITCodeLibrary", object),), {"finalize": _finalize})


class _Side:
    """What a kernel is to other kernels."""

    def __init__(self, compiled: Any, widen: bool) -> None:
        self._compiled, self._widen = compiled, widen
        self._made: dict[tuple[Any, ...], Any] = {}  # by the types of the arguments; None: it is being compiled

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return what numba asks of a function that is called: its signature for these types."""
        pysig, folded = self._compiled._compiler.fold_argument_types(args, kws)
        kinds = tuple(folded)
        wide = tuple(map(_wide, kinds)) if self._widen else kinds
        if wide in self._made and self._made[wide] is None:  # it calls itself
            wide = kinds
        found = self._made_for(wide)
        name = self._compiled.py_func.__name__
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=[found.signature])
        return template, pysig, wide, {}

    def get_overload(self, args: Any) -> Any:
        """Return by what numba knows the code for a signature."""
        return self._made[tuple(args)].fndesc

    def _made_for(self, kinds: tuple[Any, ...]) -> Any:
        with lock:
            found = self._made.get(kinds)
            if found is None:
                self._made[kinds] = None
                try:
                    found = self._make(kinds)
                except BaseException:
                    del self._made[kinds]
                    raise
                self._made[kinds] = found
            return found

    def _make(self, kinds: tuple[Any, ...]) -> Any:
        own = self._compiled
        flags = compiler.Flags()
        own.targetdescr.options.parse_as_flags(flags, own.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = _Plain(own.targetctx.codegen(), own.py_func.__qualname__)
        library.enable_object_caching()
        with own._compiling_counter:  # so numba knows a call to itself
            found = compiler.compile_extra(
                own.typingctx, own.targetctx, own.py_func, kinds, None, flags, {}, library=library
            )
        own.targetctx.insert_user_function(found.fndesc, found.fndesc, [library])
        return found


def _wide(kind: Any) -> Any:
    """Return the type of an argument as kernels hand it over: all integers alike, whether known or not."""
    kind = numba.types.unliteral(kind)
    return numba.int64 if isinstance(kind, numba.types.Integer) else kind


def give(compiled: Any, *, widen: bool) -> None:
    """Give a kernel its side for other kernels. widen: one version for all widths of integers."""
    side = _Side(compiled, widen)
    compiled.get_call_template = side.get_call_template
    compiled.get_overload = side.get_overload
