/**
 * Answers the cases of clients/conformance, one JSON a line, on standard output:
 *
 *     node conformance.mjs verify|gate|webhooks < cases
 */
import { createInterface } from "node:readline";
import { DoorwardError } from "./lib/errors.js";
import { verifyJwt } from "./lib/jwt.js";
import { publishedKeys } from "./lib/keys.js";
import { webhookKey } from "./lib/options.js";
import { readWebhook } from "./lib/webhook.js";

/** @type {Record<string, (given: any) => Promise<object>>} */
const KINDS = {
  verify: (given) => verify(given, "at+jwt", (audience) => audience.includes(given.options.audience)),
  gate: (given) =>
    verify(given, "gate+jwt", ([first, ...others]) => first === given.options.audience && !others.length),
  webhooks,
};

/** @param {any} given @param {string} typ @param {(audience: unknown[]) => boolean} isFor */
async function verify({ now, jwks, options: { issuer }, token }, typ, isFor) {
  const answers = jwks.values();
  const keys = publishedKeys(
    async () => {
      const { value } = answers.next();
      if (value === null || value === undefined) throw new Error("no answer");
      return { body: new TextEncoder().encode(JSON.stringify(value)) };
    },
    () => now * 1000,
  );
  const { sub, org_id = null, org_role = null, roles } = await verifyJwt(token, { typ, keys, issuer, isFor, now });
  return { sub, org_id, org_role, roles };
}

/** @param {any} given */
async function webhooks({ now, secrets, headers, body, seen }) {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const event = await readWebhook({ get: (name) => lower.get(name) ?? null }, Buffer.from(body, "base64"), {
    secrets: secrets.map(webhookKey),
    seen: new Set(seen),
    now,
  });
  return { event: event.id, type: event.type };
}

const answer = KINDS[process.argv[2] ?? ""];
if (!answer) throw new Error(`Usage: node conformance.mjs ${Object.keys(KINDS).join("|")}`);
for await (const line of createInterface(process.stdin)) {
  const { id, ...given } = JSON.parse(line);
  const outcome = await answer(given).then(
    (result) => ({ ok: true, ...result }),
    (error) => {
      if (!(error instanceof DoorwardError)) throw error;
      return { ok: false, error: error.code };
    },
  );
  process.stdout.write(`${JSON.stringify({ id, ...outcome })}\n`);
}
