import type { NextRequest, NextResponse } from "next/server";
import type { ReactNode } from "react";
import type { Doorward, Handler, Known, LogoutFormOptions, Options, Rules, Session, Who } from "./index.d.ts";
export * from "./index.d.ts";

/**
 * Makes the library's functions for a Next.js application. Each option, but for those without a variable, may come from
 * the environment instead. Throws a `DoorwardError` for a wrong one (`missing_url`, `configuration`).
 *
 * ```js
 * // doorward.ts
 * import { doorward } from "doorward/next";
 * export const { proxy, auth, protect, logoutForm } = doorward();
 *
 * // proxy.ts
 * export { proxy } from "./doorward";
 *
 * // next.config.ts: so that proxy.ts can tell prefetches
 * export default { skipProxyUrlNormalize: true };
 *
 * // instrumentation.ts: so that the start names a wrong option, and not the first request
 * import "./doorward";
 * ```
 */
export function doorward(options?: Options): NextDoorward;

/** The functions for Next.js. They need no `this`. Those without a request are for the one that is being answered. */
export interface NextDoorward extends Pick<
  Doorward,
  "accountUrl" | "optional" | "checkCsrf" | "verify" | "verifyAssertion" | "webhook"
> {
  /**
   * For `proxy.ts`: renews the session if its access token has expired, as pages cannot set cookies. It protects nothing.
   * Where Doorward gives no new tokens within 5 seconds it answers 503, and the session is as it was. Of a prefetch it
   * renews nothing.
   */
  proxy(request: NextRequest): Promise<NextResponse>;

  /**
   * The session, by asking Doorward once a request, however many components ask; null for nobody. With `ask: false` the
   * access token alone decides: no network, and a logout is seen only when the token expires (`SVC_ACCESS_TTL`, 10
   * minutes). Rejects with `unavailable` where Doorward does not answer within 5 seconds: the application's `error.tsx`.
   */
  auth(options?: { ask?: true }): Promise<Session | null>;
  auth(options: { ask: false }): Promise<Who | null>;
  auth(options?: { ask?: boolean }): Promise<Who | Session | null>;

  /**
   * In a page, a component or an action: the person, who meets the rules. It sends others to the login and back (307;
   * of an action 303), and who lacks only `mfa` or `fresh` to a page that asks for it; else the answer is 403. Without
   * `verified`, `mfa`, `fresh` and `live` the token decides, and a logout is seen only when it expires
   * (`SVC_ACCESS_TTL`, 10 minutes). Call it in each page and action: a layout is not rendered again when a person goes
   * from page to page.
   */
  protect<Asked extends Rules = {}>(rules?: Asked): Promise<Known<Asked>>;
  /** A route handler, as {@link Doorward.protect} makes it. */
  protect<Rest extends unknown[], Asked extends Rules = {}>(
    handler: Handler<Known<Asked>, Rest>,
    rules?: Asked,
  ): (request: Request, ...rest: Rest) => Promise<Response>;

  /** The address of the login, which leads back to `returnTo`, by default to what was asked for. */
  loginUrl(returnTo?: string): Promise<string>;
  /** The address of the signup, which leads back to `returnTo`, by default to what was asked for. */
  signupUrl(returnTo?: string): Promise<string>;
  /** A form with a button that logs out: `{await logoutForm()}`. */
  logoutForm(options?: LogoutFormOptions): Promise<ReactNode>;
  /** The CSRF token for forms and scripts that send something to Doorward: the cookie's, or an empty text. */
  csrfToken(): Promise<string>;
}
