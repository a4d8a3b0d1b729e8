import { sessionCookies } from "./cookies.js";
import { isOwn } from "./requests.js";

/** @import { RequestLike } from "../index.js" */
/** @import { Config } from "./options.js" */

/**
 * @param {Config} config
 * @param {RequestLike} request
 * @param {string} [token]
 */
export async function checkCsrf(config, request, token) {
  if (!isOwn(config, request)) return false;
  if (token === undefined) return true;
  const { csrf } = sessionCookies(config, request);
  return csrf !== "" && typeof token === "string" && areEqual(csrf, token);
}

/** In constant time, as the platform compares MACs. @param {string} a @param {string} b */
async function areEqual(a, b) {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
  const mac = await crypto.subtle.sign("HMAC", key, encoder.encode(a));
  return crypto.subtle.verify("HMAC", key, mac, encoder.encode(b));
}
