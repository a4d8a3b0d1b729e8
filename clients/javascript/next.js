import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { NextResponse } from "next/server";
import { createElement } from "react";
import { doorward as handlers } from "./index.js";
import { core } from "./lib/core.js";
import { afterSetCookie, cookieHeader, sessionCookies } from "./lib/cookies.js";
import { DoorwardError } from "./lib/errors.js";
import { isPrefetch, originOf } from "./lib/requests.js";
import { checkRules, lack, needLook } from "./lib/rules.js";

/** @import { NextRequest } from "next/server" */
/** @import { Handler, Options, RequestLike, Rules, Session } from "./index.js" */
/** @import { Config } from "./lib/options.js" */

export { DoorwardError };

/** Tells pages, which do not know it, what was asked for. */
const ADDRESS = "x-doorward-address";
/** `next build` loads pages, with an environment that is not that of the server, and serves nobody. */
const isBuild = process.env.NEXT_PHASE === "phase-production-build";

/** @type {typeof import("./next.js").doorward} */
export function doorward(options = {}) {
  const given = isBuild ? { url: "http://localhost", ...options } : options;
  const { config, session, urls } = core(given);
  const { protect: protectHandler, optional, webhook, checkCsrf, verify, verifyAssertion } = handlers(given);

  /** @param {NextRequest} request */
  async function proxy(request) {
    const { pathname, search } = request.nextUrl;
    if (/^\/(_next|auth)\//.test(pathname)) return NextResponse.next();
    const forwarded = new Headers(request.headers);
    forwarded.set(ADDRESS, pathname + search.replace(/[?&]_rsc=[^&]*$/, ""));
    try {
      const setCookie = isPrefetch(request) ? [] : await renew(request, forwarded);
      const response = NextResponse.next({ request: { headers: forwarded } });
      // Caches may store static pages, and must not store these cookies with them.
      if (setCookie.length) response.headers.set("cache-control", "private, no-store");
      for (const line of setCookie) response.headers.append("set-cookie", line);
      return response;
    } catch (error) {
      report(error);
      const later = { "retry-after": "5", "cache-control": "no-store" };
      return new NextResponse("Please try again in a moment.", { status: 503, headers: later });
    }
  }

  /**
   * Renews the session, if it has to be, for the browser (`Set-Cookie` lines) and for the application.
   *
   * @param {NextRequest} request
   * @param {Headers} forwarded
   */
  async function renew(request, forwarded) {
    if (await session.who(request)) return [];
    const { who, setCookie } = await session.refresh(request);
    const cookies = sessionCookies(config, request);
    const renewed = who ? afterSetCookie(config, cookies, setCookie) : { access: [], refresh: [], csrf: cookies.csrf };
    const others = otherCookies(config, request);
    forwarded.set("cookie", [...others, cookieHeader(config, renewed)].filter(Boolean).join("; "));
    return setCookie;
  }

  /** The request that a page, an action or a route handler answers. @returns {Promise<RequestLike>} */
  async function incoming() {
    const request = { method: "GET", url: "", headers: await headers() };
    const address = request.headers.get(ADDRESS) ?? "/";
    return { ...request, url: originOf(config, request) + (address.startsWith("/") ? address : "/") };
  }

  /** One look a request, which layout, page and components share. @type {WeakMap<object, Promise<Session | null>>} */
  const looks = new WeakMap();

  /** @param {RequestLike} request */
  function lookOnce(request) {
    const looked = looks.get(request.headers) ?? session.look(request);
    looks.set(request.headers, looked);
    return looked.catch(fail);
  }

  async function auth({ ask = true } = {}) {
    const request = await incoming();
    return ask ? lookOnce(request) : session.who(request).catch(fail);
  }

  /** @param {Rules} rules */
  async function protectPage(rules) {
    const request = await incoming();
    // A prefetch was not renewed, so that its token may have expired.
    const who = (!needLook(rules) && (await session.who(request).catch(fail))) || (await lookOnce(request));
    if (!who) redirect(urls.loginUrl(request, request.url));
    const missing = lack(config, rules, who);
    if (missing?.proof) redirect(`${urls.link("/auth/account/confirm", request)}&${missing.proof}`);
    if (missing) throw forbidden();
    return who;
  }

  /** Tells the operator what only the operator can mend. @param {unknown} error */
  function report(error) {
    if (!(error instanceof DoorwardError)) throw error;
    config.report(error);
  }

  /** @param {unknown} error @returns {never} */
  function fail(error) {
    report(error);
    throw error;
  }

  return Object.freeze({
    proxy,
    auth,
    protect(/** @type {any} */ first = {}, /** @type {Rules} */ rules = {}) {
      return typeof first === "function" ? protectHandler(first, rules) : protectPage(checkRules(first));
    },
    optional,
    loginUrl: async (returnTo) => urls.loginUrl(await incoming(), returnTo),
    signupUrl: async (returnTo) => urls.signupUrl(await incoming(), returnTo),
    accountUrl: urls.accountUrl,
    async logoutForm(form) {
      const html = urls.logoutForm(await incoming(), form);
      return createElement("div", { dangerouslySetInnerHTML: { __html: html } });
    },
    csrfToken: async () => urls.csrfToken(await incoming()),
    checkCsrf,
    verify,
    verifyAssertion,
    webhook,
  });
}

/** The application's own cookies. @param {Config} config @param {RequestLike} request */
function otherCookies({ name }, request) {
  const ours = ["access", "refresh", "csrf"].map((kind) => `${name}_${kind}=`);
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => !ours.some((start) => pair.startsWith(start)));
}

/** What Next.js answers with 403; its own `forbidden` asks for an experimental setting. */
function forbidden() {
  return Object.assign(new Error("You may not do this."), { digest: "NEXT_HTTP_ERROR_FALLBACK;403" });
}
