"""Where uvicorn has not the insides that our connections build on, its own serve, and the log says so."""

from __future__ import annotations

import sys
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from qipai.cli.server import Server
from qipai.config import Config
from qipai.web import entrance, insides, line


def test_the_uvicorn_that_is_installed_has_all_that_ours_need(caplog: pytest.LogCaptureFixture) -> None:
    assert insides.protocols.__wrapped__() == (entrance.Entrance, line.Line)
    assert caplog.text == ""


def test_what_a_class_lacks_is_named() -> None:
    class Base:
        def __init__(self) -> None:
            self.held = 1

    class Kind(Base):
        word = "x"

        def act(self) -> None: ...

    assert insides.lacking(Kind, ("held", "act", "word", "gone", "left")) == ["Kind.gone", "Kind.left"]


class Bare:
    """A protocol whose parts all have other names."""


@pytest.mark.parametrize("module", [entrance, line])
def test_a_part_that_has_moved_is_told_and_uvicorns_own_serve(
    module: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "NEEDS", (Bare, ("connection_made",)))
    assert insides.protocols.__wrapped__() == ("h11", "auto")
    assert f"uvicorn {uvicorn.__version__} is not one" in caplog.text
    assert "Bare.connection_made" in caplog.text


@pytest.mark.parametrize("name", ["uvicorn.protocols.http.h11_impl", "websockets.protocol"])
def test_so_is_a_module_that_is_gone(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for ours in ("qipai.web.entrance", "qipai.web.line"):
        monkeypatch.delitem(sys.modules, ours)
    monkeypatch.setitem(sys.modules, name, None)
    assert insides.protocols.__wrapped__() == ("h11", "auto")
    assert name in caplog.text


def test_a_server_takes_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.cli.server.protocols", lambda: insides.PLAIN)

    class House:
        config = Config()

        async def __call__(self, scope: Any, receive: Any, send: Any) -> None: ...

    server = Server(House(), lambda: None)  # type: ignore[arg-type]
    server.config.load()
    assert server.config.http_protocol_class is H11Protocol
    assert not issubclass(server.config.ws_protocol_class, line.Line)  # type: ignore[arg-type]


def test_nothing_is_held_back_where_uvicorn_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert insides.writing() == (line.hold, line.release)
    monkeypatch.setattr(insides, "protocols", lambda: insides.PLAIN)
    hold, release = insides.writing()
    assert hold is release
    hold()
