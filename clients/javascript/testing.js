import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { DoorwardError } from "./lib/errors.js";

const TIME_LIMIT = 30_000;

/** @type {typeof import("./testing.js").startDoorward} */
export async function startDoorward(settings = {}) {
  const program = process.env.DOORWARD_BIN || "doorward";
  const child = spawn(program, ["serve", "--ephemeral", "--until-stdin-closes"], {
    env: { ...process.env, ...settings },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const log = keepEnd(child.stderr);
  const ended = new Promise((resolve) => child.once("error", resolve).once("close", resolve));
  const started = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  if (!Array.isArray(started)) throw notStarted(program, started, log());
  const { url, internal_url: internalUrl, api_key: apiKey, webhook_secret: webhookSecret } = JSON.parse(started[0]);
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) /** @type {any} */ (handle).unref();

  /** @param {string} path @param {object} [body] */
  async function ask(path, body) {
    // No fetch: that of Node sends Sec-Fetch-Mode, by which Doorward knows browsers, and refuses them here.
    const sent = request(`${internalUrl}/auth/dev/${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(TIME_LIMIT),
    });
    sent.end(body && JSON.stringify(body));
    const [answer] = await once(sent, "response");
    const text = await new Response(answer).text();
    if (answer.statusCode !== 200)
      throw new Error(`/auth/dev/${path.split("?")[0]} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  }

  let ahead = 0;
  return {
    url,
    internalUrl,
    apiKey,
    webhookSecret,
    clock: () => Date.now() + ahead,
    async session(fields) {
      const session = await ask("session", fields);
      const pairs = Object.entries(session.cookies).map(([name, value]) => `${name}=${value}`);
      return { ...session, cookie: pairs.join("; ") };
    },
    async mails(to) {
      return (await ask(`mails${to === undefined ? "" : `?to=${encodeURIComponent(to)}`}`)).data;
    },
    async advance(duration) {
      const { now } = await ask("clock", { advance: duration });
      ahead = Date.parse(now) - Date.now();
    },
    async stop() {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}

/** The last lines that a stream has brought. @param {import("node:stream").Readable} stream */
function keepEnd(stream) {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk) => (text = (text + chunk).slice(-2000)));
  return () => text.trim();
}

/** @param {string} program @param {unknown} outcome @param {string} log */
function notStarted(program, outcome, log) {
  const isMissing = outcome instanceof Error && "code" in outcome && outcome.code === "ENOENT";
  if (!isMissing) return new Error(`Doorward did not start: ${log || outcome}`);
  const mend = "install Doorward, or set DOORWARD_BIN to its program";
  return new DoorwardError("binary_missing", `There is no program ${program}: ${mend}.`);
}
