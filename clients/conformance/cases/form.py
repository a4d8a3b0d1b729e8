"""Rows for both kinds: what a token is before any key is asked. Each is (error or "ok", what it is, change of a draft)."""

import json

from . import keys
from .token import Draft, compact, loosened, overlong, spare, wrapped

MARKS = "?" * 8  # In base64url these give "_", wherever they stand.


def twice(name: str, first):
    """Writes an object in which a member stands twice, the true one last."""
    return lambda value: compact({name: first})[:-1] + "," + compact(value)[1:]


def instead(name: str, text: str):
    """Writes an object in which a member has this text for a value, which need not be JSON."""
    return lambda value: compact({**value, name: "@"}).replace('"@"', text)


def padded(part: str) -> str:
    return part + "=" * (-len(part) % 4 or 4)


def standard_alphabet(part: str) -> str:
    return part.replace("-", "+").replace("_", "/")


def parts(token: str) -> list[str]:
    return token.split(".")


def json_serialization(token: str) -> str:
    header, claims, signature = parts(token)
    return compact({"protected": header, "payload": claims, "signature": signature})


def nested(draft: Draft) -> Draft:
    inner = Draft(draft.kind).case("ok")["token"]
    return draft.header(cty="JWT").claims_json(lambda _: inner)


FORM = [
    # The parts.
    ("malformed", "nothing", lambda d: d.token(lambda t: "")),
    ("malformed", "one part", lambda d: d.token(lambda t: parts(t)[0])),
    ("malformed", "header and claims alone, without the second dot", lambda d: d.token(lambda t: t.rpartition(".")[0])),
    ("malformed", "four parts, the last one empty", lambda d: d.token(lambda t: t + ".")),
    ("malformed", "four parts", lambda d: d.token(lambda t: f"{t}.{parts(t)[2]}")),
    ("malformed", "five parts, as a JWE has", lambda d: d.token(lambda t: f"{t}.{t.rpartition('.')[0]}")),
    ("malformed", "two dots alone", lambda d: d.token(lambda t: "..")),
    ("malformed", "an empty header", lambda d: d.header_part(lambda p: "")),
    ("malformed", "empty claims", lambda d: d.claims_part(lambda p: "")),
    ("malformed", "a blank in front", lambda d: d.token(lambda t: " " + t)),
    ("malformed", "a line break behind", lambda d: d.token(lambda t: t + "\n")),
    ("malformed", "a NUL behind", lambda d: d.token(lambda t: t + "\0")),
    ("malformed", "the scheme of an Authorization header in front", lambda d: d.token(lambda t: "Bearer " + t)),
    ("malformed", "in quotes", lambda d: d.token(lambda t: f'"{t}"')),
    ("malformed", "two tokens in a list", lambda d: d.token(lambda t: f"{t},{t}")),
    ("malformed", "the JSON serialization", lambda d: d.token(json_serialization)),
    ("malformed", "a nested token", nested),
    # The base64url, always signed as it stands.
    ("malformed", "padding behind the header", lambda d: d.header_json(spare()).header_part(padded)),
    ("malformed", "padding behind the claims", lambda d: d.claims_json(spare()).claims_part(padded)),
    ("malformed", "padding behind the signature", lambda d: d.signature_part(padded)),
    ("malformed", "the standard alphabet in the header", lambda d: d.header(x=MARKS).header_part(standard_alphabet)),
    ("malformed", "the standard alphabet in the claims", lambda d: d.claim(x=MARKS).claims_part(standard_alphabet)),
    ("malformed", "a line break in the header", lambda d: d.header_part(lambda p: wrapped(p, "\n"))),
    ("malformed", "a line break in the claims", lambda d: d.claims_part(lambda p: wrapped(p, "\r\n"))),
    ("malformed", "a line break in the signature", lambda d: d.signature_part(lambda p: wrapped(p, "\n"))),
    ("malformed", "a blank in the signature", lambda d: d.signature_part(lambda p: wrapped(p, " "))),
    ("malformed", "a character of no alphabet in the claims", lambda d: d.claims_part(lambda p: wrapped(p, "!"))),
    ("malformed", "a letter that is not ASCII in the signature", lambda d: d.signature_part(lambda p: wrapped(p, "é"))),
    ("malformed", "bits to spare in the header", lambda d: d.header_json(spare()).header_part(loosened)),
    ("malformed", "bits to spare in the claims", lambda d: d.claims_json(spare()).claims_part(loosened)),
    ("malformed", "bits to spare in the signature", lambda d: d.signature_part(loosened)),
    ("malformed", "a header of a length that no bytes have", lambda d: d.header_part(overlong)),
    ("malformed", "claims of a length that no bytes have", lambda d: d.claims_part(overlong)),
    ("malformed", "a signature of a length that no bytes have", lambda d: d.signature_part(overlong)),
    # The JSON of the header.
    ("malformed", "a header that is no JSON", lambda d: d.header_json(lambda v: "alg=EdDSA")),
    ("malformed", "a header that is a list", lambda d: d.header_json(lambda v: compact([v]))),
    ("malformed", "a header that is null", lambda d: d.header_json(lambda v: "null")),
    ("malformed", "a header that is a string", lambda d: d.header_json(lambda v: compact(compact(v)))),
    ("malformed", "a header that is a number", lambda d: d.header_json(lambda v: "1")),
    ("malformed", "a header with a comma before its end", lambda d: d.header_json(lambda v: compact(v)[:-1] + ",}")),
    ("malformed", "two headers in a row", lambda d: d.header_json(lambda v: compact(v) * 2)),
    ("malformed", "a header with a byte order mark", lambda d: d.header_json(lambda v: "\ufeff" + compact(v))),
    ("malformed", "a header that is not UTF-8", lambda d: d.header(x="@").header_json(not_utf8)),
    ("malformed", "a header whose alg stands twice", lambda d: d.header_json(twice("alg", "none"))),
    ("malformed", "a header whose kid stands twice", lambda d: d.header_json(twice("kid", "another"))),
    ("malformed", "a header whose typ stands twice", lambda d: d.header_json(twice("typ", "JWT"))),
    ("malformed", "a header whose kid stands twice, once in escapes", lambda d: d.header_json(twice_in_escapes("kid"))),
    # What the header says.
    ("malformed", "no kid", lambda d: d.without("kid")),
    ("malformed", "a kid that is null", lambda d: d.header(kid=None)),
    ("malformed", "a kid that is a number", lambda d: d.named("1").header(kid=1)),
    ("malformed", "a kid that is true", lambda d: d.header(kid=True)),
    ("malformed", "a kid that is a list", lambda d: d.header(kid=[d.key.kid])),
    ("malformed", "a kid that is an object", lambda d: d.header(kid={"kid": d.key.kid})),
    ("malformed", "crit that names a claim", lambda d: d.header(crit=["exp"])),
    ("malformed", "crit that names an unknown extension", lambda d: d.header(crit=["x"], x=1)),
    ("malformed", "crit that is empty", lambda d: d.header(crit=[])),
    ("malformed", "crit that is a string", lambda d: d.header(crit="exp")),
    ("malformed", "crit that is null", lambda d: d.header(crit=None)),
    ("malformed", "claims that are not encoded (RFC 7797)", lambda d: unencoded(d)),
    ("malformed", "crit with b64, although the claims are encoded", lambda d: d.header(crit=["b64"], b64=True)),
    ("ok", "unknown members of the header", lambda d: d.header(x="y", iat=1, nonce={"a": [None]})),
    (
        "ok",
        "members of the header in capitals beside",
        lambda d: d.header(ALG="none", Kid="another", TYP="JWT", Crit=["x"]),
    ),
    ("ok", "a header with blanks, escapes and another order", lambda d: d.header_json(roomy)),
]


def not_utf8(value: dict) -> bytes:
    return compact(value).encode().replace(b'"@"', b'"\xff\xfe"')


def twice_in_escapes(name: str):
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in name)
    return lambda value: f'{{"{escaped}":"another",' + compact(value)[1:]


def unencoded(draft: Draft) -> Draft:
    """The claims stand in the token as they are."""
    draft.header(b64=False, crit=["b64"]).claims_json(compact)
    return draft.claims_part(lambda part: keys.unb64url(part).decode())


def roomy(value: dict) -> str:
    text = json.dumps(dict(reversed(value.items())), indent=2)
    return " \n" + text.replace('"kid"', '"\\u006bid"').replace('"exp"', '"\\u0065x\\u0070"') + "\r\n"
