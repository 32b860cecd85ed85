"""The client's types and the OpenAPI file, written from the Structs that the server itself decodes and encodes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from qipai import __version__, games, lang
from qipai.hall.table.commands import ClientMessage
from qipai.hall.table.messages import ServerMessage, TableNews
from qipai.web import calls  # noqa: F401  # they register themselves
from qipai.web.api import CALLS, Call
from qipai.web.protocol import Fault

__all__ = ["game_types", "languages", "openapi", "typescript"]

Schema = Mapping[str, Any]
WIDTH: Final = 118
LONGEST: Final = 140  # of a line in the client
TEXT: Final = {"type": "string"}
BINARY: Final = {"type": "string", "format": "binary"}
QUERIES: Final = {"limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}}
OURS: Final = frozenset({"prefixItems", "x-typescript"})  # what a schema says to this module alone
HEAD: Final = (
    "// Written by `qipai schema` from the message types in src/qipai; do not edit.\n\n"
    "export type Json = any; // eslint-disable-line @typescript-eslint/no-explicit-any\n"
)
LANGUAGES: Final = """\
// Written by `qipai schema` from the heads of src/qipai/lang/*.toml; do not edit.

/** The languages that the client was built with. A hall may have more: `languages.…` among its sentences names all. */
export const LANGUAGES = [{tags}] as const;
export type Tag = (typeof LANGUAGES)[number];

/** Where nobody has said which. */
export const DEFAULT: Tag = "{default}";

/** Says what another language does not say. */
export const FALLBACK: Tag = "{fallback}";
"""
NEWS: Final = """
/** An event of a game, which its own types.gen.ts knows. */
export interface GameNews { e: string; [fact: string]: Json }

/** What is told of a table: its own events, and those of its game. */
export type News = TableNews | GameNews;
"""


def typescript() -> str:
    """Return `client/src/net/protocol.gen.ts`: all messages of the socket and all bodies and answers of the calls."""
    bodies = {call.body.__name__: call.body for call in CALLS if hasattr(call.body, "__struct_fields__")}
    answers = {call.answer.__name__: call.answer for call in CALLS if hasattr(call.answer, "__struct_fields__")}
    said = {"ClientMessage": ClientMessage, **bodies}
    told = {"ServerMessage": ServerMessage, "TableNews": TableNews, **answers, "Fault": Fault}
    return f"{HEAD}{NEWS}\n{_declared(said, told)}"


def game_types(name: str) -> str:
    """Return `client/src/games/<name>/types.gen.ts`: what a game's own words look like."""
    entry = games.find(name)
    body = _declared(
        said={"Action": entry.action, "Options": entry.options},
        told={"View": entry.view, "Event": entry.event, "Hints": entry.hint},
    )
    return f"{HEAD}\n{body}"


def languages() -> str:
    """Return `client/src/languages.gen.ts`: the languages that the hall has files of."""
    tags = ", ".join(f'"{tag}"' for tag in lang.languages())
    return LANGUAGES.format(tags=tags, default=lang.DEFAULT, fallback=lang.FALLBACK)


def openapi() -> bytes:
    """Return `docs/openapi.json`: the HTTP calls, and the messages of the socket among the schemas."""
    bodies = [call.body for call in CALLS if call.body is not None]
    answers = [call.answer for call in CALLS if call.answer is not type(None)]
    roots = list(dict.fromkeys([*bodies, *answers, Fault, ClientMessage, ServerMessage]))
    schemas, parts = _components(roots, "#/components/schemas/{name}")
    schema_of = dict(zip(roots, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for call in CALLS:
        path = re.sub(r"\{(\w+):\w+\}", r"{\1}", call.path)
        paths.setdefault(path, {})[call.method.lower()] = _operation(call, schema_of)
    error = {"type": "object", "required": ["error"], "properties": {"error": schema_of[Fault]}}
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "qipai",
            "version": __version__,
            "summary": "The HTTP calls of a hall; what is live goes over the socket /ws, see docs/protocol.md.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/api/v1"}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": {
                **{name: _plain(part) for name, part in sorted(parts.items())},
                "ClientMessage": schema_of[ClientMessage],
                "ServerMessage": schema_of[ServerMessage],
                "Refused": error,
            },
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "qipai"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _components(roots: Iterable[Any], template: str) -> tuple[Sequence[Schema], dict[str, Schema]]:
    """Return the schemas of some types, and of all they are made of; template: how one refers to another."""
    schemas, parts = msgspec.json.schema_components(list(roots), ref_template=template)
    # Before 0.23 msgspec leaves the indentation of the source in a docstring.
    for part in parts.values():
        if "description" in part:
            part["description"] = inspect.cleandoc(part["description"])
    return schemas, parts


