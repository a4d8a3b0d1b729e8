import assert from "node:assert/strict";
import { test } from "node:test";
import { hello, library, page, script, start } from "./support.js";

const server = await start();
const { cookie, user_id } = await server.session({ email: "ada@example.com" });
const session = await library(server).look(page({ cookie }));

test("a logged-in person passes, and the handler learns who it is without asking Doorward", async () => {
  const { protect } = library(server);
  const response = await protect(hello)(page({ cookie }));
  const organization = { id: session.organization.id, role: "owner" };
  assert.deepEqual(await response.json(), {
    user: { id: user_id, roles: [] },
    organization,
    session: { id: session.session.id },
  });
  assert.equal(response.headers.get("cache-control"), "private, no-store");
});

test("nobody is sent to the login and back, by an absolute address on another origin", async () => {
  const response = await library(server).protect(hello)(page());
  assert.equal(response.status, 303);
  const back = encodeURIComponent("http://localhost:3000/orders?id=7");
  assert.equal(response.headers.get("location"), `${server.url}/auth/login?return_to=${back}`);
});

test("on Doorward's own origin the way back is a path", async () => {
  const { loginUrl, signupUrl } = library(server, { appUrl: server.url });
  assert.equal(loginUrl(page()), `${server.url}/auth/login?return_to=%2Forders%3Fid%3D7`);
  assert.equal(signupUrl(page(), "/start"), `${server.url}/auth/signup?return_to=%2Fstart`);
});

test("the way back never leaves the application, and is short enough for a proxy", () => {
  const { loginUrl } = library(server);
  const to = (address) => new URL(loginUrl(page(), address)).searchParams.get("return_to");
  assert.equal(to("https://evil.example/x"), "http://localhost:3000/x");
  assert.equal(to(`/?q=${"x".repeat(3000)}`), "http://localhost:3000/");
});

