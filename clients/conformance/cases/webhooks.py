"""The cases of `webhooks`. A row is (error or "ok", what it is, change of a delivery)."""

from itertools import combinations

from .delivery import Delivery, event_id, indented, whsec
from .signed import HEADERS, SECRETS, SIGNATURE
from .token import compact

WINDOW = 300
KINDS = [f"user.{action}" for action in ("created", "updated", "deleted")]
KINDS += [f"organization.{action}" for action in ("created", "updated", "deleted")]
KINDS += [f"organization.membership.{action}" for action in ("created", "updated", "deleted")]
KINDS += [f"organization.invitation.{action}" for action in ("created", "accepted", "revoked")]
UNKNOWN = ["user.renamed", "organization", "user.created.v2", "User.Created", "__proto__", "größer"]


def timestamp(text):
    return lambda d: d.sent(text(d.now))


def shifted(d: Delivery) -> Delivery:
    """The dots of a right delivery elsewhere: the same text is signed, by another id, time and body."""
    body = d.write(d.event)
    head, _, tail = body.partition(b".")

    def moved(headers: dict) -> dict:
        return headers | {"webhook-id": f"{d.id}.{d.timestamp}", "webhook-timestamp": head.decode()}

    return d.headers(moved).arrives(lambda _: tail)


def in_digits(zero: str):
    return lambda now: "".join(chr(ord(zero) + int(digit)) for digit in str(now))


TIMESTAMP = [
    *(("ok", f"{age} s old", lambda d, age=age: d.aged(age)) for age in (0, 1, WINDOW - 1, WINDOW, -1, -WINDOW)),
    *(
        ("timestamp", f"{age} s old", lambda d, age=age: d.aged(age))
        for age in (WINDOW + 1, 10**6, -WINDOW - 1, -(10**6))
    ),
    ("timestamp", "milliseconds", timestamp(lambda now: now * 1000)),
    ("timestamp", "0", timestamp(lambda now: 0)),
    ("timestamp", "negative", timestamp(lambda now: -now)),
    ("timestamp", "20 digits", timestamp(lambda now: "9" * 20)),
    ("timestamp", "400 digits", timestamp(lambda now: "9" * 400)),
    ("timestamp", "words", timestamp(lambda now: "now")),
    ("timestamp", "NaN", timestamp(lambda now: "NaN")),
    ("timestamp", "Infinity", timestamp(lambda now: "Infinity")),
    ("timestamp", "a fraction", timestamp(lambda now: f"{now}.5")),
    ("timestamp", "a fraction of zero", timestamp(lambda now: f"{now}.0")),
    ("timestamp", "an exponent", timestamp(lambda now: f"{now}e0")),
    ("timestamp", "hexadecimal", timestamp(hex)),
    ("timestamp", "a list", timestamp(lambda now: f"{now},{now}")),
    ("timestamp", "underscores between digits", timestamp(lambda now: f"{now:_}")),
    ("timestamp", "digits of another script", timestamp(in_digits("\u0660"))),
    ("timestamp", "digits of full width", timestamp(in_digits("\uff10"))),
    ("timestamp", "a letter behind", timestamp(lambda now: f"{now}s")),
    ("timestamp", "a date", timestamp(lambda now: "2026-05-15T10:42:07Z")),
    ("timestamp", "the signed text divided elsewhere", shifted),
]

REPLAY = [
    ("ok", "other ids were seen", lambda d: d.seen(*(event_id() for _ in range(50)))),
    ("ok", "the id in capitals was seen", lambda d: d.seen(d.id.upper())),
    ("ok", "what the id begins with was seen", lambda d: d.seen(d.id[:-1])),
    ("replay", "the id was seen", lambda d: d.seen(d.id)),
    ("replay", "the id was seen, and the request is signed anew", lambda d: d.seen(d.id).aged(-2)),
    ("replay", "the id was seen, and the body has another", lambda d: d.seen(d.id).says(id=event_id())),
]


def cut(*texts: bytes):
    """Bodies that are signed rightly, and no event."""
    return [("malformed", f"the body {text[:30]!r}", lambda d, text=text: d.body(lambda _: text)) for text in texts]


def another_id_last(event: dict) -> bytes:
    return compact(event).encode()[:-1] + f',"id":"{event_id()}"}}'.encode()


