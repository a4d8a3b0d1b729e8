import { core } from "./lib/core.js";
import { checkCsrf } from "./lib/csrf.js";
import { DoorwardError } from "./lib/errors.js";
import { checkRules } from "./lib/rules.js";
import { readWebhookBody, receive, requireSecret } from "./lib/webhook.js";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { RequestLike, Rules } from "./index.js" */

export { DoorwardError };

/** @type {typeof import("./express.js").doorward} */
export function doorward(options) {
  const { config, verify, verifyAssertion, session, urls, guard } = core(options);

  /** @param {Rules} rules @param {boolean} optional */
  function guarded(rules, optional) {
    checkRules(rules);
    return async (
      /** @type {any} */ req,
      /** @type {ServerResponse} */ res,
      /** @type {(error?: unknown) => void} */ next,
    ) => {
      try {
        const { who, setCookie, response } = await guard.judge(webRequest(req), rules, { optional });
        res.setHeader("cache-control", "private, no-store");
        for (const line of setCookie) res.appendHeader("set-cookie", line);
        if (response) return send(res, response);
        req.who = who;
      } catch (error) {
        return next(error);
      }
      next();
    };
  }

  return Object.freeze({
    who: (req) => session.who(webRequest(req)),
    look: (req) => session.look(webRequest(req)),
    async refresh(req, res) {
      const { who, setCookie } = await session.refresh(webRequest(req));
      for (const line of setCookie) res.appendHeader("set-cookie", line);
      return who;
    },
    protect: (rules = {}) => guarded(rules, false),
    optional: (rules = {}) => guarded(rules, true),
    loginUrl: (req, returnTo) => urls.loginUrl(webRequest(req), returnTo),
    signupUrl: (req, returnTo) => urls.signupUrl(webRequest(req), returnTo),
    accountUrl: urls.accountUrl,
    logoutForm: (req, form) => urls.logoutForm(webRequest(req), form),
    csrfToken: (req) => urls.csrfToken(webRequest(req)),
    checkCsrf: (req, token) => checkCsrf(config, webRequest(req), token),
    verify,
    verifyAssertion,
    webhook(handler) {
      requireSecret(config);
      return async (req, res, next) => {
        try {
          const body = await bodyOf(req);
          res.statusCode = body ? await receive(config, webRequest(req).headers, body, handler) : 413;
          res.end();
        } catch (error) {
          next(error);
        }
      };
    },
  });
}

/** @type {WeakMap<IncomingMessage, RequestLike>} */
const webRequests = new WeakMap();

/** The request as the core reads it, one for each of Express's. @param {IncomingMessage & { originalUrl?: string }} req */
function webRequest(req) {
  const known = webRequests.get(req);
  if (known) return known;
  const { headers, method = "GET", originalUrl = req.url ?? "" } = req;
  const request = {
    method,
    url: `http://localhost${originalUrl.startsWith("/") ? originalUrl : "/"}`,
    headers: { get: (/** @type {string} */ name) => headers[name]?.toString() ?? null },
  };
  webRequests.set(req, request);
  return request;
}

/** @param {ServerResponse} res @param {Response} response */
async function send(res, response) {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) res.setHeader(name, value);
  res.end(await response.text());
}

/** The bytes of a body, as they came. @param {IncomingMessage & { body?: unknown }} req */
async function bodyOf(req) {
  if (Buffer.isBuffer(req.body)) return req.body;
  if (req.readableDidRead) {
    const mend = 'put this route before express.json(), or express.raw({ type: "application/json" }) before this route';
    throw new DoorwardError(
      "configuration",
      `The body of the webhook has been parsed, and its signature is of its bytes: ${mend}.`,
    );
  }
  return readWebhookBody({ body: /** @type {any} */ (req) });
}
