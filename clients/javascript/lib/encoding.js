/**
 * Standard base64, padded or not; undefined for anything else, also for bits that no byte needs (RFC 4648, 3.5).
 *
 * @param {string} text
 */
export function decodeBase64(text) {
  const digits = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  const binary = atob(digits);
  if (btoa(binary).replace(/=+$/, "") !== digits) return undefined;
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
}

/**
 * Base64url without padding, as JOSE writes it; undefined for anything else.
 *
 * @param {unknown} text
 */
export function decodeBase64Url(text) {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  return decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

/**
 * A JSON object in UTF-8 whose members stand in it once; undefined for anything else.
 *
 * @param {Uint8Array | undefined} bytes
 * @returns {Record<string, unknown> | undefined}
 */
export function decodeObject(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text);
    return isObject(value) && countMembers(text) === Object.keys(value).length ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How many members the text of an object has: of two with one name `JSON.parse` takes the last. @param {string} text */
function countMembers(text) {
  let [depth, count] = [0, 0];
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") depth--;
    else if (sign === ":" && depth === 1) count++;
  }
  return count;
}