test("scripts, forms and prefetches of nobody get 401, htmx with the address of the login", async () => {
  const guarded = library(server).protect(hello);
  assert.equal((await guarded(script())).status, 401);
  assert.equal((await guarded(page({ method: "POST" }))).status, 401);
  assert.equal((await guarded(page({ "sec-purpose": "prefetch" }))).status, 401);
  assert.equal((await guarded(page({ "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }))).status, 401);
  const htmx = await guarded(script({ "hx-request": "true", "hx-current-url": "http://localhost:3000/cart" }));
  assert.equal(htmx.status, 401);
  assert.match(htmx.headers.get("hx-redirect"), /\/auth\/login\?return_to=http%3A%2F%2Flocalhost%3A3000%2Fcart$/);
  const stranger = await guarded(script({ "hx-request": "true", "hx-current-url": "https://evil.example/cart" }));
  assert.match(stranger.headers.get("hx-redirect"), /return_to=http%3A%2F%2Flocalhost%3A3000%2F$/);
});

test("a public page knows who is there, and that nobody is", async () => {
  const { optional } = library(server);
  assert.equal(await (await optional(hello)(page())).json(), null);
  assert.equal((await (await optional(hello)(page({ cookie }))).json()).user.id, user_id);
});

test("each rule is met or 403", async () => {
  const { protect } = library(server);
  const status = async (rules) => (await protect(hello, rules)(page({ cookie }))).status;
  const mine = session.organization.id;
  for (const met of [
    { organization: mine },
    { role: "member" },
    { role: "owner", organization: mine },
    { verified: true },
    { live: true },
  ]) {
    assert.equal(await status(met), 200, JSON.stringify(met));
  }
  for (const unmet of [{ organization: user_id }, { platform: "monitor" }, { platform: "admin", mfa: true }]) {
    assert.equal(await status(unmet), 403, JSON.stringify(unmet));
  }
});

/** Changes Doorward's records, as a backend does. */
function api(method, path, body) {
  const headers = { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" };
  return fetch(`${server.internalUrl}/auth/api/v2${path}`, { method, headers, body: JSON.stringify(body) });
}

test("an address that is not verified is 403 where it must be", async () => {
  const { cookie, user_id } = await server.session({ email: "eve@example.com" });
  await api("PATCH", `/users/${user_id}`, { email: "eva@example.com" });
  assert.equal((await library(server).protect(hello, { verified: true })(page({ cookie }))).status, 403);
});

test("a role counts in the active organization alone, and at least", async () => {
  const team = await (await api("POST", "/organizations", { name: "Crew", owner_id: user_id })).json();
  const bob = await server.session({ email: "bob@example.com" });
  await api("POST", `/organizations/${team.id}/members`, { user_id: bob.user_id, role: "admin" });
  const { cookie } = await server.session({ email: "bob@example.com", organization_id: team.id });
  const { protect } = library(server);
  const statuses = ["member", "admin", "owner"].map(
    async (role) => (await protect(hello, { role })(page({ cookie }))).status,
  );
  assert.deepEqual(await Promise.all(statuses), [200, 200, 403]);
});

test("a rule that cannot be read stops the start", () => {
  const { protect } = library(server);
  for (const rules of [
    { rolle: "owner" },
    { role: "boss" },
    { fresh: "15" },
    { fresh: "" },
    { mfa: "yes" },
    { organization: "" },
    { organization: "Crew" },
    { organization: undefined },
    { mfa: undefined },
  ]) {
    assert.throws(() => protect(hello, rules), { code: "configuration" }, JSON.stringify(rules));
  }
});

test("a page that lacks only a proof leads to giving it; a script is 403", async () => {
  const { protect } = library(server);
  const back = encodeURIComponent("http://localhost:3000/orders?id=7");
  const confirm = await protect(hello, { mfa: true })(page({ cookie }));
  assert.equal(confirm.headers.get("location"), `${server.url}/auth/account/confirm?return_to=${back}&mfa=1`);
  assert.equal((await protect(hello, { mfa: true })(script({ cookie }))).status, 403);
  const strong = await server.session({ email: "grace@example.com", mfa: true });
  assert.equal((await protect(hello, { mfa: true })(page({ cookie: strong.cookie }))).status, 200);
});

test("a refused form leads on from its own page, and from no other's", async () => {
  const { protect } = library(server);
  const form = (headers) => page({ method: "POST", "sec-fetch-mode": "navigate", ...headers });
  for (const [rules, cookies, status, way] of [
    [{}, {}, 401, "/auth/login?return_to=%"],
    [{ mfa: true }, { cookie }, 403, "/auth/account/confirm?return_to=%&mfa=1"],
  ]) {
    for (const [referer, path] of [
      ["http://localhost:3000/cart?id=7", "/cart?id=7"],
      ["https://evil.example/cart", "/"],
    ]) {
      const refused = await protect(hello, rules)(form({ referer, ...cookies }));
      assert.equal(refused.status, status);
      assert.match(refused.headers.get("content-type"), /^text\/html/);
      const back = encodeURIComponent(`http://localhost:3000${path}`);
      const link = (server.url + way.replace("%", back)).replaceAll("&", "&#38;");
      assert.ok((await refused.text()).includes(`href="${link}"`), link);
    }
  }
  assert.match(await (await protect(hello, { mfa: true })(script({ cookie }))).text(), /confirm first/);
});

test("fresh asks again once the proof is older", async () => {
  const { protect } = library(server);
  const { cookie } = await server.session({ email: "fresh@example.com" });
  const guarded = protect(hello, { fresh: "1h30m" });
  assert.equal((await guarded(page({ cookie }))).status, 200);
  await server.advance("91m");
  assert.match((await guarded(page({ cookie }))).headers.get("location"), /&max_age=5400$/);
});

test("a change passes only from a page of the application", async () => {
  const { protect, checkCsrf, lessons } = library(server, { origins: ["https://shop.example"] });
  const { cookie } = await server.session({ email: "ada@example.com" });
  const post = async (headers) => {
    const { status } = await protect(hello)(page({ cookie, method: "POST", ...headers }));
    assert.equal(status === 200, await checkCsrf(page({ method: "POST", ...headers })));
    return status;
  };
  for (const own of [
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "same-origin", origin: "null" },
    { "sec-fetch-site": "none" },
    { origin: "http://localhost:3000" },
    { "sec-fetch-site": "cross-site", origin: "https://shop.example" },
  ]) {
    assert.equal(await post(own), 200, JSON.stringify(own));
  }
  for (const foreign of [
    { origin: "null" },
    { origin: "http://localhost:3001" },
    { origin: "http://localhost:3000, http://localhost:3000" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "null" },
  ]) {
    assert.equal(await post(foreign), 403, JSON.stringify(foreign));
  }
  assert.deepEqual(lessons, ["wrong_origin"]);
  const socket = page({ cookie, "sec-fetch-mode": "websocket", "sec-fetch-site": "cross-site" });
  assert.equal((await protect(hello)(socket)).status, 403);
});

test("a form's token must be the cookie's", async () => {
  const { csrfToken, checkCsrf } = library(server);
  const form = () => page({ cookie, method: "POST" });
  assert.equal(await checkCsrf(form(), csrfToken(form())), true);
  assert.equal(await checkCsrf(form(), `${csrfToken(form())}x`), false);
  assert.equal(await checkCsrf(page({ method: "POST" }), ""), false);
});

test("a logout is seen at once with live, and at the token's end without", async () => {
  const { protect, logoutForm } = library(server);
  const { cookie } = await server.session({ email: "ada@example.com" });
  const form = logoutForm(page({ cookie }), { label: "<Bye>" });
  assert.match(form, /<button>&#60;Bye&#62;<\/button>/);
  const [, action] = form.match(/action="([^"]*)"/);
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  const body = new URLSearchParams(fields);
  await fetch(action.replace(server.url, server.internalUrl), {
    method: "POST",
    headers: { cookie },
    body,
    redirect: "manual",
  });
  assert.equal((await protect(hello, { live: true })(script({ cookie }))).status, 401);
  assert.equal((await protect(hello)(script({ cookie }))).status, 200);
  await server.advance("12m");
  assert.equal((await protect(hello)(script({ cookie }))).status, 401);
});
