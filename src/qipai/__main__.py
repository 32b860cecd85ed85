"""`python -m qipai` is `qipai`."""

from __future__ import annotations

from qipai.cli import main

raise SystemExit(main())
