"""nginx and Caddy before a hall, as `deploy/` and `docs/host.md` set them up, with TLS; what a hall says of others."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.client import Server
from tests.hall.web.conftest import run
from websockets.asyncio.client import connect

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
NAME = "play.example.org"
ORIGIN = f"https://{NAME}"
NGINX = shutil.which("nginx") or ("/usr/sbin/nginx" if Path("/usr/sbin/nginx").exists() else None)
CADDY = shutil.which("caddy")
CI = bool(os.environ.get("CI"))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that nobody but these tests believes, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    crt, key = folder / "fullchain.pem", folder / "privkey.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(key), "-out", str(crt)],
        check=True, capture_output=True,
    )  # fmt: skip
    return crt, key


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def nginx(folder: Path, site: str) -> Iterator[None]:
    """Run nginx with a file of `conf.d`."""
    folder.mkdir()
    (folder / "site.conf").write_text(site, "utf-8")
    temp = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off;\n{temp}include {folder}/site.conf;\n}}\n"
    )
    assert NGINX is not None
    process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def caddy(folder: Path, site: str) -> Iterator[None]:
    """Run Caddy with a Caddyfile."""
    folder.mkdir()
    (folder / "Caddyfile").write_text(site, "utf-8")
    assert CADDY is not None
    words = [CADDY, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    home = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(words, env=home, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def of_nginx(text: str, port: int, plain: int, hall: int, certificate: tuple[Path, Path]) -> str:
    """Return an example for other ports, and with another certificate."""
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("127.0.0.1:8000", f"127.0.0.1:{hall}"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(certificate[0])),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(certificate[1])),
    ):
        assert old in text or old == "listen 80;", old
        text = text.replace(old, new)
    return text


def of_caddy(text: str, port: int, plain: int, hall: int, certificate: tuple[Path, Path]) -> str:
    assert f"{NAME} {{\n" in text
    text = text.replace(f"{NAME} {{\n", f"https://{NAME}:{port} {{\n    tls {certificate[0]} {certificate[1]}\n")
    return f"{{\n    admin off\n    http_port {plain}\n    auto_https disable_redirects\n}}\n" + text.replace(
        "127.0.0.1:8000", f"127.0.0.1:{hall}"
    )


def page_of(page: str, sign: str) -> str:
    """Return the one block of docs/host.md that holds a sign."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.M | re.S)
    (found,) = [block for block in blocks if sign in block]
    return str(found)


class Browser(httpx.Client):
    """A browser that has looked the name up, and believes the certificate."""

    def __init__(self, port: int, certificate: tuple[Path, Path]) -> None:
        self.port = port
        self.context = ssl.create_default_context(cafile=str(certificate[0]))
        super().__init__(
            base_url=f"https://127.0.0.1:{port}", verify=self.context, timeout=30,
            headers={"host": f"{NAME}:{port}", "origin": f"{ORIGIN}:{port}"},
        )  # fmt: skip

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.request(method, path, extensions={"sni_hostname": NAME}, **more)

    def up(self) -> None:
        """Wait until the proxy answers."""
        end = time.monotonic() + 30
        while True:
            try:
                assert self.ask("GET", "/healthz").text == "ok\n"
                return
            except httpx.TransportError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)


needs = {
    "nginx": pytest.mark.skipif(NGINX is None and not CI, reason="nginx is not installed"),
    "caddy": pytest.mark.skipif(CADDY is None and not CI, reason="Caddy is not installed"),
}
EXAMPLES = [
    pytest.param(nginx, of_nginx, "deploy/nginx.conf", "", marks=needs["nginx"], id="nginx"),
    pytest.param(nginx, of_nginx, "docs/host.md", "proxy_pass", marks=needs["nginx"], id="nginx-page"),
    pytest.param(caddy, of_caddy, "deploy/Caddyfile", "", marks=needs["caddy"], id="caddy"),
    pytest.param(caddy, of_caddy, "docs/host.md", "reverse_proxy", marks=needs["caddy"], id="caddy-page"),
]


