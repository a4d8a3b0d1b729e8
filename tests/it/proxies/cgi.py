"""An application that reads headers as CGI does, and Radicale under /dav.

Arguments: the port; where Radicale is installed, `radicale` and a folder for it.
"""

import json
import sys
import tempfile
from socketserver import TCPServer, ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

NAMES = ["HTTP_X_SVC_USER_ID", "HTTP_X_SVC_USER_ROLES", "HTTP_REMOTE_USER", "HTTP_X_REMOTE_USER"]


def radicale():
    from radicale import config
    from radicale.app import Application

    settings = config.load()
    folder = tempfile.mkdtemp(dir=sys.argv[3])
    changes = {
        "auth": {"type": "http_x_remote_user", "delay": "0"},
        "storage": {"filesystem_folder": folder},
        "logging": {"level": "critical"},
    }
    settings.update(changes, "test", privileged=True)
    return Application(settings)


DAV = radicale() if sys.argv[2:3] == ["radicale"] else None


def application(environ, start_response):
    if DAV and environ["PATH_INFO"].startswith("/dav/"):
        environ["SCRIPT_NAME"], environ["PATH_INFO"] = "/dav", environ["PATH_INFO"][4:]
        return DAV(environ, start_response)
    read = json.dumps({name: environ[name] for name in NAMES if name in environ}).encode()
    start_response("200 OK", [("Content-Length", str(len(read)))])
    return [read]


class Handler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64

    def server_bind(self):
        # Without asking a name server what this machine is called.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address
        self.setup_environ()


server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
server.set_app(application)
server.serve_forever()
