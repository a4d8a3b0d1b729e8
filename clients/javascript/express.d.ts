import type { IncomingMessage, ServerResponse } from "node:http";
import type { Doorward, LogoutFormOptions, Options, Rules, Session, Who } from "./index.d.ts";
import type { WebhookEvent } from "./events.d.ts";

export type * from "./index.d.ts";
export { DoorwardError } from "./index.js";

/**
 * Makes the library's functions for an Express application, from {@link Options} or the environment.
 *
 * ```js
 * import { doorward } from "doorward/express";
 *
 * const { protect, logoutForm } = doorward();
 * app.get("/", protect({ live: true }), (req, res) => {
 *   res.send(`Logged in as ${req.who.user.username}. ${logoutForm(req)}`);
 * });
 * ```
 */
export function doorward(options?: Options): ExpressDoorward;

/** The functions of {@link Doorward}, for the requests and answers of Express 4 and 5, and of `node:http`. */
export interface ExpressDoorward extends Pick<Doorward, "accountUrl" | "verify" | "verifyAssertion"> {
  /** As {@link Doorward.who}. */
  who(req: IncomingMessage): Promise<Who | null>;
  /** As {@link Doorward.look}. */
  look(req: IncomingMessage): Promise<Session | null>;
  /** As {@link Doorward.refresh}; sets Doorward's cookies on the answer. Its headers must not have been sent. */
  refresh(req: IncomingMessage, res: ServerResponse): Promise<Who | Session | null>;
  /**
   * Middleware that lets only logged-in people through, and tells who they are in `req.who`. As
   * {@link Doorward.protect}: without `verified`, `mfa`, `fresh` and `live` a logout is seen only when the access token
   * expires (`SVC_ACCESS_TTL`, 10 minutes).
   */
  protect(rules?: Rules): Middleware;
  /** As `protect`, but nobody passes, too: then `req.who` is null. */
  optional(rules?: Rules): Middleware;
  /** As {@link Doorward.loginUrl}. */
  loginUrl(req: IncomingMessage, returnTo?: string): string;
  /** As {@link Doorward.signupUrl}. */
  signupUrl(req: IncomingMessage, returnTo?: string): string;
  /** As {@link Doorward.logoutForm}. */
  logoutForm(req: IncomingMessage, options?: LogoutFormOptions): string;
  /** As {@link Doorward.csrfToken}. */
  csrfToken(req: IncomingMessage): string;
  /** As {@link Doorward.checkCsrf}. */
  checkCsrf(req: IncomingMessage, token?: string): Promise<boolean>;
  /**
   * A route that receives webhooks, as {@link Doorward.webhook}. It needs the body as it came: put it before
   * `express.json()`, or behind `express.raw()`.
   */
  webhook(handler: (event: WebhookEvent) => unknown): Middleware;
}

/** Middleware of Express; a plain `node:http` server can call it, too. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => Promise<void>;

declare global {
  namespace Express {
    interface Request {
      /**
       * Who sent the request, behind `protect` and `optional`: a `Session` where their rules ask Doorward, else what
       * the token says. In TypeScript, name it: `const { user } = req.who as Session`.
       */
      who?: Who | Session | null;
    }
  }
}
