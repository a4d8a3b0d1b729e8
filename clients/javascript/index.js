import { core } from "./lib/core.js";
import { checkCsrf } from "./lib/csrf.js";
import { DoorwardError } from "./lib/errors.js";
import { checkRules } from "./lib/rules.js";
import { readWebhookBody, receive, requireSecret } from "./lib/webhook.js";

/** @import { Handler, Rules } from "./index.js" */

export { DoorwardError };

/** @type {typeof import("./index.js").doorward} */
export function doorward(options) {
  const { config, verify, verifyAssertion, session, urls, guard } = core(options);

  /** @param {Handler<any, any[]>} handler @param {Rules} rules @param {boolean} optional */
  function guarded(handler, rules, optional) {
    checkRules(rules);
    return async (/** @type {Request} */ request, /** @type {any[]} */ ...rest) => {
      const { who, setCookie, response } = await guard.judge(request, rules, { optional });
      return withCookies(response ?? (await handler(request, who, ...rest)), setCookie);
    };
  }

  return Object.freeze({
    ...session,
    protect: (/** @type {Handler<any, any[]>} */ handler, rules = {}) => guarded(handler, rules, false),
    optional: (/** @type {Handler<any, any[]>} */ handler, rules = {}) => guarded(handler, rules, true),
    loginUrl: urls.loginUrl,
    signupUrl: urls.signupUrl,
    accountUrl: urls.accountUrl,
    logoutForm: urls.logoutForm,
    csrfToken: urls.csrfToken,
    checkCsrf: (request, token) => checkCsrf(config, request, token),
    verify,
    verifyAssertion,
    webhook(handler) {
      requireSecret(config);
      return async (request) => {
        const body = await readWebhookBody(request);
        const status = body ? await receive(config, request.headers, body, handler) : 413;
        return new Response(null, { status });
      };
    },
  });
}

/** The answer with new cookies, which no cache may store. @param {Response} response @param {string[]} setCookie */
function withCookies(response, setCookie) {
  // An answer that opens a WebSocket cannot be copied.
  if (response.status === 101) return response;
  const headers = new Headers(response.headers);
  if (!headers.has("cache-control") || setCookie.length) headers.set("cache-control", "private, no-store");
  for (const line of setCookie) headers.append("set-cookie", line);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
