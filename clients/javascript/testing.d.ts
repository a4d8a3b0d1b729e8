/** A Doorward for tests, on this machine alone. It ends with the process that started it, whatever ends that. */
export interface TestDoorward {
  /** The origin in browsers. */
  readonly url: string;
  /** The origin for programs, which need not know `localhost`. */
  readonly internalUrl: string;
  /** An API key of every scope. */
  readonly apiKey: string;
  readonly webhookSecret: string;
  /** The service's time, in milliseconds since 1970: as option `clock` of `doorward()`, it moves with `advance`. */
  readonly clock: () => number;
  /** Opens a session, as after a login, and makes the account with a verified address if there is none. */
  session(fields: SessionFields): Promise<TestSession>;
  /** The mails so far, newest first; none of them is sent. */
  mails(to?: string): Promise<Mail[]>;
  /** Moves the service's clock forward, by a duration such as `15m`. When it resolves, all that was due has happened. */
  advance(duration: string): Promise<void>;
  /** Ends it. */
  stop(): Promise<void>;
}

/** Whose session to open. */
export interface SessionFields {
  email: string;
  /** The active organization, of which the person must be a member. */
  organization_id?: string;
  /** Counts a second factor as shown. */
  mfa?: boolean;
}

/** An open session. */
export interface TestSession {
  user_id: string;
  session_id: string;
  /** Values of the cookies, by name. */
  cookies: Record<string, string>;
  /** The cookies as a `Cookie` header. */
  readonly cookie: string;
}

/** An email. `link` and `code` are null where it has none. */
export interface Mail {
  id: string;
  kind: string;
  to: string;
  subject: string;
  text: string;
  link: string | null;
  code: string | null;
}

/**
 * Starts a Doorward for tests: the program that `DOORWARD_BIN` names, else `doorward` in `PATH`. Rejects with
 * `binary_missing` where there is none. Works with every test runner.
 *
 * ```js
 * const server = await startDoorward();
 * after(() => server.stop());
 * const { cookie } = await server.session({ email: "ada@example.com" });
 * ```
 *
 * Node's `fetch` counts as a script: `protect` answers it with 401, and a `node:http` request with `Accept: text/html`
 * with 303. For a browser, `{ SVC_ALLOWED_ORIGINS: "http://localhost:3000" }` leads back to the application. Members, roles
 * and ended sessions come from API v2, with `apiKey`.
 *
 * @param settings Doorward's variables, such as `{ SVC_ACCESS_TTL: "2s" }`
 */
export function startDoorward(settings?: Record<string, string>): Promise<TestDoorward>;
