"""Applications of PyPI that answer requests one by one."""

import html
import re
import sys
from importlib.metadata import version

from page import blocks
from place import HOST, replaced, with_gate_header

BIN = sys.prefix + "/bin"


def found(pattern, text):
    match = re.search(pattern, text)
    return match[1] if match else "no one"


class Application:
    """An application behind the gate, made of `packages`. `path` is a page of it, which holds `mark`; `identity` is
    what it calls a person, and `headers` say which person that is."""

    source, path = "PyPI", "/"
    headers = ["X-Svc-User-Id"]

    def __init__(self, programs, port):
        self.programs, self.folder, self.port = programs, programs.folder, port

    @property
    def version(self):
        return ", ".join(version(package) for package in self.packages)

    @property
    def title(self):
        return f"{' with '.join([self.name, *self.packages[1:]])} ({self.source})"

    def identity(self, person):
        return person["id"]

    def edit_nginx(self, text):
        return text

    def own_cases(self, cases, browser, person):
        pass

    def cases_after_logout(self, cases, browser):
        pass

    def gunicorn(self, module):
        self.programs.start("gunicorn", [f"{BIN}/gunicorn", "-b", f"127.0.0.1:{self.port}", module], self.port)


class Django(Application):
    name, packages, mark = "Django", ["Django", "gunicorn"], "Hello from Django"

    def start(self):
        gate, settings = blocks("Django")
        (self.folder / "gate.py").write_text(gate)
        (self.folder / "settings.py").write_text(DJANGO_SETTINGS + settings)
        (self.folder / "urls.py").write_text(DJANGO_URLS)
        manage = [sys.executable, "-m", "django", "migrate", "--settings=settings"]
        migrated = self.programs.run(manage, PYTHONPATH=str(self.folder))
        assert migrated.returncode == 0, migrated.stderr
        (self.folder / "wsgi.py").write_text(
            "import os\nos.environ['DJANGO_SETTINGS_MODULE'] = 'settings'\n"
            "from django.core.wsgi import get_wsgi_application\napplication = get_wsgi_application()\n")
        self.gunicorn("wsgi")

    def who(self, browser, headers=()):
        return found("user: (.*);", browser.page("/", headers).text)

    def own_cases(self, cases, browser, person):
        browser.page("/form")
        body = f"csrfmiddlewaretoken={browser.cookies['csrftoken']}&word=h%C3%A4"
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        sent = browser.script("POST", "/form", body, headers)
        cases.hope("a form with its CSRF token", sent.text == f"{person['id']} sent hä", sent.text[:200])


# What `startproject` writes, but for what an application with two pages does not need.
DJANGO_SETTINGS = f"""
SECRET_KEY = "for a try"
ALLOWED_HOSTS = ["{HOST}"]
ROOT_URLCONF = "urls"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
DATABASES = {{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": "django.sqlite3"}}}}
"""

DJANGO_URLS = """
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.urls import path

def home(request):
    return HttpResponse(f"Hello from Django; user: {request.user.get_username()};")

def form(request):
    get_token(request)
    return HttpResponse(f"{request.user.get_username()} sent {request.POST.get('word')}")

urlpatterns = [path("", home), path("form", form)]
"""


class Flask(Application):
    name, packages, mark = "Flask", ["Flask", "gunicorn"], "Hello from Flask"

    def start(self):
        (self.folder / "app.py").write_text(blocks("Flask")[0] + FLASK_PAGE)
        self.gunicorn("app:app")

    def who(self, browser, headers=()):
        return found("user: (.*);", browser.page("/", headers).text)

    def own_cases(self, cases, browser, person):
        seen = found("email: (.*)", browser.page("/").text)
        cases.hope("an address with `ä` and `+` arrives whole", seen == html.escape(person["email"]), seen)


FLASK_PAGE = """
@app.get("/")
def home():
    return f"Hello from Flask; user: {g.user_id};\\nemail: {g.email}"
"""


class Radicale(Application):
    name, packages, path, mark = "Radicale", ["Radicale"], "/.web/", "Radicale"
    headers = ["X-Remote-User", "X-Svc-User-Id"]

    def start(self):
        (self.folder / "radicale.ini").write_text(
            f"[server]\nhosts = 127.0.0.1:{self.port}\n[storage]\nfilesystem_folder = {self.folder}/collections\n"
            + blocks("Radicale")[0])
        command = [f"{BIN}/radicale", "--config", str(self.folder / "radicale.ini")]
        self.programs.start(self.name, command, self.port)

    def edit_nginx(self, text):
        return with_gate_header(text, "X-Remote-User")

    def who(self, browser, headers=()):
        asked = '<propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>'
        answer = browser.script("PROPFIND", "/", asked, [*headers, ("Depth", "0")])
        return found("<href>/([^/<]+)/</href>\\s*</current-user-principal>", answer.text)

    def own_cases(self, cases, browser, person):
        calendar = f"/{person['id']}/calendar/"
        made = browser.script("MKCALENDAR", calendar)
        put = browser.script("PUT", f"{calendar}one.ics", EVENT, {"Content-Type": "text/calendar"})
        listed = browser.script("REPORT", calendar, QUERY, {"Depth": "1"})
        statuses = [made.status, put.status, listed.status]
        is_done = statuses == [201, 201, 207] and "one.ics" in listed.text
        cases.hope("MKCALENDAR, PUT of an event, REPORT", is_done, f"{statuses}")
        other = browser.script("MKCALENDAR", "/another/calendar/")
        cases.hope("the collections of another person are closed", other.status == 403, str(other.status))


QUERY = """<c:calendar-query xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><prop><getetag/></prop>
<c:filter><c:comp-filter name="VCALENDAR"/></c:filter></c:calendar-query>"""
EVENT = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//try//EN
BEGIN:VEVENT
UID:one
DTSTAMP:20260101T000000Z
DTSTART:20260101T100000Z
DTEND:20260101T110000Z
SUMMARY:Tea
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n")


class WsgiDav(Application):
    name, packages, mark = "WsgiDAV", ["WsgiDAV", "cheroot"], "WsgiDAV"

    def start(self):
        (self.folder / "share").mkdir()
        config = replaced(blocks("WsgiDAV")[0], "PASSWORD", "none that is used")
        (self.folder / "wsgidav.yaml").write_text(
            f"host: 127.0.0.1\nport: {self.port}\nserver: cheroot\n"
            f"provider_mapping:\n  /: {self.folder}/share\n{config}")
        command = [f"{BIN}/wsgidav", "--config", str(self.folder / "wsgidav.yaml")]
        self.programs.start(self.name, command, self.port)

    def who(self, browser, headers=()):
        return found('Authenticated user: "([^"]*)"', html.unescape(browser.page("/", headers).text))

    def own_cases(self, cases, browser, person):
        put = browser.script("PUT", "/a.txt", "some text")
        copied = browser.script("COPY", "/a.txt", headers={"Destination": f"{browser.origin}/b.txt"})
        listed = browser.script("PROPFIND", "/", headers={"Depth": "1"})
        read = browser.script("GET", "/b.txt")
        statuses = [put.status, copied.status, listed.status, read.status]
        is_done = statuses == [201, 201, 207, 200] and read.text == "some text" and "/b.txt" in listed.text
        cases.hope("PUT, COPY with `Destination`, PROPFIND, GET", is_done, f"{statuses}")
