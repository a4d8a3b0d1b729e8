import { DoorwardError } from "./errors.js";

/** @import { Rules, Session, Who } from "../index.js" */
/** @import { Config } from "./options.js" */

const ORGANIZATION_ROLES = ["member", "admin", "owner"];
const PLATFORM_ROLES = ["admin", "auditor", "monitor"];
/** A trusted device shows nothing. */
const SECOND_FACTORS = ["totp", "recovery_code", "passkey", "provider_mfa"];
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const FLAG = { is: "true or false", reads: (/** @type {unknown} */ value) => typeof value === "boolean" };

/** What each rule is, and whether a value is that. @type {Record<string, { is: string, reads(value: unknown): boolean }>} */
const RULES = {
  organization: { is: "the id of an organization", reads: (value) => isText(value) && ID.test(value) },
  role: oneOf(ORGANIZATION_ROLES),
  platform: oneOf(PLATFORM_ROLES),
  verified: FLAG,
  mfa: FLAG,
  fresh: { is: "a duration, such as 15m", reads: (value) => isText(value) && milliseconds(value) > 0 },
  live: FLAG,
};

/** @param {string[]} names */
function oneOf(names) {
  return {
    is: `one of ${names.join(", ")}`,
    reads: (/** @type {unknown} */ value) => isText(value) && names.includes(value),
  };
}

/**
 * Refuses rules that cannot be read, when a route is made: never a pass.
 *
 * @param {Rules} rules
 */
export function checkRules(rules) {
  for (const [rule, value] of Object.entries(rules)) {
    const known = RULES[rule];
    if (!known) throw wrong(`There is no rule ${rule}: there are ${Object.keys(RULES).join(", ")}`);
    if (!known.reads(value)) throw wrong(`The rule ${rule} is ${known.is}, and not ${JSON.stringify(value)}`);
  }
  return rules;
}

/** Whether rules need what only Doorward knows. @param {Rules} rules */
export function needLook({ verified, mfa, fresh, live }) {
  return Boolean(verified || mfa || fresh || live);
}

/**
 * What a person lacks: nothing, a proof that they can give (the query of the page that asks for it), or anything else.
 * The latter comes first: then a proof would be of no use.
 *
 * @param {Config} config
 * @param {Rules} rules
 * @param {Who | Session} who
 * @returns {{ proof?: string } | undefined}
 */
export function lack({ name, clock }, { organization, role, platform, verified, mfa, fresh }, who) {
  const session = /** @type {Session} */ (who);
  const rank = ORGANIZATION_ROLES.indexOf(who.organization?.role ?? "");
  const roles = who.user.roles.map(String);
  const isIn = organization === undefined || who.organization?.id === organization;
  const hasRole = role === undefined || rank >= ORGANIZATION_ROLES.indexOf(role);
  const hasPlatform = platform === undefined || [platform, "admin"].some((held) => roles.includes(`${name}:${held}`));
  if (!isIn || !hasRole || !hasPlatform || (verified && session.user.email_verified !== true)) return {};
  if (mfa && !SECOND_FACTORS.some((method) => session.session.methods?.includes(method))) return { proof: "mfa=1" };
  if (!fresh) return undefined;
  const isFresh = clock() - Date.parse(session.session.authenticated_at) <= milliseconds(fresh);
  return isFresh ? undefined : { proof: `max_age=${Math.max(1, Math.floor(milliseconds(fresh) / 1000))}` };
}

/** @param {string} duration as Doorward writes it: `15m`, `1h30m`; NaN for anything else */
function milliseconds(duration) {
  if (!/^(\d{1,9}(ms|[smh]))+$/.test(duration)) return NaN;
  const parts = duration.match(/\d+(ms|[smh])/g) ?? [];
  return parts.reduce((sum, part) => {
    const unit = /** @type {keyof typeof UNITS} */ (part.replace(/\d+/, ""));
    return sum + Number.parseInt(part) * UNITS[unit];
  }, 0);
}

/** @param {unknown} value @returns {value is string} */
function isText(value) {
  return typeof value === "string" && value !== "";
}

/** @param {string} message */
function wrong(message) {
  return new DoorwardError("configuration", `${message}.`);
}
