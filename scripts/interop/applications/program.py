"""What a program that has no browser is tried with, before the gate and on a host without it."""

import re
import subprocess

from browser import Browser
from cases import Cases, spellings
from page import blocks
from place import Programs, folder_of, free_port, replaced

COOKIE = "with the cookie `svc_refresh` of a login"
PASSWORD = "on a host for programs, with a password"


class Program:
    """A program that reaches an application at `gate`, and at `other`, a host for programs without the gate."""

    def __init__(self, doorward, work, debian):
        self.doorward, self.debian = doorward, debian
        self.programs = Programs(folder_of(work, self.name))
        self.folder = self.programs.folder
        self.port, self.other_port = free_port(), free_port()
        self.gate, self.other = (f"http://127.0.0.1:{port}" for port in [doorward.port, self.other_port])
        self.cases = Cases("programs", self.title, self.version())

    def run(self, person):
        """Without a login, with one, after its logout, and on the other host. `asks` says whether it gets an answer."""
        def refused(what, url, options):
            self.cases.hope(what, not self.asks(url, options), "it gets an answer", group="each")

        try:
            self.start()
            refused("without cookies it gets nothing", self.gate, [])
            self.without_cookies()
            browser = Browser(self.doorward.port)
            browser.log_in("/", person)
            option = self.with_cookie(browser.cookies["svc_refresh"], person)
            browser.log_out()
            refused("nothing more after the logout of the login whose cookie it has", self.gate, option)
            self.on_other_host()
            forged = self.headers(spellings("X-Svc-User-Id", person["id"]))
            refused("nothing by the gate's headers on a host without the gate", self.other, forged)
        finally:
            self.programs.end()

    def headers(self, pairs):
        return [word for pair in pairs for word in self.header(*pair)]

    def said(self, ended, words):
        """The line of what it printed that has these words, without what differs from run to run."""
        lines = (ended.stderr + ended.stdout).strip().split("\n")
        line = next((line for line in lines if words in line), lines[-1])
        line = re.sub("^[0-9/]+ [0-9:]+ ", "", line)
        return line.replace(self.gate, "https://app.example.org").replace("|", "/").strip()

    def cookie_file(self, token):
        """The file that the page shows, for this host and plain HTTP."""
        line = replaced(blocks("Programs")[0], "git.example.org", "127.0.0.1", "/\tTRUE", "/\tFALSE", "VALUE", token)
        path = self.folder / "cookies.txt"
        path.write_text(line)
        return str(path)


def printed(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
