"""An application that knows nothing of logins: the proxy asks Doorward's gate, and the headers say who is there."""

from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote


class App(BaseHTTPRequestHandler):
    def do_GET(self):
        email = unquote(self.headers.get("X-Svc-User-Email", ""))
        organization = self.headers.get("X-Svc-Organization-Id", "")
        page = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Example</title>
            <h1>Hello, {escape(email)}</h1><p>Your organization: {escape(organization)}</p>
            <p><a href="/auth/account">Account</a> · <a href="/auth/logout?return_to=/">Log out</a></p></html>"""
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page.encode())


ThreadingHTTPServer(("", 3000), App).serve_forever()
