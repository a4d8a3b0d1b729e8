import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";
import express from "express";
import { doorward as expressDoorward } from "../express.js";
import { doorward } from "../index.js";
import { rememberIds } from "../lib/seen.js";
import { listen, start } from "./support.js";

const webhookSecret = `whsec_${randomBytes(32).toString("base64")}`;
const options = { url: "http://localhost:8080", webhookSecret };

/** A webhook as Doorward sends it; `changes` are of its parts. */
function delivery(changes = {}) {
  const { secret = webhookSecret, age = 0, ...event } = changes;
  const id = event.webhookId ?? event.id ?? `evt_${randomBytes(8).toString("hex")}`;
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const created_at = new Date().toISOString();
  const body = event.body ?? JSON.stringify({ id, type: "user.created", created_at, data: { user_id: "7" }, ...event });
  const key = Buffer.from(secret.slice(6), "base64");
  const signature = `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  const own = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
    "x-svc-signature": own,
  };
  return { headers, body, request: () => new Request("http://localhost/hooks", { method: "POST", headers, body }) };
}

/** A receiver, and the types of the events that its handler got. */
function receiver(more) {
  const got = [];
  const receive = doorward({ ...options, ...more }).webhook((event) => got.push(event.type));
  return { got, status: async (request) => (await receive(request)).status };
}

test("what Doorward sends reaches an Express application, typed and once", async () => {
  const arrived = new EventEmitter();
  const app = express();
  app.post(
    "/hooks",
    expressDoorward(options).webhook((event) => arrived.emit(event.type, event.data)),
  );
  const url = await listen(app);
  const server = await start({ SVC_WEBHOOK_URL: `${url}/hooks`, SVC_WEBHOOK_SECRET: webhookSecret });
  const told = Promise.all([once(arrived, "user.created"), once(arrived, "organization.membership.created")]);
  const { user_id } = await server.session({ email: "ada@example.com" });
  const [[user], [membership]] = await told;
  assert.equal(user.user_id, user_id);
  assert.deepEqual([membership.role, membership.is_initial_membership], ["owner", true]);
});

test("a replay is acknowledged without the handler", async () => {
  const { got, status } = receiver();
  const { request } = delivery();
  assert.deepEqual([await status(request()), await status(request())], [204, 204]);
  assert.deepEqual(got, ["user.created"]);
});

test("an event is noted only once its handler has succeeded", async () => {
  let calls = 0;
  const receive = doorward(options).webhook(() => {
    if (++calls === 1) throw new Error("the database is away");
  });
  const { request } = delivery();
  await assert.rejects(receive(request()), /the database is away/);
  assert.equal((await receive(request())).status, 204);
  assert.equal(calls, 2);
});

test("another secret is logged once, and a stranger's request is not", async () => {
  const lessons = [];
  const { status } = receiver({ webhookSecret: "another", log: (error) => lessons.push(error.code) });
  assert.equal(await status(new Request("http://localhost/hooks", { method: "POST", body: "{}" })), 401);
  assert.deepEqual(lessons, []);
  assert.deepEqual([await status(delivery().request()), await status(delivery().request())], [401, 401]);
  assert.deepEqual(lessons, ["signature"]);
});

test("ids may be remembered elsewhere", async () => {
  const seen = new Set();
  const { request, headers } = delivery();
  assert.equal(await receiver({ seen }).status(request()), 204);
  assert.deepEqual([...seen], [headers["webhook-id"]]);
  const { got, status } = receiver({ seen });
  assert.equal(await status(request()), 204);
  assert.deepEqual(got, []);
});

test("ten thousand ids are remembered, and no more", () => {
  const seen = rememberIds();
  for (let id = 0; id <= 10_000; id++) seen.add(`evt_${id}`);
  assert.deepEqual([seen.has("evt_0"), seen.has("evt_1"), seen.has("evt_10000")], [false, true, true]);
});

test("both secrets are right while they change", async () => {
  const webhookSecretPrevious = `whsec_${randomBytes(32).toString("base64")}`;
  const { status } = receiver({ webhookSecretPrevious });
  assert.equal(await status(delivery({ secret: webhookSecretPrevious }).request()), 204);
  assert.equal(await status(delivery().request()), 204);
  assert.equal(await status(delivery({ secret: `whsec_${randomBytes(32).toString("base64")}` }).request()), 401);
});

test("X-Svc-Signature alone is not believed, nor an old time", async () => {
  const { got, status } = receiver();
  const { headers, body } = delivery();
  for (const missing of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    const { [missing]: _, ...others } = headers;
    assert.equal(
      await status(new Request("http://localhost/", { method: "POST", headers: others, body })),
      401,
      missing,
    );
  }
  assert.equal(await status(delivery({ age: 301 }).request()), 401);
  assert.equal(await status(delivery({ age: -302 }).request()), 401);
  assert.deepEqual(got, []);
});

test("ping and kinds of later versions pass; what is no event, or another one, does not", async () => {
  const { got, status } = receiver();
  assert.equal(await status(delivery({ type: "ping", data: {} }).request()), 204);
  assert.equal(await status(delivery({ type: "user.renamed" }).request()), 204);
  assert.deepEqual(got, ["ping", "user.renamed"]);
  assert.equal(await status(delivery({ body: "<html>" }).request()), 400);
  assert.equal(await status(delivery({ webhookId: "evt_1", id: "evt_2" }).request()), 400);
  assert.equal(await status(delivery({ body: "x".repeat(1024 * 1024 + 1) }).request()), 413);
});

test("Express's parsers: raw bytes serve, a parsed body is a mistake that says how to mend it", async () => {
  const { webhook } = expressDoorward(options);
  const app = express();
  app.post(
    "/raw",
    express.raw({ type: "application/json" }),
    webhook(() => {}),
  );
  app.post(
    "/parsed",
    express.json(),
    webhook(() => {}),
  );
  app.use((error, req, res, next) => res.status(500).send(error.message));
  const url = await listen(app);
  const post = ({ headers, body }, path) =>
    fetch(url + path, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body });
  assert.equal((await post(delivery(), "/raw")).status, 204);
  assert.match(await (await post(delivery(), "/parsed")).text(), /before express\.json\(\)/);
});

test("without a secret there is no receiver", () => {
  assert.throws(() => doorward({ url: options.url }).webhook(() => {}), /DOORWARD_WEBHOOK_SECRET/);
});
