import type { WebhookEvent } from "./events.d.ts";
export type * from "./events.d.ts";

/**
 * Makes the library's functions for one Doorward. Each option, but for those without a variable, may come from the
 * environment instead. Throws {@link DoorwardError} for a wrong one (`missing_url`, `configuration`), so that a mistake
 * stops the start.
 *
 * ```js
 * import { doorward } from "doorward";
 *
 * const { protect } = doorward({ url: "http://localhost:8080" });
 * export default { fetch: protect((request, who) => new Response(`Hello, ${who.user.id}`)) };
 * ```
 */
export function doorward(options?: Options): Doorward;

/** Settings. A text that is empty is one that is missing. */
export interface Options {
  /** The origin of Doorward in browsers (its `SVC_BASE_URL`). Required. Variable `DOORWARD_URL`. */
  url?: string;
  /** The origin where this server reaches Doorward; by default `url`. Variable `DOORWARD_INTERNAL_URL`. */
  internalUrl?: string;
  /** The service name, of which cookies and headers are made; by default `svc`. Variable `DOORWARD_NAME`. */
  name?: string;
  /** The audience of this application's access tokens; by default `app`. Variable `DOORWARD_AUDIENCE`. */
  audience?: string;
  /**
   * The address of this application in browsers; by default the `Host` of each request, with the scheme of `url`.
   * Variable `DOORWARD_APP_URL`.
   */
  appUrl?: string;
  /** The whole text of Doorward's `SVC_WEBHOOK_SECRET`. Variable `DOORWARD_WEBHOOK_SECRET`. */
  webhookSecret?: string;
  /** The secret before, while it changes. Variable `DOORWARD_WEBHOOK_SECRET_PREVIOUS`. */
  webhookSecretPrevious?: string;
  /** The `iss` of tokens (`SVC_JWT_ISSUER`); by default `url`. */
  issuer?: string;
  /** The text of Doorward's `SVC_JWT_KEYS`: tokens are then HS256 by these keys, and nothing else. */
  keys?: string;
  /** Origins of other applications whose pages may send this one requests that change something. */
  origins?: string[];
  /** Remembers the ids of webhooks; by default the latest 10,000, in memory. A `Set` would do, too. */
  seen?: Seen;
  /** The time, in milliseconds since 1970; by default `Date.now`. For tests. */
  clock?: () => number;
  /** Is told of mistakes that an operator can mend, each kind once an hour; by default it writes to `console.error`. */
  log?: (error: DoorwardError) => void;
}

/** What {@link Options.seen} must do. */
export interface Seen {
  has(id: string): boolean | Promise<boolean>;
  add(id: string): unknown;
}

/** The functions that {@link doorward} makes. They need no `this`. */
export interface Doorward {
  /**
   * Who sent the request, by its access token alone: no network, but for keys every few minutes. Null for nobody, and
   * for a token that has expired. A logout is seen only when the token expires (`SVC_ACCESS_TTL`, 10 minutes).
   * Rejects with `unavailable` where there are no keys.
   */
  who(request: RequestLike): Promise<Who | null>;

  /**
   * The session of the request, by asking Doorward: with the person's email address, and at most a second old. It
   * renews nothing. Null for nobody. Rejects with `unavailable` where Doorward does not answer within 5 seconds.
   */
  look(request: RequestLike): Promise<Session | null>;

  /**
   * New tokens for the session of the request. Only for answers that can set cookies: all of `setCookie` must go to the
   * browser, unchanged, each line in a header of its own, whatever `who` is. Requests with the same tokens share one attempt.
   * A prefetch is only looked at. Rejects with `unavailable` where Doorward gives no new token within 5 seconds.
   * `protect` and `optional` call it where it is needed.
   */
  refresh(request: RequestLike): Promise<Refreshed>;

  /**
   * Lets only logged-in people through to a handler, renewing their tokens on the way; `rules` ask for more. Others are
   * sent to the login and back from a page (a GET with `Sec-Fetch-Mode: navigate`, or without that header but with
   * `Accept: text/html`), and get 401 for a form or a script; 403 for who does not meet the rules, and for a change that
   * a page of another origin asks for; 503 where Doorward does not answer. A form is not sent again after a login or a new
   * proof: give the page that has it the same rules. Without `verified`, `mfa`, `fresh` and `live` the token
   * decides, and a logout is seen only when it expires (`SVC_ACCESS_TTL`, 10 minutes). Throws for rules that cannot be
   * read.
   */
  protect<Rest extends unknown[], Asked extends Rules = {}>(
    handler: Handler<Known<Asked>, Rest>,
    rules?: Asked,
  ): (request: Request, ...rest: Rest) => Promise<Response>;

  /** As `protect`, but nobody passes, too: then the handler gets null. */
  optional<Rest extends unknown[], Asked extends Rules = {}>(
    handler: Handler<Known<Asked> | null, Rest>,
    rules?: Asked,
  ): (request: Request, ...rest: Rest) => Promise<Response>;

  /** The address of the login, which leads back to `returnTo`, by default to what the request asked for. */
  loginUrl(request: RequestLike, returnTo?: string): string;
  /** The address of the signup, which leads back to `returnTo`, by default to what the request asked for. */
  signupUrl(request: RequestLike, returnTo?: string): string;
  /** The address of the person's account. */
  accountUrl(): string;
  /** An HTML form with a button that logs out. Answers that have it must not be cached. */
  logoutForm(request: RequestLike, options?: LogoutFormOptions): string;
  /** The CSRF token for forms and scripts that send something to Doorward: the cookie's, or an empty text. */
  csrfToken(request: RequestLike): string;

