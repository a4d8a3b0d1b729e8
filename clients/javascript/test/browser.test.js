// What a single-page application can rely on, in a real browser and with a real Doorward.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { startDoorward } from "../testing.js";
import { openBrowser } from "./browser-driver.js";
import { startSite } from "./browser-site.js";

const WHO = `doorward.fetch("/api/who").then(async (answer) => answer.status + " " + (await answer.text()))`;
const ADA = "200 ada@example.com";
const NOBODY = "401 ";

let doorward;
let site;
let browser;
let tabs;
let tab;

const expire = () => doorward.advance("3s");
const inAll = (expression) => Promise.all(tabs.map((each) => each.run(expression)));
const why = (call) => tab.run(`${call}.then(() => "no error", (error) => error.message)`);
const load = async (opened, url = `${site.url}/`) => {
  await opened.open(url);
  await opened.until("window.doorward");
};
const openTab = async () => {
  const opened = await browser.openTab();
  await load(opened);
  return opened;
};

before(async () => {
  [site, browser] = await Promise.all([startSite(), openBrowser()]);
  const settings = {
    SVC_ACCESS_TTL: "2s",
    SVC_ALLOWED_ORIGINS: site.url,
    SVC_RETURN_ORIGINS: site.url.replace("localhost", "127.0.0.1"),
  };
  doorward = await startDoorward(settings);
  site.doorward = doorward.internalUrl;
  tabs = await Promise.all(Array.from({ length: 6 }, openTab));
  tab = tabs[0];
});
after(() => Promise.all([browser?.close(), site?.stop(), doorward?.stop()]));
beforeEach(async () => {
  const { cookies } = await doorward.session({ email: "ada@example.com" });
  await browser.setCookies(site.url, cookies);
  site.auth.length = site.posts.length = 0;
});
afterEach(() => (site.intercept = undefined));

describe("six tabs with tokens of two seconds", () => {
  it("refresh once each time the token has expired, and stay logged in", async () => {
    for (let round = 1; round <= 5; round++) {
      await expire();
      assert.deepEqual(await inAll(`Promise.all([${WHO}, ${WHO}])`), Array(6).fill([ADA, ADA]));
      assert.equal(site.refreshes(), round);
    }
  });

  it("refresh once when all call refresh", async () => {
    assert.deepEqual(await inAll("doorward.refresh()"), Array(6).fill(true));
    assert.equal(site.refreshes(), 1);
  });

  it("stay logged in without Web Locks", async () => {
    await inAll(`void Object.defineProperty(navigator, "locks", { value: undefined, configurable: true })`);
    await expire();
    assert.deepEqual(await inAll(WHO), Array(6).fill(ADA));
    await inAll("void delete navigator.locks");
  });

  it("go on when the tab that refreshes dies, or hangs", async () => {
    await expire();
    const dying = await openTab();
    const asked = new Promise((resolve) => (site.intercept = () => resolve()));
    await dying.run(`void ${WHO}`);
    await asked;
    site.intercept = undefined;
    // One has waited long enough, the others wait until the tab has died.
    await tab.run(`{ const { timeout } = AbortSignal;
      AbortSignal.timeout = () => ((AbortSignal.timeout = timeout), AbortSignal.abort()); }`);
    const [hasty, ...patient] = tabs.map((each) => each.run(WHO));
    assert.equal(await hasty, ADA);
    await dying.close();
    assert.deepEqual(await Promise.all(patient), Array(5).fill(ADA));
  });

  it("lose neither the session nor a change while navigations are cancelled at random", async () => {
    // Frames are navigated as tabs are, and cheaper to leave.
    const wander = `(async () => {
      window.wanders = true;
      for (let count = 0; ; count++) {
        if (!window.wanders) return count;
        const frame = document.createElement("iframe");
        frame.src = "/?who";
        document.body.append(frame);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 80));
        frame.remove();
      }
    })()`;
    const wandering = tabs.slice(1, 3).map((each) => each.run(wander));
    const changes = Array.from({ length: 12 }, (_, index) => `change ${index}`);
    for (const body of changes) {
      await expire();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      const sent = `doorward.fetch("/api/orders", { method: "POST", body: "${body}" }).then((answer) => answer.status)`;
      assert.equal(await tab.run(sent), 200);
    }
    await inAll("window.wanders = false");
    await Promise.all(wandering);
    assert.deepEqual(site.posts, changes);
    assert.deepEqual(await inAll(WHO), Array(6).fill(ADA));
  });

  it("are all logged out by a logout in one", async () => {
    await tab.run("doorward.logout()");
    assert.deepEqual(await inAll(WHO), Array(6).fill(NOBODY));
    assert.deepEqual(await inAll("doorward.session()"), Array(6).fill(null));
  });
});

