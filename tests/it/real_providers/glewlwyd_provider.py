"""Debian's Glewlwyd, set up by its own API for one person and one client. Arguments: the folder of its packages, and what
is set as JSON: port, redirect_uri, alg, method. It ends with its server."""

import gzip
import http.cookiejar
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

root, settings = sys.argv[1], json.loads(sys.argv[2])
base = f"http://localhost:{settings['port']}"
# Its first coordinate begins with a zero, which Glewlwyd leaves out of its JWK. Known to all, and for nothing else.
SHORT_KEY = """-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMPyvBr+oxRz9fajG
hjueOHNNTYcOnJ0BVMqUPeAv3hahRANCAAQATdPE1+wGU/DJGcQnuteHR8fo0JSh
f1waLJ6t+JJZDpyhB4c6IaLm3cyuWutdTYqyeAZJJTpVevadx3CroyH3
-----END PRIVATE KEY-----
"""


def openssl(*arguments, given=None):
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True, text=True).stdout


if settings["alg"] == "RS256":
    kind, private = "rsa", openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
else:
    kind, private = "ecdsa", SHORT_KEY
public = openssl("pkey", "-pubout", given=private)
folder = tempfile.TemporaryDirectory()
database = os.path.join(folder.name, "database")
with gzip.open(f"{root}/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz", "rt") as script:
    sqlite3.connect(database).executescript(script.read())
config = os.path.join(folder.name, "config")
with open(config, "w") as file:
    file.write(f"""
port={settings['port']}
bind_address="127.0.0.1"
external_url="{base}"
login_url="login.html"
api_prefix="api"
static_files_path="{root}/usr/share/glewlwyd/webapp/"
log_mode="console"
log_level="WARNING"
cookie_secure=0
static_files_mime_types=(
{{extension=".html"; mime_type="text/html"; compress=0;}}, {{extension=".js"; mime_type="text/javascript"; compress=0;}},
{{extension=".css"; mime_type="text/css"; compress=0;}}, {{extension=".json"; mime_type="application/json"; compress=0;}}
)
user_module_path="{root}/usr/lib/glewlwyd/user"
client_module_path="{root}/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="{root}/usr/lib/glewlwyd/scheme"
plugin_module_path="{root}/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database={{ type="sqlite3"; path="{database}"; }};
""")
libraries = {**os.environ, "LD_LIBRARY_PATH": f"{root}/usr/lib/x86_64-linux-gnu"}
server = subprocess.Popen([f"{root}/usr/bin/glewlwyd", f"--config-file={config}"], env=libraries)
signal.signal(signal.SIGTERM, lambda *_: server.terminate())
cookies = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy())
administrator = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))


def call(path, body):
    request = urllib.request.Request(f"{base}/api{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
    administrator.open(request, timeout=10).close()


for _ in range(500):
    try:
        administrator.open(f"{base}/config", timeout=10).close()
        break
    except OSError:
        time.sleep(0.02)
call("/auth/", {"username": "admin", "password": "password"})
scopes = ["openid", "email", "profile"]
for scope in scopes[1:]:
    about = {"name": scope, "display_name": scope, "description": scope, "password_required": False, "scheme": {}}
    call("/scope/", about)
person = {"username": "ada", "name": "Ada Lovelace", "email": "ada@example.com", "password": "a lighthouse in the fog"}
call("/user/", {**person, "scope": [*scopes, "g_profile"], "enabled": True})
call("/client/", {
    "client_id": "doorward", "name": "Doorward", "confidential": True, "client_secret": "a-plain-secret",
    "enabled": True, "scope": [], "redirect_uri": [settings["redirect_uri"]], "authorization_type": ["code"],
    "token_endpoint_auth_method": [settings["method"]],
})
on = ["jwks-show", "auth-type-code-enabled", "auth-type-id-token-enabled", "pkce-allowed", "oauth-as-iss-id"]
off = ["auth-type-token-enabled", "auth-type-password-enabled", "auth-type-client-enabled", "auth-type-device-enabled",
       "auth-type-none-enabled", "auth-type-refresh-enabled", "refresh-token-rolling", "allow-non-oidc",
       "pkce-method-plain-allowed", "introspection-revocation-allowed", "session-management-allowed",
       "register-client-allowed", "resource-allowed", "oauth-rar-allowed", "oauth-par-allowed", "oauth-ciba-allowed",
       "oauth-dpop-allowed", "request-parameter-allow", "encrypt-out-token-allow"]
# The plugin comes last: whoever finds its metadata finds all.
call("/mod/plugin/", {"module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "parameters": {
    "iss": f"{base}/api/oidc", "jwt-type": kind, "jwt-key-size": "256", "key": private, "cert": public,
    "access-token-duration": 3600, "refresh-token-duration": 3600, "code-duration": 600, "subject-type": "public",
    "scope": [], "additional-parameters": [], "claims": [], "address-claim": {"type": "no"}, "scope-claim": "no",
    "name-claim": "on-demand", "name-claim-scope": ["profile"], "email-claim": "on-demand", "email-claim-scope": ["email"],
    **dict.fromkeys(on, True), **dict.fromkeys(off, False),
}})
sys.exit(server.wait())
