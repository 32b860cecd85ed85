"""Compile every kernel and keep the result, so that later starts find them compiled."""

from __future__ import annotations

import argparse
import time

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes: nothing."""


def run(args: argparse.Namespace) -> int:
    """Compile the kernels of every game."""
    from qipai.cli.jit import compile_kernels

    compile_kernels()
    from qipai import games

    for name in games.names():
        began = time.monotonic()
        print(f"{name} …", end=" ", flush=True)
        games.find(name).warm()
        print(f"{time.monotonic() - began:.1f} s", flush=True)
    return 0
