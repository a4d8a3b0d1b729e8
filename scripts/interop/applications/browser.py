"""What a browser sends, without the browser: cookies, and the headers from which the gate knows a navigation."""

import http.client
import json
import re
import socket
import urllib.parse
from http.cookies import SimpleCookie

import websockets.exceptions
import websockets.sync.client

from place import HOST, PATIENCE

PAGE = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
SCRIPT = {"Accept": "application/json", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.bytes = response.status, response.headers, response.read()
        self.text = self.bytes.decode("utf-8", "replace")
        self.location = response.headers.get("Location", "")

    def json(self):
        return json.loads(self.text)


class Browser:
    def __init__(self, port):
        self.port, self.cookies = port, {}
        self.origin = f"http://{HOST}:{port}"

    def cookie_header(self):
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}

    def send(self, method, path, body=None, headers=()):
        """One request; a list of pairs may name a header twice."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True)
        body = body.encode() if isinstance(body, str) else body
        length = [("Content-Length", str(len(body)))] if body is not None else []
        pairs = headers.items() if isinstance(headers, dict) else headers
        for name, value in [("Host", f"{HOST}:{self.port}"), *self.cookie_header().items(), *pairs, *length]:
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = Answer(connection.getresponse())
        connection.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(line).items():
                self.cookies.pop(name, None)
                if morsel.value and morsel["max-age"] != "0":
                    self.cookies[name] = morsel.value
        return answer

    def page(self, path, headers=()):
        return self.send("GET", path, headers=[*(PAGE | SAME_ORIGIN).items(), *headers])

    def script(self, method, path, body=None, headers=()):
        """A `fetch` of the application's own page."""
        origin = {} if method in ("GET", "HEAD") else {"Origin": self.origin}
        return self.send(method, path, body, [*(SCRIPT | SAME_ORIGIN | origin).items(), *dict(headers).items()])

    def follow(self, answer):
        while answer.status in (301, 302, 303, 307):
            answer_at = urllib.parse.urlsplit(answer.location)
            self.at = answer_at.path + (f"?{answer_at.query}" if answer_at.query else "")
            answer = self.page(self.at)
        return answer

    def form(self, path, **fields):
        body = urllib.parse.urlencode(fields)
        headers = PAGE | SAME_ORIGIN | {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"}
        return self.send("POST", path, body, headers)

    def log_in(self, path, person):
        """Opens a page of the application, is led to the login and back; returns what is there."""
        login = self.follow(self.page(path))
        token, back = (re.search(f'name="{name}" value="([^"]*)"', login.text) for name in ("csrf_token", "return_to"))
        fields = {"csrf_token": token[1], "return_to": back[1].replace("&amp;", "&")}
        return self.follow(self.form("/auth/login", email=person["email"], password=person["password"], **fields))

    def log_out(self):
        """By the button of the page for it. The browser sends the cookies of the session that ended on."""
        page = self.page("/auth/logout?return_to=%2F")
        token = re.search('name="csrf_token" value="([^"]*)"', page.text)[1]
        kept = dict(self.cookies)
        ended = self.form("/auth/sessions/logout", csrf_token=token, return_to="/")
        assert ended.status == 303, ended.text
        return kept

    def websocket(self, path, protocols=None, forged=()):
        sock = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        own = self.cookie_header() | {"Sec-Fetch-Mode": "websocket"} | SAME_ORIGIN
        headers = [*own.items(), *forged]
        return websockets.sync.client.connect(
            f"ws://{HOST}:{self.port}{path}", sock=sock, origin=self.origin, subprotocols=protocols, proxy=None,
            additional_headers=headers, open_timeout=PATIENCE, ping_interval=None, max_size=None)

    def is_refused_websocket(self, path):
        try:
            self.websocket(path).close()
            return False
        except websockets.exceptions.InvalidStatus as refused:
            return refused.response.status_code == 401