def _operation(call: Call, schema_of: Mapping[Any, Schema]) -> dict[str, Any]:
    """Return one operation of the OpenAPI file."""
    found: dict[str, Any] = {"summary": (call.does.__doc__ or "").strip(), "operationId": call.does.__name__}
    names = re.findall(r"\{(\w+)(:int)?\}", call.path)
    found["parameters"] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if number else "string"}}
        for name, number in names
    ] + [{"name": name, "in": "query", "required": False, "schema": QUERIES.get(name, TEXT)} for name in call.queries]
    if call.body is bytes:
        found["requestBody"] = {"content": {"application/octet-stream": {"schema": BINARY}}, "required": True}
    elif call.body is not None:
        needed = any(field.required for field in msgspec.structs.fields(call.body)) if _is_struct(call.body) else False
        found["requestBody"] = {"content": {"application/json": {"schema": schema_of[call.body]}}, "required": needed}
    empty = {"type": "object", "maxProperties": 1}
    answer = empty if call.answer is type(None) else schema_of[call.answer]
    content = {"application/json": {"schema": answer}}
    if call.answer is bytes:
        content = {call.media: {"schema": BINARY}}
    found["responses"] = {
        "200": {"description": "Done.", "content": content},
        "default": {
            "description": "Refused: a code and its facts.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}},
        },
    }
    ways = [{"cookie": []}] if call.who == "cookie" else [{"cookie": []}, {"token": sorted(call.scopes)}]
    found["security"] = [*ways, {}] if call.who == "anyone" else ways
    return found


def _is_struct(body: Any) -> bool:
    return isinstance(body, type) and issubclass(body, msgspec.Struct)


def _plain(schema: Any) -> Any:
    """Return a schema as everybody's tools read it.

    Patterns are JavaScript's, which knows no \\A and \\Z; a tuple is a list of so many items of these types.
    """
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _plain(value) for key, value in schema.items() if key not in OURS}
    if isinstance(pattern := found.get("pattern"), str):
        found["pattern"] = re.sub(r"^\\A(.*)\\Z$", r"^\1$", pattern)
    if "prefixItems" in schema:
        each = _plain(schema["prefixItems"])
        kinds = [kind for number, kind in enumerate(each) if kind not in each[:number]]
        found["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return found


# TypeScript.


def _declared(said: Mapping[str, Any], told: Mapping[str, Any]) -> str:
    """Return the declarations of some types and of all they are made of.

    said: types that clients send, whose defaults may be left out; told: types that the server writes whole.
    """
    roots = {**said, **told}
    schemas, parts = _components(roots.values(), "{name}")
    whole = {_name(cls.__name__, cls) for cls in _structs(told.values()) if not cls.__struct_config__.omit_defaults}
    lines = []
    for name, schema in parts.items():
        lines.append(_interface(_name(name), schema, whole=_name(name) in whole))
    for name, schema in zip(roots, schemas, strict=True):
        if name not in parts:
            lines.append(f"export type {name} = {_type(schema)};\n")
    return "\n".join(_wrapped(line) for text in lines for line in text.split("\n"))


def _wrapped(line: str) -> str:
    """Return a line of TypeScript, a long one broken where a type of it ends."""
    if len(line) <= LONGEST:
        return line
    within = " " * (len(line) - len(line.lstrip()) + 2)
    broken = [""]
    for part in re.split(r"(?<=[;,]) |(?= \|)", line):
        joint = "" if not broken[-1] or part.startswith(" ") else " "
        if len(broken[-1] + joint + part) <= LONGEST:
            broken[-1] += joint + part
        else:
            broken.append(within + part.lstrip())
    return "\n".join(broken)


def _name(name: str, cls: type | None = None) -> str:
    """Return a type's name; where a command or an event and something else share one, that tells so."""
    if "." not in name:
        return name
    module, _, last = name.rpartition(".")
    kind = "Command" if module.endswith("commands") else "Event" if module.endswith("events") else ""
    return f"{last}{kind}"


def _interface(name: str, schema: Schema, *, whole: bool) -> str:
    about = re.sub(r"\n(?=.)", "\n    ", schema.get("description", ""))
    text = f"/** {about} */\n" if about else ""
    if "properties" not in schema:
        return f"{text}export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", ()))
    fields = [
        f"{_key(key)}{'' if key in required or (whole and 'default' in part) else '?'}: {_type(part)}"
        for key, part in schema["properties"].items()
    ]
    line = f"export interface {name} {{ {'; '.join(fields)} }}\n"
    if len(line) > WIDTH:
        line = f"export interface {name} {{\n" + "".join(f"  {field};\n" for field in fields) + "}\n"
    return text + line


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else f'"{name}"'


def _type(schema: Schema) -> str:
    """Return the TypeScript type of a schema."""
    if "x-typescript" in schema:
        return str(schema["x-typescript"])
    if "$ref" in schema:
        return _name(str(schema["$ref"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    if "const" in schema:
        return msgspec.json.encode(schema["const"]).decode()
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        inner = _type(values) if isinstance(values, Mapping) else "Json"
        return f"Record<string, {inner}>"
    plain = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
    return plain.get(str(kind), "Json")


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(item) for item in schema['prefixItems'])}]"
    items = schema.get("items")
    inner = _type(items) if isinstance(items, Mapping) else "Json"
    return f"({inner})[]" if " | " in inner else f"{inner}[]"


def _structs(types: Iterable[Any]) -> set[type[msgspec.Struct]]:
    """Return all Structs that some types are made of."""
    found: set[type[msgspec.Struct]] = set()
    waiting: list[Any] = [msgspec.inspect.type_info(one) for one in types]
    while waiting:
        node = waiting.pop()
        if isinstance(node, msgspec.inspect.StructType):
            if node.cls in found:
                continue
            found.add(node.cls)
        if isinstance(node, msgspec.Struct):
            for field in node.__struct_fields__:
                value = getattr(node, field)
                waiting += value if isinstance(value, Sequence) and not isinstance(value, str | bytes) else [value]
    return found
