"""The files of cases, and their ids."""

import json
import secrets
from pathlib import Path

from . import tokens, webhooks
from .token import RANDOM

KINDS = ("verify", "gate", "webhooks")
ABOUT = "about.json"


def fresh(kind: str) -> tuple[list[dict], dict[str, str]]:
    """New cases in a new order, and what each id is about."""
    made = webhooks.cases() if kind == "webhooks" else tokens.cases(kind)
    named = [(secrets.token_hex(6), about, case) for about, case in RANDOM.sample(made, len(made))]
    return [{"id": id, **case} for id, _, case in named], {id: about for id, about, _ in named}


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    about = {}
    for kind in KINDS:
        cases, names = fresh(kind)
        about |= names
        lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
        (folder / f"{kind}.json").write_text(f'{{"version":1,"cases":[\n{lines}\n]}}\n')
    (folder / ABOUT).write_text(json.dumps(about, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


def read(folder: Path, kind: str) -> tuple[list[dict], dict[str, str]]:
    cases = json.loads((folder / f"{kind}.json").read_text())["cases"]
    return cases, json.loads((folder / ABOUT).read_text(encoding="utf-8"))
