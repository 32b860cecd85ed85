"""Messages to devices: read as a browser reads them, tried again while a push service is down, over a kill."""

from __future__ import annotations

import json
import stat
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.unit.community.people import Town, town

from qipai.community.push.crypto import HallKey
from qipai.community.push.post import Answer
from qipai.config import Config, Push
from qipai.hall.table.errors import HallError

http_ece = pytest.importorskip("http_ece")
ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")

ENDPOINT = "https://push.example.org/send/abc"
CONFIG = Config(push=Push(hall="https://play.example.org", devices=2, per_hour=5))


class Browser:
    """A browser with its keys, and the push service it has chosen. says: what that answers."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"sixteen bytes it"
        self.says = Answer(201)
        self.came: list[tuple[str, Mapping[str, str], dict[str, Any]]] = []
        self.tries = 0

    @property
    def keys(self) -> tuple[str, str]:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).decode().rstrip("="), urlsafe_b64encode(self.secret).decode().rstrip("=")

    def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> Answer:
        self.tries += 1
        if self.says.status == 201:
            text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
            self.came.append((endpoint, headers, json.loads(text)))
        return self.says

    async def subscribe(self, place: Town, endpoint: str = ENDPOINT, login: bytes | None = None) -> None:
        key = place.login if login is None else login
        await place.community.push.add(place.user, key, endpoint, *self.keys, name="phone", tongue="en")

    def serve(self, place: Town) -> None:
        place.community.push.post = self.post


async def test_a_browser_can_read_what_is_pushed_in_the_language_of_its_owner(tmp_path: Path) -> None:
    browser = Browser()
    async with town(tmp_path, CONFIG, browser.serve) as place:
        await browser.subscribe(place)
        await place.set(lang="zh-CN")
        await place.tell("friend", say="ui.people.befriended", name="海潮生")
        await place.sweep()
        ((endpoint, headers, message),) = browser.came
        assert endpoint == ENDPOINT
        assert (message["path"], message["lang"], message["title"]) == ("/friend/1", "zh-CN", "棋牌")
        assert "海潮生" in message["body"]
        assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", str(12 * 3600))
        scheme, _, rest = headers["authorization"].partition(" t=")
        token, _, key = rest.partition(",k=")
        assert (scheme, key.rstrip("=")) == ("vapid", place.community.push.key)
        claims = json.loads(urlsafe_b64decode(token.split(".")[1] + "=="))
        assert (claims["aud"], claims["sub"]) == ("https://push.example.org", "https://play.example.org")
        assert await place.count("push_queue") == 0
        key_file = tmp_path / "push.pem"
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
        assert HallKey(tmp_path).public == place.community.push.key  # the same after a restart


async def test_a_service_that_is_down_for_an_hour_gets_it_later_also_after_a_kill(tmp_path: Path) -> None:
    browser = Browser()
    browser.says = Answer(503)
    async with town(tmp_path, CONFIG, browser.serve) as place:
        await browser.subscribe(place)
        await place.tell("reply")
        for _ in range(120):  # an hour
            await place.sweep(30)
        assert 4 <= browser.tries <= 9  # the pauses grow
        assert await place.count("push_queue") == 1
    browser.says = Answer(201)
    async with town(tmp_path, CONFIG, browser.serve) as place:  # as after a kill: all that counts is on the disk
        await place.sweep(2 * 3600)
        assert [message["path"] for *_, message in browser.came] == ["/reply/1"]
        # What nobody takes for half a day is given up.
        browser.says = Answer(0)
        await place.tell("reply")
        for _ in range(16):
            await place.sweep(3600)
        assert await place.count("push_queue") == 0


async def test_who_does_not_want_it_is_told_nothing(tmp_path: Path) -> None:
    browser = Browser()
    async with town(tmp_path, CONFIG, browser.serve) as place:
        await browser.subscribe(place)
        await place.set(push=("mail",))
        await place.tell("reply")
        await place.sweep()
        assert (browser.tries, await place.count("push_queue")) == (0, 0)
        await place.set(push=("talk",))
        for n in range(7):  # more an hour than anybody can read
            await place.tell("reply", n=n)
        await place.sweep()
        assert (len(browser.came), await place.count("push_queue")) == (5, 0)
        # The browser has gone: its device is forgotten.
        browser.says = Answer(410)
        await place.tell("reply")
        await place.sweep(3600)
        assert await place.count("push_devices") == 0


async def test_devices_end_with_their_login_and_the_oldest_gives_way(tmp_path: Path) -> None:
    browser = Browser()
    async with town(tmp_path, CONFIG, browser.serve) as place:
        for n in range(3):
            await browser.subscribe(place, f"{ENDPOINT}{n}", login=b"login %d" % n)
        assert [one.login for one in await place.community.push.devices(place.user)] == [b"login 2", b"login 1"]
        await place.tell("reply")
        await place.sweep()  # these logins are in force nowhere
        assert (browser.tries, await place.count("push_devices")) == (0, 0)
        await browser.subscribe(place)
        await browser.subscribe(place, f"{ENDPOINT}/anew")  # the same browser
        (device,) = await place.community.push.devices(place.user)
        with pytest.raises(HallError, match="NOT_FOUND"):
            await place.community.push.remove(place.user + 1, device.id)
        await place.community.push.remove(place.user, device.id)
        for endpoint, public in (("https://10.0.0.1/x", browser.keys[0]), (ENDPOINT, "A" * 87), (ENDPOINT, "é")):
            with pytest.raises(HallError, match="BAD_MESSAGE"):
                await place.community.push.add(
                    place.user, place.login, endpoint, public, browser.keys[1], name="", tongue="en"
                )


async def test_without_https_nothing_is_pushed(tmp_path: Path) -> None:
    async with town(tmp_path, Config()) as place:
        assert place.community.push.key is None
        assert not (tmp_path / "push.pem").exists()
        with pytest.raises(HallError, match="NOT_FOUND"):
            await Browser().subscribe(place)
