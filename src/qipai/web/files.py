"""The client's files from the package: kept in memory, compressed once, named by their content."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from starlette.responses import Response

from qipai.web.origin import header

__all__ = ["CLIENT", "SECURITY", "Files", "answer"]

CLIENT: Final = Path(str(files("qipai.web"))) / "client"
UNBUILT: Final = Path(str(files("qipai.web"))) / "unbuilt.html"
TYPES: Final = {".js": "text/javascript", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"}
PACKED: Final = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
SECURITY: Final = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:;"
    " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


class File(NamedTuple):
    """A file as it is sent."""

    stamp: tuple[int, int]  # when it was changed, its size: another stamp, another file
    body: bytes
    packed: bytes | None  # gzip, where that is smaller
    type: str
    tag: str


class Files:
    """A folder of files."""

    def __init__(self, folder: Path = CLIENT) -> None:
        self._folder = folder
        self._known: dict[str, File] = {}

    def page(self, scope: Any, path: str) -> Response:
        """Answer a path: a file, else the client's single page, which does its own routing."""
        name = path.strip("/")
        if name and (file := self._find(name)):
            fixed = name.startswith("assets/")  # their names change with their content
            return answer(scope, *file[1:], "public, max-age=31536000, immutable" if fixed else "no-cache")
        if "." in name.rsplit("/", 1)[-1] or name.startswith("assets/"):
            return Response(status_code=404, headers=SECURITY)
        index = self._find("index.html") or _load(UNBUILT)
        return answer(scope, *index[1:], "no-cache")

    def _find(self, name: str) -> File | None:
        """Return a file, read again if it has changed; None if there is none inside the folder."""
        if ".." in name or "\0" in name or "\\" in name or name.startswith("/"):
            return None
        path = self._folder / name
        try:
            stat = path.stat()
            if not path.is_file():
                return None
            known = self._known.get(name)
            if known is None or known.stamp != (stat.st_mtime_ns, stat.st_size):
                known = self._known[name] = _load(path)
        except OSError:
            return None
        return known


def answer(scope: Any, body: bytes, packed: bytes | None, type: str, tag: str, keep: str) -> Response:
    """Return a body with its tag, or 304 where the client has it already; gzip where the client takes it."""
    headers = {**SECURITY, "cache-control": keep, "etag": f'"{tag}"', "vary": "accept-encoding"}
    if f'"{tag}"' in (header(scope, b"if-none-match") or ""):
        return Response(status_code=304, headers=headers)
    if packed is not None and "gzip" in (header(scope, b"accept-encoding") or ""):
        return Response(packed, media_type=type, headers={**headers, "content-encoding": "gzip"})
    return Response(body, media_type=type, headers=headers)


def _load(path: Path) -> File:
    stat = path.stat()
    body = path.read_bytes()
    type = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    packed = gzip.compress(body, 9, mtime=0) if type.startswith(PACKED) else None
    if packed is not None and len(packed) >= len(body):
        packed = None
    return File((stat.st_mtime_ns, stat.st_size), body, packed, type, hashlib.sha256(body).hexdigest()[:16])
