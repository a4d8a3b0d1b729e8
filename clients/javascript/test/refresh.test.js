import assert from "node:assert/strict";
import { test } from "node:test";
import { breakable, cookieAfter, hello, library, page, script, start } from "./support.js";

const REFRESH = "/sessions/refresh";
const server = await start();
const way = await breakable(server);
const asked = () => library(server, { internalUrl: way.url });

/** A session whose access token has expired. */
async function expired(email = "ada@example.com") {
  const session = await server.session({ email });
  await server.advance("15m");
  way.asked.length = 0;
  return session;
}

test("the requests of a page share one refresh, and all pass with the same new tokens", async () => {
  const { cookie } = await expired();
  const guarded = asked().protect(hello);
  const answers = await Promise.all(Array.from({ length: 200 }, () => guarded(page({ cookie }))));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(way.count(REFRESH), 1);
  const lines = new Set(answers.map((answer) => answer.headers.getSetCookie().join()));
  assert.equal(lines.size, 1);
  const [answer] = answers;
  assert.equal(answer.headers.get("cache-control"), "private, no-store");
  assert.deepEqual(
    answer.headers.getSetCookie().map((line) => line.split("=")[0]),
    ["svc_access", "svc_refresh", "svc_csrf"],
  );
  assert.match(answer.headers.getSetCookie()[1], /; Path=\/; Max-Age=\d+; SameSite=Lax; HttpOnly$/);
  const renewed = await guarded(page({ cookie: cookieAfter(cookie, answer) }));
  assert.deepEqual(renewed.headers.getSetCookie(), []);
});

test("Doorward gets the session's three cookies, and nothing of where a request came from", async () => {
  const { cookie } = await expired();
  const headers = { "sec-fetch-site": "same-origin", origin: "http://localhost:3000", authorization: "Bearer x" };
  await asked().protect(hello, { live: true })(
    page({ cookie: `theirs=1; ${cookie}; cart=2`, method: "POST", ...headers }),
  );
  assert.equal(way.asked.length, 3);
  for (const { headers } of way.asked.filter(({ headers }) => headers.cookie)) {
    assert.deepEqual(
      headers.cookie.split("; ").map((pair) => pair.split("=")[0]),
      ["svc_access", "svc_refresh", "svc_csrf"],
    );
  }
  for (const name of ["origin", "sec-fetch-site", "authorization", "referer"]) {
    assert.ok(
      way.asked.every(({ headers }) => headers[name] === undefined),
      name,
    );
  }
});

test("a POST goes on after the refresh, with its body", async () => {
  const { cookie } = await expired();
  const request = new Request("http://localhost:3000/", { method: "POST", headers: { cookie }, body: "two apples" });
  const response = await asked().protect(async (request) => new Response(await request.text()))(request);
  assert.equal(await response.text(), "two apples");
  assert.equal(response.headers.getSetCookie().length, 3);
});

test("a refresh whose answer is lost is repeated, however late", async () => {
  const { cookie } = await expired();
  const guarded = asked().protect(hello, { live: true });
  for (const pause of ["1s", "40s", "15m", "2h"]) {
    await server.advance(pause);
    assert.equal((await guarded(page({ cookie }))).status, 200, pause);
  }
});

test("after a refresh the handler's own look shows the new tokens", async () => {
  const { cookie } = await expired();
  const { protect, look } = asked();
  const response = await protect(async (request) => Response.json(await look(request)))(page({ cookie }));
  assert.equal((await response.json()).audience, "app");
});

for (const header of ["sec-purpose", "purpose", "next-router-prefetch", "next-router-segment-prefetch"]) {
  test(`a prefetch (${header}) is only looked at`, async () => {
    const { cookie } = await expired();
    const response = await asked().protect(hello)(page({ cookie, [header]: "prefetch" }));
    assert.equal(response.status, 200);
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.equal(way.count(REFRESH), 0);
  });
}

test("a session that has ended is nobody's, and Doorward's own lines clear its cookies", async () => {
  const { cookie } = await server.session({ email: "ada@example.com" });
  await server.advance("400h");
  const response = await asked().protect(hello)(page({ cookie }));
  assert.equal(response.status, 303);
  assert.deepEqual(
    response.headers.getSetCookie().map((line) => line.match(/^(\w+)=;.*Max-Age=0/)?.[1]),
    ["svc_access", "svc_refresh"],
  );
});

test("without a CSRF token the login page renews the session", async () => {
  const { cookies } = await expired();
  const { status } = await asked().protect(hello)(
    page({ cookie: `svc_refresh=${cookies.svc_refresh}; svc_csrf=short` }),
  );
  assert.equal(status, 303);
  assert.equal(way.asked.length, 0);
});

test("doubled and unreadable cookies hide no session", async () => {
  const { cookies } = await server.session({ email: "ada@example.com" });
  const { protect, look } = asked();
  const other = await server.session({ email: "ada@example.com" });
  for (const cookie of [
    `svc_access=x.y.z; svc_access=${cookies.svc_access}`,
    `svc_access=\xff\xfe; svc_access="${cookies.svc_access}"`,
    `a; =; ;; svc_access; svc_access=; svc_access=${cookies.svc_access};`,
  ]) {
    assert.equal((await protect(hello)(script({ cookie }))).status, 200, cookie.slice(0, 30));
  }
  await server.advance("15m");
  const csrf = `svc_csrf=${other.cookies.svc_csrf}; svc_csrf=${cookies.svc_csrf}`;
  const doubled = `svc_refresh=\xff; svc_refresh=r1.x; svc_refresh=${cookies.svc_refresh}; ${csrf}`;
  assert.equal((await protect(hello)(script({ cookie: doubled }))).status, 200);
  way.asked.length = 0;
  const none = "svc_access=\xff; svc_refresh=a,b; svc_refresh=; svc_csrf=a,b";
  assert.equal((await protect(hello)(script({ cookie: none }))).status, 401);
  assert.equal(await look(script({ cookie: none })), null);
  assert.equal(way.asked.length, 0);
});
