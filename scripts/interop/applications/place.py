"""Doorward, nginx before it with the file that `doorward proxy-config` prints, and the programs that run meanwhile."""

import json
import os
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.request

# Browsers here connect to the loopback address and send this name as the host: some applications treat a host that is
# not the machine's own in another way.
HOST = "app.example.org"
# Long, as the machine may be busy: what is waited for comes, or the run fails.
PATIENCE = 600


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise RuntimeError(f"not in time: {what}")


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), PATIENCE).close()
        return True
    except OSError:
        return False


class Programs:
    """What was started, each in the folder and with a log there."""

    def __init__(self, folder):
        self.folder, self.children = folder, []

    def environment(self, variables):
        return os.environ | {"HOME": str(self.folder), "NO_PROXY": "127.0.0.1"} | variables

    def run(self, command, **variables):
        """One that ends."""
        return subprocess.run(
            command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            env=self.environment(variables))

    def start(self, name, command, port, **variables):
        with open(self.folder / f"{name}.log", "ab") as log:
            child = subprocess.Popen(
                command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=self.environment(variables))
        self.children.append(child)

        def is_there():
            if child.poll() is not None:
                raise RuntimeError(f"{name} ended: {(self.folder / f'{name}.log').read_text()[-2000:]}")
            return listens(port)

        wait_for(name, is_there)
        return child

    def end(self):
        for child in self.children:
            child.terminate()
        for child in self.children:
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.children = []


class Doorward:
    """The service with a fresh database, for a proxy on `port`."""

    def __init__(self, program, folder):
        folder.mkdir()
        self.program, self.programs = program, Programs(folder)
        self.listen, self.port = free_port(), free_port()
        self.origin = f"http://{HOST}:{self.port}"
        self.settings = {
            "SVC_LISTEN": f"127.0.0.1:{self.listen}",
            "SVC_BASE_URL": self.origin,
            "SVC_TRUSTED_PROXIES": "127.0.0.1",
            "SVC_PROXY_HEADER": "X-Forwarded-For",
            "SVC_DATA_DIR": str(folder / "data"),
            "SVC_MAIL_FROM": "accounts@example.com",
            "SVC_RATE_LIMIT": "off",
            # For Radicale; its page says so.
            "SVC_GATE_HEADERS": "X-Remote-User=id",
        }
        self.programs.start("doorward", [program, "serve"], self.listen, **self.settings)
        wait_for("Doorward is ready", self.is_ready)

    def is_ready(self):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.listen}/auth/ready", timeout=PATIENCE).status == 200
        except (OSError, urllib.error.HTTPError):
            return False

    def command(self, *arguments):
        return subprocess.run(
            [self.program, *arguments], env=os.environ | self.settings, check=True, capture_output=True,
            text=True).stdout

    def create_user(self, email):
        """The record of an account, with its password."""
        created = json.loads(self.command("user", "create", email, "--verified", "--json"))
        shown = json.loads(self.command("user", "show", email, "--json"))
        return shown | {"password": created["password"]}

    def file_of_nginx(self, application_port):
        """As it is printed, but for the port."""
        text = self.command(
            "proxy-config", "nginx", "--host", HOST, "--app", f"http://127.0.0.1:{application_port}",
            "--auth", f"http://127.0.0.1:{self.listen}")
        return replaced(text, "listen 80;", f"listen 127.0.0.1:{self.port};")


def replaced(text, *changes):
    """The text with each first string replaced by the second; each must be there."""
    for before, after in zip(changes[::2], changes[1::2]):
        if before not in text:
            raise RuntimeError(f"the text lacks {before}")
        text = text.replace(before, after)
    return text


def with_gate_header(text, name):
    """nginx's file with the lines for a name of SVC_GATE_HEADERS, as its comments say."""
    variable = name.lower().replace("-", "_")
    return replaced(
        text,
        "# auth_request_set $gate_remote_user $upstream_http_remote_user;",
        f"auth_request_set $gate_remote_user $upstream_http_{variable};",
        "# proxy_set_header Remote-User $gate_remote_user;", f"proxy_set_header {name} $gate_remote_user;",
        '$gate_session" $gate_is_broken', '$gate_session $gate_remote_user" $gate_is_broken')


def start_nginx(programs, port, *servers):
    """With these files in its conf.d."""
    folder = programs.folder
    paths = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    user = "user root; " if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off; {paths}\n" + "\n".join(servers) + "}\n")
    command = ["nginx", "-e", str(folder / "nginx-error.log"), "-c", str(folder / "nginx.conf")]
    return programs.start("nginx", command, port)


def folder_of(work, name):
    folder = pathlib.Path(work) / name
    folder.mkdir()
    return folder
