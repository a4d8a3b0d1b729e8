"""PyPI's Canaille with its own pages, and one person in memory. Argument: what is set as JSON: port, redirect_uri, alg,
method. Prints a line when it listens."""

import json
import sys

from canaille import create_app
from canaille.app import models
from canaille.backends import Backend
from joserfc.jwk import OKPKey, RSAKey
from werkzeug.serving import WSGIRequestHandler, make_server

settings = json.loads(sys.argv[1])
keys = [RSAKey.generate_key(2048, auto_kid=True), OKPKey.generate_key(auto_kid=True)]
app = create_app({
    "SECRET_KEY": "a key that is long enough for this",
    "SERVER_NAME": f"localhost:{settings['port']}",
    "PREFERRED_URL_SCHEME": "http",
    "SESSION_COOKIE_SECURE": False,
    "CANAILLE": {
        "DATABASE": "memory",
        "TIMEZONE": "UTC",
        "ENABLE_PASSWORD_COMPROMISSION_CHECK": False,
        "LOGGING": {"version": 1, "disable_existing_loggers": False, "root": {"level": "WARNING"}},
    },
    "CANAILLE_OIDC": {"ACTIVE_JWKS": [key.as_dict(private=True) for key in keys]},
})
with app.app_context(), Backend.instance.session():
    person = models.User(user_name="ada", formatted_name="Ada Lovelace", family_name="Lovelace",
                         emails=["ada@example.com"], password="a lighthouse in the fog")
    client = models.Client(client_id="doorward", client_secret="a secret: with %, / and +", client_name="Doorward",
                           redirect_uris=[settings["redirect_uri"]], grant_types=["authorization_code"],
                           response_types=["code"], scope=["openid", "email", "profile"],
                           token_endpoint_auth_method=settings["method"],
                           id_token_signed_response_alg=settings["alg"])
    for thing in (person, client):
        Backend.instance.save(thing)
    client.audience = [client]
    Backend.instance.save(client)


class Quiet(WSGIRequestHandler):
    def log(self, *_):
        pass


server = make_server("127.0.0.1", settings["port"], app, threaded=True, request_handler=Quiet)
print("listens", flush=True)
server.serve_forever()
