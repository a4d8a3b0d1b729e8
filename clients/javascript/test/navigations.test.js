import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import express from "express";
import { doorward } from "../express.js";
import { browse, listen, start } from "./support.js";

const NAVIGATIONS = 1000;
const AT_ONCE = 20;

const server = await start({ SVC_ACCESS_TTL: "2s" });

/** An application that counts its posts, and tells when no request is left, on its way or in work. */
async function application() {
  const { protect } = doorward({ url: server.url, internalUrl: server.internalUrl, clock: server.clock });
  const state = { posts: 0, busy: 0 };
  const app = express();
  const guarded = protect();
  app.use((req, res, next) => {
    state.busy++;
    guarded(req, res, next).finally(() => state.busy--);
  });
  app.get("/", (req, res) => res.send(req.who.user.id));
  app.post("/", (req, res) => res.send(String(++state.posts)));
  const url = await listen(app, (server) => {
    server.on("connection", (socket) => {
      state.busy++;
      socket.once("close", () => state.busy--);
    });
  });
  const idle = async () => {
    do {
      for (let turns = 0; turns < 3; turns++) await turn();
    } while (state.busy);
  };
  return { url, state, idle };
}

/** A browser, which drops the access token when it expires, and takes the cookies of every answer that arrives. */
function browser(url, cookies) {
  const jar = new Map(Object.entries(cookies));
  const ends = new Map();
  async function open(options) {
    for (const [name, end] of ends) if (end <= server.clock()) jar.delete(name);
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const answer = await browse(url, { ...options, headers: { cookie, accept: "text/html" } });
    for (const line of answer.setCookie) {
      const [, name, value, age] = line.match(/^(\w+)=([^;]*);.*Max-Age=(\d+)/);
      jar.set(name, value);
      ends.set(name, server.clock() + age * 1000);
    }
    return answer;
  }
  return { jar, open };
}

/** Like `Math.random`, the same at each run. */
function chance() {
  let state = 66;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

test("1,000 navigations cancelled at random log nobody out and lose no POST", async () => {
  const app = await application();
  const { cookies, user_id } = await server.session({ email: "ada@example.com" });
  const { open } = browser(app.url, cookies);
  const random = chance();
  let [cancelled, posts] = [0, 0];

  async function navigate() {
    const leave = new AbortController();
    const opened = open({ signal: leave.signal });
    pause(random() * 80).then(() => leave.abort());
    const answer = await opened.catch(() => undefined);
    if (!answer) return cancelled++;
    assert.equal(answer.status, 200);
    assert.equal(answer.text, user_id);
  }

  for (let done = 0; done < NAVIGATIONS; done += AT_ONCE) {
    const navigations = Array.from({ length: AT_ONCE }, navigate);
    // Every other time, else all answers with new tokens may be lost.
    if (random() < 0.5) {
      posts++;
      assert.equal((await open({ method: "POST" })).status, 200);
    }
    await Promise.all(navigations);
    await app.idle();
    // Beyond the life of a token, and now and then beyond the grace.
    await server.advance(random() < 0.3 ? "3m" : "63s");
  }
  assert.equal(app.state.posts, posts);
  assert.ok(posts > 10 && cancelled > NAVIGATIONS / 10, `${posts} posts, ${cancelled} cancelled`);
  assert.equal((await open()).status, 200);
});
