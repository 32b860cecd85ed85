"""The catalogue of games: seats, house rules with their values, bots, notations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

from qipai import games, lang
from qipai.core.entry import in_the_open
from qipai.web.protocol import GameInfo, OptionInfo

__all__ = ["game_info"]


@cache
def game_info(name: str) -> GameInfo:
    """Return the description of a game for `GET /games/<game>`."""
    entry = games.find(name)
    return GameInfo(
        game=name,
        name={tag: lang.of_game(name, tag).get("name", name) for tag in lang.languages()},
        seats=entry.seats,
        sides=tuple(tuple(entry.sides(seats)) for seats in entry.seats),
        options=tuple(_under_heads(_options(entry.options), entry.form.groups)),
        presets=dict(entry.form.presets),
        variants=tuple(entry.form.variants),
        bots=tuple(entry.bots),
        luck=entry.luck,
        clock=entry.clock(entry.options()),
        formats=tuple(entry.records.formats),
        analysis=entry.analysis is not None,
        lessons=entry.lessons is not None,
        lesson=entry.lesson is not None,
        pauses=entry.conceal is not in_the_open,
        standing=tuple(entry.standing),
        daily=entry.form.daily,
        cards=entry.cards,
        familiar=entry.familiar,
    )


def _options(options: type[msgspec.Struct]) -> list[OptionInfo]:
    info = inspect.type_info(options)
    assert isinstance(info, inspect.StructType)
    default = msgspec.to_builtins(options())
    written = get_type_hints(options)
    found = [_option(field.encode_name, field.type, default.get(field.encode_name)) for field in info.fields]
    return [
        one if one.kind != "choice" else msgspec.structs.replace(one, values=_in_order(one.values, written[field.name]))
        for one, field in zip(found, info.fields, strict=True)
    ]


def _under_heads(options: Sequence[OptionInfo], groups: Mapping[str, Sequence[str]]) -> list[OptionInfo]:
    """Return the options in the order of a form: under the headings of their game."""
    if not groups:
        return list(options)
    by_name = {one.name: one for one in options}
    return [msgspec.structs.replace(by_name[name], group=group) for group, names in groups.items() for name in names]


def _in_order(values: Sequence[Any] | None, written: Any) -> tuple[Any, ...]:
    """Return the values of a choice in the order of a list: numbers ascending, others in the game's order."""
    plain = [value for value in values or () if value is not None]
    if all(isinstance(value, int) for value in plain):
        plain.sort()
    else:
        plain.sort(key=list(_literals(written)).index)
    return tuple(value for value in values or () if value is None) + tuple(plain)


def _literals(written: Any) -> Iterator[Any]:
    """Yield the values of a `Literal`, also inside a union."""
    for part in get_args(written):
        if get_origin(written) is Literal:
            yield part
        else:
            yield from _literals(part)


def _option(name: str, kind: inspect.Type, default: Any) -> OptionInfo:
    match kind:
        case inspect.UnionType(types=types) if len(types) == 2 and inspect.NoneType() in types:
            found = _option(name, next(one for one in types if one != inspect.NoneType()), default)
            return found if found.values is None else msgspec.structs.replace(found, values=(None, *found.values))
        case inspect.BoolType():
            return OptionInfo(name, "bool", default, (False, True), None, None)
        case inspect.LiteralType(values=values):
            return OptionInfo(name, "choice", default, tuple(sorted(values, key=str)), None, None)
        case inspect.IntType(ge=least, le=most):
            return OptionInfo(name, "number", default, None, least, most)
        case inspect.ListType() | inspect.VarTupleType() | inspect.TupleType():
            return OptionInfo(name, "list", default, None, None, None)
        case inspect.StrType():
            return OptionInfo(name, "text", default, None, None, None)
        case _:
            return OptionInfo(name, "other", default, None, None, None)
