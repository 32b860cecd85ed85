"""Lighthouse's figures of a hall that runs here, for `docs/accessibility.md`, and what each audit found wrong.

  python -m tests.lighthouse                             fetches Lighthouse by npx; it wants Node 22 or newer
  python -m tests.lighthouse --with "node …/lighthouse"   uses the one that is there

Six pages are looked at as a phone and as a desk would show them: by a guest, who plays at one of them. Lighthouse knows
nothing of apps that are installed any more; what Chromium itself says of that stands under the table.
"""

from __future__ import annotations

import argparse
import json
import shlex
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, Page, sync_playwright
from tests.client import Server
from tests.e2e.conftest import FOUND, NAMED, QUICK
from tests.e2e.guest import RESIGN
from tests.e2e.person import Person

LIGHTHOUSE: Final = "npx --yes lighthouse@13.5.0"
KINDS: Final = ("accessibility", "best-practices", "seo")
FORMS: Final = {"phone": (), "desktop": ("--preset=desktop",)}


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def lived(person: Person, hall: str) -> dict[str, str]:
    """Let a guest lose a game and begin another; return the pages to be looked at, by name."""
    lost = person.call("/play", {"game": "xiangqi", "level": "easy"})["table"]
    person.page.evaluate(RESIGN, lost)
    played = person.call("/play", {"game": "gouji", "level": "easy"})["table"]
    person.page.goto(f"{hall}/tables/{played}")
    person.page.locator("[data-hand] .card").first.wait_for()
    me = person.call("/me")["user"]["id"]
    game = person.call(f"/users/{me}/games?limit=1")["rows"][0]["game_id"]
    return {
        "lobby": "/",
        "a table being played": f"/tables/{played}",
        "rules of a game": "/rules/gouji",
        "settings": "/settings",
        "replay": f"/g/{game}",
        "sign-in": "/signin",
    }


def figures(command: Sequence[str], address: str, port: int, form: str) -> tuple[dict[str, int], list[str]]:
    """Return a page's figures, 0 to 100, and what was found wrong."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "report.json")
        asked = ["--output=json", f"--output-path={out}", f"--only-categories={','.join(KINDS)}", "--quiet"]
        # The guest of that browser is the one who sits at the table.
        kept = [f"--port={port}", "--disable-storage-reset", *FORMS[form]]
        subprocess.run([*command, address, *asked, *kept], check=True, timeout=240)
        report: dict[str, Any] = json.loads(out.read_text("utf-8"))
    if wrong := report.get("runtimeError"):
        raise SystemExit(f"{address}: {wrong['message']}")
    found = {kind: round(100 * report["categories"][kind]["score"]) for kind in KINDS}
    wrongs = []
    for kind in KINDS:
        for row in report["categories"][kind]["auditRefs"]:
            audit = report["audits"][row["id"]]
            if row["weight"] and audit["score"] is not None and audit["score"] < 1:
                items = (audit.get("details") or {}).get("items", [])
                wrongs.append(f"{kind}: {row['id']}: {audit['title']} {json.dumps(items[:3])[:900]}")
    return found, wrongs


def installable(context: BrowserContext, page: Page, address: str) -> list[str]:
    """Return what keeps Chromium from installing the hall; nothing where it can."""
    page.goto(address)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    line = context.new_cdp_session(page)
    manifest = line.send("Page.getAppManifest")
    errors = [one["message"] for one in manifest["errors"]]
    return errors + [one["errorId"] for one in line.send("Page.getInstallabilityErrors")["installabilityErrors"]]


def main(words: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--with", dest="command", default=LIGHTHOUSE, metavar="COMMAND", help="how Lighthouse is called"
    )
    parser.add_argument("--browser", default=FOUND, metavar="FILE", help="the Chromium that is used")
    asked = parser.parse_args(words)
    command, port = shlex.split(asked.command), free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder, "hall"), QUICK) as hall,
        sync_playwright() as play,
    ):
        context = play.chromium.launch_persistent_context(
            Path(folder, "browser"),
            executable_path=asked.browser,
            args=[f"--remote-debugging-port={port}", "--disable-gpu", "--disable-dev-shm-usage"],
            locale="zh-CN",
        )
        context.add_init_script(NAMED)
        page = context.pages[0]
        pages = lived(Person(page).guest(hall), hall.url)
        page.goto("about:blank")
        print(f"| page | {' | '.join(f'{form}: {kind}' for form in FORMS for kind in KINDS)} |")
        print("|---|" + "---|" * (len(FORMS) * len(KINDS)))
        wrongs: list[str] = []
        for name, path in pages.items():
            row: list[str] = []
            for form in FORMS:
                found, wrong = figures(command, hall.url + path, port, form)
                row += [str(found[kind]) for kind in KINDS]
                wrongs += [f"{name}, {form}: {each}" for each in wrong]
            print(f"| {name} | {' | '.join(row)} |", flush=True)
        print("\nInstallable:", ", ".join(installable(context, page, hall.url)) or "nothing is missing")
        print(*wrongs, sep="\n")
        context.close()


if __name__ == "__main__":
    main()