METADATA = {
    "__proto__": {"role": "owner"},
    "n": 12345678901234567890123,
    "x": "\u0000\u2028 👩‍🚀",
    "constructor": None,
}
BODY = [
    *(("ok", kind, lambda d, kind=kind: d.of(kind)) for kind in KINDS),
    *(("ok", f"the unknown kind {kind!r}", lambda d, kind=kind: d.of(kind, {"a": [1]})) for kind in UNKNOWN),
    ("ok", "ping", lambda d: d.of("ping", {})),
    ("ok", "an unknown kind that is a long string", lambda d: d.of("x" * 500, {})),
    ("ok", "new members in the event and its data", lambda d: d.says(version=2, data={**d.event["data"], "new": None})),
    ("ok", "members in capitals beside", lambda d: d.says(ID="evt_1", Type="user.deleted", Data=[])),
    ("ok", "members in another order", lambda d: d.body(lambda e: compact(dict(reversed(e.items()))).encode())),
    (
        "ok",
        "line breaks, escapes and blanks in the body",
        lambda d: d.body(lambda e: b"\r\n" + indented(e).replace(b'"id"', b'"\\u0069d"') + b"\n"),
    ),
    (
        "ok",
        "metadata that only their owner understands",
        lambda d: d.of(KINDS[9]).says(data=d.event["data"] | {"metadata": METADATA}),
    ),
    *cut(
        b"", b" ", b"null", b"true", b"1", b'"evt"', b"[]", b"{}", b"{", b"user.created", b"id=evt&type=ping", b"\x00"
    ),
    ("malformed", "a list of the event", lambda d: d.body(lambda e: compact([e]).encode())),
    ("malformed", "two events", lambda d: d.body(lambda e: compact(e).encode() * 2)),
    ("malformed", "an event cut off", lambda d: d.body(lambda e: compact(e).encode()[:-1])),
    ("malformed", "a comma before the end", lambda d: d.body(lambda e: compact(e).encode()[:-1] + b",}")),
    (
        "malformed",
        "NaN in the data",
        lambda d: d.body(lambda e: compact(e).encode().replace(b'"data":{', b'"data":{"n":NaN,')),
    ),
    (
        "malformed",
        "not UTF-8 in a string",
        lambda d: d.of(KINDS[3]).body(lambda e: compact(e).encode().replace("ö".encode(), b"\xf6")),
    ),
    (
        "malformed",
        "not UTF-8 in a new member",
        lambda d: d.says(new="@").body(lambda e: compact(e).encode().replace(b'"@"', b'"\xc3"')),
    ),
    ("malformed", "UTF-16", lambda d: d.body(lambda e: compact(e).encode("utf-16"))),
    ("malformed", "lists that never end", lambda d: d.body(lambda e: b'{"id":' + b"[" * 5_000)),
    ("malformed", "no id", lambda d: d.without("id")),
    ("malformed", "another id", lambda d: d.says(id=event_id())),
    ("malformed", "another id, which was seen", lambda d: d.says(id=event_id()).seen(d.event["id"])),
    ("malformed", "an empty id", lambda d: d.says(id="")),
    ("malformed", "an id that is null", lambda d: d.says(id=None)),
    ("malformed", "an id that is a list", lambda d: d.says(id=[d.id])),
    ("malformed", "the id with a blank behind", lambda d: d.says(id=d.id + " ")),
    ("malformed", "the id in capitals", lambda d: d.says(id=d.id.upper())),
    ("malformed", "an id twice, the other one last", lambda d: d.body(another_id_last)),
    ("malformed", "a ping with another id", lambda d: d.of("ping", {}).says(id=event_id())),
    ("malformed", "an unknown kind with another id", lambda d: d.of("user.renamed", {}).says(id=event_id())),
    ("malformed", "no data", lambda d: d.without("data")),
    ("malformed", "data that is null", lambda d: d.says(data=None)),
    ("malformed", "data that is a list", lambda d: d.says(data=[d.event["data"]])),
    ("malformed", "data that is a string", lambda d: d.says(data=compact(d.event["data"]))),
    ("malformed", "no type", lambda d: d.without("type")),
    ("malformed", "a type that is null", lambda d: d.says(type=None)),
    ("malformed", "a type that is a number", lambda d: d.says(type=1)),
    ("malformed", "a type that is a list", lambda d: d.says(type=["user.created"])),
    ("malformed", "a type that is an object", lambda d: d.says(type={"name": "ping"})),
]

# One cause of each error, in the order in which they are judged.
ERRORS = [
    ("signature", "a wrong signature", lambda d: d.by(whsec())),
    ("timestamp", "too old", lambda d: d.aged(WINDOW + 1)),
    ("replay", "seen", lambda d: d.seen(d.id)),
    ("malformed", "no JSON", lambda d: d.body(lambda _: b"<html>")),
]
ORDER = [
    (one[0], f"{one[1]}, and {two[1]}", lambda d, one=one, two=two: two[2](one[2](d)))
    for one, two in combinations(ERRORS, 2)
]
ORDER.append(("signature", "all four errors", lambda d: ERRORS[0][2](ERRORS[1][2](ERRORS[2][2](ERRORS[3][2](d))))))

ROWS = SECRETS + SIGNATURE + HEADERS + TIMESTAMP + REPLAY + BODY + ORDER


def cases() -> list[tuple[str, dict]]:
    """What each case is, and the case without its id."""
    return [(about, change(Delivery()).case(expected)) for expected, about, change in ROWS]
