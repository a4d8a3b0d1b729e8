"""Rows for both kinds: what a token with a right signature says."""

from .form import instead, not_utf8, roomy, twice, twice_in_escapes
from .token import TYP, compact

YEAR_9999 = 253_402_300_799
LEEWAY = 60


def expiry(text: str):
    return lambda d: d.claims_json(instead("exp", text))


JSON = [
    ("malformed", "claims that are no JSON", lambda d: d.claims_json(lambda v: "sub=1")),
    ("malformed", "claims that are a list", lambda d: d.claims_json(lambda v: compact([v]))),
    ("malformed", "claims that are null", lambda d: d.claims_json(lambda v: "null")),
    ("malformed", "claims that are a string", lambda d: d.claims_json(lambda v: compact(compact(v)))),
    ("malformed", "claims cut off", lambda d: d.claims_json(lambda v: compact(v)[:-1])),
    ("malformed", "something behind the claims", lambda d: d.claims_json(lambda v: compact(v) + "x")),
    ("malformed", "a NUL behind the claims", lambda d: d.claims_json(lambda v: compact(v) + "\0")),
    ("malformed", "claims in single quotes", lambda d: d.claims_json(lambda v: compact(v).replace('"', "'"))),
    ("malformed", "claims with a comment", lambda d: d.claims_json(lambda v: "/**/" + compact(v))),
    ("malformed", "claims with a byte order mark", lambda d: d.claims_json(lambda v: "\ufeff" + compact(v))),
    ("malformed", "claims in UTF-16", lambda d: d.claims_json(lambda v: compact(v).encode("utf-16-le"))),
    ("malformed", "claims that are not UTF-8", lambda d: d.claim(x="@").claims_json(not_utf8)),
    ("malformed", "a thousand lists that never end", lambda d: d.claims_json(lambda v: "[" * 1400)),
    ("malformed", "sub twice", lambda d: d.claims_json(twice("sub", "another"))),
    ("malformed", "exp twice", lambda d: d.claims_json(twice("exp", 1))),
    ("malformed", "iss twice", lambda d: d.claims_json(twice("iss", "https://another.example.org"))),
    ("malformed", "aud twice", lambda d: d.claims_json(twice("aud", ["another"]))),
    ("malformed", "sub twice, once in escapes", lambda d: d.claims_json(twice_in_escapes("sub"))),
    ("ok", "claims with blanks, escapes and another order", lambda d: d.claims_json(roomy)),
    (
        "ok",
        "claims in capitals beside",
        lambda d: d.claim(SUB="another", Exp=1, ISS="x", Aud=["x"], NBF=10**11, Roles=["svc:admin"]),
    ),
    (
        "ok",
        "unknown claims",
        lambda d: d.claim(name='Ada 👩‍🚀 \u0000 "Lovelace"', act={"sub": "x"}, admin=True, x=[[], {}]),
    ),
]

TIMES = [
    ("ok", "now is exp", lambda d: d.claim(exp=d.now)),
    ("ok", "now is exp + 60", lambda d: d.claim(exp=d.now - LEEWAY)),
    ("expired", "now is exp + 61", lambda d: d.claim(exp=d.now - LEEWAY - 1)),
    ("expired", "exp long ago", lambda d: d.claim(exp=d.now - 10**6)),
    ("expired", "exp is 0", lambda d: d.claim(exp=0)),
    ("expired", "exp is -1", lambda d: d.claim(exp=-1)),
    ("ok", "exp in the year 9999", lambda d: d.claim(exp=YEAR_9999)),
    ("ok", "nbf is now + 60", lambda d: d.claim(nbf=d.now + LEEWAY)),
    ("not_yet", "nbf is now + 61", lambda d: d.claim(nbf=d.now + LEEWAY + 1)),
    ("not_yet", "nbf in the year 9999", lambda d: d.claim(nbf=YEAR_9999)),
    ("ok", "nbf in the past", lambda d: d.claim(nbf=d.now - 500)),
    ("ok", "nbf is 0", lambda d: d.claim(nbf=0)),
    ("ok", "iat in the future", lambda d: d.claim(iat=d.now + 10**7)),
    ("ok", "no iat", lambda d: d.without("iat")),
    ("ok", "iat is a string", lambda d: d.claim(iat="yesterday")),
    ("malformed", "no exp", lambda d: d.without("exp")),
    ("malformed", "exp is null", lambda d: d.claim(exp=None)),
    ("malformed", "exp is a string", lambda d: d.claim(exp=str(d.said["exp"]))),
    ("malformed", "exp is true", lambda d: d.claim(exp=True)),
    ("malformed", "exp is a list", lambda d: d.claim(exp=[d.said["exp"]])),
    ("malformed", "exp is an object", lambda d: d.claim(exp={"": d.said["exp"]})),
    ("malformed", "exp is a fraction", lambda d: d.claim(exp=d.said["exp"] + 0.5)),
    ("malformed", "exp is 2^53", lambda d: d.claim(exp=2**53)),
    ("malformed", "exp is 2^63 - 1", lambda d: d.claim(exp=2**63 - 1)),
    ("malformed", "exp is 10^19", lambda d: d.claim(exp=10**19)),
    ("malformed", "exp has 400 digits", lambda d: expiry("1" + "0" * 400)(d)),
    ("malformed", "exp is 1e400", expiry("1e400")),
    ("malformed", "exp is Infinity", expiry("Infinity")),
    ("malformed", "exp is NaN", expiry("NaN")),
    ("malformed", "exp begins with a zero", lambda d: expiry(f"0{d.said['exp']}")(d)),
    ("malformed", "exp is hexadecimal", lambda d: expiry(hex(d.said["exp"]))(d)),
    ("malformed", "nbf is a string", lambda d: d.claim(nbf=str(d.now - 5))),
    ("malformed", "nbf is true", lambda d: d.claim(nbf=True)),
    ("malformed", "nbf is a list", lambda d: d.claim(nbf=[d.now - 5])),
]

