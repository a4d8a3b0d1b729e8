// What a Next.js application can rely on, with a real Next.js and a real Doorward.
import assert from "node:assert/strict";
import { request } from "node:http";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openBrowser } from "./browser-driver.js";
import { buildApplication, freePort, startApplication } from "./next-server.js";
import { breakable, browse, cookieAfter, faults, start } from "./support.js";

const port = await freePort();
const folder = await buildApplication();
const server = await start({ SVC_ACCESS_TTL: "2s", SVC_ALLOWED_ORIGINS: `http://localhost:${port}` });
const way = await breakable(server);
const app = await startApplication(folder, port, { DOORWARD_URL: server.url, DOORWARD_INTERNAL_URL: way.url });

const REFRESH = "/sessions/refresh";
const LOOK = "/v2/session";
let people = 0;

/** A person, and the cookies once the access token has expired. */
async function person() {
  const email = `person${++people}@example.com`;
  const { cookies, user_id: id, cookie } = await server.session({ email });
  const expired = `svc_refresh=${cookies.svc_refresh}; theme=dark; svc_csrf=${cookies.svc_csrf}`;
  return { email, id, cookie, expired };
}

const open = (path, cookie, { headers, ...options } = {}) =>
  browse(app.url + path, { ...options, headers: { accept: "text/html", ...(cookie && { cookie }), ...headers } });
const login = (path) => `${server.url}/auth/login?return_to=${encodeURIComponent(app.url + path)}`;
const seen = ({ text }) => JSON.parse(text.match(/<pre>(.*?)<\/pre>/)[1].replaceAll("&quot;", '"'));
const names = ({ setCookie }) => setCookie.map((line) => line.split("=")[0]).sort();

/** How often Doorward was asked for a path meanwhile. */
async function counting(path, work) {
  const before = way.count(path);
  await work();
  return way.count(path) - before;
}

/** Has Doorward answer what the way holds back. */
function pass({ method, url, headers }, response) {
  const copy = (answer) => answer.pipe(response.writeHead(answer.statusCode, answer.headers));
  request(server.internalUrl + url, { method, headers }, copy).end();
}

/** Lets Doorward's answers wait until the function that it returns is called. */
function holdDoorward() {
  let release;
  const promise = new Promise((resolve) => (release = resolve));
  way.fault = async (request, response) => {
    await promise;
    pass(request, response);
  };
  return () => {
    way.fault = undefined;
    release();
  };
}

test("a page has its person by one look a request, for layout, page and components", async () => {
  const { email, cookie } = await person();
  const looks = await counting(LOOK, async () => {
    assert.deepEqual(seen(await open("/", cookie)), { email, role: "owner", token: true });
  });
  assert.equal(looks, 1);
});

test("an expired token is renewed in proxy.ts: for the browser, and for the page that cannot set cookies", async () => {
  const { email, expired } = await person();
  const answer = await open("/", expired);
  assert.deepEqual(seen(answer), { email, role: "owner", token: true, theme: "dark" });
  assert.deepEqual(names(answer), ["svc_access", "svc_csrf", "svc_refresh"]);
  assert.match(answer.headers["cache-control"], /no-store/);
});

test("parallel requests of one page share one refresh", async () => {
  const { email, expired } = await person();
  const refreshes = await counting(REFRESH, async () => {
    const release = holdDoorward();
    const asked = Array.from({ length: 10 }, () => open("/", expired));
    // What was sent after them is answered: all of them wait for the refresh.
    await Promise.all(asked.map(() => open("/public")));
    release();
    for (const answer of await Promise.all(asked)) assert.equal(seen(answer).email, email);
  });
  assert.equal(refreshes, 1);
});

test("a prefetch renews nothing, knows its person all the same, and of nobody goes on to the page", async () => {
  const { email, expired } = await person();
  const headers = ["sec-purpose", "purpose", "next-router-prefetch", "next-router-segment-prefetch"];
  for (const header of headers) {
    const answer = await open("/", expired, { headers: { [header]: "prefetch" } });
    assert.deepEqual([answer.setCookie, seen(answer).email], [[], email], header);
  }
  const nobody = { headers: { purpose: "prefetch" } };
  assert.match((await open("/public", undefined, nobody)).text, /<header>Nobody/);
  assert.equal((await open("/", undefined, nobody)).status, 307);
});

test("nobody is sent to the login and back, and sees what is public", async () => {
  const answer = await open("/?id=7&x=1");
  assert.deepEqual([answer.status, answer.headers.location], [307, login("/?id=7&x=1")]);
  assert.ok((await open("/public?id=7")).text.includes(`href="${login("/public?id=7")}"`));
  const foreign = await open("/", undefined, { headers: { "x-doorward-address": "https://elsewhere.example/" } });
  assert.equal(foreign.headers.location, login("/"));
  const refused = await open("/", "svc_refresh=r1.refused; svc_csrf=" + "a".repeat(43));
  assert.deepEqual([refused.status, names(refused)], [307, ["svc_access", "svc_refresh"]]);
});

test("rules that are not met are 403, and lead to a confirmation where that is all that lacks", async () => {
  const { id, cookie, email } = await person();
  const page = (rules) => open(`/?rules=${encodeURIComponent(JSON.stringify(rules))}`, cookie);
  assert.equal(seen(await page({ role: "owner", fresh: "5m", verified: true })).email, email);
  for (const rules of [{ platform: "admin" }, { organization: id }, { platform: "admin", mfa: true }]) {
    assert.equal((await page(rules)).status, 403);
  }
  const { status, headers } = await page({ mfa: true });
  assert.equal(status, 307);
  assert.match(headers.location, /^http:\/\/localhost:\d+\/auth\/account\/confirm\?return_to=.*&mfa=1$/);
  assert.equal((await page({ unknown: true })).status, 500);
});

