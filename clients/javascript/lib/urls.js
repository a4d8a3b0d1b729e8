import { originOf } from "./requests.js";
import { sessionCookies } from "./cookies.js";

/** @import { LogoutFormOptions, RequestLike } from "../index.js" */
/** @import { Config } from "./options.js" */

/** Proxies limit headers: from a longer link, people come back to the root. */
const LONGEST = 2048;

/**
 * Addresses of Doorward's pages, each with the way back.
 *
 * @param {Config} config
 */
export function urls(config) {
  /**
   * @param {string} page path and query of a page of Doorward's
   * @param {RequestLike} request
   * @param {string} [returnTo]
   */
  function link(page, request, returnTo = request.url) {
    const back = wayBack(request, returnTo);
    const url = (/** @type {string} */ target) => {
      return `${config.url}${page}${page.includes("?") ? "&" : "?"}return_to=${encodeURIComponent(target)}`;
    };
    return url(back).length <= LONGEST ? url(back) : url(wayBack(request, "/"));
  }

  /**
   * An address of the application as Doorward takes it: a path on Doorward's own origin, else the whole address.
   *
   * @param {RequestLike} request
   * @param {string} target
   */
  function wayBack(request, target) {
    const origin = originOf(config, request);
    const { pathname, search, hash } = new URL(target, `${origin}/`);
    return (origin === config.url ? "" : origin) + pathname + search + hash;
  }

  return {
    link,
    loginUrl: (/** @type {RequestLike} */ request, /** @type {string} */ returnTo) =>
      link("/auth/login", request, returnTo),
    signupUrl: (/** @type {RequestLike} */ request, /** @type {string} */ returnTo) =>
      link("/auth/signup", request, returnTo),
    accountUrl: () => `${config.url}/auth/account`,
    csrfToken: (/** @type {RequestLike} */ request) => sessionCookies(config, request).csrf,

    /**
     * @param {RequestLike} request
     * @param {LogoutFormOptions} [options]
     */
    logoutForm(request, { label = "Log out", returnTo } = {}) {
      const fields = {
        csrf_token: sessionCookies(config, request).csrf,
        ...(returnTo && { return_to: wayBack(request, returnTo) }),
      };
      const inputs = Object.entries(fields).map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
      );
      return `<form method="post" action="${config.url}/auth/sessions/logout">${inputs.join("")}<button>${escapeHtml(label)}</button></form>`;
    },
  };
}

/** @param {string} text */
export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
