"""Answers the cases that all clients of Doorward share: `python -m doorward.conformance verify|gate|webhooks`.

Reads a case a line from standard input, and answers `{"id","ok",…}` a line, in order.
"""

from __future__ import annotations

import base64
import json
import logging
import sys
from collections.abc import Callable
from concurrent.futures import Future
from http.client import HTTPMessage
from typing import Any, TypeVar

from doorward import _jwt, _person
from doorward._config import Options
from doorward._core import Core
from doorward._errors import DoorwardError, Unavailable
from doorward._http import Answer, Http
from doorward._steps import run
from doorward._webhook import Webhooks

T = TypeVar("T")


class _Scripted(Http):
    """Gives the answers of a case in turn; behind the last one there is none."""

    def __init__(self, answers: list[Any]) -> None:
        super().__init__("http://localhost")
        self._answers = iter(answers)

    def ask(self, method: str, path: str, headers: dict[str, str], read: Callable[[Answer], T]) -> Future[T]:
        future: Future[T] = Future()
        answer = next(self._answers, None)
        try:
            if answer is None:
                raise Unavailable()
            future.set_result(read(Answer(200, HTTPMessage(), json.dumps(answer).encode())))
        except Unavailable as error:
            future.set_exception(error)
        return future


def token(case: dict[str, Any], typ: str) -> dict[str, Any]:
    expected, now = case["options"], case["now"]
    options: Options = {"url": "http://localhost", "issuer": expected["issuer"], "clock": lambda: float(now)}
    core = Core(options, _Scripted(case["jwks"]))
    person = _person.of_claims(run(core.verify(case["token"], typ, expected["audience"])))
    return {
        "sub": person.id,
        "org_id": person.organization_id,
        "org_role": person.organization_role,
        "roles": list(person.roles),
    }


def webhook(case: dict[str, Any]) -> dict[str, Any]:
    now, (secret, *previous) = case["now"], case["secrets"]
    options: Options = {"url": "http://localhost", "webhook_secret": secret, "clock": lambda: float(now)}
    if previous:
        options["webhook_secret_previous"] = previous[0]
    webhooks = Webhooks(Core({**options, "seen": set(case.get("seen", ()))}))
    event = webhooks.open(case["headers"], base64.b64decode(case["body"]))
    return {"event": event.id, "type": event.type}


KINDS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "verify": lambda case: token(case, _jwt.ACCESS),
    "gate": lambda case: token(case, _jwt.ASSERTION),
    "webhooks": webhook,
}


def answer(kind: str, case: dict[str, Any]) -> dict[str, Any]:
    """The answer to one case."""
    try:
        return {"id": case["id"], "ok": True, **KINDS[kind](case)}
    except DoorwardError as error:
        return {"id": case["id"], "ok": False, "error": error.code}


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in KINDS:
        print(f"Usage: python -m doorward.conformance {'|'.join(KINDS)}", file=sys.stderr)
        return 2
    logging.disable()
    for line in sys.stdin.buffer:
        if line.strip():
            print(json.dumps(answer(sys.argv[1], json.loads(line))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
