"""Verifies tests/fixtures/tokens.json with the libraries of PyPI, each as its documentation has it."""

import json
import sys
from importlib.metadata import version

import jwt
from authlib.jose import JsonWebKey, JsonWebToken
from joserfc import jwk as joserfc_jwk
from joserfc import jwt as joserfc_jwt
from jose import jwt as python_jose
from jwcrypto import jwk as jwcrypto_jwk
from jwcrypto import jwt as jwcrypto_jwt

FIXTURES = json.load(open(sys.argv[1]))
ISSUER, AUDIENCE = FIXTURES["issuer"], FIXTURES["audience"]
ALGORITHMS = ["EdDSA", "ES256"]


def pyjwt(keys, token):
    kid = jwt.get_unverified_header(token)["kid"]
    key = next(key for key in jwt.PyJWKSet.from_dict(keys).keys if key.key_id == kid)
    jwt.decode(token, key, algorithms=ALGORITHMS, issuer=ISSUER, audience=AUDIENCE)


def jose(keys, token):
    python_jose.decode(token, keys, algorithms=ALGORITHMS, issuer=ISSUER, audience=AUDIENCE)


def authlib(keys, token):
    options = {"iss": {"essential": True, "value": ISSUER}, "aud": {"essential": True, "value": AUDIENCE}}
    claims = JsonWebToken(ALGORITHMS).decode(token, JsonWebKey.import_key_set(keys), claims_options=options)
    claims.validate()


def joserfc(keys, token):
    decoded = joserfc_jwt.decode(token, joserfc_jwk.KeySet.import_key_set(keys), algorithms=ALGORITHMS)
    registry = joserfc_jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": ISSUER}, aud={"essential": True, "value": AUDIENCE}
    )
    registry.validate(decoded.claims)


def jwcrypto(keys, token):
    check = {"iss": ISSUER, "aud": AUDIENCE, "exp": None}
    jwcrypto_jwt.JWT(jwt=token, key=jwcrypto_jwk.JWKSet.from_json(json.dumps(keys)), algs=ALGORITHMS, check_claims=check)


LIBRARIES = {"PyJWT": pyjwt, "python-jose": jose, "Authlib": authlib, "joserfc": joserfc, "jwcrypto": jwcrypto}

for name, verify in LIBRARIES.items():
    for kind, keys in FIXTURES["sets"].items():
        for fixture in FIXTURES["tokens"]:
            if kind not in ("both", fixture["alg"]):
                continue
            try:
                verify(keys, fixture["token"])
                outcome = "accepted"
            except Exception as error:
                outcome = "refused " + " ".join(f"{type(error).__name__}: {error}".split())
            print("tokens", f"{name} (PyPI)", version(name), kind, fixture["alg"], fixture["case"], outcome, sep="\t")
