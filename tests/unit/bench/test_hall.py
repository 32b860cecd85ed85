from __future__ import annotations

import sys
from pathlib import Path

import pytest

from qipai.bench.hall import Server, kill_all

SERVING = "import time; print('at http://127.0.0.1:1', flush=True); time.sleep(600)"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other processes are measured on Linux alone")
def test_who_waits_for_a_server_that_was_ended_is_told() -> None:
    with Server([sys.executable, "-c", SERVING]) as server:
        server.check()
        kill_all()
        with pytest.raises(RuntimeError, match="ended"):
            server.check()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other processes are measured on Linux alone")
def test_a_server_that_does_not_start_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"did not start: .* the port is taken"):
        Server([sys.executable, "-c", "import sys; sys.exit('the port is taken')"], tmp_path / "log")
