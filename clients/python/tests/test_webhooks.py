"""Events that Doorward sends: believed by their three headers alone, handled once, remembered after success."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_type_hints

import apps
import pytest
from browser import Browser
from conftest import FRAMEWORKS

from doorward import WebhookError, wsgi
from doorward._webhook import Memory
from doorward.events import KINDS, Event, UserCreated

Serve = Callable[..., str]
SECRET = "whsec_" + base64.b64encode(b"s" * 32).decode()
SCHEMAS = Path(__file__).parents[3] / "docs/reference/events"


def signed(
    event_id: str, kind: str = "user.created", at: float | None = None, **members: Any
) -> tuple[dict[str, str], bytes]:
    created = "2026-05-15T10:42:07.318204Z"
    event = {"id": event_id, "type": kind, "created_at": created, "data": {"user_id": "u"}, **members}
    body, timestamp = json.dumps(event).encode(), str(int(time.time() if at is None else at))
    mac = hmac.digest(b"s" * 32, f"{event_id}.{timestamp}.".encode() + body, "sha256")
    headers = {"webhook-id": event_id, "webhook-timestamp": timestamp}
    headers["webhook-signature"] = f"v1,{base64.b64encode(mac).decode()}"
    headers["x-svc-signature"] = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    return headers, body


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_event_is_handled_once_and_remembered_after_success(kind: str, serve: Serve) -> None:
    seen = {"evt_known"}
    app = serve(kind, url="http://localhost:1", webhook_secret=SECRET, seen=seen)

    def post(headers: dict[str, str], body: bytes) -> int:
        return Browser().send("POST", f"{app}/hooks", headers, body.decode()).status

    apps.received.clear()
    assert [post(*signed("evt_1")), post(*signed("evt_1")), post(*signed("evt_known"))] == [204, 204, 204]
    assert [type(event) for event in apps.received] == [UserCreated]
    assert [post(*signed("evt_2", "user.updated")) for _ in range(2)] == [500, 500], "the handler is asked again"
    assert seen == {"evt_known", "evt_1"}
    assert [post(*signed("evt_3", "ping")), post(*signed("evt_4", "user.renamed"))] == [204, 204]
    assert [type(event) for event in apps.received[1:]] == [Event, Event]

    headers, body = signed("evt_5")
    only_svc = {"x-svc-signature": headers["x-svc-signature"], "x-svc-delivery": "evt_5"}
    assert [post(only_svc, body), post(headers, body + b" "), post(*signed("evt_5", at=time.time() - 301))] == [401] * 3
    assert [post(*signed("evt_5", type=7)), post(headers, b"x" * 1_100_000)] == (
        [400, 413] if kind == "fastapi" else [400, 401]
    )
    assert len(apps.received) == 3


def test_failed_handler_leaves_the_event_unseen() -> None:
    doorward = wsgi.Doorward(url="http://localhost", webhook_secret=SECRET)
    with pytest.raises(ZeroDivisionError), doorward.webhook(*signed("evt_1")):
        1 / 0
    with doorward.webhook(*signed("evt_1")) as event:
        assert isinstance(event, UserCreated) and event.data["user_id"] == "u"
    with pytest.raises(WebhookError) as replay, doorward.webhook(*signed("evt_1")):
        pass
    assert (replay.value.code, replay.value.status) == ("replay", 204)


def test_another_secret_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    doorward = wsgi.Doorward(url="http://localhost", webhook_secret="another")
    for _ in range(2):
        with pytest.raises(WebhookError), doorward.webhook(*signed("evt_1")):
            pass
    assert [record.getMessage().split(":")[0] for record in caplog.records] == ["signature"]


def test_memory_keeps_the_last_ids() -> None:
    memory = Memory(3)
    for number in range(5):
        memory.add(str(number))
    assert [str(number) in memory for number in range(5)] == [False, False, True, True, True]


@pytest.mark.parametrize("file", sorted(SCHEMAS.glob("*.json")), ids=lambda file: file.stem)
def test_types_are_those_of_the_schemas(file: Path) -> None:
    schema = json.loads(file.read_text())
    data, kind = schema["properties"]["data"], KINDS.get(file.stem, Event)
    assert (kind is Event) == (file.stem == "ping")
    if kind is not Event:
        hints = get_type_hints(get_type_hints(kind)["data"])
        assert kind.__doc__ == schema["description"]
        assert {name: shape(hint) for name, hint in hints.items()} == {
            name: shape_of(property) for name, property in data["properties"].items()
        }
        assert sorted(hints) == sorted(data["required"])
    assert len(list(SCHEMAS.glob("*.json"))) == len(KINDS) + 1


def shape(hint: Any) -> set[Any]:
    names = {str: "string", bool: "boolean", type(None): "null"}
    parts = getattr(hint, "__args__", (hint,))
    if str(hint).startswith("dict"):
        return {"object"}
    return {names.get(part, part) for part in parts}


def shape_of(property: dict[str, Any]) -> set[Any]:
    if "enum" in property:
        return set(property["enum"])
    return {property["type"]} if isinstance(property["type"], str) else set(property["type"])
