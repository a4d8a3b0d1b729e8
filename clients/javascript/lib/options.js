import { DoorwardError, reporter } from "./errors.js";
import { decodeBase64 } from "./encoding.js";
import { rememberIds } from "./seen.js";

/** @import { Options } from "../index.js" */

/** Options that a variable may stand for, with that variable. */
const VARIABLES = /** @type {const} */ ({
  url: "DOORWARD_URL",
  internalUrl: "DOORWARD_INTERNAL_URL",
  name: "DOORWARD_NAME",
  audience: "DOORWARD_AUDIENCE",
  appUrl: "DOORWARD_APP_URL",
  webhookSecret: "DOORWARD_WEBHOOK_SECRET",
  webhookSecretPrevious: "DOORWARD_WEBHOOK_SECRET_PREVIOUS",
});
/** Options alone, with what each must be. */
const ALONE = {
  issuer: (/** @type {any} */ value) => typeof value === "string",
  keys: (/** @type {any} */ value) => typeof value === "string",
  origins: Array.isArray,
  seen: (/** @type {any} */ value) => typeof value?.has === "function" && typeof value.add === "function",
  clock: (/** @type {any} */ value) => typeof value === "function",
  log: (/** @type {any} */ value) => typeof value === "function",
};

/** @typedef {ReturnType<typeof configure>} Config */

/**
 * Reads options and environment, and refuses what cannot work: a wrong setting stops the start.
 *
 * @param {Options} options
 */
export function configure(options) {
  checkNames(options);
  const given = read(options);
  if (!given.url) {
    const mend = "set DOORWARD_URL to the address of Doorward in browsers, such as http://localhost:8080";
    throw new DoorwardError("missing_url", `The address of Doorward is missing: ${mend}.`);
  }
  const url = origin("url", given.url);
  const name = given.name ?? "svc";
  if (!/^[a-z][a-z0-9]{0,31}$/.test(name)) throw wrong("name", "is no service name", "[a-z][a-z0-9]{0,31}");
  const clock = options.clock ?? Date.now;
  const log = options.log ?? ((error) => console.error(`doorward: ${error.code}: ${error.message}`));
  return Object.freeze({
    url,
    internalUrl: given.internalUrl ? origin("internalUrl", given.internalUrl) : url,
    name,
    audience: given.audience ?? "app",
    appUrl: given.appUrl ? new URL(address("appUrl", given.appUrl)).origin : undefined,
    issuer: options.issuer ?? url,
    sharedKeys: options.keys === undefined ? undefined : sharedKeys(options.keys),
    origins: new Set((options.origins ?? []).map((value) => origin("origins", value))),
    webhookSecrets: [
      secret("webhookSecret", given.webhookSecret),
      secret("webhookSecretPrevious", given.webhookSecretPrevious),
    ].filter((key) => key !== undefined),
    seen: options.seen ?? rememberIds(),
    clock,
    report: reporter(log, clock),
  });
}

/** @param {Options} options */
function checkNames(options) {
  for (const [option, value] of Object.entries(options)) {
    if (option in VARIABLES) continue;
    const isFit = ALONE[/** @type {keyof typeof ALONE} */ (option)];
    if (!isFit) throw wrong(option, "is no option", [...Object.keys(VARIABLES), ...Object.keys(ALONE)].join(", "));
    if (value !== undefined && !isFit(value)) throw wrong(option, "has another type", "what the reference says");
  }
}

/**
 * @param {Options} options
 * @returns {{ [K in keyof typeof VARIABLES]?: string }}
 */
function read(options) {
  const environment = globalThis.process?.env ?? {};
  const entries = Object.entries(VARIABLES).map(([option, variable]) => {
    const value = options[/** @type {keyof typeof VARIABLES} */ (option)] ?? environment[variable];
    if (value !== undefined && typeof value !== "string") throw wrong(option, "is no text", "a string");
    return [option, value || undefined];
  });
  return Object.fromEntries(entries);
}

/** @param {string} option @param {string} value */
function address(option, value) {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const fits = parsed && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password;
  if (!fits) throw wrong(option, "is no address", "http:// or https:// and a host");
  return value;
}

/** @param {string} option @param {string} value */
function origin(option, value) {
  const { origin, pathname, search, hash } = new URL(address(option, value));
  if (pathname !== "/" || search || hash) throw wrong(option, "has a path", `an origin, such as ${origin}`);
  return origin;
}

/** @param {string} option @param {string | undefined} value */
function secret(option, value) {
  if (value === undefined) return undefined;
  const key = webhookKey(value);
  if (!key?.length) throw wrong(option, "cannot be read", "the whole text of SVC_WEBHOOK_SECRET");
  return key;
}

/** The key of `webhook-signature`. @param {string} secret */
export function webhookKey(secret) {
  return secret.startsWith("whsec_") ? decodeBase64(secret.slice(6)) : new TextEncoder().encode(secret);
}

/**
 * @param {string} text as in SVC_JWT_KEYS: `kid:base64,kid2:base64`
 * @returns {Map<string, Uint8Array<ArrayBuffer>>}
 */
function sharedKeys(text) {
  const keys = String(text)
    .split(",")
    .map((pair) => {
      const [kid, encoded] = pair.trim().split(":");
      const key = decodeBase64(encoded ?? "");
      if (!kid || !key || key.length < 32) throw wrong("keys", "cannot be read", "the text of SVC_JWT_KEYS");
      return /** @type {const} */ ([kid, key]);
    });
  return new Map(keys);
}

/** @param {string} option @param {string} problem @param {string} expected */
function wrong(option, problem, expected) {
  const variable = Object.entries(VARIABLES).find(([key]) => key === option)?.[1];
  const named = variable ? `${option} (${variable})` : option;
  return new DoorwardError("configuration", `${named} ${problem}. Expected: ${expected}.`);
}
