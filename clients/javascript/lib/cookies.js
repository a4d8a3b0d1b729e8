/** @import { RequestLike } from "../index.js" */
/** @import { Config } from "./options.js" */

/** What RFC 6265 allows in a value. Tokens have nothing else; what has is not Doorward's. */
const READABLE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;
const USABLE_CSRF = /^[A-Za-z0-9_-]{43,128}$/;
/** As many as Doorward looks at: a browser may send cookies of several paths and domains. */
const MOST_ACCESS = 4;
const MOST_REFRESH = 16;

/**
 * The cookies of a session, as a request carries them: possibly doubled, possibly foreign.
 *
 * @typedef {{ access: string[], refresh: string[], csrf: string }} SessionCookies
 */

/**
 * @param {Config} config
 * @param {RequestLike} request
 * @returns {SessionCookies}
 */
export function sessionCookies(config, request) {
  const header = request.headers.get("cookie") ?? "";
  const access = values(header, `${config.name}_access`).slice(0, MOST_ACCESS);
  const refresh = values(header, `${config.name}_refresh`).slice(0, MOST_REFRESH);
  const csrf = values(header, `${config.name}_csrf`).find((value) => USABLE_CSRF.test(value)) ?? "";
  return { access, refresh, csrf };
}

/** @param {string} header @param {string} name */
function values(header, name) {
  const all = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"+|"+$/g, ""))
    .filter((value) => READABLE.test(value));
  return [...new Set(all)];
}

/**
 * The Cookie header for Doorward: the session's three cookies, and none of the application's.
 *
 * @param {Config} config
 * @param {SessionCookies} cookies
 */
export function cookieHeader({ name }, { access, refresh, csrf }) {
  const pairs = [
    ...access.map((value) => `${name}_access=${value}`),
    ...refresh.map((value) => `${name}_refresh=${value}`),
    ...(csrf ? [`${name}_csrf=${csrf}`] : []),
  ];
  return pairs.join("; ");
}

/**
 * The cookies as they are once a browser has taken these lines.
 *
 * @param {Config} config
 * @param {SessionCookies} cookies
 * @param {string[]} lines Set-Cookie
 * @returns {SessionCookies}
 */
export function afterSetCookie({ name }, cookies, lines) {
  const set = (/** @type {string} */ kind) =>
    lines.flatMap((line) => values(line.split(";")[0] ?? "", `${name}_${kind}`));
  const [access, refresh] = [set("access"), set("refresh")];
  return { access, refresh: refresh.length ? refresh : cookies.refresh, csrf: cookies.csrf };
}
