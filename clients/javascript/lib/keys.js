import { DoorwardError } from "./errors.js";
import { decodeBase64Url, decodeObject, isObject } from "./encoding.js";

/** @import { Algorithm, Keys } from "./jwt.js" */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST_KEYS = 100;

/** What a JWK must be for each algorithm, and how the platform imports it. */
const KINDS = {
  EdDSA: { kty: "OKP", crv: "Ed25519", numbers: ["x"], algorithm: { name: "Ed25519" } },
  ES256: { kty: "EC", crv: "P-256", numbers: ["x", "y"], algorithm: { name: "ECDSA", namedCurve: "P-256" } },
};

/** @typedef {{ body: Uint8Array, maxAge?: number }} Published the JWK set, and for how many seconds it may be kept */
/** @typedef {{ jwk: Record<string, unknown>, imported?: Promise<CryptoKey> }} Kept */

/**
 * The published keys, kept for their `max-age`. One request at a time asks for them; an unknown `kid` asks again, at
 * most once a minute. When asking fails, what was there stays good for a day.
 *
 * @param {() => Promise<Published>} ask
 * @param {() => number} clock milliseconds
 * @returns {Keys}
 */
export function publishedKeys(ask, clock) {
  /** @type {Map<string, Kept[]> | undefined} */
  let set;
  /** @type {Promise<void> | undefined} */
  let asking;
  let [askedAt, freshUntil, goodUntil, retryAt] = [-Infinity, -Infinity, -Infinity, -Infinity];
  /** Asked for an unknown key: when, and whether that failed. */
  let unknown = { at: -Infinity, failed: false };

  function load() {
    asking ??= ask()
      .then(({ body, maxAge = 3600 }) => {
        set = read(body);
        askedAt = clock();
        freshUntil = askedAt + Math.min(Math.max(maxAge * 1000, 5 * MINUTE), DAY);
        goodUntil = askedAt + DAY;
      })
      .catch((error) => {
        retryAt = clock() + MINUTE;
        throw new DoorwardError("unavailable", "The keys of Doorward could not be fetched.", { cause: error });
      })
      .finally(() => (asking = undefined));
    return asking;
  }

  const isGood = () => set && clock() < goodUntil && clock() >= askedAt - MINUTE;

  async function current() {
    if (isGood() && (clock() < freshUntil || clock() < retryAt)) return;
    await load().catch((error) => {
      if (!isGood()) throw error;
    });
  }

  async function askForUnknown() {
    if (!asking && clock() - unknown.at < MINUTE) {
      if (unknown.failed) throw new DoorwardError("unavailable", "The keys of Doorward could not be fetched.");
      return;
    }
    if (!asking) unknown = { at: clock(), failed: true };
    await load();
    unknown.failed = false;
  }

  return {
    algorithms: ["EdDSA", "ES256"],
    async find(kid, algorithm) {
      await current();
      if (!set?.has(kid)) await askForUnknown();
      return importKey(set?.get(kid) ?? [], algorithm);
    },
  };
}

/**
 * Keys shared with Doorward (SVC_JWT_KEYS).
 *
 * @param {Map<string, Uint8Array<ArrayBuffer>>} shared
 * @returns {Keys}
 */
export function sharedKeys(shared) {
  return {
    algorithms: ["HS256"],
    async find(kid) {
      const bytes = shared.get(kid);
      if (!bytes) throw noKey();
      return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    },
  };
}

/**
 * @param {Uint8Array} body
 * @returns {Map<string, Kept[]>}
 */
function read(body) {
  const keys = decodeObject(body)?.keys;
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) throw new Error("no set of keys");
  /** @type {Map<string, Kept[]>} */
  const set = new Map();
  for (const jwk of keys) {
    if (!isObject(jwk) || typeof jwk.kid !== "string") continue;
    set.set(jwk.kid, [...(set.get(jwk.kid) ?? []), { jwk }]);
  }
  return set;
}

/** @param {Kept[]} candidates @param {Algorithm} algorithm */
async function importKey(candidates, algorithm) {
  const kind = KINDS[/** @type {keyof typeof KINDS} */ (algorithm)];
  const kept = candidates.find(({ jwk }) => {
    const { kty, crv, use = "sig", alg = algorithm } = jwk;
    const isWhole = kind.numbers.every((name) => decodeBase64Url(jwk[name])?.length === 32);
    return kty === kind.kty && crv === kind.crv && use === "sig" && alg === algorithm && isWhole;
  });
  if (!kept) throw noKey();
  const { kty, crv, x, y } = /** @type {JsonWebKey} */ (kept.jwk);
  kept.imported ??= crypto.subtle.importKey("jwk", { kty, crv, x, y }, kind.algorithm, false, ["verify"]);
  return kept.imported.catch(() => {
    throw noKey();
  });
}

function noKey() {
  return new DoorwardError("key", "No published key of Doorward fits the token.");
}
