"""The tour for researchers: its blocks are run, in order, as one program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOUR = Path(__file__).parents[2] / "docs" / "tours" / "researchers.md"


def test_the_tour_for_researchers_runs() -> None:
    pytest.importorskip("numpy")
    blocks = re.findall(r"```python\n(.*?)```", TOUR.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) >= 5
    exec(compile("\n".join(blocks), str(TOUR), "exec"), {})