test("a route handler takes a change once, after a renewal, from pages of its own alone", async () => {
  const { id, expired } = await person();
  const post = (cookie, headers) => open("/orders", cookie, { method: "POST", body: id, headers });
  const answer = await post(expired, { "sec-fetch-mode": "cors" });
  assert.deepEqual([answer.status, names(answer)], [200, ["svc_access", "svc_csrf", "svc_refresh"]]);
  assert.deepEqual(
    JSON.parse(answer.text).filter((order) => order.startsWith(id)),
    [`${id} for ${id}`],
  );
  assert.equal((await post(undefined, { "sec-fetch-mode": "cors" })).status, 401);
  const foreign = { "sec-fetch-site": "cross-site", origin: "null" };
  assert.equal(
    (await post(cookieAfter(expired, { headers: { getSetCookie: () => answer.setCookie } }), foreign)).status,
    403,
  );
});

test("a server action goes on after a renewal, and the form logs out", async (t) => {
  const { email, cookies } = { email: "ada@example.com", ...(await server.session({ email: "ada@example.com" })) };
  const browser = await openBrowser();
  t.after(() => browser.close());
  const tab = await browser.openTab();
  await browser.setCookies(app.url, cookies);
  await tab.open(`${app.url}/`);
  await browser.deleteCookie("svc_access", app.url);
  await tab.run(`document.querySelector("button[name=order]").click()`);
  const orders = `fetch("/orders", { method: "POST", body: "look" }).then((answer) => answer.text())`;
  await tab.until(`${orders}.then((text) => text.includes("tea for ${email}"))`);
  await tab.run(`document.querySelector("form[action$=logout] button").click()`);
  await tab.until(`location.href.startsWith("${server.url}/auth/login")`);
  assert.deepEqual(Object.keys(await browser.cookies()), ["svc_csrf"]);
});

describe("a person whose Doorward is broken, beside one who wanders", { concurrency: true }, () => {
  test("where Doorward is broken, the answer is 503 and no cookie is cleared", async () => {
    const { email, expired } = await person();
    const [token] = expired.split(";");
    for (const [name, fault] of Object.entries(faults)) {
      way.fault = (request, response) => (request.headers.cookie?.includes(token) ? fault : pass)(request, response);
      const answers = await Promise.all([open("/", expired), open("/orders", expired, { method: "POST" })]);
      for (const { status, setCookie } of answers) assert.deepEqual([status, setCookie], [503, []], name);
    }
    way.fault = undefined;
    assert.equal(seen(await open("/", expired)).email, email);
  });

  test("1,000 navigations cancelled at random log nobody out and lose no POST", async () => {
    const { id, expired } = await person();
    const jar = new Map(expired.split("; ").map((pair) => pair.split("=")));
    const ends = new Map();
    let [posts, cancelled, opened] = [0, 0, 0];

    async function visit(path, options) {
      for (const [name, end] of ends) if (end < Date.now()) jar.delete(name);
      const answer = await open(path, [...jar].map((pair) => pair.join("=")).join("; "), options);
      for (const line of answer.setCookie) {
        const [, name, value, age] = line.match(/^(\w+)=([^;]*);.*Max-Age=(\d+)/);
        jar.set(name, value);
        ends.set(name, Date.now() + age * 1000);
      }
      assert.equal(answer.status, 200);
    }

    // However fast the machine is, some are opened and some are left.
    let usual = 50;
    async function navigate() {
      const leave = new AbortController();
      const began = Date.now();
      const visited = visit("/?rules={}", { signal: leave.signal }).then(
        () => (opened++, (usual = (usual + Date.now() - began) / 2)),
        (error) => {
          if (error instanceof assert.AssertionError) throw error;
          cancelled++;
          usual *= 1.05;
        },
      );
      await Promise.race([visited, pause(Math.random() * 1.5 * usual).then(() => leave.abort())]);
    }

    const wander = async (count) => {
      while (count-- > 0) await navigate();
    };
    const buy = async () => {
      for (; posts < 50; posts++) {
        jar.delete("svc_access");
        await visit("/orders", { method: "POST", body: `order ${posts}` });
        await pause(Math.random() * 50);
      }
    };
    await Promise.all([buy(), ...Array.from({ length: 8 }, () => wander(125))]);
    const { text } = await open("/orders", [...jar].map((pair) => pair.join("=")).join("; "), {
      method: "POST",
      body: "last",
    });
    const orders = JSON.parse(text)
      .filter((order) => order.endsWith(` for ${id}`))
      .map((order) => order.split(" for ")[0]);
    assert.deepEqual(orders, [...Array.from({ length: 50 }, (_, index) => `order ${index}`), "last"]);
    assert.ok(cancelled > 100 && opened > 20, `${cancelled} cancelled, ${opened} opened`);
  });
});

test("a missing variable is named at the start, and nobody is let in", async () => {
  const { url, output, stop } = await startApplication(folder, await freePort(), { DOORWARD_URL: "" });
  for (let looks = 0; !/set DOORWARD_URL to the address of Doorward/.test(output()); looks++) {
    assert.ok(looks < 1000, output());
    await pause(20);
  }
  assert.equal((await browse(url)).status, 500);
  await stop();
});
