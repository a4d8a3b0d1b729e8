/** Writes events.d.ts from the JSON schemas of the events. A test says whether it is current. */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const SCHEMAS = new URL("../../../docs/reference/events/", import.meta.url);
const TARGET = new URL("../events.d.ts", import.meta.url);

const HEAD = `// Made by scripts/events.mjs from docs/reference/events. Do not edit.

/** The kinds of events. */
export type WebhookKind = keyof WebhookData;

/**
 * What a webhook tells. Its \`type\` says which \`data\` it has:
 *
 * \`\`\`ts
 * if (event.type === "user.deleted") await forget(event.data.user_id);
 * \`\`\`
 */
export type WebhookEvent = { [Kind in WebhookKind]: Envelope<Kind, WebhookData[Kind]> }[WebhookKind] | OtherEvent;

/** The test event of \`doorward webhooks ping\`. Kinds of later versions come in this shape, too: ignore them. */
export type OtherEvent = Envelope<"ping", Record<string, unknown>>;

/** What all events have. */
export interface Envelope<Type extends string, Data> {
  /** The event's id, the same at every delivery. */
  id: string;
  type: Type;
  /** When it happened, RFC 3339 in UTC. */
  created_at: string;
  data: Data;
}

/** The \`data\` of each kind of event. Later versions may add fields. */
export interface WebhookData {
`;

/** The text of events.d.ts. */
export function events() {
  const names = readdirSync(SCHEMAS).filter((name) => name.endsWith(".json") && name !== "ping.json");
  const kinds = names.sort().map((name) => kind(JSON.parse(readFileSync(new URL(name, SCHEMAS), "utf8"))));
  return `${HEAD}${kinds.join("")}}\n`;
}

/** @param {any} schema */
function kind({ title, description, properties: { data } }) {
  const missing = Object.keys(data.properties).filter((name) => !data.required.includes(name));
  if (missing.length) throw new Error(`${title}: a field that may be missing: ${missing}`);
  const fields = data.required.map((/** @type {string} */ name) => field(name, data.properties[name]));
  return `  /** ${description} */\n  "${title}": {\n${fields.join("")}  };\n`;
}

/** @param {string} name @param {any} schema */
function field(name, { description, type, enum: values }) {
  return `    /** ${description} */\n    ${name}: ${values ? values.map((/** @type {string} */ value) => `"${value}"`).join(" | ") : typeOf(type)};\n`;
}

/** @param {string | string[]} type @returns {string} */
function typeOf(type) {
  if (Array.isArray(type)) return type.map(typeOf).join(" | ");
  const known = { string: "string", boolean: "boolean", null: "null", object: "Record<string, unknown>" }[type];
  if (!known) throw new Error(`a type without a translation: ${type}`);
  return known;
}

if (process.argv[1] === import.meta.filename) writeFileSync(TARGET, events());
