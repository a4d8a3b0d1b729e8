import { readBody } from "./ask.js";
import { decodeBase64, decodeObject, isObject } from "./encoding.js";
import { DoorwardError } from "./errors.js";

/** @import { Seen, WebhookEvent } from "../index.js" */
/** @import { Config } from "./options.js" */

const TOLERANCE = 300;
const MOST_BYTES = 1024 * 1024;
const REASONS = {
  signature:
    "its signature is not of webhookSecret (DOORWARD_WEBHOOK_SECRET), which is Doorward's SVC_WEBHOOK_SECRET, or somebody else sends here",
  timestamp: "it was sent more than five minutes from this machine's clock: set it, such as with NTP",
  replay: "it has been processed before",
  malformed: "its body is no event of Doorward",
};
const STATUS = { signature: 401, timestamp: 401, malformed: 400, replay: 204 };

/**
 * The event of a webhook that is genuine (Standard Webhooks 1.0) and new; else an error whose code is `signature`,
 * `timestamp`, `replay` or `malformed`.
 *
 * @param {{ get(name: string): string | null }} headers
 * @param {Uint8Array} body as it came, byte for byte
 * @param {{ secrets: Uint8Array<ArrayBuffer>[], seen: Seen, now: number }} known `now` in seconds
 * @returns {Promise<WebhookEvent>}
 */
export async function readWebhook(headers, body, { secrets, seen, now }) {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headers.get(name),
  );
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!id || !timestamp || !signatures) throw refused("signature");
  if (!(await isSigned(signed, signatures, secrets))) throw refused("signature", "signature");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) {
    throw refused("timestamp", "clock_skew");
  }
  if (await seen.has(id)) throw refused("replay");
  const event = decodeObject(body);
  if (!isEvent(event) || event.id !== id) throw refused("malformed");
  return event;
}

/**
 * Receives a webhook: the status of the answer.
 *
 * @param {Config} config
 * @param {{ get(name: string): string | null }} headers
 * @param {Uint8Array} body
 * @param {(event: WebhookEvent) => unknown} handler
 */
export async function receive({ webhookSecrets: secrets, seen, clock, report }, headers, body, handler) {
  try {
    const event = await readWebhook(headers, body, { secrets, seen, now: clock() / 1000 });
    await handler(event);
    await seen.add(event.id);
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookRefusal)) throw error;
    if (error.lesson) report(new DoorwardError(error.lesson, error.message));
    return STATUS[error.reason];
  }
}

/** @param {Config} config */
export function requireSecret({ webhookSecrets }) {
  if (webhookSecrets.length) return;
  const mend = "set webhookSecret (DOORWARD_WEBHOOK_SECRET) to the whole text of Doorward's SVC_WEBHOOK_SECRET";
  throw new DoorwardError("configuration", `The secret of webhooks is missing: ${mend}.`);
}

/** The bytes of a webhook; undefined if there are too many. @param {Pick<Response, "body">} request */
export function readWebhookBody(request) {
  return readBody(request, MOST_BYTES).catch(() => undefined);
}

/** @param {Uint8Array<ArrayBuffer>} signed @param {string} signatures @param {Uint8Array<ArrayBuffer>[]} secrets */
async function isSigned(signed, signatures, secrets) {
  const given = signatures.split(" ").filter((signature) => /^v1,.{43}=$/.test(signature));
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of given) {
      const mac = decodeBase64(signature.slice(3));
      if (mac && (await crypto.subtle.verify("HMAC", key, mac, signed))) return true;
    }
  }
  return false;
}

/**
 * @param {Record<string, unknown> | undefined} value
 * @returns {value is Record<string, unknown> & WebhookEvent}
 */
function isEvent(value) {
  const { id, type, created_at, data } = value ?? {};
  return typeof id === "string" && typeof type === "string" && typeof created_at === "string" && isObject(data);
}

/** @param {Uint8Array} first @param {Uint8Array} second */
function join(first, second) {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

class WebhookRefusal extends DoorwardError {
  /**
   * @param {keyof typeof STATUS} reason
   * @param {string} [lesson] what the operator may have to mend
   */
  constructor(reason, lesson) {
    super(reason, `A webhook was refused: ${REASONS[reason]}.`);
    this.reason = reason;
    this.lesson = lesson;
  }
}

/** @param {keyof typeof STATUS} reason @param {string} [lesson] */
function refused(reason, lesson) {
  return new WebhookRefusal(reason, lesson);
}
