"""The client's files: pages, names that change with their content, nothing outside the folder."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from qipai.web.files import Files


@pytest.fixture
def client(tmp_path: Path) -> Files:
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>the client</title>" + " " * 500, "utf-8")
    (folder / "assets" / "main-a1b2.js").write_text("let x = 1;\n" * 100, "utf-8")
    (folder / "icon.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return Files(folder)


def scope(**headers: str) -> Any:
    return {"headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]}


@pytest.mark.parametrize("path", ["/", "/rooms/3", "/tables/17", "/g/k7f3q9x2", "/t/k-_9", "/index.html"])
def test_pages_are_the_client(client: Files, path: str) -> None:
    page = client.page(scope(), path)
    assert page.status_code == 200
    assert b"the client" in page.body
    assert page.headers["cache-control"] == "no-cache"


def test_a_name_that_changes_with_its_content_is_kept_for_ever(client: Files) -> None:
    script = client.page(scope(accept_encoding="br, gzip"), "/assets/main-a1b2.js")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(script.body)).startswith(b"let x = 1;")
    plain = client.page(scope(), "/assets/main-a1b2.js")
    assert "content-encoding" not in plain.headers
    assert bytes(plain.body).startswith(b"let x = 1;")


def test_who_has_it_already_is_told_so(client: Files) -> None:
    tag = client.page(scope(), "/icon.png").headers["etag"]
    again = client.page(scope(if_none_match=f'"old", {tag}'), "/icon.png")
    assert (again.status_code, again.body) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        *("/assets/none.js", "/none.png", "/../secret.txt", "/assets/../../secret.txt", "//etc/passwd.x"),
        *("/a\0.html", "/..\\secret.txt"),
    ],
)
def test_what_is_no_file_of_the_client_is_not_sent(client: Files, path: str) -> None:
    answer = client.page(scope(), path)
    assert answer.status_code == 404
    assert b"secret" not in answer.body


def test_a_client_that_was_built_anew_is_sent_anew(client: Files, tmp_path: Path) -> None:
    before = client.page(scope(), "/")
    (tmp_path / "client" / "index.html").write_text("<title>newer</title>", "utf-8")
    after = client.page(scope(), "/")
    assert b"newer" in after.body
    assert before.headers["etag"] != after.headers["etag"]


def test_without_a_client_a_page_says_how_to_build_it(tmp_path: Path) -> None:
    page = Files(tmp_path / "nowhere").page(scope(), "/")
    text = bytes(page.body).decode()
    assert page.status_code == 200
    assert 'lang="zh-CN"' in text
    assert 'lang="en"' in text
    assert "npm run build" in text
    assert "<script" not in text
