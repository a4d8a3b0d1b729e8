import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { after } from "node:test";
import { doorward } from "../index.js";
import { startDoorward } from "../testing.js";

/** A real Doorward, until the tests of the file end. @param {Record<string, string>} [settings] */
export async function start(settings) {
  const server = await startDoorward(settings);
  after(() => server.stop());
  return server;
}

/** The library, whose time is the server's; `lessons` are the codes that it has logged. */
export function library(server, options = {}) {
  const lessons = [];
  const log = (error) => lessons.push(error.code);
  const made = doorward({ url: server.url, internalUrl: server.internalUrl, clock: server.clock, log, ...options });
  return { ...made, lessons };
}

/** A page that a browser opens, at the application's address. */
export function page({ cookie, method = "GET", path = "/orders?id=7", ...headers } = {}) {
  const all = { host: "localhost:3000", accept: "text/html", ...(cookie && { cookie }), ...headers };
  return new Request(`http://localhost:3000${path}`, { method, headers: all });
}

/** What a script asks for. */
export const script = (options) => page({ accept: "*/*", "sec-fetch-mode": "cors", ...options });

/** Says who passed. */
export const hello = (request, who) => Response.json(who);

/** The session's cookies once a browser has taken these lines. */
export function cookieAfter(cookie, response) {
  const cookies = new Map(cookie.split("; ").map((pair) => pair.split("=")));
  for (const line of response.headers.getSetCookie()) {
    const [name, value] = line.split(";")[0].split("=");
    cookies.set(name, value);
  }
  return [...cookies].map((pair) => pair.join("=")).join("; ");
}

/** Listens on a free port until the tests of the file end; resolves to the origin. */
export async function listen(handler, prepare = (server) => {}) {
  const server = createServer(handler).listen(0, "127.0.0.1");
  prepare(server);
  await once(server, "listening");
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${server.address().port}`;
}

/** A way to Doorward that can break: `fault` answers in its place, and `asked` has what was asked. */
export async function breakable(server) {
  const way = { asked: [], fault: undefined };
  way.url = await listen(async (request, response) => {
    way.asked.push({ method: request.method, path: request.url.split("?")[0], headers: request.headers });
    const fault = way.fault;
    if (fault) return fault(request, response);
    const passed = send(server.internalUrl + request.url, { method: request.method, headers: request.headers });
    request.pipe(passed);
    const [answer] = await once(passed, "response");
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  way.count = (path) => way.asked.filter((request) => request.path.endsWith(path)).length;
  return way;
}

/** What becomes of a request on a broken way. */
export const faults = {
  "answers 500": (request, response) => response.writeHead(500).end(),
  "answers HTML": (request, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>"),
  "answers half": (request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"user":{"id":"', () => response.destroy());
  },
  "clears cookies": (request, response) => {
    response.writeHead(502, { "set-cookie": "svc_refresh=; Path=/; Max-Age=0" }).end();
  },
  redirects: (request, response) => response.writeHead(302, { location: "/elsewhere" }).end(),
  "hangs up": (request, response) => response.destroy(),
  "is slow": () => {},
};

/** Sends a request as a browser does, which `fetch` of Node cannot: it says Sec-Fetch-Mode itself. */
export async function browse(url, { method = "GET", headers = {}, body, ...options } = {}) {
  const sent = send(url, {
    method,
    headers: { "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin", ...headers },
    agent: false,
    ...options,
  });
  sent.end(body);
  const [answer] = await once(sent, "response");
  const text = await new Response(answer).text();
  return { status: answer.statusCode, headers: answer.headers, setCookie: answer.headers["set-cookie"] ?? [], text };
}
