"""Calls between compiled kernels: the callee's code is put into the caller and is not compiled separately.

By default numba compiles each callee as if Python called it too: fully optimized with everything that it calls, with
two wrappers, and once for each integer width and each known argument value. A callee loaded from the cache cannot be
inlined at all. Here each kernel has a second form for other kernels: code that never runs by itself and is generated
from source in each process that compiles a caller (decision 0035).
"""

from __future__ import annotations

from importlib import import_module
from types import FunctionType
from typing import Any, Final

__all__ = ["give", "lacking"]

# numba has no type hints. Where it is not installed, this module is not imported.
numba: Any = import_module("numba")
codegen: Any = import_module("numba.core.codegen")
compiler: Any = import_module("numba.core.compiler")
typing: Any = import_module("numba.core.typing")
lock: Any = import_module("numba.core.compiler_lock").global_compiler_lock

# The undocumented parts of numba used here: the object, the attributes it must have, the names its methods must use.
INSIDES: Final[tuple[tuple[str, Any, str], ...]] = (
    ("numba.config", getattr(numba, "config", None), "CACHE_LOCATOR_CLASSES"),
    ("numba.core.codegen", codegen, "JITCodeLibrary"),
    ("numba.core.compiler", compiler, "Flags compile_extra"),
    ("numba.core.typing", typing, "make_concrete_template"),
    ("JITCodeLibrary", getattr(codegen, "JITCodeLibrary", None), "enable_object_caching _get_module_for_linking"),
)
SPOKEN_OF: Final = ("_finalized", "_linking_libraries", "_final_module")  # by the methods of JITCodeLibrary


def lacking() -> list[str]:
    """Return which of these undocumented parts the installed numba lacks; empty when all are present."""
    found = [f"{whose}.{name}" for whose, which, names in INSIDES for name in names.split() if not hasattr(which, name)]
    methods = [vars(kind).values() for kind in getattr(codegen, "JITCodeLibrary", object).__mro__]
    spoken = {
        name for each in methods for one in each if isinstance(one, FunctionType) for name in one.__code__.co_names
    }
    return found + [f"JITCodeLibrary.{name}" for name in SPOKEN_OF if name not in spoken]


def _finalize(library: Any) -> None:
    """Link the code of called kernels into a kernel; the caller's library optimizes all of it together."""
    if library._finalized:
        return
    for other in dict.fromkeys(library._linking_libraries):
        library._final_module.link_in(other._get_module_for_linking(), preserve=True)
    library._final_module.verify()
    library._finalized = True


_Plain: Any = type("_Plain", (getattr(codegen, "JITCodeLibrary", object),), {"finalize": _finalize})


class _Side:
    """The form of a kernel that other kernels call."""

    def __init__(self, compiled: Any, widen: bool) -> None:
        self._compiled, self._widen = compiled, widen
        self._made: dict[tuple[Any, ...], Any] = {}  # by the types of the arguments; None: it is being compiled

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the signature for these argument types, as numba requires of a callable."""
        pysig, folded = self._compiled._compiler.fold_argument_types(args, kws)
        kinds = tuple(folded)
        wide = tuple(map(_wide, kinds)) if self._widen else kinds
        if wide in self._made and self._made[wide] is None:  # the kernel is recursive
            wide = kinds
        found = self._made_for(wide)
        name = self._compiled.py_func.__name__
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=[found.signature])
        return template, pysig, wide, {}

    def get_overload(self, args: Any) -> Any:
        """Return the key under which numba finds the code for a signature."""
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
        with own._compiling_counter:  # lets numba recognize a recursive call
            found = compiler.compile_extra(
                own.typingctx, own.targetctx, own.py_func, kinds, None, flags, {}, library=library
            )
        own.targetctx.insert_user_function(found.fndesc, found.fndesc, [library])
        return found


def _wide(kind: Any) -> Any:
    """Return the type with which kernels pass an argument: one integer type, whether the value is known or not."""
    kind = numba.types.unliteral(kind)
    return numba.int64 if isinstance(kind, numba.types.Integer) else kind


def give(compiled: Any, *, widen: bool) -> None:
    """Give a kernel the form that other kernels call. widen: one version for all integer widths."""
    side = _Side(compiled, widen)
    compiled.get_call_template = side.get_call_template
    compiled.get_overload = side.get_overload
