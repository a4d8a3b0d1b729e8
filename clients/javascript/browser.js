// Doorward in a browser: the tokens stay in cookies that no script can read.

/** @import { Session } from "./index.js" */

const settings = { url: "", name: "svc", audience: "app" };

/** How long Doorward may take, in milliseconds: well below the 30 s for which it still takes a replaced token. */
const LIMIT = 10_000;

/** @type {typeof import("./browser.js").configure} */
export function configure({ url = settings.url, name = settings.name, audience = settings.audience }) {
  if (url && !/^https?:\/\/[^/?#]+\/?$/.test(url)) {
    throw new TypeError(`url is ${JSON.stringify(url)}, and must be an origin, such as "https://auth.example.com".`);
  }
  Object.assign(settings, { url: url && new URL(url).origin, name, audience });
}

export function csrfToken() {
  const usable = new RegExp(`(?:^|; )${settings.name}_csrf="?([\\w-]{43,128})"?(?:;|$)`);
  return document.cookie.match(usable)?.[1] ?? "";
}

/** @returns {Promise<Session | null>} */
export async function session() {
  const seen = await look();
  if (seen) shown = csrfToken();
  addEventListener("pageshow", reloadIfAnother);
  return seen;
}

/** @returns {Promise<boolean>} */
export function refresh() {
  return elsewhere() ? leaveFor("/auth/sessions/renew") : renew(true);
}

/** @type {typeof import("./browser.js").fetch} */
export async function fetch(input, init) {
  const once = init?.body instanceof ReadableStream;
  // What can be sent only once must not meet an expired token.
  if (once && !elsewhere()) await renew();
  const again = input instanceof Request && !init?.body ? input.clone() : input;
  const answer = await globalThis.fetch(input, init);
  if (answer.status !== 401 || once || !(await renewFor(init?.method ?? input.method))) return answer;
  answer.body?.cancel();
  return globalThis.fetch(again, init);
}

export async function logout() {
  if (elsewhere() && !csrfToken()) return leaveFor("/auth/logout");
  // No refresh is under way meanwhile, whose answer would bring tokens back.
  const answer = await exclusively(() => post("/auth/sessions/logout"));
  if (answer.status !== 204) throw unexpected(answer);
}

/**
 * The CSRF token when `session` last saw somebody; each login and logout replaces it.
 *
 * @type {string | undefined}
 */
let shown;

/**
 * A page from the browser's memory may be that of a person who has logged out since.
 *
 * @param {PageTransitionEvent} event
 */
function reloadIfAnother(event) {
  if (event.persisted && shown !== undefined && (!shown || shown !== csrfToken())) location.reload();
}

/** Whether Doorward is on another host, whose cookies no script of this page can be sure to read. */
function elsewhere() {
  return settings.url !== "" && new URL(settings.url).hostname !== location.hostname;
}

/**
 * Leaves the page for one of Doorward's, which leads back. What waits for this waits until the page is gone.
 *
 * @param {string} path
 */
function leaveFor(path) {
  location.replace(`${settings.url}${path}?return_to=${encodeURIComponent(location.href)}`);
  return new Promise(() => {});
}

/** Whether a request that was answered 401 is worth repeating. @param {string} [method] */
async function renewFor(method = "GET") {
  if (!elsewhere()) return renew();
  const seen = await look();
  // A change must not lose the page that made it, with all that was typed there.
  if (seen && seen.audience === null && /^(GET|HEAD)$/i.test(method)) return leaveFor("/auth/sessions/renew");
  return seen?.audience === settings.audience;
}

/** @type {Promise<boolean> | undefined} */
let renewal;

/** Sees to a live access token, at once for all of this page; `false`: nobody is logged in. */
function renew(always = false) {
  renewal ??= exclusively((first) => replaceTokens(always && first)).finally(() => (renewal = undefined));
  return renewal;
}

/** @param {boolean} always */
async function replaceTokens(always) {
  // Another tab may have done it while this one asked, or waited. To ask replaces nothing.
  if (!always && (await look().catch(() => null))?.audience === settings.audience) return true;
  const answer = await post(`/auth/api/v1/sessions/refresh?audience=${encodeURIComponent(settings.audience)}`);
  if (answer.status === 401 || answer.status === 403) return false;
  if (answer.status === 200 && answer.body === "") return true;
  throw unexpected(answer);
}

/**
 * Runs `work(first)` while no other tab does: `first`, if none was at it. The browser ends the turn of a tab that dies,
 * nobody waits longer than LIMIT for one that hangs, and without Web Locks nobody waits: Doorward gives parallel
 * refreshes the same new tokens. The turns only save requests.
 *
 * @template T
 * @param {(first: boolean) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function exclusively(work) {
  const locks = navigator.locks;
  if (!locks) return work(true);
  const free = await locks.request(
    "doorward",
    { ifAvailable: true },
    async (lock) => lock && { done: await work(true) },
  );
  if (free) return free.done;
  let waits = true;
  const run = () => {
    waits = false;
    return work(false);
  };
  return locks.request("doorward", { signal: AbortSignal.timeout(LIMIT) }, run).catch((error) => {
    if (waits) return run();
    throw error;
  });
}

/** The session as Doorward sees it now. @returns {Promise<Session | null>} */
async function look() {
  const answer = await ask("/auth/api/v2/session?refresh=look");
  if (answer.status === 401) return null;
  const seen = answer.status === 200 && parse(answer.body);
  if (!seen?.user?.id) throw unexpected(answer);
  return seen;
}

/** @param {string} path */
async function post(path) {
  // Whatever it answers, it sets the cookie of the CSRF token that is missing.
  if (!csrfToken()) await ask("/auth/api/v1/user");
  // Kept alive: a page that is left in the meantime does not lose the answer's cookies.
  return ask(path, { method: "POST", headers: { "X-CSRF-Token": csrfToken() }, keepalive: true });
}

/** @param {string} path @param {RequestInit} [init] */
async function ask(path, init) {
  try {
    // Past the cache, where a request waits for the same one of a tab that hangs.
    const options = { credentials: "include", cache: "no-store", signal: AbortSignal.timeout(LIMIT), ...init };
    const answer = await globalThis.fetch(settings.url + path, options);
    return { path, status: answer.status, body: await answer.text() };
  } catch (cause) {
    const at = settings.url && ` at ${settings.url}`;
    const permitted = settings.url && `, and is ${location.origin} in its SVC_ALLOWED_ORIGINS`;
    throw new Error(`Doorward did not answer${at}. Is it running${permitted}?`, { cause });
  }
}

/** @param {{ path: string, status: number, body: string }} answer */
function unexpected({ path, status, body }) {
  const told = parse(body)?.error?.message ?? "Does /auth lead to Doorward?";
  return new Error(`Doorward answered ${status} to ${path}. ${told}`);
}

/** @param {string} body */
function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
