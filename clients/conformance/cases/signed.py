"""Rows of `webhooks`: secrets, what is signed, how the signature is written, and the headers."""

import base64
import secrets

from .delivery import Delivery, event_id, indented, whsec
from .token import compact


def with_secret(*secrets: str):
    return lambda d: d.receiver(*secrets)


def unpadded() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(31)).decode().rstrip("=")


def of_both_alphabets() -> str:
    return "whsec_" + base64.b64encode(bytes([0xFB, 0xEF, 0xBE, 0xFF, 0xFF, 0xFF]) + secrets.token_bytes(18)).decode()


def rotated(*signing: int):
    """The receiver knows the new and the old secret; signed is with these of the two, in this order."""

    def change(d: Delivery) -> Delivery:
        both = [whsec(), whsec()]
        return d.receiver(*both).by(*(both[at] for at in signing))

    return change


SECRETS = [
    ("ok", "signed with the new one of two secrets", rotated(0)),
    ("ok", "signed with the old one of two secrets", rotated(1)),
    ("ok", "signed with both", rotated(0, 1)),
    ("ok", "signed with both, the old one first", rotated(1, 0)),
    ("ok", "signed with one more than the receiver knows", lambda d: d.by(whsec(), d.secrets[0])),
    ("ok", "a secret that is any string", with_secret("correct horse battery staple")),
    ("ok", "a secret that is not ASCII", with_secret("Schlüssel 🔑")),
    ("ok", "a secret that is base64 without its prefix, and so a string", lambda d: d.receiver(whsec()[6:])),
    ("ok", "a secret whose prefix is in capitals, and so a string", lambda d: d.receiver("WHSEC_" + whsec()[6:])),
    ("ok", "a secret whose base64 has no padding", lambda d: d.receiver(unpadded())),
    ("ok", "a secret whose base64 has + and /", lambda d: d.receiver(of_both_alphabets())),
    ("ok", "a secret longer than a block of SHA-256", lambda d: d.receiver("x" * 100 + whsec()[6:])),
    ("ok", "a raw secret and a whsec_ secret", lambda d: d.receiver("a string", whsec()).by(d.secrets[1])),
    ("signature", "signed with another secret", lambda d: d.by(whsec())),
    ("signature", "signed with two other secrets", lambda d: d.by(whsec(), whsec())),
    ("signature", "signed with an empty key", lambda d: d.by("")),
    ("signature", "signed with the secret's text instead of what it encodes", lambda d: d.by(d.secrets[0][6:])),
    (
        "signature",
        "signed with what a secret without prefix would encode",
        lambda d: d.receiver(whsec()[6:]).by("whsec_" + d.secrets[0]),
    ),
]


def written(change):
    """The right signature, written otherwise; `change` is given what follows `v1,`."""
    return lambda d: d.signature(lambda value: change(value.removeprefix("v1,")))


