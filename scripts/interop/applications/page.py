"""The blocks of docs/guides/applications.md: applications are tried with what the page says, and with nothing else."""

import pathlib

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs/guides/applications.md"


USED = []


def blocks(heading):
    """The blocks of code of a section."""
    text = PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = [part.split("\n", 1)[1] for part in text.split("```")[1::2]]
    USED.extend(block for block in found if block not in USED)
    return found
