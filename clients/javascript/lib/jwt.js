import { DoorwardError } from "./errors.js";
import { decodeBase64Url, decodeObject } from "./encoding.js";

/** Seconds that the clocks of two machines may differ. */
const LEEWAY = 60;
/** The longest token that Doorward takes (API v1, 6.5). */
const LONGEST = 4096;

/** What of the platform verifies which algorithm. */
const ALGORITHMS = {
  EdDSA: { name: "Ed25519" },
  ES256: { name: "ECDSA", hash: "SHA-256" },
  HS256: { name: "HMAC" },
};

/** @typedef {keyof typeof ALGORITHMS} Algorithm */

/**
 * Where keys come from: `find` rejects with `key` or `unavailable`.
 *
 * @typedef {{ algorithms: readonly Algorithm[], find(kid: string, algorithm: Algorithm): Promise<CryptoKey> }} Keys
 */

/**
 * The claims of a genuine JWT (RFC 8725), or a DoorwardError whose code says what is wrong.
 *
 * @param {string} token
 * @param {{ typ: string, keys: Keys, issuer: string, isFor: (audience: unknown[]) => boolean, now: number }} expected
 *   `now` in seconds
 * @returns {Promise<Record<string, unknown>>}
 */
export async function verifyJwt(token, { typ, keys, issuer, isFor, now }) {
  const { header, claims, signed, signature } = parse(token);
  const algorithm = keys.algorithms.find((known) => known === header.alg);
  if (!algorithm) throw refused("algorithm", `The token is not signed with ${keys.algorithms.join(" or ")}`);
  const key = await keys.find(/** @type {string} */ (header.kid), algorithm);
  const isGenuine = await crypto.subtle.verify(ALGORITHMS[algorithm], key, signature, signed).catch(() => {
    // Deno imports points that are on no curve, and fails here.
    throw refused("key", "The published key of the token is no key");
  });
  if (!isGenuine) throw refused("signature", "The signature of the token is wrong");
  if (typeof header.typ !== "string" || header.typ.toLowerCase().replace(/^application\//, "") !== typ) {
    throw refused("typ", `The token has another typ than ${typ}`);
  }
  if (claims.iss !== issuer) {
    throw refused("issuer", `The token was issued by ${shown(claims.iss)}, not by ${shown(issuer)}`);
  }
  if (!Array.isArray(claims.aud) || !isFor(claims.aud)) {
    throw refused("audience", `The token is for ${shown(claims.aud)}`);
  }
  if (now > /** @type {number} */ (claims.exp) + LEEWAY) throw refused("expired", "The token has expired");
  if (typeof claims.nbf === "number" && claims.nbf > now + LEEWAY)
    throw refused("not_yet", "The token is not valid yet");
  return claims;
}

/** @param {string} token */
function parse(token) {
  const parts = typeof token === "string" && token.length <= LONGEST ? token.split(".") : [];
  const [header, claims, signature] = parts.map(decodeBase64Url);
  const [head, body] = [decodeObject(header), decodeObject(claims)];
  const isWhole = parts.length === 3 && head && body && signature;
  if (!isWhole || "crit" in head || typeof head.kid !== "string" || !isReadable(body)) {
    throw refused("malformed", "This is no token of Doorward's");
  }
  const signed = new TextEncoder().encode(`${parts[0]}.${parts[1]}`);
  /** @type {Record<string, unknown>} */
  const complete = { roles: [], ...body };
  return { header: head, claims: complete, signed, signature };
}

/** @param {Record<string, unknown>} claims */
function isReadable({ sub, exp, nbf = 0, roles = [], org_id, org_role }) {
  const areTimes = Number.isSafeInteger(exp) && Number.isSafeInteger(nbf);
  const texts = Array.isArray(roles) && [...roles, org_id ?? "", org_role ?? ""];
  const areTexts = texts && texts.every((value) => typeof value === "string");
  return typeof sub === "string" && sub !== "" && areTimes && areTexts;
}

/** @param {string} code @param {string} message */
function refused(code, message) {
  return new DoorwardError(code, `${message}.`);
}

/** @param {unknown} value */
function shown(value) {
  return (JSON.stringify(value) ?? "nobody").slice(0, 200);
}
