import type { Session } from "./index.d.ts";
export type { Session } from "./index.d.ts";

/** Where Doorward is, where that is not the page's own origin. */
export interface BrowserOptions {
  /** The origin of Doorward (its `SVC_BASE_URL`); by default the page's own, where `/auth` leads to Doorward. */
  url?: string;
  /** The service name, of which cookies are made; by default `svc`. */
  name?: string;
  /** The audience of the application's access tokens; by default `app`. */
  audience?: string;
}

/**
 * Needed only where Doorward has another origin, or its names are changed; call it before all else. Doorward must list
 * the page's origin in `SVC_ALLOWED_ORIGINS`, and be of the same site. Throws a TypeError for an unreadable `url`.
 */
export function configure(options: BrowserOptions): void;

/**
 * The CSRF token for forms and scripts that send something to Doorward (`X-CSRF-Token`, `csrf_token`), or an empty text.
 * Logins and logouts replace it, so read it for each request.
 */
export function csrfToken(): string;

/**
 * The session, as Doorward sees it now, or null for nobody. It renews and sets nothing. Rejects where Doorward does not
 * answer within 10 seconds. A page that has called it is loaded again when it comes back by the browser's back button
 * after its person has logged out.
 */
export function session(): Promise<Session | null>;

/**
 * New tokens now, for all tabs; tabs that ask at the same time share one refresh. False: nobody is logged in. Rejects
 * where Doorward does not answer within 10 seconds; the session is then as it was. {@link fetch} calls it where it is
 * needed.
 *
 * Where Doorward is on another host, this leaves the page and comes back, by a login if nobody is logged in; the promise
 * then stays open.
 */
export function refresh(): Promise<boolean>;

/**
 * The browser's `fetch` for the application's own API, for longer than an access token lives: an answer of 401 is
 * followed by a refresh and the same request again, once. A 401 that remains means that nobody is logged in. A request
 * without an answer is never repeated. A body that is a stream can be sent only once: it is sent after a refresh, if one
 * is needed, and never again. Rejects as `fetch` does, and where Doorward does not answer within 10 seconds.
 *
 * Where Doorward is on another host, the 401 of a GET leads through {@link refresh}; a change is answered 401, so that
 * the page may keep what was typed before it calls `refresh`.
 */
export function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;

/**
 * Logs out, in all tabs; the page goes on to show what is public. Rejects where Doorward does not answer within 10
 * seconds.
 *
 * Where Doorward is on another host whose cookies the page cannot read, this leaves the page for one that asks, and comes
 * back; the promise then stays open.
 */
export function logout(): Promise<void>;
