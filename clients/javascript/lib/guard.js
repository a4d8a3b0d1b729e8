import { DoorwardError } from "./errors.js";
import { isForm, isNavigation, isOwn, isPrefetch, originOf } from "./requests.js";
import { lack, needLook } from "./rules.js";
import { escapeHtml } from "./urls.js";

/** @import { RequestLike, Rules, Session, Who } from "../index.js" */
/** @import { Config } from "./options.js" */

/**
 * What becomes of a request: `response` is the answer of one that does not pass. Either way, its answer carries
 * `setCookie`.
 *
 * @typedef {{ who: Who | Session | null, setCookie: string[], response?: Response }} Verdict
 */

/**
 * Decides which requests pass.
 *
 * @param {Config} config
 * @param {ReturnType<typeof import("./session.js").sessions>} session
 * @param {ReturnType<typeof import("./urls.js").urls>} urls
 */
export function guard(config, session, urls) {
  /**
   * @param {RequestLike} request
   * @param {Rules} rules
   * @param {{ optional: boolean }} options
   * @returns {Promise<Verdict>}
   */
  async function judge(request, rules, { optional }) {
    if (!isOwn(config, request)) return { who: null, setCookie: [], response: refusal(request, 403) };
    /** @type {string[]} */
    let setCookie = [];
    try {
      let who = /** @type {Who | Session | null} */ (await session.who(request));
      if (!who) ({ who, setCookie } = await session.refresh(request));
      if (who && needLook(rules)) who = await session.look(request);
      const response = who ? unmet(request, rules, who) : optional ? undefined : nobody(request);
      return { who, setCookie, response };
    } catch (error) {
      if (!(error instanceof DoorwardError)) throw error;
      config.report(error);
      return { who: null, setCookie, response: refusal(request, 503) };
    }
  }

  /** @param {RequestLike} request */
  function nobody(request) {
    tellOfHost(request);
    if (isPrefetch(request)) return refusal(request, 401);
    if (request.headers.get("hx-request") === "true") {
      return refusal(request, 401, { "hx-redirect": urls.loginUrl(request, pageOf(request)) });
    }
    if (isForm(request)) return formPage(401, "Log in", urls.loginUrl(request, pageOf(request)));
    return isNavigation(request) ? redirect(urls.loginUrl(request, request.url)) : refusal(request, 401);
  }

  /** @param {RequestLike} request @param {Rules} rules @param {Who | Session} who */
  function unmet(request, rules, who) {
    const missing = lack(config, rules, who);
    if (!missing) return undefined;
    if (!missing.proof) return refusal(request, 403);
    const confirm = (/** @type {string} */ page) =>
      `${urls.link("/auth/account/confirm", request, page)}&${missing.proof}`;
    if (isForm(request)) return formPage("proof", "Confirm", confirm(pageOf(request)));
    return isNavigation(request) && !isPrefetch(request) ? redirect(confirm(request.url)) : refusal(request, "proof");
  }

  /** The page that sent a request: an address of this application, or its root. @param {RequestLike} request */
  function pageOf(request) {
    const page = request.headers.get("hx-current-url") ?? request.headers.get("referer") ?? "";
    return URL.canParse(page) && new URL(page).origin === originOf(config, request) ? page : "/";
  }

  /** Nobody at all is there if browsers send the cookies to another host. @param {RequestLike} request */
  function tellOfHost(request) {
    const [app, door] = [new URL(originOf(config, request)), new URL(config.url)];
    if (door.protocol === "https:" && app.protocol === "http:") {
      const problem = `Browsers send the cookies of ${config.url} over https only, and this application is at ${app.origin}`;
      config.report(
        new DoorwardError("http_cookie", `${problem}: serve it with https, and set appUrl (DOORWARD_APP_URL).`),
      );
    } else if (!areRelated(app.hostname, door.hostname)) {
      const problem = `Browsers send the cookies of ${config.url} to its own host alone, and this application is at ${app.host}`;
      const below = "run both below one domain and set SVC_COOKIE_DOMAIN";
      const mend = `open it at ${door.hostname}, ${below}, or set appUrl (DOORWARD_APP_URL) if a proxy changes Host`;
      config.report(new DoorwardError("wrong_host", `${problem}: ${mend}.`));
    }
  }

  return { judge };
}

/** Whether two hosts are one, or below one domain, so that a cookie can reach both. @param {string} a @param {string} b */
function areRelated(a, b) {
  if (a === b) return true;
  const isAddress = /^[\d.]+$|^\[/;
  if (isAddress.test(a) || isAddress.test(b)) return false;
  const parent = (/** @type {string} */ host) => host.split(".").slice(-2).join(".");
  return parent(a) === parent(b) && parent(a).includes(".");
}

/** @param {string} location */
function redirect(location) {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

const REFUSALS = {
  401: { status: 401, code: "unauthorized", message: "Please log in." },
  403: { status: 403, code: "forbidden", message: "You may not do this." },
  proof: { status: 403, code: "forbidden", message: "Please confirm first that it is you." },
  503: { status: 503, code: "unavailable", message: "Please try again in a moment." },
};

/**
 * The page of a form that was refused: a browser does not send it again after a redirect.
 *
 * @param {401 | "proof"} why
 * @param {string} label
 * @param {string} link
 */
function formPage(why, label, link) {
  const { status, message } = REFUSALS[why];
  const head = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${message}</title>`;
  const way = `<a href="${escapeHtml(link)}">${label}</a>, and send the form again.`;
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return new Response(`${head}<p>${message} Nothing was changed.</p><p>${way}</p>`, { status, headers });
}

/** @param {RequestLike} request @param {keyof typeof REFUSALS} why @param {Record<string, string>} [extra] */
function refusal(request, why, extra) {
  const { status, ...error } = REFUSALS[why];
  const isPage = isNavigation(request);
  const body = isPage ? error.message : JSON.stringify({ error });
  const type = isPage ? "text/plain; charset=utf-8" : "application/json";
  const headers = new Headers({ "content-type": type, "cache-control": "no-store", ...extra });
  if (status === 503) headers.set("retry-after", "5");
  return new Response(body, { status, headers });
}
