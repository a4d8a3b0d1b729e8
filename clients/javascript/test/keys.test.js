import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { breakable, hello, library, page, script, start } from "./support.js";

const folder = await mkdtemp(join(tmpdir(), "doorward-test-"));
const server = await start({ XDG_RUNTIME_DIR: folder });
after(() => rm(folder, { recursive: true }));
const way = await breakable(server);
const JWKS = "jwks.json";

/** Runs a command beside the server. */
async function doorwardCommand(...args) {
  const [instance] = await readdir(folder);
  const environment = { ...process.env, SVC_DATA_DIR: join(folder, instance) };
  await promisify(execFile)(process.env.DOORWARD_BIN || "doorward", args, { env: environment });
}

test("a key is rotated while 200 requests run, and none of them is refused", async () => {
  const { cookie } = await server.session({ email: "ada@example.com" });
  const { protect } = library(server, { internalUrl: way.url });
  const guarded = protect(hello);
  const pass = async (count) => {
    const answers = await Promise.all(Array.from({ length: count }, () => guarded(page({ cookie }))));
    assert.ok(answers.every(({ status }) => status === 200));
  };
  await Promise.all([pass(100), doorwardCommand("keys", "rotate").then(() => pass(50)), pass(50)]);
  await server.advance("11m");
  await pass(200);
  assert.ok(way.count(JWKS) <= 3, "one request at a time asks for the keys");
});

test("an unknown key is asked for once a minute, by one request at a time", async () => {
  const stranger = await start();
  const { cookie } = await stranger.session({ email: "ada@example.com" });
  const { protect } = library(server, { internalUrl: way.url });
  way.asked.length = 0;
  const flood = () => Promise.all(Array.from({ length: 50 }, () => protect(hello)(script({ cookie }))));
  await flood();
  assert.equal(way.count(JWKS), 2);
  await flood();
  assert.equal(way.count(JWKS), 2);
  await server.advance("61s");
  await flood();
  assert.equal(way.count(JWKS), 3);
});

test("kept keys are good for a day when Doorward does not answer", async () => {
  let ahead = 0;
  const clock = () => server.clock() + ahead;
  const made = library(server, { internalUrl: way.url, clock });
  const { cookies } = await server.session({ email: "ada@example.com" });
  const code = () =>
    made.verify(cookies.svc_access).then(
      () => "ok",
      (error) => error.code,
    );
  assert.equal(await code(), "ok");
  way.fault = (request, response) => response.destroy();
  ahead = 23 * 3_600_000;
  assert.equal(await code(), "expired");
  ahead = 25 * 3_600_000;
  assert.equal(await code(), "unavailable");
  way.fault = undefined;
  assert.equal(await code(), "expired");
});

test("a clock that is 61 seconds off logs nobody out, and is told of", async () => {
  for (const off of [61_000, -61_000]) {
    const { cookie } = await server.session({ email: "ada@example.com" });
    const { protect, lessons } = library(server, { clock: () => server.clock() + off });
    assert.equal((await protect(hello)(page({ cookie }))).status, 200);
    await server.advance("15m");
    assert.equal((await protect(hello)(page({ cookie }))).status, 200);
    assert.deepEqual(lessons, ["clock_skew"]);
  }
});

test("a clock that is so far off that new tokens look old lets nobody in, and says why", async () => {
  const { cookie } = await server.session({ email: "ada@example.com" });
  const { protect, lessons } = library(server, { clock: () => server.clock() + 12 * 60_000 });
  assert.equal((await protect(hello)(page({ cookie }))).status, 503);
  assert.deepEqual(lessons, ["clock_skew", "unavailable"]);
});

test("a mistake in the settings lets nobody in, and is told of once an hour", async () => {
  const { cookie } = await server.session({ email: "ada@example.com" });
  for (const [lesson, options] of [
    ["issuer_mismatch", { issuer: "https://login.example.com" }],
    ["audience_mismatch", { audience: "billing" }],
    ["keys_unreachable", { internalUrl: "http://127.0.0.1:1" }],
  ]) {
    const { protect, lessons } = library(server, options);
    await Promise.all(
      [1, 2, 3].map(async () => assert.notEqual((await protect(hello)(script({ cookie }))).status, 200)),
    );
    assert.equal(lessons.filter((code) => code === lesson).length, 1, lesson);
    await server.advance("61m");
    await protect(hello)(script({ cookie }));
    assert.equal(lessons.filter((code) => code === lesson).length, 2, lesson);
  }
});

test("an address that gets no cookies is told of", async () => {
  for (const [lesson, url, host, options] of [
    ["wrong_host", "http://localhost:8080", "127.0.0.1:3000"],
    ["wrong_host", "https://auth.example.com", "app.example.org"],
    ["http_cookie", "https://example.com", "example.com", { appUrl: "http://example.com" }],
    [undefined, "https://auth.example.com", "app.example.com"],
    [undefined, "http://localhost:8080", "localhost:3000"],
  ]) {
    const { protect, lessons } = library(server, { url, ...options });
    assert.equal((await protect(hello)(page({ host }))).status, 303);
    assert.deepEqual(lessons, lesson ? [lesson] : [], host);
  }
});

test("with shared keys, tokens of these keys pass and no other", async () => {
  const keys = `old:${Buffer.alloc(32, 1).toString("base64")}, new:${Buffer.alloc(32, 2).toString("base64")}`;
  const shared = await start({ SVC_JWT_KEYS: keys, SVC_JWT_ACTIVE_KEY_ID: "new" });
  const { cookies } = await shared.session({ email: "ada@example.com" });
  const { verify } = library(shared, { keys });
  assert.equal((await verify(cookies.svc_access)).iss, shared.url);
  const published = (await server.session({ email: "ada@example.com" })).cookies.svc_access;
  await assert.rejects(verify(published), { code: "algorithm" });
  await assert.rejects(library(server).verify(cookies.svc_access), { code: "algorithm" });
});

test("the gate's assertion tells who is there, for its one application alone", async () => {
  const app = "http://localhost:3000";
  const gated = await start({ SVC_RETURN_ORIGINS: app, SVC_TRUSTED_PROXIES: "127.0.0.0/8" });
  const { cookie, user_id } = await gated.session({ email: "ada@example.com" });
  const original = { "x-original-url": `${app}/`, "x-original-method": "GET" };
  const passed = await fetch(`${gated.internalUrl}/auth/gate`, { headers: { cookie, ...original } });
  const assertion = passed.headers.get("x-svc-assertion");
  const claims = await library(gated, { appUrl: app }).verifyAssertion(assertion);
  assert.deepEqual([claims.sub, claims.email, claims.email_verified], [user_id, "ada@example.com", true]);
  await assert.rejects(library(gated, { appUrl: "http://localhost:3001" }).verifyAssertion(assertion), {
    code: "audience",
  });
  await assert.rejects(library(gated).verify(assertion), { code: "typ" });
  await assert.rejects(library(gated).verifyAssertion(assertion), { code: "configuration" });
});
