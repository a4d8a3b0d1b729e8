"""Applications that talk with their page: by WebSocket, or by a script that saves what was written."""

import json
import re
import uuid

import websockets.exceptions

from page import blocks
from python_apps import BIN, Application


def lasting(ask):
    """What becomes of a WebSocket that is open at the logout: the gate is not asked about it again."""
    try:
        goes_on = bool(ask())
    except websockets.exceptions.ConnectionClosed:
        goes_on = False
    return f"an open WebSocket {'goes on' if goes_on else 'ends'} after the logout"


class TiddlyWiki(Application):
    name, packages, source, mark = "TiddlyWiki", [], "npm", "<title>"
    headers = ["X-Svc-User-Username", "X-Svc-User-Id"]
    node = None

    @property
    def version(self):
        return json.loads((self.node / "node_modules/tiddlywiki/package.json").read_text())["version"]

    def identity(self, person):
        return person["username"]

    def start(self):
        program = str(self.node / "node_modules/.bin/tiddlywiki")
        made = self.programs.run([program, "wiki", "--init", "server"])
        assert made.returncode == 0, made.stderr
        command = [program if word == "tiddlywiki" else word.strip('"') for word in blocks("TiddlyWiki")[0].split()]
        command = ["wiki" if word == "FOLDER" else word.replace("port=3000", f"port={self.port}") for word in command]
        self.programs.start(self.name, command, self.port)

    def who(self, browser, headers=()):
        return browser.script("GET", "/status", headers=headers).json().get("username")

    def own_cases(self, cases, browser, person):
        title = "/recipes/default/tiddlers/T%C3%A4g%2Fone"
        fields = json.dumps({"title": "Täg/one", "text": "some text"})
        headers = {"X-Requested-With": "TiddlyWiki", "Content-Type": "application/json"}
        put = browser.script("PUT", title, fields, headers)
        read = browser.script("GET", title)
        is_saved = put.status == 204 and read.status == 200 and read.json()["text"] == "some text"
        what = "a tiddler whose title has `ä` and `/` is saved by PUT and read"
        cases.hope(what, is_saved, f"{put.status}, {read.status}")


class JupyterLab(Application):
    name, packages, path, mark = "JupyterLab", ["jupyterlab"], "/lab", "JupyterLab"

    def start(self):
        config = self.folder / "jupyter_server_config.py"
        config.write_text(blocks("JupyterLab")[0])
        command = [
            f"{BIN}/jupyter-lab", "--no-browser", "--config", str(config), f"--port={self.port}", "--ip=127.0.0.1",
            "--ServerApp.port_retries=0", f"--ServerApp.root_dir={self.folder}", "--allow-root"]
        self.programs.start(self.name, command, self.port)

    def who(self, browser, headers=()):
        return browser.script("GET", "/api/me", headers=headers).json().get("identity", {}).get("username")

    def own_cases(self, cases, browser, person):
        token = {"X-XSRFToken": browser.cookies["_xsrf"]}
        self.kernel = browser.script("POST", "/api/kernels", "{}", token).json()["id"]
        self.socket = browser.websocket(f"/api/kernels/{self.kernel}/channels")
        printed = execute(self.socket, "print(6 * 7)")
        cases.hope("a kernel computes by WebSocket", printed == "42\n", printed)

    def cases_after_logout(self, cases, browser):
        is_refused = browser.is_refused_websocket(f"/api/kernels/{self.kernel}/channels")
        cases.hope("no new WebSocket after the logout", is_refused)
        cases.note(lasting(lambda: execute(self.socket, "print(6 * 7)")))
        self.socket.close()


def execute(connection, code):
    """What a kernel prints; the messages of Jupyter's protocol, as text."""
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request"}
    header |= {"username": "", "session": "one", "version": "5.3"}
    content = {"code": code, "silent": False, "store_history": False, "user_expressions": {}, "allow_stdin": False}
    connection.send(json.dumps(
        {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell", "buffers": []}))
    while True:
        message = json.loads(connection.recv())
        if message["msg_type"] == "stream" and message["parent_header"].get("msg_id") == header["msg_id"]:
            return message["content"]["text"]


class Streamlit(Application):
    name, packages, mark = "Streamlit", ["streamlit"], "Streamlit"

    def start(self):
        (self.folder / "app.py").write_text(blocks("Streamlit")[0] + 'st.text(f"user: {user_id}; email: {email};")\n')
        command = [
            f"{BIN}/streamlit", "run", "app.py", "--server.headless=true", f"--server.port={self.port}",
            "--server.address=127.0.0.1", "--browser.gatherUsageStats=false"]
        self.programs.start(self.name, command, self.port)

    def who(self, browser, headers=()):
        with browser.websocket("/_stcore/stream", ["streamlit"], headers) as connection:
            return shown_by_script(connection)[0]

    def own_cases(self, cases, browser, person):
        health = browser.script("GET", "/_stcore/health")
        cases.hope("the page's script asks whether the server is there", health.text == "ok", health.text)
        self.socket = browser.websocket("/_stcore/stream", ["streamlit"])
        email = shown_by_script(self.socket)[1]
        cases.hope("a script runs by WebSocket and shows the address", email == person["email"], email)

    def cases_after_logout(self, cases, browser):
        cases.hope("no new WebSocket after the logout", browser.is_refused_websocket("/_stcore/stream"))
        cases.note(lasting(lambda: shown_by_script(self.socket)[0]))
        self.socket.close()


def shown_by_script(connection):
    """Has the script run, and returns the person's id and address, which it shows."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

    asked = BackMsg()
    asked.rerun_script.query_string = ""
    connection.send(asked.SerializeToString())
    shown = None
    while True:
        message = ForwardMsg()
        message.ParseFromString(connection.recv())
        shown = re.search("user: (.*); email: (.*);", message.delta.new_element.text.body) or shown
        if message.WhichOneof("type") == "script_finished":
            return shown.groups() if shown else (None, None)