def loosened(encoded: str) -> str:
    """The same bytes for a lenient decoder: 32 bytes leave the last letter two bits, which are one here."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return encoded[:-2] + alphabet[alphabet.index(encoded[-2]) + 1] + "="


SIGNATURE = [
    ("ok", "an unknown version before the signature", written(lambda s: f"v2,{s[::-1]} v1,{s}")),
    ("ok", "an asymmetric signature before the right one", written(lambda s: f"v1a,{'A' * 86}== v1,{s}")),
    ("ok", "a wrong signature before the right one", written(lambda s: f"v1,{'A' * 43}= v1,{s}")),
    ("ok", "a wrong signature behind the right one", written(lambda s: f"v1,{s} v1,{'A' * 43}=")),
    ("ok", "something that is no signature beside the right one", written(lambda s: f"x , v1 v1, v1,{s} =")),
    ("ok", "two blanks between signatures", written(lambda s: f"v1,{'A' * 43}=  v1,{s}")),
    ("signature", "an empty signature", written(lambda s: "")),
    ("signature", "a version alone", written(lambda s: "v1,")),
    ("signature", "no version", written(lambda s: s)),
    ("signature", "another version", written(lambda s: f"v2,{s}")),
    ("signature", "the version in capitals", written(lambda s: f"V1,{s}")),
    ("signature", "the version of asymmetric signatures", written(lambda s: f"v1a,{s}")),
    ("signature", "an equals sign behind the version", written(lambda s: f"v1={s}")),
    ("signature", "what the signature begins with", written(lambda s: f"v1,{s[:20]}")),
    ("signature", "the signature without its last byte", written(lambda s: f"v1,{shortened(s)}")),
    ("signature", "something behind the signature", written(lambda s: f"v1,{s}A")),
    ("signature", "a comma and more behind the signature", written(lambda s: f"v1,{s},v1")),
    ("signature", "signatures separated by commas", written(lambda s: f"v1,{s},v1,{s}")),
    ("signature", "signatures separated by a tab", written(lambda s: f"v1,{'A' * 43}=\tv1,{s}")),
    ("signature", "no padding", written(lambda s: f"v1,{s.rstrip('=')}")),
    ("signature", "too much padding", written(lambda s: f"v1,{s}=")),
    ("signature", "bits to spare", written(lambda s: f"v1,{loosened(s)}")),
    ("signature", "the signature in hexadecimal", written(lambda s: f"v1,{base64.b64decode(s).hex()}")),
    ("signature", "zeros", written(lambda s: f"v1,{'A' * 43}=")),
    ("signature", "another digit", written(lambda s: f"v1,{'B' if s[0] == 'A' else 'A'}{s[1:]}")),
    ("signature", "the form of x-svc-signature", written(lambda s: f"sha256={base64.b64decode(s).hex()}")),
    ("signature", "signed is the body alone", lambda d: d.signs(lambda id, timestamp, body: body)),
    ("signature", "signed are timestamp and body", lambda d: d.signs(lambda id, t, body: f"{t}.".encode() + body)),
    ("signature", "signed are id and body", lambda d: d.signs(lambda id, t, body: f"{id}.".encode() + body)),
    ("signature", "signed in another order", lambda d: d.signs(lambda id, t, body: f"{t}.{id}.".encode() + body)),
    ("signature", "signed without dots", lambda d: d.signs(lambda id, t, body: f"{id}{t}".encode() + body)),
    (
        "signature",
        "signed with another id",
        lambda d: d.signs(lambda id, t, body: f"{event_id()}.{t}.".encode() + body),
    ),
    (
        "signature",
        "signed with another time",
        lambda d: d.signs(lambda id, t, body: f"{id}.{int(t) + 1}.".encode() + body),
    ),
    ("signature", "another body", lambda d: d.arrives(lambda body: body.replace(b"user.created", b"user.deleted"))),
    ("signature", "a body that was parsed and written again", lambda d: d.arrives(lambda body: indented(d.event))),
    ("signature", "a line break behind the body", lambda d: d.arrives(lambda body: body + b"\n")),
    (
        "signature",
        "a body without its line break",
        lambda d: d.body(lambda e: compact(e).encode() + b"\n").arrives(bytes.strip),
    ),
    ("signature", "a body cut off", lambda d: d.arrives(lambda body: body[:-1])),
    ("signature", "no body", lambda d: d.arrives(lambda body: b"")),
]


def shortened(encoded: str) -> str:
    return base64.b64encode(base64.b64decode(encoded)[:-1]).decode()


def of_case(change):
    return lambda d: d.headers(lambda headers: {change(name): value for name, value in headers.items()})


def renamed(old: str, new: str):
    return lambda d: d.headers(lambda headers: {name.replace(old, new): value for name, value in headers.items()})


STANDARD = ("webhook-id", "webhook-timestamp", "webhook-signature")
HEADERS = [
    ("ok", "names as they are on the wire", of_case(str.title)),
    ("ok", "names in capitals", of_case(str.upper)),
    ("ok", "other headers beside", lambda d: d.adds(traceparent="00-0-0-01", user_agent="doorward/0.4.0", host="x")),
    (
        "ok",
        "the three headers alone",
        lambda d: d.lacks("content-type", "x-svc-event", "x-svc-delivery", "x-svc-signature"),
    ),
    ("ok", "a wrong x-svc-signature beside", lambda d: d.adds(x_svc_signature="sha256=" + "0" * 64)),
    ("ok", "another x-svc-event beside", lambda d: d.adds(x_svc_event="user.deleted")),
    ("ok", "another x-svc-delivery beside", lambda d: d.adds(x_svc_delivery=event_id())),
    *(
        ("signature", f"no {name}, and a right x-svc-signature", lambda d, name=name: d.lacks(name))
        for name in STANDARD
    ),
    ("signature", "a right x-svc-signature alone", lambda d: d.lacks(*STANDARD)),
    ("signature", "no header at all", lambda d: d.headers(lambda headers: {})),
    ("signature", "a wrong signature, and a right x-svc-signature", written(lambda s: f"v1,{'A' * 43}=")),
    ("signature", "names with underscores", of_case(lambda name: name.replace("-", "_"))),
    ("signature", "svix's names", renamed("webhook-", "svix-")),
    ("signature", "names after the service", renamed("webhook-", "x-svc-")),
]
