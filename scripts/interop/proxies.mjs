// Verifies tests/fixtures/tokens.json with HAProxy's jwt_verify and Apache's mod_auth_openidc, as they check cookies.
// Arguments: the fixtures, the folder that Debian's packages were unpacked into, a folder to work in.
import { spawn, spawnSync } from "node:child_process";
import { createPublicKey } from "node:crypto";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as listener } from "node:net";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const [, , fixtures, root, folder] = process.argv;
const { issuer, audience, sets, tokens } = JSON.parse(readFileSync(fixtures, "utf8"));
const libraries = { LD_LIBRARY_PATH: `${root}/usr/lib/x86_64-linux-gnu` };
const freePort = () => new Promise((done) => {
  const server = listener().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});

const listen = (server) => new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(server.address().port)));
// Says which cookies it got.
const applicationPort = await listen(createServer((request, response) => response.end(request.headers.cookie ?? "")));

// mod_auth_openidc takes the key set over TLS only.
const tls = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
  "-addext", "subjectAltName=DNS:localhost"];
spawnSync("openssl", [...tls, "-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`]);
const certificate = { key: readFileSync(`${folder}/key.pem`), cert: readFileSync(`${folder}/cert.pem`) };
const keySetPort = await listen(createTlsServer(certificate, (request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(sets[request.url.slice(1)]));
}));

async function status(port, token) {
  for (let tries = 0; tries < 100; tries++) {
    try {
      const cookie = `theme=dark; svc_access=${token}; last=1`;
      const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } });
      return { status: answer.status, cookies: await answer.text() };
    } catch {
      await setTimeout(50);
    }
  }
  throw new Error("it does not answer");
}

async function haproxy(set, port) {
  for (const jwk of sets[set].keys) {
    const key = createPublicKey({ key: jwk, format: "jwk" });
    writeFileSync(`${folder}/${jwk.alg}.pem`, key.export({ type: "spki", format: "pem" }));
  }
  // HAProxy takes one algorithm and one key a line, and the operator keeps the file up to date.
  const algorithm = set === "both" ? "ES256" : set;
  writeFileSync(`${folder}/haproxy.cfg`, `
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend front
  bind 127.0.0.1:${port}
  http-request set-var(txn.token) req.cook(svc_access)
  http-request deny deny_status 401 unless { var(txn.token),jwt_header_query('$.alg') -m str ${algorithm} }
  http-request deny deny_status 401 unless { var(txn.token),jwt_verify(${algorithm},"${folder}/${algorithm}.pem") -m int 1 }
  http-request deny deny_status 401 unless { var(txn.token),jwt_payload_query('$.iss') -m str ${issuer} }
  http-request deny deny_status 401 unless { var(txn.token),jwt_payload_query('$.aud[0]') -m str ${audience} }
  http-request set-var(txn.now) date()
  http-request deny deny_status 401 if { var(txn.token),jwt_payload_query('$.exp','int'),sub(txn.now) -m int lt 1 }
  default_backend application
backend application
  server one 127.0.0.1:${applicationPort}
`);
  const checked = spawnSync(`${root}/usr/sbin/haproxy`, ["-c", "-f", `${folder}/haproxy.cfg`], { env: libraries });
  if (checked.status !== 0) return { error: checked.stderr.toString().split("\n").find((line) => line.includes("jwt")) };
  return { process: spawn(`${root}/usr/sbin/haproxy`, ["-f", `${folder}/haproxy.cfg`], { env: libraries }) };
}

/** What docs/guides/proxies.md has for Apache, with other addresses. */
function block(set) {
  const page = readFileSync(new URL("../../docs/guides/proxies.md", import.meta.url), "utf8");
  const text = page.split("```apache\n")[1].split("```")[0];
  const changes = [
    ["https://auth.example.org/auth/.well-known/jwks.json", `https://localhost:${keySetPort}/${set}`],
    ["/etc/ssl/certs/ca-certificates.crt", `${folder}/cert.pem`],
    ["iss:https://auth.example.org", `iss:${issuer}`],
    ["aud:app", `aud:${audience}`],
    ["127.0.0.1:3000", `127.0.0.1:${applicationPort}`],
  ];
  return changes.reduce((block, [from, to]) => {
    if (!block.includes(from)) throw new Error(`the block lacks ${from}`);
    return block.replace(from, to);
  }, text) + "OIDCCacheType shm";
}

async function apache(set, port) {
  const module = (name) => `LoadModule ${name}_module ${root}/usr/lib/apache2/modules/mod_${name}.so`;
  const modules = ["mpm_event", "authn_core", "authz_core", "authz_user", "proxy", "proxy_http", "headers", "auth_openidc"];
  writeFileSync(`${folder}/apache.conf`, `
ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache.log
Listen 127.0.0.1:${port}
${modules.map(module).join("\n")}
User ${process.getuid() === 0 ? "nobody" : process.env.USER}
${block(set)}
`);
  const arguments_ = ["-X", "-f", `${folder}/apache.conf`];
  return { process: spawn(`${root}/usr/sbin/apache2`, arguments_, { env: { ...libraries, USER: "nobody" } }) };
}

const packages = { "HAProxy jwt_verify": ["haproxy", haproxy], "Apache mod_auth_openidc": ["libapache2-mod-auth-openidc", apache] };
const versions = JSON.parse(readFileSync(`${root}/versions.json`, "utf8"));
for (const [name, [deb, start]] of Object.entries(packages)) {
  for (const set of Object.keys(sets)) {
    const port = await freePort();
    const started = await start(set, port);
    for (const { alg, case: what, token } of tokens.filter(({ alg }) => set === "both" || set === alg)) {
      const answer = started.error ? { status: started.error } : await status(port, token);
      const text = answer.status === 200 ? "accepted" : `refused ${answer.status}`;
      const isClean = answer.cookies?.includes("theme=dark") && !answer.cookies.includes("svc_");
      if (deb.includes("apache") && answer.status === 200 && !isClean) throw new Error(`cookies: ${answer.cookies}`);
      console.log(["tokens", `${name} (Debian)`, versions[deb], set, alg, what, text].join("\t"));
    }
    started.process?.kill("SIGKILL");
  }
}
process.exit(0);