PERSON = [
    ("malformed", "no sub", lambda d: d.without("sub")),
    ("malformed", "sub is null", lambda d: d.claim(sub=None)),
    ("malformed", "sub is a number", lambda d: d.claim(sub=1)),
    ("malformed", "sub is a list", lambda d: d.claim(sub=[d.said["sub"]])),
    ("malformed", "sub is empty", lambda d: d.claim(sub="")),
    ("malformed", "roles is a string", lambda d: d.claim(roles="svc:admin")),
    ("malformed", "roles is an object", lambda d: d.claim(roles={"svc:admin": True})),
    ("malformed", "a role is a number", lambda d: d.claim(roles=["svc:admin", 1])),
    ("malformed", "a role is null", lambda d: d.claim(roles=[None])),
    ("malformed", "org_id is a number", lambda d: d.claim(org_id=1)),
    ("malformed", "org_role is a list", lambda d: d.claim(org_role=["owner"])),
    ("ok", "an empty list of roles", lambda d: d.claim(roles=[])),
    ("ok", "every role", lambda d: d.claim(roles=["svc:admin", "svc:auditor", "svc:monitor"])),
    ("ok", "roles that do not exist yet", lambda d: d.claim(roles=["zeta", "Ä", "", "alpha", "alpha"])),
]

ISSUER = [
    ("issuer", "another issuer", lambda d: d.claim(iss="https://login.example.net")),
    ("issuer", "the issuer with a slash behind", lambda d: d.claim(iss=d.issuer + "/")),
    ("issuer", "what the issuer begins with", lambda d: d.claim(iss=d.issuer[:-4])),
    ("issuer", "what begins with the issuer", lambda d: d.claim(iss=d.issuer + ".evil.example")),
    ("issuer", "the issuer as http", lambda d: d.claim(iss=d.issuer.replace("https", "http"))),
    ("issuer", "the issuer in capitals", lambda d: d.claim(iss=d.issuer.upper())),
    ("issuer", "the issuer with its port", lambda d: d.claim(iss=d.issuer + ":443")),
    ("issuer", "the issuer with a line break behind", lambda d: d.claim(iss=d.issuer + "\n")),
    ("issuer", "the issuer with a Cyrillic letter", lambda d: d.claim(iss=d.issuer.replace("example", "ex\u0430mple"))),
    ("issuer", "no issuer", lambda d: d.without("iss")),
    ("issuer", "an issuer that is null", lambda d: d.claim(iss=None)),
    ("issuer", "the issuer in a list", lambda d: d.claim(iss=[d.issuer])),
    ("issuer", "an empty issuer", lambda d: d.claim(iss="")),
    ("audience", "another audience", lambda d: d.claim(aud=[d.new_audience(d.kind) + "x"])),
    ("audience", "no audience", lambda d: d.without("aud")),
    ("audience", "an audience that is null", lambda d: d.claim(aud=None)),
    ("audience", "an audience that is a number", lambda d: d.claim(aud=1)),
    ("audience", "the audience within a string", lambda d: d.claim(aud=f"x {d.audience} x")),
    ("audience", "the audience as a member's name", lambda d: d.claim(aud={d.audience: True})),
    ("audience", "the audience in a list in the list", lambda d: d.claim(aud=[[d.audience]])),
    ("audience", "no audience in the list", lambda d: d.claim(aud=[])),
    ("audience", "an empty audience", lambda d: d.claim(aud=[""])),
    ("audience", "what the audience begins with", lambda d: d.claim(aud=[d.audience[:-1]])),
    ("audience", "what begins with the audience", lambda d: d.claim(aud=[d.audience + "x"])),
    ("audience", "the audience in capitals", lambda d: d.claim(aud=[d.audience.upper()])),
    ("audience", "the audience with a blank behind", lambda d: d.claim(aud=[d.audience + " "])),
    ("audience", "two other audiences", lambda d: d.claim(aud=["another", d.audience + "x"])),
]


def types(kind: str) -> list:
    typ = TYP[kind]
    wrong = ["JWT", "jwt", "", typ + " ", " " + typ, typ + ";v=1", "application/jwt", "application/application/" + typ]
    wrong += ["id+jwt", "logout+jwt", "at+jwts", "x" + typ, typ.removesuffix("+jwt")]
    return [
        ("typ", "no typ", lambda d: d.without("typ")),
        ("typ", f"a right {TYP[other(kind)]} of the same issuer", lambda d: d.like(d.other)),
        ("typ", f"typ {TYP[other(kind)]}, right in all else", lambda d: d.header(typ=TYP[d.other])),
        ("typ", "a typ that is null", lambda d: d.header(typ=None)),
        ("typ", "a typ that is a number", lambda d: d.header(typ=1)),
        ("typ", "a typ in a list", lambda d: d.header(typ=[typ])),
        *(("typ", f"typ {text!r}", lambda d, text=text: d.header(typ=text)) for text in wrong),
    ]


def other(kind: str) -> str:
    return "gate" if kind == "verify" else "verify"


CLAIMS = JSON + TIMES + PERSON + ISSUER
