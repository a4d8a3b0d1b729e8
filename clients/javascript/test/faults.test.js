import assert from "node:assert/strict";
import { test } from "node:test";
import { breakable, faults, hello, library, page, script, start } from "./support.js";

// Shorter than the keys are kept, so that it is the refresh that meets the fault.
const server = await start({ SVC_ACCESS_TTL: "1m" });
let people = 0;

/** An application behind a way that breaks later, and a request of a session whose access token has expired. */
async function beforeTheFault() {
  const way = await breakable(server);
  const { cookie } = await server.session({ email: `person${++people}@example.com` });
  const made = library(server, { internalUrl: way.url });
  assert.equal((await made.protect(hello)(page({ cookie }))).status, 200);
  return { way, cookie, made };
}

/** Nothing comes through, and nothing is taken from the browser. */
async function assertShut({ protect, optional }, cookie) {
  const answers = [
    protect(hello)(page({ cookie })),
    protect(hello, { live: true })(script({ cookie })),
    protect(hello)(page({ cookie, method: "POST" })),
    protect(hello)(page({ cookie, "sec-purpose": "prefetch" })),
    optional(hello)(page({ cookie })),
  ];
  for (const response of await Promise.all(answers)) {
    assert.equal(response.status, 503);
    assert.deepEqual(response.headers.getSetCookie(), []);
  }
}

test("where Doorward is broken, nobody is let in and no cookie is cleared", async (t) => {
  const broken = await Promise.all(
    Object.entries(faults).map(async ([name, fault]) => ({ name, fault, ...(await beforeTheFault()) })),
  );
  await server.advance("3m");
  const tried = broken.map(({ name, fault, way, cookie, made }) =>
    t.test(name, async () => {
      way.fault = fault;
      const strange = library(server, { internalUrl: way.url });
      await Promise.all([assertShut(made, cookie), assertShut(strange, cookie)]);
      assert.ok(made.lessons.includes("unavailable"));
      assert.ok(strange.lessons.includes("keys_unreachable"));
      assert.equal(way.count("/elsewhere"), 0);
      way.fault = undefined;
      assert.equal((await made.protect(hello)(page({ cookie }))).status, 200, "it goes on as soon as Doorward is back");
    }),
  );
  await Promise.all(tried);
});

test("a refresh without a new token is no refresh", async () => {
  const { way, cookie, made } = await beforeTheFault();
  await server.advance("3m");
  for (const setCookie of [[], ["svc_access=; Max-Age=0"], ["other=1"], ["svc_access=forged"]]) {
    way.fault = (request, response) => response.writeHead(200, { "set-cookie": setCookie }).end();
    await assertShut(made, cookie);
  }
});

test("a stopped Doorward lets in who has a valid token, and nobody else", async () => {
  const server = await start();
  const made = library(server);
  const { cookie } = await server.session({ email: "ada@example.com" });
  await made.look(page({ cookie }));
  await made.who(page({ cookie }));
  await server.stop();
  assert.equal((await made.protect(hello)(page({ cookie }))).status, 200);
  assert.equal((await made.protect(hello, { live: true })(page({ cookie }))).status, 503);
  assert.equal((await made.protect(hello)(page())).status, 303);
  await assertShut(library(server), cookie);
  const [access] = cookie.split("; ");
  assert.equal((await library(server).protect(hello)(page({ cookie: access }))).status, 503);
});
