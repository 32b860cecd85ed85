"""A message of each type with every field filled, made from the type itself, and the same type in pydantic."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final, Literal

from msgspec import inspect

__all__ = ["ACTION", "VIEW", "adapter", "example", "members"]

ITEMS: Final = 3  # of a list
WORDS: Final = ("a", "0", "aaaaaaaa", "2026-01-01", "c1", "k")
ACTION: Final = {"a": "play", "cards": "QQQQ"}  # what stands where anything may, in what a client says
VIEW: Final = {  # and in what the hall says: about what a card game's view is made of
    "hand": "22TTTQQKKAAx9988776655443",
    "phase": "play",
    "trick": [{"seat": 0, "cards": "QQQQ"}, {"seat": 1, "cards": ""}, {"seat": 2, "cards": "KKKK"}],
    "counts": [36, 32, 32, 36, 36, 31],
    "out": [],
    "score": 0,
}


def members(union: Any) -> dict[str, type]:
    """Return the types of a tagged union by their tags."""
    found: dict[str, type] = {}
    for each in union.__args__:
        kind = inspect.type_info(each)
        assert isinstance(kind, inspect.StructType)
        found[str(kind.tag)] = each
    return found


def example(kind: type, anything: Any = VIEW) -> Any:
    """Return plain data that a type's decoder takes."""

    def of(kind: inspect.Type) -> Any:
        return _example(kind, of, anything)

    return of(inspect.type_info(kind))


def _example(kind: inspect.Type, of: Callable[[inspect.Type], Any], anything: Any) -> Any:
    match kind:
        case inspect.StructType():
            tag = {kind.tag_field: kind.tag} if kind.tag_field else {}
            return {**tag, **{field.encode_name: of(field.type) for field in kind.fields}}
        case inspect.UnionType():
            return of(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
        case inspect.Metadata():
            return of(kind.type)
        case inspect.StrType():
            if kind.pattern is None:
                return ("qR7k2mZx91LbT0aWc3Ve5Y" * 3)[: kind.max_length or 22]
            return next(word for word in WORDS if re.search(kind.pattern or "", word))
        case inspect.IntType():
            return min(max(7, kind.ge or 0), kind.le if kind.le is not None else 1 << 53)
        case inspect.FloatType():
            return 0.5
        case inspect.BoolType():
            return True
        case inspect.NoneType():
            return None
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.TupleType():
            return [of(one) for one in kind.item_types]
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return [of(kind.item_type) for _ in range(max(ITEMS, kind.min_length or 0))]
        case inspect.DictType():
            return {str(of(kind.key_type)): of(kind.value_type)}
        case inspect.AnyType() | inspect.RawType():
            return anything
    raise TypeError(f"there is no example of {kind}")


def adapter(kind: Any) -> Any:
    """Return pydantic's reader and writer of a type or a union of tagged ones."""
    import pydantic

    made: dict[type, Any] = {}
    if isinstance(kind, type):
        return pydantic.TypeAdapter(_model(inspect.type_info(kind), made))
    models = [_model(inspect.type_info(each), made) for each in kind.__args__]
    tagged: Any = Annotated[reduce(or_, models), pydantic.Field(discriminator="t")]
    return pydantic.TypeAdapter(tagged)


def _model(kind: inspect.Type, made: dict[type, Any]) -> Any:
    """Return a type as pydantic writes it."""
    from pydantic import ConfigDict, Field, create_model

    match kind:
        case inspect.StructType():
            if kind.cls not in made:
                fields: dict[str, Any] = {}
                if kind.tag_field:
                    fields[kind.tag_field] = (Literal[kind.tag], kind.tag)
                for field in kind.fields:
                    its = _model(field.type, made)
                    default = ... if field.required else None
                    fields[f"f_{field.name}"] = (its, Field(default, alias=field.encode_name))
                extra = ConfigDict(extra="forbid" if kind.forbid_unknown_fields else "ignore", frozen=True)
                made[kind.cls] = create_model(kind.cls.__name__, __config__=extra, **fields)
            return made[kind.cls]
        case inspect.UnionType():
            return reduce(or_, [_model(one, made) for one in kind.types])
        case inspect.Metadata():
            return _model(kind.type, made)
        case inspect.StrType():
            pattern = kind.pattern and kind.pattern.replace(r"\A", "^").replace(r"\Z", "$")
            limits = Field(min_length=kind.min_length, max_length=kind.max_length, pattern=pattern)
            return Annotated[str, limits]
        case inspect.IntType():
            return Annotated[int, Field(ge=kind.ge, le=kind.le)]
        case inspect.FloatType():
            return float
        case inspect.BoolType():
            return bool
        case inspect.NoneType():
            return None
        case inspect.LiteralType():
            return Literal[tuple(kind.values)]
        case inspect.TupleType():
            return tuple[tuple(_model(one, made) for one in kind.item_types)]  # type: ignore[misc]
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return list[_model(kind.item_type, made)]  # type: ignore[misc]
        case inspect.DictType():
            return dict[str, _model(kind.value_type, made)]  # type: ignore[misc]
    return Any
