"""What people do, through each framework, with a real Doorward."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable
from urllib.parse import quote, urlencode

import apps
import pytest
from browser import NAVIGATION, Browser
from conftest import APPS, FRAMEWORKS, options_of
from fastapi import FastAPI, HTTPException
from fastapi.responses import PlainTextResponse
from servers import Proxy, free_port
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from doorward.events import MembershipCreated, OrganizationCreated, UserCreated
from doorward.fastapi import Doorward
from doorward.testing import Server, start_doorward

Serve = Callable[..., str]


@pytest.mark.parametrize("kind", APPS)
def test_anonymous_navigation_redirects_to_login_and_back(kind: str, serve: Serve, doorward_server: Server) -> None:
    app = serve(kind, **options_of(doorward_server))
    answer = Browser().get(f"{app}/?id=7&q=%C3%BC")
    back = quote(f"{app}/?id=7&q=%C3%BC", safe="")
    assert (answer.status, answer.location) == (303, f"{doorward_server.url}/auth/login?return_to={back}")
    assert Browser().fetch(f"{app}/").status == 401
    answer = Browser().fetch(f"{app}/", HX_Request="true", HX_Current_URL=f"{app}/page?x=1")
    assert (answer.status, answer.headers["HX-Redirect"].endswith(quote(f"{app}/page?x=1", safe=""))) == (401, True)
    assert "%2F%2Fevil" not in Browser().get(f"{app}//evil.example/").location


@pytest.mark.parametrize("kind", APPS)
def test_missing_access_token_is_refreshed_and_the_post_goes_on(
    kind: str, serve: Serve, doorward_server: Server
) -> None:
    app = serve(kind, **options_of(doorward_server))
    session = doorward_server.session(f"{kind}-renew@example.com")
    browser = Browser(session.cookies)
    answer = browser.get(f"{app}/")
    assert (answer.status, answer.text, answer.set_cookie) == (200, session.user_id, [])
    assert answer.headers["Cache-Control"] == "private, no-store"
    del browser.cookies["svc_access"]
    answer = browser.post(f"{app}/count")
    assert (answer.status, answer.text) == (200, "1")
    assert [line.split("=")[0] for line in answer.set_cookie] == ["svc_access", "svc_refresh", "svc_csrf"]
    assert re.fullmatch(r"svc_refresh=[^;]+; Path=/; Max-Age=1209600; SameSite=Lax; HttpOnly", answer.set_cookie[1])
    assert browser.get(f"{app}/").set_cookie == []


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_signup_page_events_and_logout(kind: str, serve: Serve) -> None:
    port = free_port()
    origin = f"http://localhost:{port}"
    settings = {"SVC_ALLOWED_ORIGINS": origin, "SVC_WEBHOOK_URL": f"{origin}/hooks"}
    with start_doorward(settings) as server:
        app = serve(kind, port, **options_of(server), webhook_secret=server.webhook_secret)
        browser, email = Browser(), f"{kind}@example.com"
        apps.received.clear()
        login = browser.get(f"{app}/live")
        browser.get(login.location)
        fields = {"email": email, "password": "correct-horse-42", "csrf_token": browser.cookies["svc_csrf"]}
        signup = browser.post(login.location.replace("/login", "/signup"), urlencode(fields))
        assert (signup.status, signup.location) == (303, f"{app}/live")

        page = browser.get(f"{app}/live")
        assert page.text.startswith(f"{email} ")
        assert page.headers["Referrer-Policy"] in (None, "strict-origin-when-cross-origin")
        kinds = [UserCreated, OrganizationCreated, MembershipCreated]
        wait_for(lambda: {type(event) for event in apps.received} == set(kinds))

        action = re.findall('action="([^"]+)"', page.text)[0]
        hidden = {name: html.unescape(value) for name, value in re.findall('name="([^"]+)" value="([^"]+)"', page.text)}
        logout = browser.post(action, urlencode(hidden), Sec_Fetch_Site="same-site", Origin=app, Accept="text/html")
        assert (logout.status, logout.location) == (303, f"{app}/open" if kind == "fastapi" else "/auth/login")
        assert browser.get(f"{app}/open").text == "nobody"
        assert browser.get(f"{app}/live").status == 303


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_revoked_session_ends_at_once_on_live_pages(kind: str, serve: Serve) -> None:
    with start_doorward() as server:
        app = serve(kind, **options_of(server))
        session = server.session()
        browser = Browser(session.cookies, server.clock)
        assert browser.get(f"{app}/live").status == browser.get(f"{app}/").status == 200
        server.api("DELETE", f"/users/{session.user_id}/sessions")
        assert browser.get(f"{app}/live").status == 303
        assert browser.get(f"{app}/").status == 200, "the access token says no more than it said"
        server.advance("12m")
        assert (browser.get(f"{app}/").status, "svc_refresh" in browser.cookies) == (303, False)


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_rules(kind: str, serve: Serve) -> None:
    with start_doorward() as server:
        app = serve(kind, **options_of(server))
        browser = Browser(server.session().cookies)
        assert [browser.get(f"{app}/{rule}").status for rule in apps.RULES] == [200, 403, 403, 200, 303, 200]
        back = quote(f"{app}/mfa", safe="")
        confirm = f"{server.url}/auth/account/confirm?return_to="
        assert browser.get(f"{app}/mfa").location == f"{confirm}{back}&mfa=1"
        assert browser.fetch(f"{app}/mfa").status == 403
        assert Browser(server.session(mfa=True).cookies).get(f"{app}/mfa").status == 200
        server.advance("16m")
        back = quote(f"{app}/fresh", safe="")
        assert browser.get(f"{app}/fresh").location == f"{confirm}{back}&max_age=900"
        assert browser.fetch(f"{app}/fresh").status == 403
        for referer, path in ((f"{app}/cart?id=7", "/cart?id=7"), ("https://evil.example/cart", "/")):
            back = quote(f"{app}{path}", safe="")
            for who, page, status, link in (
                (Browser(), "/count", 401, f"{server.url}/auth/login?return_to={back}"),
                (browser, "/fresh", 403, f"{confirm}{back}&amp;max_age=900"),
            ):
                answer = who.post(f"{app}{page}", Referer=referer)
                assert (answer.status, answer.headers.get_content_type()) == (status, "text/html")
                assert f'href="{link}"' in answer.text


def test_page_of_a_refused_form_gives_way_to_the_applications_own() -> None:
    app, mounted, own = FastAPI(), FastAPI(), FastAPI()
    doorward = Doorward(app, url="http://localhost")
    own.exception_handler(HTTPException)(lambda *_: PlainTextResponse("our own", 401))

    @app.post("/form")
    @mounted.post("/form")
    @own.post("/form")
    async def form(person=doorward.protect()) -> str: ...  # type: ignore[no-untyped-def]

    app.mount("/mounted", mounted)
    app.mount("/own", own)
    browser = TestClient(app, headers=NAVIGATION)
    for path in ("/form", "/mounted/form"):
        answer = browser.post(path)
        assert (answer.status_code, answer.headers["content-type"]) == (401, "text/html; charset=utf-8")
        assert "/auth/login?return_to=" in answer.text and answer.text.endswith("send the form again.</p>")
    assert browser.post("/own/form").text == "our own"


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_prefetch_refreshes_nothing(kind: str, serve: Serve, doorward_server: Server, proxy: Proxy) -> None:
    app = serve(kind, **options_of(doorward_server, proxy.url))
    session = doorward_server.session(f"{kind}-prefetch@example.com")
    cookies = {name: value for name, value in session.cookies.items() if name != "svc_access"}
    for header in ("Sec_Purpose", "Purpose", "Next_Router_Prefetch", "Next_Router_Segment_Prefetch"):
        answer = Browser(cookies).get(f"{app}/", **{header: "prefetch"})
        assert (answer.status, answer.text, answer.set_cookie) == (200, session.user_id, [])
        assert Browser().get(f"{app}/", **{header: "prefetch"}).status == 401
        assert Browser(cookies).get(f"{app}/mfa", **{header: "prefetch"}).status == 403
    assert proxy.count("/sessions/refresh") == 0


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_unsafe_method_needs_permitted_origin_and_csrf_token(kind: str, serve: Serve, doorward_server: Server) -> None:
    app = serve(kind, **options_of(doorward_server), origins=["https://partner.example"])
    browser = Browser(doorward_server.session(f"{kind}-csrf@example.com").cookies)

    def post(page: str = "/count", body: str = "", **headers: str) -> str:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = browser.send("POST", app + page, sent, body)
        return answer.text if page == "/csrf" else str(answer.status)

    assert post() == post(Sec_Fetch_Site="none") == post(Sec_Fetch_Site="same-origin", Origin="null") == "200"
    assert post(Origin=app) == post(Sec_Fetch_Site="same-site", Origin=app) == "200"
    assert post(Sec_Fetch_Site="cross-site", Origin="https://partner.example") == "200"
    assert post(Origin="null") == post(Sec_Fetch_Site="same-site") == post(Origin="https://evil.example") == "403"
    assert post(Sec_Fetch_Site="cross-site", Origin="null") == post(Origin=f"{app}, {app}") == "403"
    assert browser.fetch(f"{app}/", Sec_Fetch_Site="cross-site").status == 200, "a GET changes nothing"

    token = browser.cookies["svc_csrf"]
    assert post("/csrf", X_CSRF_Token=token) == "True"
    form = {"Content_Type": "application/x-www-form-urlencoded"}
    assert post("/csrf", f"csrf_token={token}", **form) == "True"
    assert post("/csrf", X_CSRF_Token=token, Origin="null") == "False"
    assert post("/csrf", X_CSRF_Token="x" * 43) == post("/csrf", f"csrf_token=", **form) == post("/csrf") == "False"


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_duplicate_and_malformed_cookies(kind: str, serve: Serve, doorward_server: Server) -> None:
    app = serve(kind, **options_of(doorward_server))
    session = doorward_server.session(f"{kind}-cookies@example.com")
    access, refresh, csrf = (f"{name}={value}" for name, value in session.cookies.items())
    other = doorward_server.session(f"{kind}-other@example.com")

    def get(*pairs: str) -> tuple[int, str]:
        answer = Browser().send("GET", f"{app}/", {"Cookie": "; ".join(pairs), "Accept": "text/html"})
        return answer.status, answer.text

    found = (200, session.user_id)
    junk = ["svc_access", "svc_access=", "svc_access=a.b.c", "svc_access=\xff\xfe", "=x", ";;", 'svc_csrf="', "é=ü"]
    assert get(*junk, access) == get(access, access) == get(f'svc_access="{session.cookies["svc_access"]}"') == found
    assert (
        get(*junk, refresh, csrf)
        == get("svc_refresh=\x01", "svc_refresh=x", refresh, refresh, "svc_csrf=x", csrf)
        == found
    )
    assert get(*junk)[0] == get(refresh)[0] == get(csrf)[0] == get(refresh, "svc_csrf=short")[0] == 303
    assert get(refresh, f"svc_refresh={other.cookies['svc_refresh']}", csrf)[0] == 303, "the login sorts two people out"
    assert get(*junk * 100)[0] == 303


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_who_and_look_renew_nothing(kind: str, serve: Serve, doorward_server: Server) -> None:
    app = serve(kind, **options_of(doorward_server))
    session = doorward_server.session(f"{kind}-looks@example.com")
    browser = Browser(session.cookies)
    assert browser.get(f"{app}/looks").text == f"{session.user_id} {session.user_id}"
    del browser.cookies["svc_access"]
    answer = browser.get(f"{app}/looks")
    assert (answer.text, answer.set_cookie) == (f"nobody {session.user_id}", [])
    assert Browser().get(f"{app}/looks").text == "nobody nobody"


def test_websocket_is_protected(doorward_server: Server) -> None:
    client = TestClient(apps.fastapi_app(**options_of(doorward_server), app_url="http://testserver"))
    cookies = {"Cookie": doorward_server.session("socket@example.com").cookie_header}
    with client.websocket_connect("/socket", headers={**cookies, "Origin": "http://testserver"}) as socket:
        assert socket.receive_text()
    for headers in ({}, {**cookies, "Origin": "https://evil.example"}):
        with pytest.raises(WebSocketDisconnect) as closed, client.websocket_connect("/socket", headers=headers):
            pass
        assert closed.value.code == 1008


def wait_for(condition: Callable[[], bool]) -> None:
    """Waits up to five seconds."""
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
