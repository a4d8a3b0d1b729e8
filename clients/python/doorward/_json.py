"""JSON as RFC 8259 has it, and nothing that two parsers could read differently."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def loads(data: bytes) -> Any:
    """The value of UTF-8 JSON; `ValueError` also for members that stand twice, NaN, and nesting without end."""
    try:
        return json.loads(data.decode(), object_pairs_hook=_members, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice")
    return members


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