  /**
   * Whether a page of this application sent the request, or it changes nothing: for changes that `protect` does not
   * guard. With `token`, of a form's `csrf_token`, that must equal the cookie's, too.
   */
  checkCsrf(request: RequestLike, token?: string): Promise<boolean>;

  /**
   * The claims of an access token for this application. Rejects with a {@link DoorwardError} whose `code` is one of
   * {@link TokenError}. A logout is seen only when the token expires (`SVC_ACCESS_TTL`, 10 minutes).
   */
  verify(token: string): Promise<Claims>;

  /**
   * The claims of the gate's `X-Svc-Assertion` for this application, whose `appUrl` must be set. Rejects as `verify`.
   */
  verifyAssertion(assertion: string): Promise<AssertionClaims>;

  /**
   * Receives webhooks: the handler gets each event whose `webhook-signature` is right and which is new, and the answer
   * is 204 once it is done. An event that was received before is 204 without the handler, a wrong signature or an old
   * timestamp 401, an unreadable body 400. What the handler throws is thrown, and Doorward sends the event again. Throws
   * without `webhookSecret`.
   */
  webhook(handler: (event: WebhookEvent) => unknown): (request: Request) => Promise<Response>;
}

/** A request as most frameworks have it; a Web-standard `Request` is one. */
export interface RequestLike {
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** Handles a request of a person. What follows the request comes behind the person. */
export type Handler<Person, Rest extends unknown[]> = (
  request: Request,
  who: Person,
  ...rest: Rest
) => Response | Promise<Response>;

/** What is known of a person under these rules: those that ask Doorward make it a {@link Session}. */
export type Known<Asked extends Rules> = Asked extends
  { verified: true } | { mfa: true } | { fresh: string } | { live: true }
  ? Session
  : Who;

/** What `protect` asks for: all of it must be met. */
export interface Rules {
  /** The id of the organization that must be the session's active one. */
  organization?: string;
  /** At least this role in the active organization. Everybody owns their personal organization. */
  role?: OrganizationRole;
  /** This role on the platform, or `admin`. */
  platform?: "admin" | "auditor" | "monitor";
  /** A verified email address. Asks Doorward. */
  verified?: boolean;
  /** A second factor shown in this session. Asks Doorward; a page leads to showing one. */
  mfa?: boolean;
  /** Proved who they are within this time, such as `15m`. Asks Doorward; a page leads to proving it. */
  fresh?: string;
  /** Asks Doorward, so that a logout is seen within a second. */
  live?: boolean;
}

/** A role in an organization. */
export type OrganizationRole = "owner" | "admin" | "member";
/** A role over Doorward itself, such as `svc:admin`; `svc` is the service name. */
export type PlatformRole = `${string}:${"admin" | "auditor" | "monitor"}`;

/** Who sent a request, by the access token. A {@link Session} has all of this, and more. */
export interface Who {
  user: { id: string; roles: PlatformRole[] };
  /** The active organization. */
  organization: { id: string; role: OrganizationRole } | null;
  session: { id: string };
}

/** A session, as Doorward shows it. Times are RFC 3339 in UTC. */
export interface Session {
  user: {
    id: string;
    email: string;
    email_verified: boolean;
    username: string;
    /** The display name: chosen by its holder, and not unique. */
    name: string | null;
    external_id: string | null;
    roles: PlatformRole[];
    disabled: boolean;
    created_at: string;
  };
  /** The active organization. */
  organization: { id: string; name: string; kind: "personal" | "team"; role: OrganizationRole } | null;
  session: {
    id: string;
    created_at: string;
    /** When the person last proved who they are. */
    authenticated_at: string;
    expires_at: string;
    /** How the person has authenticated, such as `password`, `totp`, `passkey`. */
    methods: string[];
  };
  /** The audience of the access token; null where only the refresh token speaks. */
  audience: string | null;
}

/** The outcome of a refresh. */
export interface Refreshed {
  /** Null: nobody is logged in. */
  who: Who | Session | null;
  /** Doorward's `Set-Cookie` lines, for the browser. */
  setCookie: string[];
}

/** Options of `logoutForm`. */
export interface LogoutFormOptions {
  /** The button's text; by default `Log out`. */
  label?: string;
  /** Where the logout leads; by default to the login. */
  returnTo?: string;
}

/** The claims of an access token. Times are seconds since 1970. */
export interface Claims {
  iss: string;
  /** The user's id. */
  sub: string;
  aud: string[];
  client_id: string;
  iat: number;
  exp: number;
  jti: string;
  /** The session's id. */
  sid: string;
  /** The active organization. */
  org_id: string;
  org_role: OrganizationRole;
  roles: PlatformRole[];
}

/** The claims of the gate's assertion, which is valid for a minute. */
export interface AssertionClaims extends Omit<Claims, "client_id"> {
  email: string;
  email_verified: boolean;
  username: string;
}

/** Why a token is refused; `unavailable`: the keys could not be fetched. */
export type TokenError =
  | "malformed"
  | "algorithm"
  | "key"
  | "signature"
  | "typ"
  | "issuer"
  | "audience"
  | "expired"
  | "not_yet"
  | "unavailable";

/** Everything this library throws. The message says what is wrong and how to mend it, and has no secret. */
export class DoorwardError extends Error {
  constructor(code: string, message: string, options?: { cause?: unknown });
  /**
   * What is wrong, for programs: one of {@link TokenError}; `configuration`, `missing_url` at the start; of those that
   * are logged `issuer_mismatch`, `audience_mismatch`, `wrong_host`, `wrong_origin`, `http_cookie`, `clock_skew`,
   * `keys_unreachable`, `unavailable`; `binary_missing` of the test fixtures.
   */
  readonly code: string;
}
