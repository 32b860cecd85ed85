"""A hall's folder belongs to the hall alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from qipai import cli

Said = pytest.CaptureFixture[str]


@pytest.mark.skipif(os.name != "posix", reason="there are no such rights here")
def test_nobody_else_reads_a_halls_folder(data: Path, tmp_path: Path) -> None:
    def rights(path: Path) -> int:
        return path.stat().st_mode & 0o777

    assert (rights(data), rights(data / "hall.sqlite"), rights(data / "hall.toml")) == (0o700, 0o600, 0o600)
    # One that an earlier version has made is shut, too.
    assert cli.main(["backup", "--data", str(data)]) == 0
    (copy,) = (data / "backups").iterdir()
    for path in (data, data / "backups", copy):
        path.chmod(0o755)
    for path in (data / "hall.sqlite", data / "hall.toml", copy / "hall.sqlite"):
        path.chmod(0o644)
    assert cli.main(["admin", "grant", "海潮生", "5", "--data", str(data)]) == 0
    assert [rights(path) for path in (data, data / "backups", copy)] == [0o700] * 3
    files = (data / "hall.sqlite", data / "hall.toml", copy / "hall.sqlite", copy / "hall.toml")
    assert [rights(path) for path in files] == [0o600] * 4
    assert cli.main(["backup", str(tmp_path / "elsewhere"), "--data", str(data)]) == 0
    assert rights(tmp_path / "elsewhere" / "hall.sqlite") == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no owners here")
def test_what_root_puts_into_a_halls_folder_belongs_to_the_hall(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, tuple[int, int]] = {}
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("os.chown", lambda path, user, group: given.update({Path(path).name: (user, group)}))
    copy = tmp_path / "copy"
    assert cli.main(["backup", str(copy), "--data", str(data)]) == 0
    assert given.keys() == {"last-backup"}  # what goes elsewhere is root's
    assert cli.main(["restore", str(copy), "--data", str(data)]) == 0
    owner = data.stat()
    assert {"hall.sqlite", "hall.toml", "lock", "backups"} <= given.keys()
    assert set(given.values()) == {(owner.st_uid, owner.st_gid)}
