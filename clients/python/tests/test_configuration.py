"""What is wrong stops the start, or is taught once an hour; neither tells a secret."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from browser import Browser
from conftest import options_of
from fastapi import FastAPI
from fastapi.testclient import TestClient
from servers import Proxy

from doorward import ConfigurationError, Person, TokenError, wsgi
from doorward.fastapi import Doorward
from doorward.testing import Server, start_doorward

Serve = Callable[..., str]
HERE = Path(__file__).parent

WRONG: dict[str, dict[str, Any]] = {
    "DOORWARD_URL": {"url": "localhost:8080"},
    "DOORWARD_INTERNAL_URL": {"internal_url": "http://localhost/auth"},
    "DOORWARD_NAME": {"name": "Svc"},
    "DOORWARD_AUDIENCE": {"audience": "two words"},
    "DOORWARD_APP_URL": {"app_url": "app.example"},
    "DOORWARD_WEBHOOK_SECRET ": {"webhook_secret": "whsec_!"},
    "DOORWARD_WEBHOOK_SECRET_PREVIOUS": {"webhook_secret_previous": "x"},
    "issuer": {"issuer": ""},
    "keys": {"keys": {"kid": b"short"}},
    "origins": {"origins": "https://a.example"},
    "seen": {"seen": 7},
    "clock": {"clock": 7},
    "log": {"log": "x"},
    "audiense": {"audiense": "app"},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_option_is_named(name: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        wsgi.Doorward(**{"url": "http://localhost", **WRONG[name]})
    assert name.strip() in str(error.value) and "whsec_!" not in str(error.value)


def test_wrong_rule_stops_the_start() -> None:
    doorward = wsgi.Doorward(url="http://localhost")
    for rules in (
        {"role": "boss"},
        {"platform": "root"},
        {"fresh": "15"},
        {"organization": "x"},
        {"mfa": "no"},
        {"organization": None},
        {"a": 1},
    ):
        with pytest.raises((ValueError, TypeError)):
            doorward.protect(lambda *_: [], **rules)  # type: ignore[arg-type, typeddict-item]


def test_variables_count_where_options_do_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOORWARD_URL", "https://Auth.Example.com:443/")
    monkeypatch.setenv("DOORWARD_NAME", "acme")
    monkeypatch.setenv("DOORWARD_APP_URL", "https://app.example.com")
    doorward = wsgi.Doorward(app_url="https://other.example.com")
    request = {"REQUEST_METHOD": "GET", "PATH_INFO": "/a b", "HTTP_COOKIE": f"acme_csrf={'x' * 43}"}
    back = "https%3A%2F%2Fother.example.com%2Fa%2520b"
    assert doorward.login_url(request) == f"https://auth.example.com/auth/login?return_to={back}"
    assert doorward.signup_url(request, "/x").endswith("/auth/signup?return_to=https%3A%2F%2Fother.example.com%2Fx")
    assert doorward.account_url() == "https://auth.example.com/auth/account"
    assert doorward.csrf_token(request) == "x" * 43
    assert wsgi.Doorward(app_url="https://auth.example.com").login_url(request).endswith("?return_to=%2Fa%2520b")


MAIN = "from fastapi import FastAPI\nfrom doorward.fastapi import Doorward\napp = FastAPI()\nDoorward(app)\n"
MANAGE = """
from django.conf import settings
from django.core.management import execute_from_command_line
settings.configure(DEBUG=True, ROOT_URLCONF=__name__, MIDDLEWARE=["doorward.django.DoorwardMiddleware"])
urlpatterns = []
execute_from_command_line(["", "runserver", "--noreload", "0"])
"""


def test_missing_variable_stops_the_start_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "manage.py").write_text(MANAGE)
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    servers = [
        subprocess.Popen([sys.executable, *program], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
        for program in (["-m", "uvicorn", "main:app", "--port", "0"], ["manage.py"])
    ]
    for server in servers:
        assert "DOORWARD_URL is missing" in server.communicate(timeout=30)[1]
        assert server.returncode != 0


ROUTES = """
from fastapi import APIRouter, Depends, FastAPI
from doorward.events import Event
from doorward.fastapi import Doorward, Person
app, router = FastAPI(), APIRouter()
doorward = Doorward(app)
def asked(person=Depends({0})): ...
@router.post("/")
async def home({1}): ...
app.include_router(router, prefix="/notes")
"""
NO_PARENTHESES = "Depends lacks parentheses"
WRONG_ROUTES = {
    "optional": ("int", "person=Depends(doorward.optional)", NO_PARENTHESES),
    "protect": ("int", "person=Depends(doorward.protect)", NO_PARENTHESES),
    "protect in a dependency": ("doorward.protect", "asked=Depends(asked)", NO_PARENTHESES),
    "a person alone": ("int", "person: Person", "write Depends(doorward.protect())"),
    "an event alone": ("int", "event: Event", "write Depends(doorward.webhook)"),
    "webhook": ("int", "event=Depends(doorward.webhook)", "DOORWARD_WEBHOOK_SECRET is missing"),
}


@pytest.mark.parametrize("name", WRONG_ROUTES)
def test_route_that_protects_nothing_stops_the_start(name: str, tmp_path: Path) -> None:
    *parts, sentence = WRONG_ROUTES[name]
    (tmp_path / "main.py").write_text(ROUTES.format(*parts))
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent), "DOORWARD_URL": "http://localhost"}
    program = [sys.executable, "-m", "uvicorn", "main:app", "--port", "0"]
    server = subprocess.run(program, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True, timeout=30)
    assert server.returncode != 0 and sentence in server.stderr


def test_protect_protects_without_depends() -> None:
    app = FastAPI()
    doorward = Doorward(app, url="http://localhost")

    @app.get("/default")
    async def default(person=doorward.protect()) -> str: ...  # type: ignore[no-untyped-def]

    async def annotated(person) -> str: ...  # type: ignore[no-untyped-def]

    annotated.__annotations__["person"] = Annotated[Person, doorward.protect()]
    app.get("/annotated")(annotated)

    @app.get("/list", dependencies=[doorward.protect()])  # type: ignore[list-item]
    async def of_list() -> str: ...

    browser = TestClient(app)
    assert [browser.get(path).status_code for path in ("/default", "/annotated", "/list")] == [401, 401, 401]


def test_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("DOORWARD_BIN", raising=False)
    with pytest.raises(ConfigurationError) as error:
        start_doorward()
    assert error.value.code == "binary_missing"


def test_faults_are_logged_once_an_hour_without_secrets(
    serve: Serve, doorward_server: Server, proxy: Proxy, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    good = options_of(doorward_server)
    session = doorward_server.session("taught@example.com")

    def codes(ahead: float = 0, **options: Any) -> list[str]:
        caplog.clear()
        clock = [doorward_server.clock()]
        app = serve("fastapi", **{**good, "clock": lambda: clock[0], **options})
        for _ in range(2):
            for browser in (Browser(session.cookies), Browser({"svc_access": session.cookies["svc_access"]})):
                browser.get(f"{app}/")
                browser.get(app.replace("localhost", "127.0.0.1") + "/")
                browser.post(f"{app}/count", Sec_Fetch_Site="cross-site", Origin="https://evil.example")
            clock[0] += ahead
        text = "\n".join(record.getMessage() for record in caplog.records)
        assert not any(value in text for value in session.cookies.values())
        return sorted(record.getMessage().split(":")[0] for record in caplog.records if record.name == "doorward")

    assert codes() == ["wrong_origin"]
    assert codes(3601) == ["clock_skew", "unavailable", "wrong_host", "wrong_origin", "wrong_origin"]
    assert "issuer_mismatch" in codes(issuer="https://issuer.example")
    assert "audience_mismatch" in codes(audience="other")
    proxy.answer = lambda path: b""
    assert "keys_unreachable" in codes(internal_url=proxy.url)

    caplog.clear()
    app = serve("fastapi", **good)
    Browser().get(app.replace("localhost", "127.0.0.1") + "/")
    assert "wrong_host" in caplog.text and "127.0.0.1" in caplog.text
    app = serve("fastapi", url="https://auth.example.com", app_url="http://app.example.com")
    Browser().get(f"{app}/")
    assert "http_cookie" in caplog.text


def test_shared_keys_alone(doorward_server: Server) -> None:
    key = "k1:" + "c2VjcmV0IG9mIHRlc3RzLCAzMiBieXRlcyBsb25nISE="
    with start_doorward({"SVC_JWT_KEYS": key}) as server:
        access = server.session().cookies["svc_access"]
        options: dict[str, Any] = {"url": server.url, "clock": server.clock, "internal_url": "http://127.0.0.1:9"}
        assert wsgi.Doorward(**options, keys=key).verify(access).organization_role == "owner"
        assert code(lambda: wsgi.Doorward(**options, keys={"k1": b"x" * 32}).verify(access)) == "signature"
        assert code(lambda: wsgi.Doorward(**options).verify(access)) == "algorithm"
        other = doorward_server.session("shared@example.com").cookies["svc_access"]
        assert code(lambda: wsgi.Doorward(**options, keys=key).verify(other)) == "algorithm"


def code(act: Callable[[], object]) -> str:
    with pytest.raises(TokenError) as error:
        act()
    return error.value.code


def test_assertion_of_the_gate_and_access_token_do_not_stand_in_for_each_other() -> None:
    with start_doorward({"SVC_TRUSTED_PROXIES": "127.0.0.1", "SVC_RETURN_ORIGINS": "http://localhost:3000"}) as server:
        session = server.session()
        asked = {"proto": "http", "host": "localhost:3000", "uri": "/", "method": "GET"}
        headers = {"Cookie": session.cookie_header, **{f"X-Forwarded-{name}": value for name, value in asked.items()}}
        gate = Browser().send("GET", f"{server.internal_url}/auth/gate", headers)
        access, assertion = session.cookies["svc_access"], gate.headers["X-Svc-Assertion"]
        doorward = wsgi.Doorward(**options_of(server), app_url="http://localhost:3000")
        person = doorward.verify_assertion(assertion)
        assert (person.id, person.email, person.email_verified) == (session.user_id, "ada@example.com", True)
        assert doorward.verify(access).id == session.user_id
        assert code(lambda: doorward.verify_assertion(access)) == code(lambda: doorward.verify(assertion)) == "typ"
        other = wsgi.Doorward(**options_of(server), app_url="http://localhost:3001")
        assert code(lambda: other.verify_assertion(assertion)) == "audience"
        with pytest.raises(ConfigurationError, match="DOORWARD_APP_URL"):
            wsgi.Doorward(**options_of(server)).verify_assertion(assertion)
