/**
 * Standard base64, padded or not; undefined for anything else.
 *
 * @param {string} text
 */
export function decodeBase64(text) {
  const digits = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(digits), (sign) => sign.charCodeAt(0));
}

/**
 * Base64url without padding, as JOSE writes it; undefined for anything else.
 *
 * @param {string} text
 */
export function decodeBase64Url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  return decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

/**
 * A JSON object in UTF-8; undefined for anything else.
 *
 * @param {Uint8Array | undefined} bytes
 * @returns {Record<string, unknown> | undefined}
 */
export function decodeObject(bytes) {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
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
