"""Verifies tests/fixtures/webhooks.json with the libraries of PyPI, each as its documentation has it."""

import datetime
import json
import sys
from importlib import import_module
from importlib.metadata import version

NOW = 0


class Clock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.fromtimestamp(NOW, tz)


for name, module in {"standardwebhooks": "standardwebhooks.webhooks", "svix": "svix.webhooks"}.items():
    library = import_module(module)
    library.datetime = Clock
    for fixture in json.load(open(sys.argv[1])):
        NOW = fixture["now"]
        try:
            library.Webhook(fixture["secret"]).verify(fixture["body"], fixture["headers"])
            outcome = "accepted"
        except Exception as error:
            outcome = f"refused {type(error).__name__}: {error}"
        print("webhooks", f"{name} (PyPI)", version(name), "webhook-signature", "", fixture["case"], outcome, sep="\t")