describe("fetch", () => {
  const post = (init) =>
    tab.run(`doorward.fetch("/api/orders", { method: "POST", ${init} }).then((answer) => answer.status)`);

  it("sends a change once more after a renewal, with its body, whatever that is", async () => {
    await expire();
    assert.equal(await post(`body: "text"`), 200);
    await expire();
    assert.equal(await post(`body: new Blob(["a ", "blob"])`), 200);
    await expire();
    assert.equal(
      await tab.run(
        `doorward.fetch(new Request("/api/orders", { method: "POST", body: "a request" })).then((answer) => answer.status)`,
      ),
      200,
    );
    assert.deepEqual(site.posts, ["text", "a blob", "a request"]);
    assert.equal(site.refreshes(), 3);
  });

  it("renews before it sends what can be sent only once", async () => {
    await expire();
    // Chromium streams bodies over HTTP/2 alone; this stands in for the last request.
    const asked = await tab.run(`{ const native = fetch, asked = [];
      window.fetch = (input, init) => (asked.push(input), init.body instanceof ReadableStream ? new Response(init.body) : native(input, init));
      const body = new Blob(["a stream"]).stream();
      doorward.fetch("/api/orders", { method: "POST", body, duplex: "half" })
        .then(async (answer) => [...asked, await answer.text()]).finally(() => (window.fetch = native)) }`);
    assert.deepEqual(asked, [
      "/auth/api/v2/session?refresh=look",
      "/auth/api/v1/sessions/refresh?audience=app",
      "/api/orders",
      "a stream",
    ]);
  });

  it("gives the 401 of somebody who is not logged in, and of an application that refuses a live token", async () => {
    assert.equal(await tab.run(`doorward.fetch("/api/refused").then((answer) => answer.status)`), 401);
    assert.equal(site.refreshes(), 0);
    await browser.clearCookies();
    assert.equal(await tab.run(WHO), NOBODY);
    assert.equal(await tab.run("doorward.refresh()"), false);
  });

  it("finds a new CSRF token where the cookie is lost or unreadable", async () => {
    await browser.setCookies(site.url, { svc_csrf: "unreadable" });
    await expire();
    assert.equal(await tab.run(WHO), ADA);
    assert.match(await tab.run("doorward.csrfToken()"), /^[\w-]{43}$/);
  });

  it("reads a doubled CSRF cookie, of which one is unreadable", async () => {
    await browser.setCookies(`${site.url}/deeper/`, { svc_csrf: "unreadable" }, "/deeper");
    await load(tab, `${site.url}/deeper/page`);
    await expire();
    assert.equal(await tab.run(WHO), ADA);
    await load(tab);
  });
});

describe("Doorward", () => {
  it("may lose the answer to a refresh: the next request is answered with new tokens", async () => {
    await expire();
    site.intercept = async (request, response, pass) => {
      const { status, headers, body } = await pass();
      if (request.method === "POST") return response.destroy();
      response.writeHead(status, headers).end(body);
    };
    assert.match(await why(WHO), /^Doorward did not answer/);
    site.intercept = undefined;
    await doorward.advance("1h");
    assert.equal(await tab.run(WHO), ADA);
  });

  for (const [fault, answer] of [
    ["is stopped", (response) => response.destroy()],
    ["answers 500", (response) => response.writeHead(500).end("{}")],
    ["answers HTML", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>")],
    [
      "answers half",
      (response) => response.writeHead(200, { "content-length": 99 }).write("{", () => response.destroy()),
    ],
    ["is slow", () => {}],
  ]) {
    it(`lets nobody in and logs nobody out where it ${fault}`, async () => {
      const before = await browser.cookies();
      await expire();
      site.intercept = (_request, response) => answer(response);
      await tab.run("void (AbortSignal.timeout = ((timeout) => (limit) => timeout(limit / 100))(AbortSignal.timeout))");
      for (const call of ["doorward.session()", WHO, "doorward.refresh()", "doorward.logout()"]) {
        assert.match(await why(call), /^Doorward (did not answer|answered)/, call);
      }
      assert.deepEqual(await browser.cookies(), before);
      site.intercept = undefined;
      await load(tab);
      assert.equal(await tab.run(WHO), ADA);
    });
  }
});

describe("session", () => {
  it("shows person, organization and session, and renews nothing", async () => {
    await expire();
    const { user, organization, audience } = await tab.run("doorward.session()");
    assert.deepEqual([user.email, organization.role, audience], ["ada@example.com", "owner", null]);
    assert.deepEqual(site.auth, ["GET /auth/api/v2/session"]);
  });

  it("is asked for again by a page that comes back once its person has logged out", async () => {
    await tab.run("doorward.session()");
    await tab.run("window.old = true");
    const comeBack = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))";
    await tab.run(comeBack);
    assert.equal(await tab.run("window.old"), true);
    await tabs[1].run("doorward.logout()");
    await tab.run(comeBack);
    await tab.until("window.doorward && !window.old");
  });
});

describe("configured with the address of Doorward", () => {
  it("on another port works across origins, where SVC_ALLOWED_ORIGINS permits it", async () => {
    await tab.run(`doorward.configure({ url: "${doorward.url}" })`);
    assert.equal((await tab.run("doorward.session()")).user.email, "ada@example.com");
    await expire();
    assert.equal(await tab.run(WHO), ADA);
    await tab.run("doorward.logout()");
    assert.equal(await tab.run("doorward.session()"), null);
    assert.deepEqual(site.auth, []);
    await tab.run(`doorward.configure({ url: "http://localhost:1" })`);
    assert.match(
      await why("doorward.session()"),
      /Is it running, and is http:\/\/localhost:\d+ in its SVC_ALLOWED_ORIGINS/,
    );
    await assert.rejects(tab.run(`doorward.configure({ url: "/auth" })`), /must be an origin, such as "https/);
    await load(tab);
  });

  it("on another host leaves the page for the renewal, and comes back", async () => {
    const page = `${site.url.replace("localhost", "127.0.0.1")}/page?id=7`;
    await load(tab, page);
    await browser.setCookies(doorward.url, { svc_access: "expired" });
    await tab.run(`window.old = true; doorward.configure({ url: "${doorward.url}" }); void doorward.refresh()`);
    await tab.until("window.doorward && !window.old");
    assert.equal(await tab.run("location.href"), page);
    assert.notEqual((await browser.cookies()).svc_access, "expired");
    await tab.run(`doorward.configure({ url: "${doorward.url}" }); void doorward.logout()`);
    await tab.until(`location.href.startsWith("${doorward.url}/auth/logout?return_to=")`);
  });
});
