"""A token in the making: right as it begins, and a case's row then spoils it."""

import json
import secrets
import time
import uuid

from . import keys
from .keys import Key, b64url

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
RANDOM = secrets.SystemRandom()
TYP = {"verify": "at+jwt", "gate": "gate+jwt"}


def word() -> str:
    return "".join(RANDOM.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(RANDOM.randint(4, 9)))


def compact(value) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _same(value):
    return value


class Draft:
    """Every method but the last changes the draft and returns it, so that a row is one expression."""

    def __init__(self, kind: str):
        self.kind = kind
        self.other = "gate" if kind == "verify" else "verify"
        self.now = int(time.time()) + RANDOM.randint(-(10**7), 10**8)
        self.issuer = f"https://{word()}.example.org"
        self.audience = self.new_audience(kind)
        self.keys = {"EdDSA": keys.eddsa(), "ES256": keys.es256()}
        self.key = self.keys[RANDOM.choice(["EdDSA", "ES256"])]
        self.answers: list | None = None
        self.head = {"typ": TYP[kind], "alg": self.key.alg, "kid": self.key.kid}
        self.said = self._claims(kind)
        self.write_head = self.write_said = compact
        self.change_head = self.change_said = self.change_signature = self.change_token = _same
        self.signer = lambda message: self.key.sign(message)

    @staticmethod
    def new_audience(kind: str) -> str:
        return word() if kind == "verify" else f"https://{word()}.example.org"

    def _claims(self, kind: str) -> dict:
        """What an access token of the service says, or an assertion of its gate, in its order."""
        issued = self.now - RANDOM.randint(1, 20)
        audience = self.audience if kind == self.kind else self.new_audience(kind)
        claims = {"iss": self.issuer, "sub": str(uuid.uuid4()), "aud": [audience]}
        if kind == "verify":
            claims["client_id"] = audience
        claims |= {"iat": issued, "exp": issued + (600 if kind == "verify" else 60), "jti": str(uuid.uuid4())}
        claims["sid"] = str(uuid.uuid4())
        if kind == "verify":
            claims["rtg"] = RANDOM.randint(1, 40)
        claims |= {"org_id": str(uuid.uuid4()), "org_role": RANDOM.choice(["owner", "admin", "member"])}
        claims["roles"] = RANDOM.choice([[], ["svc:admin"], ["svc:auditor", "svc:monitor"]])
        if kind == "gate":
            name = word()
            claims |= {"email": f"{name}@example.com", "email_verified": True, "username": name}
        return claims

    # The key that signs, and the sets that are fetched.

    def by(self, key: str | Key) -> "Draft":
        """Signed by one of the two keys, or by a key that replaces that of its kind in the set."""
        self.key = self.keys[key] if isinstance(key, str) else key
        if self.key not in self.keys.values():
            self.keys[self.key.alg] = self.key
        return self.header(alg=self.key.alg, kid=self.key.kid)

    def by_stranger(self) -> "Draft":
        """Signed by a key that no set has."""
        self.key = keys.eddsa() if self.key.alg == "EdDSA" else keys.es256()
        return self.header(kid=self.key.kid)

    def set(self, *more: dict) -> dict:
        return {"keys": [key.jwk for key in self.keys.values()] + list(more)}

    def jwks(self, *answers) -> "Draft":
        self.answers = list(answers)
        return self

    def member(self, **changes) -> "Draft":
        """Changes the key's member of the set, in every answer; `None` takes a name away."""
        self.key.jwk.update(changes)
        for name in [name for name, value in changes.items() if value is None]:
            del self.key.jwk[name]
        return self.jwks(self.set(), self.set())

    def named(self, kid: str) -> "Draft":
        """The key has another name, which the token states."""
        self.key.jwk["kid"] = kid
        return self.header(kid=kid)

    # What the token says.

    def header(self, **members) -> "Draft":
        self.head.update(members)
        return self

    def claim(self, **claims) -> "Draft":
        self.said.update(claims)
        return self

    def without(self, name: str) -> "Draft":
        self.head.pop(name, None)
        self.said.pop(name, None)
        return self

    def like(self, kind: str) -> "Draft":
        """A right token of the other kind, of the same issuer."""
        self.said = self._claims(kind)
        return self.header(typ=TYP[kind])

    # How it is written: the JSON, then the base64url of each part, then the whole.

    def header_json(self, write) -> "Draft":
        self.write_head = write
        return self

    def claims_json(self, write) -> "Draft":
        self.write_said = write
        return self

    def header_part(self, change) -> "Draft":
        self.change_head = change
        return self

    def claims_part(self, change) -> "Draft":
        self.change_said = change
        return self

    def signature_part(self, change) -> "Draft":
        self.change_signature = change
        return self

    def token(self, change) -> "Draft":
        self.change_token = change
        return self

    def signed(self, signer) -> "Draft":
        """`signer` is given the message, the two parts that a JWS signs."""
        self.signer = signer
        return self

    def bent(self, change) -> "Draft":
        """The right signature, changed as bytes."""
        return self.signed(lambda message: change(self.key.sign(message)))

    def case(self, expected: str) -> dict:
        def part(write, value, change) -> str:
            text = write(value)
            return change(b64url(text if isinstance(text, bytes) else text.encode()))

        message = (
            f"{part(self.write_head, self.head, self.change_head)}.{part(self.write_said, self.said, self.change_said)}"
        )
        signature = self.change_signature(b64url(self.signer(message.encode())))
        return {
            "now": self.now,
            "jwks": [self.set()] if self.answers is None else self.answers,
            "options": {"issuer": self.issuer, "audience": self.audience},
            "token": self.change_token(f"{message}.{signature}"),
            "expect": self._person() if expected == "ok" else {"ok": False, "error": expected},
        }

    def _person(self) -> dict:
        said = self.said
        answer = {"ok": True, "sub": said["sub"], "org_id": said.get("org_id"), "org_role": said.get("org_role")}
        return {**answer, "roles": said["roles"]}


def loosened(part: str) -> str:
    """The same bytes for a lenient decoder: a bit that RFC 4648, 3.5, wants zero is one."""
    return part[:-1] + ALPHABET[ALPHABET.index(part[-1]) + 1]


def spare(write=compact):
    """Writes an object so that its base64url has bits to spare, by blanks behind it."""

    def written(value) -> str:
        text = write(value)
        return text + " " * (len(text.encode()) % 3 == 0)

    return written


def overlong(part: str) -> str:
    """Base64url of a length that no bytes have."""
    return part + "A" * ((1 - len(part)) % 4)


def wrapped(part: str, at: str) -> str:
    return part[:20] + at + part[20:]
