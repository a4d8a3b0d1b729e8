import { ask, unavailable } from "./ask.js";
import { afterSetCookie, cookieHeader, sessionCookies } from "./cookies.js";
import { decodeObject, isObject } from "./encoding.js";
import { DoorwardError } from "./errors.js";
import { isPrefetch } from "./requests.js";

/** @import { Claims, Refreshed, RequestLike, Session, Who } from "../index.js" */
/** @import { SessionCookies } from "./cookies.js" */
/** @import { Config } from "./options.js" */

const CLOCK_TOLERANCE = 60;

/**
 * Refreshes under way, by what they ask for: all requests of the process with one token share one.
 *
 * @type {Map<string, Promise<{ isRefused: boolean, setCookie: string[] }>>}
 */
const underWay = new Map();

/**
 * Who sent a request: by its token (`who`), by asking Doorward (`look`), or with new tokens (`refresh`).
 *
 * @param {Config} config
 * @param {(token: string) => Promise<Claims>} verify
 */
export function sessions(config, verify) {
  /**
   * The cookies of a request as its browser will have them after the answer.
   *
   * @type {WeakMap<RequestLike, SessionCookies>}
   */
  const renewed = new WeakMap();

  const cookiesOf = (/** @type {RequestLike} */ request) => renewed.get(request) ?? sessionCookies(config, request);

  /**
   * @param {RequestLike} request
   * @returns {Promise<Who | null>}
   */
  async function who(request) {
    for (const token of cookiesOf(request).access) {
      const claims = await verify(token).catch((/** @type {DoorwardError} */ error) => {
        if (error.code === "unavailable") throw error;
      });
      if (claims) return whoOf(claims);
    }
    return null;
  }

  /**
   * @param {RequestLike} request
   * @returns {Promise<Session | null>}
   */
  async function look(request) {
    const cookies = cookiesOf(request);
    if (!cookies.access.length && !cookies.refresh.length) return null;
    const headers = { cookie: cookieHeader(config, cookies) };
    const answer = await ask(config, "/auth/api/v2/session?refresh=look", { headers });
    if (answer.status === 401) return null;
    const session = answer.status === 200 ? decodeObject(answer.body) : undefined;
    if (!isSession(session)) throw unavailable(config, `answered ${answer.status} without a session`);
    return session;
  }

  /**
   * @param {RequestLike} request
   * @returns {Promise<Refreshed>}
   */
  async function refresh(request) {
    if (isPrefetch(request)) return { who: await look(request), setCookie: [] };
    const cookies = cookiesOf(request);
    // Without a CSRF token only the login page can renew a session.
    if (!cookies.refresh.length || !cookies.csrf) return { who: null, setCookie: [] };
    const { isRefused, setCookie } = await askForTokens(cookies);
    if (isRefused) return { who: null, setCookie };
    const fresh = afterSetCookie(config, cookies, setCookie);
    const claims = await verify(/** @type {string} */ (fresh.access[0])).catch((error) => {
      if (error.code === "expired") tellOfClock();
      throw unavailable(config, "gave an access token that does not verify here", error);
    });
    if (Math.abs(claims.iat - config.clock() / 1000) > CLOCK_TOLERANCE) tellOfClock();
    renewed.set(request, fresh);
    return { who: whoOf(claims), setCookie };
  }

  /** @param {SessionCookies} cookies */
  function askForTokens(cookies) {
    const key = [config.internalUrl, config.audience, ...cookies.refresh].join();
    const running = underWay.get(key) ?? refreshOnce(cookies).finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  }

  /** @param {SessionCookies} cookies */
  async function refreshOnce(cookies) {
    const path = `/auth/api/v1/sessions/refresh?audience=${encodeURIComponent(config.audience)}`;
    const headers = { cookie: cookieHeader(config, cookies), "x-csrf-token": cookies.csrf };
    const answer = await ask(config, path, { method: "POST", headers });
    const setCookie = answer.headers.getSetCookie();
    const isRefused = answer.status === 401 || answer.status === 403;
    const hasToken = afterSetCookie(config, cookies, setCookie).access.length === 1;
    if (!isRefused && !(answer.status === 200 && hasToken)) {
      throw unavailable(config, `answered ${answer.status} to a refresh, without a new access token`);
    }
    return { isRefused, setCookie };
  }

  function tellOfClock() {
    const problem = "The clocks of Doorward and of this application differ by more than a minute";
    config.report(new DoorwardError("clock_skew", `${problem}: synchronize both, for example with chrony.`));
  }

  return { who, look, refresh };
}

/**
 * @param {Claims} claims
 * @returns {Who}
 */
function whoOf({ sub, sid, roles, org_id, org_role }) {
  const organization = org_id && org_role ? { id: org_id, role: org_role } : null;
  return { user: { id: sub, roles }, organization, session: { id: sid } };
}

/**
 * @param {Record<string, unknown> | undefined} value
 * @returns {value is Record<string, unknown> & Session}
 */
function isSession(value) {
  const { user, organization, session } = value ?? {};
  const hasIds = isObject(user) && typeof user.id === "string" && isObject(session) && typeof session.id === "string";
  return hasIds && Array.isArray(user.roles) && (organization === null || isObject(organization));
}
