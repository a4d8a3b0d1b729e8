import assert from "node:assert/strict";
import { test } from "node:test";
import express from "express";
import { doorward } from "../express.js";
import { browse, listen, start } from "./support.js";

const server = await start();
const { protect, optional, look, refresh, loginUrl, checkCsrf } = doorward({ url: server.url, clock: server.clock });

const app = express();
app.get("/public", optional(), (req, res) => res.json(req.who));
app.get("/renew", async (req, res) => res.json(await refresh(req, res)));
app.post("/note", async (req, res) => res.json(await checkCsrf(req)));
app.use(
  "/app",
  protect(),
  express.Router().get("/orders", (req, res) => res.send(req.who.user.id)),
);
app.get("/session", protect(), protect({ live: true }), async (req, res) => res.json([req.who, await look(req)]));
app.use((req, res) => res.send(loginUrl(req)));
const url = await listen(app);

async function expired() {
  const session = await server.session({ email: "ada@example.com" });
  await server.advance("15m");
  return session;
}

test("the handler learns who it is, and the browser gets the new tokens once", async () => {
  const { cookie, user_id } = await expired();
  const { status, text, setCookie, headers } = await browse(`${url}/session`, { headers: { cookie } });
  assert.equal(status, 200);
  const [who, session] = JSON.parse(text);
  assert.equal(who.user.email, "ada@example.com");
  assert.deepEqual([session.user.id, session.audience], [user_id, "app"]);
  assert.deepEqual(
    setCookie.map((line) => line.split("=")[0]),
    ["svc_access", "svc_refresh", "svc_csrf"],
  );
  assert.equal(headers["cache-control"], "private, no-store");
});

test("nobody is sent to the login, and back to the whole address of a mounted route", async () => {
  const { status, headers } = await browse(`${url}/app/orders?id=7`);
  assert.equal(status, 303);
  assert.equal(new URL(headers.location).searchParams.get("return_to"), `${url}/app/orders?id=7`);
  assert.equal((await browse(`${url}/app/orders`, { headers: { "sec-fetch-mode": "cors" } })).status, 401);
  assert.equal((await browse(`${url}/public`)).text, "null");
});

test("a form of another site is refused, and one of this site is not", async () => {
  const { cookie } = await server.session({ email: "ada@example.com" });
  const post = (headers) => browse(`${url}/app/orders`, { method: "POST", headers: { cookie, ...headers } });
  assert.equal((await post({ "sec-fetch-site": "cross-site", origin: "null" })).status, 403);
  assert.equal((await post({})).status, 200);
  assert.equal(
    (await browse(`${url}/note`, { method: "POST", headers: { "sec-fetch-site": "cross-site" } })).text,
    "false",
  );
});

test("a route of one's own can renew", async () => {
  const { cookie, user_id } = await expired();
  const { text, setCookie } = await browse(`${url}/renew`, { headers: { cookie } });
  assert.equal(JSON.parse(text).user.id, user_id);
  assert.equal(setCookie.length, 3);
});

test("a strange request target leads to the root", async () => {
  const { text } = await browse(url, { path: "*", method: "OPTIONS" });
  assert.equal(new URL(text).searchParams.get("return_to"), `${url}/`);
});
