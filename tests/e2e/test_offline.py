"""The hall as an app on a device: it opens without a line, and takes over its next version by itself (P-98)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect
from tests.client import Server
from tests.e2e.conftest import QUICK

from qipai import lang
from qipai.web.files import CLIENT

READY = "navigator.serviceWorker.ready.then((one) => one.active.state)"
CACHED = "caches.keys().then((names) => names.filter((one) => one.startsWith('qipai-client-')))"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A hall of its own: it is stopped here."""
    if not (CLIENT / "index.html").is_file():
        pytest.skip("the client is not built")
    with Server(tmp_path_factory.mktemp("house"), QUICK) as server:
        yield server


def test_it_can_be_installed(house: Server, window: Callable[..., Page]) -> None:
    page = window()
    page.goto(house.url)
    manifest = page.request.get(house.url + str(page.locator("link[rel=manifest]").get_attribute("href"))).json()
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["id"] == "/"
    for one in [*manifest["icons"], *(icon for short in manifest["shortcuts"] for icon in short["icons"])]:
        answer = page.request.get(house.url + one["src"])
        assert answer.ok, one
        if one["sizes"] != "any":
            assert answer.headers["content-type"] == "image/png"
            size = page.evaluate(
                "(src) => new Promise((done) => { const one = new Image(); one.onload = () => done(one.naturalWidth);"
                " one.src = src; })",
                one["src"],
            )
            assert one["sizes"] == f"{size}x{size}"
    assert {one.get("purpose", "any") for one in manifest["icons"]} == {"any", "maskable"}
    for short in manifest["shortcuts"]:
        assert page.request.get(house.url + short["url"]).ok
    worker = page.request.get(house.url + "/worker.js")
    assert worker.headers["cache-control"] == "no-cache"
    named = json.loads(worker.text().partition("const FILES = ")[2].partition(";\n")[0])
    calls = {f"/assets/{file.name}" for file in (CLIENT / "assets").glob("*.ogg")}  # for the few who want them spoken
    assert {f"/assets/{file.name}" for file in (CLIENT / "assets").iterdir()} - calls <= set(named)
    assert calls
    assert not calls & set(named)


def test_it_opens_without_a_line_and_comes_back_by_itself(house: Server, window: Callable[..., Page]) -> None:
    play = [sys.executable, "-m", "tests.e2e.finished", house.url, "offliner", "xiangqi"]
    game = subprocess.run(play, capture_output=True, text=True, check=True).stdout.strip()
    page = window(390, 844, service_workers="allow")
    page.goto(f"{house.url}/kept")
    page.get_by_role("button", name="都存到这台设备上").click()
    expect(page.get_by_text("都存好了")).to_be_visible(timeout=60_000)
    assert page.evaluate(READY) in ("activating", "activated")
    page.goto(f"{house.url}/g/{game}")
    expect(page.locator(".stage[data-fen]")).to_be_visible()

    house.stop()
    page.goto(f"{house.url}/kept")
    expect(page.get_by_text("连不上大厅")).to_be_visible()
    expect(page.locator(f"a[href='/g/{game}']")).to_contain_text("象棋")
    page.locator(f"a[href='/g/{game}']").click()
    expect(page.locator(".stage[data-fen]")).to_be_visible()
    for name in ("gouji", "mahjong"):
        page.goto(f"{house.url}/rules/{name}")
        words = lang.of_game(name, "zh-CN")
        title = next(words[key] for key in words if key.startswith("rules.") and key.endswith(".title"))
        expect(page.get_by_text(title).and_(page.locator(":visible")).first).to_be_visible()
    page.goto(f"{house.url}/rules/gouji/glossary")
    expect(page.get_by_text("接风").and_(page.locator(":visible")).first).to_be_visible()
    page.goto(f"{house.url}/learn/xiangqi")
    expect(page.locator("[data-say]")).to_be_visible()
    page.locator("[data-next]").click()
    expect(page.locator("[data-offline]")).to_contain_text("现在没有网")
    # What is not here says so, and is there as soon as the hall is.
    page.goto(f"{house.url}/tips")
    expect(page.get_by_text("连不上大厅").first).to_be_visible()
    house.start()
    expect(page.locator(".strip")).to_have_count(0)
    expect(page.get_by_text("连不上大厅")).to_have_count(0)
    assert page.evaluate("document.documentElement.dataset.missing") is None


def test_a_new_version_takes_over_at_the_next_visit(house: Server, window: Callable[..., Page]) -> None:
    page = window(service_workers="allow")
    text = (CLIENT / "worker.js").read_text("utf-8")
    page.goto(f"{house.url}/kept")
    page.get_by_role("button", name="都存到这台设备上").click()
    expect(page.get_by_text("都存好了")).to_be_visible(timeout=60_000)
    (old,) = page.evaluate(CACHED)
    build = old.removeprefix("qipai-client-")
    assert f'const BUILD = "{build}"' in text
    try:
        (CLIENT / "worker.js").write_text(text.replace(build, "0123456789abcdef"), encoding="utf-8")
        page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => null)")
        expect(page.locator(".toast").get_by_text("新版本备好了")).to_be_visible()
        assert set(page.evaluate(CACHED)) == {old, "qipai-client-0123456789abcdef"}  # the page still has its own
        context = page.context
        page.close()
        page = context.new_page()
        page.goto(f"{house.url}/kept")
        page.wait_for_function(f"{CACHED}.then((names) => names.join() === 'qipai-client-0123456789abcdef')")
    finally:
        (CLIENT / "worker.js").write_text(text, encoding="utf-8")
