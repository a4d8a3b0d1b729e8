import { DoorwardError } from "./errors.js";

/** @import { Config } from "./options.js" */

const TIME_LIMIT = 5000;
const MOST_BYTES = 256 * 1024;

/** @typedef {{ status: number, headers: Headers, body: Uint8Array<ArrayBuffer> }} Answer */

/**
 * Asks Doorward once, for at most five seconds. No answer, or half of one, is `unavailable`.
 *
 * @param {Config} config
 * @param {string} path
 * @param {{ method?: string, headers?: Record<string, string> }} [request]
 * @returns {Promise<Answer>}
 */
export async function ask(config, path, request = {}) {
  try {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    const answer = await fetch(config.internalUrl + path, {
      ...request,
      redirect: "manual",
      cache: "no-store",
      signal,
    });
    return { status: answer.status, headers: answer.headers, body: await readBody(answer, MOST_BYTES) };
  } catch (cause) {
    throw unavailable(config, "did not answer", cause);
  }
}

/**
 * @param {Config} config
 * @param {string} what it did
 * @param {unknown} [cause]
 */
export function unavailable(config, what, cause) {
  const message = `Doorward at ${config.internalUrl} ${what}: is it running, and is internalUrl (DOORWARD_INTERNAL_URL) right?`;
  return new DoorwardError("unavailable", message, { cause });
}

/**
 * The body of a request or response, which must be no longer than `most` bytes.
 *
 * @param {Pick<Response, "body">} message
 * @param {number} most
 */
export async function readBody({ body }, most) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let length = 0;
  for await (const chunk of /** @type {AsyncIterable<Uint8Array>} */ (/** @type {unknown} */ (body ?? []))) {
    length += chunk.length;
    if (length > most) throw new Error(`more than ${most} bytes`);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  chunks.reduce((at, chunk) => (whole.set(chunk, at), at + chunk.length), 0);
  return whole;
}
