// Chromium, driven over a pipe by its own protocol (chromedevtools.github.io/devtools-protocol).
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio"];

/** An open browser with a fresh profile. */
export async function openBrowser() {
  const profile = await mkdtemp(join(tmpdir(), "doorward-browser-"));
  const options = ["--remote-debugging-pipe", `--user-data-dir=${profile}`, ...QUIET];
  const child = spawn("chromium-headless-shell", options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const gone = new Promise((resolve, reject) => child.once("exit", resolve).once("error", reject));
  const send = connection(child.stdio[3], child.stdio[4]);
  await Promise.race([send("Browser.getVersion"), gone]);
  return {
    openTab: () => openTab(send),
    setCookies: (url, cookies, path = "/") => {
      const list = Object.entries(cookies).map(([name, value]) => ({
        name,
        value,
        url,
        path,
        httpOnly: !/csrf$/.test(name),
      }));
      return send("Storage.setCookies", { cookies: list });
    },
    cookies: async () => {
      const { cookies } = await send("Storage.getCookies");
      return Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
    },
    deleteCookie: (name, url) =>
      send("Storage.getCookies").then(async ({ cookies }) => {
        await send("Storage.clearCookies");
        await send("Storage.setCookies", { cookies: cookies.filter((cookie) => cookie.name !== name) });
      }),
    clearCookies: () => send("Storage.clearCookies"),
    close: async () => {
      child.kill("SIGKILL");
      await gone;
      for (const pipe of child.stdio) pipe?.destroy();
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Messages are JSON and end with a zero byte. */
function connection(input, output) {
  const waiting = new Map();
  let last = 0;
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk) => {
    const messages = (rest + chunk).split("\0");
    rest = messages.pop();
    for (const { id, result, error } of messages.map((message) => JSON.parse(message))) {
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    }
  });
  return (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
}

async function openTab(send) {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const tab = {
    /** The value of an expression in the page, once its promise is kept. */
    run: async (expression) => {
      const options = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails: failed } = await send("Runtime.evaluate", options, sessionId);
      if (failed) throw new Error(failed.exception?.description ?? failed.text);
      return result.value;
    },
    /** Begins a navigation; `until` waits for its page. */
    navigate: (url) => send("Page.navigate", { url }, sessionId),
    stop: () => send("Page.stopLoading", {}, sessionId),
    close: () => send("Target.closeTarget", { targetId }),
    until: async (expression) => {
      for (const end = Date.now() + 10_000; Date.now() < end;) {
        // A page that is being replaced answers with an error.
        if (await tab.run(expression).catch(() => false)) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error(`never in the page: ${expression}; it is ${await tab.run("location.href")}`);
    },
    open: async (url) => {
      await tab.navigate(url);
      await tab.until(`location.href === ${JSON.stringify(url)} && document.readyState === "complete"`);
    },
  };
  return tab;
}
