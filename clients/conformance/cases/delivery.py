"""A delivery in the making: right as it begins, and a case's row then spoils it."""

import base64
import hashlib
import hmac
import json
import secrets
import time
import uuid

from .token import RANDOM, compact, word


def event_id() -> str:
    return f"evt_{_uuid7()}"


def _uuid7() -> str:
    bits = int(time.time() * 1000) << 80 | secrets.randbits(80)
    return str(uuid.UUID(int=bits & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62))


def whsec() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def key_of(secret: str) -> bytes:
    """The key of `webhook-signature` (docs/reference/webhooks.md 13.2)."""
    if not secret.startswith("whsec_"):
        return secret.encode()
    encoded = secret.removeprefix("whsec_")
    return base64.b64decode(encoded + "=" * (-len(encoded) % 4))


def mac(key: bytes, message: bytes) -> str:
    return base64.b64encode(hmac.digest(key, message, hashlib.sha256)).decode()


class Delivery:
    """Every method but the last changes the delivery and returns it, so that a row is one expression."""

    def __init__(self):
        self.now = int(time.time()) + RANDOM.randint(-(10**7), 10**8)
        self.secrets = [whsec()]
        self.signers: list[str] | None = None
        self.id = event_id()
        self.timestamp = str(self.now - RANDOM.randint(0, 5))
        self.event = {
            "id": self.id,
            "type": "user.created",
            "created_at": self._moment(),
            "data": {"user_id": _uuid7()},
        }
        self.write = lambda event: compact(event).encode()
        self.signed_text = None
        self.change_signature = self.change_body = self.change_headers = lambda value: value
        self.known = [event_id() for _ in range(RANDOM.randint(0, 3))]

    def _moment(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(self.now - 9)) + f".{RANDOM.randrange(10**6):06}Z"

    def of(self, kind: str, data: dict | None = None) -> "Delivery":
        """An event of a kind, with what the service says of it."""
        self.event["type"] = kind
        self.event["data"] = self._data(kind) if data is None else data
        return self

    def _data(self, kind: str) -> dict:
        user, organization, invitation, somebody = (_uuid7() for _ in range(4))
        somebody = RANDOM.choice([somebody, None])
        role, metadata = RANDOM.choice(["owner", "admin", "member"]), RANDOM.choice(
            [{}, {"seat": "gold", "n": [1, None]}]
        )
        subject, _, action = kind.rpartition(".")
        if subject == "user":
            return {"user_id": user}
        if subject == "organization":
            named = {"organization_id": organization, "name": f"{word()} & Söhne", "kind": "team"}
            return {**named, "created_by_user_id": somebody}
        if subject == "organization.membership":
            data = {"organization_id": organization, "user_id": user, "role": role}
            first = {"is_initial_membership": True, "invitation_id": None, "metadata": {}}
            return data | first if action == "created" else data
        data = {"invitation_id": invitation, "organization_id": organization, "email": f"{word()}@example.com"}
        data |= {"role": role, "metadata": metadata}
        if action == "created":
            return data | {"invited_by_user_id": somebody, "expires_at": self._moment()}
        by = user if action == "accepted" else somebody
        return data | {f"{action}_by_user_id": by, f"{action}_at": self._moment()}

    def by(self, *secrets: str) -> "Delivery":
        """Signed with these; else with every secret that the receiver has."""
        self.signers = list(secrets)
        return self

    def receiver(self, *secrets: str) -> "Delivery":
        self.secrets = list(secrets)
        return self

    def sent(self, timestamp) -> "Delivery":
        self.timestamp = str(timestamp)
        return self

    def aged(self, seconds: int) -> "Delivery":
        return self.sent(self.now - seconds)

    def seen(self, *ids: str) -> "Delivery":
        self.known += ids
        return self

    def says(self, **members) -> "Delivery":
        self.event.update(members)
        return self

    def without(self, name: str) -> "Delivery":
        del self.event[name]
        return self

    def body(self, write) -> "Delivery":
        """`write` makes the bytes that are signed."""
        self.write = write
        return self

    def arrives(self, change) -> "Delivery":
        """The body is changed on its way, after it was signed."""
        self.change_body = change
        return self

    def signs(self, text) -> "Delivery":
        """`text` makes what is signed, of id, timestamp and body."""
        self.signed_text = text
        return self

    def signature(self, change) -> "Delivery":
        self.change_signature = change
        return self

    def headers(self, change) -> "Delivery":
        self.change_headers = change
        return self

    def lacks(self, *names: str) -> "Delivery":
        return self.headers(lambda headers: {name: value for name, value in headers.items() if name not in names})

    def adds(self, **headers: str) -> "Delivery":
        """Names have `_` for `-`."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.headers(lambda headers: headers | more)

    def case(self, expected: str) -> dict:
        body = self.write(self.event)
        text = self.signed_text or (lambda id, timestamp, body: f"{id}.{timestamp}.".encode() + body)
        signers = self.secrets if self.signers is None else self.signers
        signed = text(self.id, self.timestamp, body)
        signature = " ".join("v1," + mac(key_of(secret), signed) for secret in signers)
        whole_text = hmac.digest((signers or self.secrets)[0].encode(), body, hashlib.sha256)
        headers = {
            "content-type": "application/json",
            "x-svc-event": self.event.get("type") if isinstance(self.event.get("type"), str) else "ping",
            "x-svc-delivery": self.id,
            "x-svc-signature": "sha256=" + whole_text.hex(),
            "webhook-id": self.id,
            "webhook-timestamp": self.timestamp,
            "webhook-signature": self.change_signature(signature),
        }
        ok = {"ok": True, "event": self.id, "type": self.event.get("type")}
        return {
            "now": self.now,
            "secrets": self.secrets,
            "headers": self.change_headers(headers),
            "body": base64.b64encode(self.change_body(body)).decode(),
            "seen": RANDOM.sample(self.known, len(self.known)),
            "expect": ok if expected == "ok" else {"ok": False, "error": expected},
        }


def indented(event: dict) -> bytes:
    return json.dumps(event, indent=2).encode()
