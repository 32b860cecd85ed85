"""Albums over HTTP: who may send what, who sees what, what goes with a picture, and what a kill leaves (P-8)."""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from tests.client import Server
from tests.hall.web.conftest import hall  # noqa: F401
from tests.stores import DATABASE, beside, url_at

from qipai import cli
from qipai.community.album.files import FOLDER

API = "/api/v1"
Come = Callable[[str], tuple[httpx.Client, int]]


def drawn(format: str = "JPEG", size: tuple[int, int] = (400, 200), **how: Any) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, (200, 30, 40)).save(out, format, **how)
    return out.getvalue()


def done(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def send(client: httpx.Client, album: int, data: bytes, **query: Any) -> httpx.Response:
    return client.post(f"{API}/albums/{album}/pictures", params=query, content=data)


def files(server: Server) -> list[Path]:
    return sorted((server.data / FOLDER).rglob("*.webp"))


@pytest.fixture(scope="module")
def come(hall: Server) -> Iterator[Come]:  # noqa: F811
    """How somebody registers; a name that begins with `mod` keeps the order."""
    clients: list[httpx.Client] = []

    def come(name: str) -> tuple[httpx.Client, int]:
        client = httpx.Client(base_url=hall.url, timeout=60)
        clients.append(client)
        user = client.post(f"{API}/register", json={"name": name, "password": "long enough"}).json()["user"]["id"]
        if name.startswith("mod"):
            assert cli.main(["role", name, "moderator", "--data", str(hall.data)]) == 0
        return client, user

    yield come
    for client in clients:
        client.close()


@pytest.fixture(scope="module")
def nobody(hall: Server) -> Iterator[httpx.Client]:  # noqa: F811
    with httpx.Client(base_url=hall.url, timeout=60) as client:
        yield client


def test_who_sees_what(come: Come, nobody: httpx.Client) -> None:
    ann, ann_id = come("ann")
    bob, bob_id = come("bob")
    album = done(ann.post(f"{API}/albums", json={"name": " Summer  "}))["id"]
    assert error(send(bob, album, drawn())) == (404, "NOT_FOUND")
    assert error(send(nobody, album, drawn())) == (401, "SIGN_IN")
    ids = {}
    for visible in ("public", "friends", "me"):
        page = done(send(ann, album, drawn(), visible=visible, caption=visible))
        ids[visible] = page["picture"]["id"]
        assert (page["picture"]["width"], page["name"], page["user"]["id"]) == (400, "Summer", ann_id)
    assert error(send(ann, album, drawn(), visible="all")) == (400, "BAD_OPTION")

    def sees(client: httpx.Client) -> list[str]:
        found = [name for name, id in ids.items() if client.get(f"{API}/pictures/{id}").status_code == 200]
        for size in ("large", "small"):
            there = {name: client.get(f"{API}/pictures/{id}/file/{size}").status_code for name, id in ids.items()}
            assert there == {name: 200 if name in found else 404 for name in ids}
        albums = done(client.get(f"{API}/users/{ann_id}/album"))["albums"]
        assert [picture["caption"] for one in albums for picture in one["pictures"]] == found
        return found

    assert sees(ann) == ["public", "friends", "me"]
    assert sees(nobody) == ["public"]
    assert sees(bob) == ["public"]
    done(bob.post(f"{API}/friends", json={"user": ann_id}))
    assert sees(bob) == ["public"]  # it takes two
    done(ann.post(f"{API}/friends", json={"user": bob_id}))
    assert sees(bob) == ["public", "friends"]
    page = done(bob.get(f"{API}/pictures/{ids['friends']}"))
    assert (page["before"], page["after"]) == (ids["public"], None)  # the one after it is not for them
    done(ann.post(f"{API}/pictures/{ids['public']}", json={"caption": "mine", "visible": "me", "album": album}))
    assert bob.get(f"{API}/pictures/{ids['public']}").status_code == 404
    assert error(
        bob.post(f"{API}/pictures/{ids['friends']}", json={"caption": "", "visible": "me", "album": album})
    ) == (
        404,
        "NOT_FOUND",
    )
    for path in (f"/pictures/{ids['friends']}", f"/albums/{album}"):
        assert bob.request("DELETE", f"{API}{path}").status_code == 404


def test_a_picture_is_sent_as_a_picture_and_nothing_else(come: Come, hall: Server) -> None:  # noqa: F811
    cat, _ = come("cat")
    album = done(cat.post(f"{API}/albums", json={"name": "x"}))["id"]
    script = b"<script>alert(1)</script>"
    sent = drawn(comment=script)
    id = done(send(cat, album, sent, visible="public"))["picture"]["id"]
    answer = cat.get(f"{API}/pictures/{id}/file/large")
    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-disposition"] == "inline"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "private, no-cache"
    assert script not in answer.content
    etag = {"if-none-match": answer.headers["etag"]}
    assert cat.get(f"{API}/pictures/{id}/file/large", headers=etag).status_code == 304
    assert all(script not in file.read_bytes() for file in files(hall))
    assert str(id) not in {file.stem.partition("-")[0] for file in files(hall)}
    assert error(cat.get(f"{API}/pictures/{id}/file/huge")) == (404, "NOT_FOUND")
    assert error(cat.get(f"{API}/pictures/{id}/file/..%2f..%2fhall.toml"))[0] == 404


def test_bad_pictures_full_albums_and_the_same_twice(come: Come, hall: Server) -> None:  # noqa: F811
    dan, _ = come("dan")
    album = done(dan.post(f"{API}/albums", json={"name": "x", "cid": "album-0001"}))["id"]
    assert error(send(dan, album, b"<svg></svg>")) == (400, "BAD_IMAGE")
    assert error(send(dan, album, drawn("GIF"))) == (400, "BAD_IMAGE")
    assert error(send(dan, album, drawn()[:300])) == (400, "BAD_IMAGE")
    assert error(send(dan, album, bytes(2 * 1024 * 1024 + 1))) == (413, "TOO_BIG")
    bomb = bytearray(drawn("PNG"))
    bomb[16:24] = (60_000).to_bytes(4) * 2
    assert error(send(dan, album, bytes(bomb))) == (400, "BAD_IMAGE")
    assert error(send(dan, album, drawn(), caption="x" * 201)) == (400, "BAD_MESSAGE")
    assert error(send(dan, album, drawn(), cid="x" * 65)) == (400, "BAD_MESSAGE")
    before = len(files(hall))
    first = done(send(dan, album, drawn(), cid="picture-0001"))["picture"]["id"]
    again = done(send(dan, album, drawn(), cid="picture-0001"))
    assert (again["picture"]["id"], again["again"]) == (first, True)
    assert len(files(hall)) == before + 2
    with beside(hall.data) as db:  # 49 more are many bytes to write
        row = db.execute("SELECT album, user FROM pictures WHERE id = ?", (first,)).fetchone()
        db.executemany(
            "INSERT INTO pictures (album, user, at, caption, visible, file, width, height)"
            " VALUES (?, ?, 1, '', 'me', ?, 1, 1)",
            [(*row, f"{n:032x}") for n in range(49)],
        )
    assert error(send(dan, album, drawn())) == (409, "ALBUM_FULL")
    mine = done(dan.get(f"{API}/album"))
    assert (mine["used"], mine["most"]) == (50, 50)
    done(dan.request("DELETE", f"{API}/albums/{album}"))
    assert len(files(hall)) == before
    for n in range(20):
        done(dan.post(f"{API}/albums", json={"name": str(n)}))
    assert error(dan.post(f"{API}/albums", json={"name": "one more"})) == (403, "LIMIT_REACHED")


def test_comments(come: Come, nobody: httpx.Client) -> None:
    eve, eve_id = come("eve")
    fay, _ = come("fay")
    album = done(eve.post(f"{API}/albums", json={"name": "x"}))["id"]
    id = done(send(eve, album, drawn(), visible="public", caption="a lake"))["picture"]["id"]
    assert error(nobody.post(f"{API}/pictures/{id}/comments", json={"text": "hi"})) == (401, "SIGN_IN")
    for _ in range(2):
        done(fay.post(f"{API}/pictures/{id}/comments", json={"text": "**good** <b>x</b>", "cid": "comment-01"}))
    [row] = done(nobody.get(f"{API}/pictures/{id}/comments"))["rows"]
    assert "<strong>good</strong> &lt;b&gt;x&lt;/b&gt;" in row["html"]
    notices = [one for one in done(eve.get(f"{API}/notices"))["rows"] if one["kind"] == "picture_comment"]
    assert [(one["path"], one["facts"]) for one in notices] == [
        (f"/pictures/{id}", {"name": "fay", "caption": "a lake"})
    ]
    done(fay.post(f"{API}/blocks", json={"user": eve_id}))
    assert error(fay.post(f"{API}/pictures/{id}/comments", json={"text": "hi"})) == (403, "BLOCKED")
    assert done(eve.get(f"{API}/pictures/{id}/comments"))["rows"] == []
    assert done(nobody.get(f"{API}/pictures/{id}"))["picture"]["comments"] == 1
    done(eve.request("DELETE", f"{API}/pictures/comments/{row['id']}"))  # on a picture of hers
    assert done(nobody.get(f"{API}/pictures/{id}"))["picture"]["comments"] == 0


def test_moderators_see_what_is_reported_and_remove_it(come: Come, hall: Server) -> None:  # noqa: F811
    gil, gil_id = come("gil")
    hal, hal_id = come("hal")
    moderator, _ = come("modann")
    for one, other in ((gil, hal_id), (hal, gil_id)):
        done(one.post(f"{API}/friends", json={"user": other}))
    album = done(gil.post(f"{API}/albums", json={"name": "x"}))["id"]
    id = done(send(gil, album, drawn(), visible="friends", caption="bad"))["picture"]["id"]
    assert moderator.get(f"{API}/pictures/{id}/file/large").status_code == 404
    stranger, _ = come("ida")
    report = {"kind": "picture", "user": gil_id, "ref": f"picture:{id}", "text": "look"}
    assert stranger.post(f"{API}/reports", json=report).status_code == 404  # they cannot see it
    number = done(hal.post(f"{API}/reports", json=report))["report"]
    piece = done(moderator.get(f"{API}/moderation/reports/{number}"))["piece"]
    assert (piece["text"], piece["picture"]) == ("bad", f"/api/v1/pictures/{id}/file/large")
    assert moderator.get(piece["picture"]).status_code == 200
    assert stranger.get(piece["picture"]).status_code == 404
    count = len(files(hall))
    done(moderator.post(f"{API}/moderation/pieces/picture:{id}/remove", json={"reason": "no", "report": number}))
    assert len(files(hall)) == count - 2
    assert hal.get(f"{API}/pictures/{id}").status_code == 404
    assert gil.get(f"{API}/pictures/{id}/file/large").status_code == 404
    [own] = done(gil.get(f"{API}/album"))["albums"][0]["pictures"]
    assert own["removed"] is True
    assert done(moderator.get(f"{API}/moderation/reports/{number}"))["piece"]["removed"] is True


def test_export_and_deletion(come: Come, hall: Server) -> None:  # noqa: F811
    jan, jan_id = come("jan")
    kim, _ = come("kim")
    album = done(jan.post(f"{API}/albums", json={"name": "x"}))["id"]
    id = done(send(jan, album, drawn(), visible="public", caption="mine"))["picture"]["id"]
    done(kim.post(f"{API}/pictures/{id}/comments", json={"text": "hi"}))
    with zipfile.ZipFile(BytesIO(jan.get(f"{API}/me/data").content)) as zip:
        told = json.loads(zip.read("community/album.json"))
        picture = Image.open(BytesIO(zip.read(f"community/album/{id}.webp")))
    assert [one["caption"] for one in told["pictures"]] == ["mine"]
    assert picture.size == (400, 200)
    count = len(files(hall))
    done(jan.request("DELETE", f"{API}/me", json={"password": "long enough"}))
    assert len(files(hall)) == count - 2
    assert kim.get(f"{API}/pictures/{id}").status_code == 404
    assert kim.get(f"{API}/users/{jan_id}/album").status_code == 404
    with beside(hall.data) as db:
        for table in ("albums", "pictures", "picture_comments"):
            assert db.execute(f"SELECT count(*) FROM {table} WHERE user = ?", (jan_id,)).fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM picture_comments WHERE picture = ?", (id,)).fetchone() == (0,)
    if url_at(hall.data / DATABASE) is not None:
        return
    with beside(hall.data) as db:
        plan = " ".join(
            row[3]
            for sql in ("user = 1 ORDER BY id", "album = 1 AND id < 9")
            for row in db.execute(f"EXPLAIN QUERY PLAN SELECT id FROM pictures WHERE {sql}")
        )
    assert "SCAN" not in plan


@pytest.mark.embedded  # the copy is put back over the hall itself
def test_a_copy_has_the_pictures_and_a_kill_leaves_no_file_behind(tmp_path: Path) -> None:
    data, copy = tmp_path / "hall", tmp_path / "copy"
    server = Server(data, "[bots]\nworkers = 0\n").start()
    try:
        with httpx.Client(base_url=server.url, timeout=60) as lea:
            lea.post(f"{API}/register", json={"name": "lea", "password": "long enough"})
            album = done(lea.post(f"{API}/albums", json={"name": "x"}))["id"]
            id = done(send(lea, album, drawn(), visible="public"))["picture"]["id"]
            server.kill()
            kept = files(server)
            # As a kill leaves it between the file of a picture and its row, and between a row's end and its file's.
            names = [f"{n}" * 32 for n in "ab"]
            for name in names:
                (data / FOLDER / name[:2]).mkdir(parents=True, exist_ok=True)
                for size in ("large", "small"):
                    (data / FOLDER / name[:2] / f"{name}-{size}.webp").write_bytes(b"x")
            with beside(data) as db:
                db.executemany("INSERT INTO picture_files VALUES (?, ?)", zip(names, (0, 1), strict=True))
            server.start()
            assert files(server) == kept
            shown = lea.get(f"{API}/pictures/{id}/file/large").content
            assert cli.main(["backup", str(copy), "--data", str(data)]) == 0
            done(lea.request("DELETE", f"{API}/pictures/{id}"))
            assert files(server) == []
            server.stop()
            assert cli.main(["restore", str(copy), "--data", str(data)]) == 0
            server.start()
            assert lea.get(f"{API}/pictures/{id}/file/large").content == shown
    finally:
        server.stop()


def test_many_at_once_wait_or_are_told_to(come: Come) -> None:
    mia, _ = come("mia")
    album = done(mia.post(f"{API}/albums", json={"name": "x"}))["id"]
    data = drawn("PNG", (3000, 2000))

    async def all_at_once() -> list[int]:
        async with httpx.AsyncClient(base_url=mia.base_url, cookies=mia.cookies, timeout=60) as client:
            path = f"{API}/albums/{album}/pictures"
            answers = await asyncio.gather(*(client.post(path, content=data) for _ in range(14)))
            return [answer.status_code for answer in answers]

    found = asyncio.run(all_at_once())
    assert set(found) <= {200, 429}
    assert found.count(200) >= 10
