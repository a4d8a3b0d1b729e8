// An application of one origin: its page, its API, and /auth, which it passes on to Doorward.
import { readFile } from "node:fs/promises";
import http from "node:http";

const PAGE = `<!doctype html><title>Example</title><body><script type="module">
  import * as doorward from "/browser.js";
  window.doorward = doorward;
  if (location.search === "?who") doorward.fetch("/api/who");
</script>`;

/** Its address has to be known before Doorward starts, so `site.doorward`, the address of Doorward, is set later. */
export async function startSite() {
  const library = await readFile(new URL("../browser.js", import.meta.url));
  const site = {
    url: "",
    doorward: "",
    /** What was asked of Doorward. */
    auth: [],
    /** What people have posted. */
    posts: [],
    /** Answers in Doorward's place, unless it is undefined; `pass()` is Doorward's answer, not yet sent. */
    intercept: undefined,
    refreshes: () => site.auth.filter((line) => line === "POST /auth/api/v1/sessions/refresh").length,
    stop: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };

  async function pass(request) {
    const answer = await ask(site.doorward, request);
    return { status: answer.statusCode ?? 0, headers: answer.rawHeaders, body: await read(answer) };
  }

  async function api(request, response) {
    const body = (await read(request)).toString();
    const user = { method: "GET", url: "/auth/api/v1/user", headers: { cookie: request.headers.cookie ?? "" } };
    const { email } = JSON.parse((await read(await ask(site.doorward, user))).toString());
    if (email && request.method === "POST") site.posts.push(body);
    const isRefused = !email || request.url === "/api/refused";
    response.writeHead(isRefused ? 401 : 200).end(email);
  }

  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", site.url);
    if (pathname === "/browser.js") return response.setHeader("content-type", "text/javascript").end(library);
    if (pathname.startsWith("/api/")) return api(request, response);
    if (!pathname.startsWith("/auth/")) return response.setHeader("content-type", "text/html").end(PAGE);
    site.auth.push(`${request.method} ${pathname}`);
    if (site.intercept) return site.intercept(request, response, () => pass(request));
    const { status, headers, body } = await pass(request);
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  site.url = `http://localhost:${server.address().port}`;
  return site;
}

function ask(base, request) {
  return new Promise((resolve, reject) => {
    const { method, url, headers } = request;
    const asked = http.request(base + url, { method, headers }, resolve).on("error", reject);
    if (request.pipe) request.pipe(asked);
    else asked.end();
  });
}

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