@pytest.mark.parametrize(("proxy", "fit", "file", "sign"), EXAMPLES)
def test_an_example_lets_people_in(
    proxy: Any, fit: Any, file: str, sign: str, tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    text = page_of(file, sign) if sign else (ROOT / file).read_text("utf-8")
    port, plain = free_port(), free_port()
    with Server(tmp_path / "hall", "[bots]\nworkers = 0\n[limits]\nguests_per_hour = 1\n") as hall:
        with (
            proxy(tmp_path / "proxy", fit(text, port, plain, hall.port, certificate)),
            Browser(port, certificate) as me,
        ):
            me.up()
            # Host is passed on, else this would be BAD_ORIGIN; and so is that TLS is spoken.
            answer = me.ask("POST", "/api/v1/guest", json={})
            assert answer.status_code == 200, answer.text
            assert "Secure" in answer.headers["set-cookie"]
            # All visitors are here on one machine: what counts is that the proxy tells their address.
            assert me.ask("GET", "/metrics").status_code == 404
            private = me.ask("POST", "/api/v1/tables", json={"game": "xiangqi", "private": True}).json()
            assert private["link"].startswith(f"{ORIGIN}:{port}/t/")

            async def asked() -> None:
                # The URL names the site, as a browser's does: Host and Origin follow from it.
                ws = await connect(
                    f"wss://{NAME}:{port}/ws", ssl=me.context, proxy=None, host="127.0.0.1", port=port,
                    origin=f"{ORIGIN}:{port}",  # type: ignore[arg-type]
                    additional_headers={"Cookie": f"qipai={me.cookies['qipai']}"},
                )  # fmt: skip
                await ws.send(json.dumps({"t": "hello", "v": 1}))
                assert json.loads(await ws.recv())["user"] is not None
                await ws.close()

            run(asked)
        assert (hall.stop(), hall.complaints()) == (0, "")


def of_two_nodes(page: str, sign: str, first: int, second: int) -> str:
    """Return the example of docs/host.md for a hall of several nodes that holds a sign, for two others."""
    blocks = re.findall(r"(?:^    .*\n)+", (ROOT / page).read_text("utf-8"), re.M)
    (found,) = [block for block in blocks if sign in block and "10.0.0.12:8000" in block]
    return str(found).replace("10.0.0.11:8000", f"127.0.0.1:{first}").replace("10.0.0.12:8000", f"127.0.0.1:{second}")


class CutOff:
    """A node that says that it is well, and closes lines without an answer (0087)."""

    def __init__(self) -> None:
        self.closed = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readline()
        while (await reader.readline()).strip():
            pass
        if b" /healthz" in request:
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\nconnection: close\r\n\r\nok\n")
        else:
            self.closed += bool(request)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


@pytest.mark.parametrize(
    ("proxy", "fit"),
    [
        pytest.param(nginx, of_nginx, marks=needs["nginx"], id="nginx"),
        pytest.param(caddy, of_caddy, marks=needs["caddy"], id="caddy"),
    ],
)
def test_a_line_that_a_node_closes_without_a_word_goes_to_the_next(
    proxy: Any, fit: Any, tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    port, plain = free_port(), free_port()

    async def asked(url: str, **more: Any) -> None:
        ws = await connect(url, proxy=None, host="127.0.0.1", port=port, **more)
        await ws.send(json.dumps({"t": "hello", "v": 1}))
        assert json.loads(await ws.recv())["t"] == "welcome"
        await ws.close()

    with Server(tmp_path / "hall", "[bots]\nworkers = 0\n") as hall:

        async def main() -> None:
            node = CutOff()
            async with await asyncio.start_server(node.answer, "127.0.0.1", 0) as server:
                other = server.sockets[0].getsockname()[1]
                if proxy is nginx:
                    site = page_of("docs/host.md", "proxy_pass").replace("127.0.0.1:8000", "qipai")
                    site = of_two_nodes("docs/host.md", "upstream qipai", other, hall.port) + site
                    site = fit(site.replace("qipai;", "qipai; # 127.0.0.1:8000"), port, plain, hall.port, certificate)
                else:
                    site = textwrap.dedent(of_two_nodes("docs/host.md", "reverse_proxy", other, hall.port))
                    site = fit(site, port, plain, hall.port, certificate)
                with proxy(tmp_path / "proxy", site), Browser(port, certificate) as me:
                    await asyncio.to_thread(me.up)
                    for _ in range(6):
                        await asked(f"wss://{NAME}:{port}/ws", ssl=me.context)
            assert node.closed

        run(main)
        hall.stop()


@needs["nginx"]
@pytest.mark.parametrize(
    ("without", "said"),
    [("Host $http_host", "must pass Host"), ("X-Forwarded-For", "without X-Forwarded-For")],
)
def test_the_first_request_through_a_wrong_proxy_says_what_is_wrong(
    without: str, said: str, tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    text = (ROOT / "deploy/nginx.conf").read_text("utf-8")
    lines = [one for one in text.splitlines() if not one.strip().startswith(f"proxy_set_header {without}")]
    assert len(lines) == len(text.splitlines()) - 1
    port, plain = free_port(), free_port()
    with Server(tmp_path / "hall", "[bots]\nworkers = 0\n") as hall:
        site = of_nginx("\n".join(lines), port, plain, hall.port, certificate)
        with nginx(tmp_path / "proxy", site), Browser(port, certificate) as me:
            me.up()
            for _ in range(3):
                me.ask("POST", "/api/v1/guest", json={})
            # Without X-Forwarded-For it comes from this machine; the figures are nobody's all the same.
            assert me.ask("GET", "/metrics").status_code == 404
        hall.stop()
        found = [json.loads(line)["text"] for line in hall.complaints().splitlines()]
        assert len(found) == 1, found  # once
        assert said in found[0]
        assert "docs/host.md" in found[0]


def test_a_proxy_that_nobody_has_named_is_told_of(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", '[bots]\nworkers = 0\n[web]\nproxies = "192.0.2.1"\n') as hall:
        for _ in range(3):
            httpx.get(f"{hall.url}/api/v1/games", headers={"x-forwarded-for": "198.51.100.1"})
        hall.stop()
        (text,) = [json.loads(line)["text"] for line in hall.complaints().splitlines()]
        assert "127.0.0.1 is not believed" in text
        assert "[web] proxies" in text


def test_the_figures_are_behind_a_token(tmp_path: Path) -> None:
    with Server(tmp_path / "hall", "[bots]\nworkers = 0\n") as hall:
        assert httpx.get(f"{hall.url}/metrics").status_code == 404
        wrong = {"authorization": "Bearer wrong"}
        assert httpx.get(f"{hall.url}/metrics", headers=wrong).status_code == 404
        assert "qipai_connections" in hall.metrics()
        assert (hall.data / "metrics.token").stat().st_mode & 0o077 == 0
        hall.stop()
        before = (hall.data / "metrics.token").read_text()
        hall.start()
        assert (hall.data / "metrics.token").read_text() == before
        hall.stop()
    with Server(tmp_path / "open", "[bots]\nworkers = 0\n[web]\nmetrics = true\n") as hall:
        assert httpx.get(f"{hall.url}/metrics").status_code == 200
