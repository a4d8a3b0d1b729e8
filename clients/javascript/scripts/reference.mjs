/** Writes reference.md from the comments of the .d.ts files. A test says whether it is current. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const ENTRIES = {
  ".": "index",
  "./express": "express",
  "./next": "next",
  "./browser": "browser",
  "./testing": "testing",
  events: "events",
};
const TARGET = new URL("../reference.md", import.meta.url);

/** A comment, and the declaration behind it: one without a body ends with a semicolon, one with it before its brace. */
const DECLARATION =
  /^\/\*\*\n?([\s\S]*?)\*\/\nexport (?:declare )?(?:type|interface|class|function|const) (?:[\s\S]*?)(?: \{\n([\s\S]*?)^\}|;$)/gm;
const MEMBER = /^ {2}\/\*\*\n?([\s\S]*?)\*\/\n([\s\S]*?)(?:;$| \{$)/gm;

/** The text of reference.md. */
export function reference() {
  const sections = Object.entries(ENTRIES).map(([entry, file]) => section(entry, `${file}.d.ts`));
  const head =
    "# Reference of the JavaScript library\n\nMade from the comments of the `.d.ts` files, by `npm run reference`.\n";
  return head + sections.join("");
}

/** @param {string} entry @param {string} file */
function section(entry, file) {
  const url = new URL(`../${file}`, import.meta.url);
  if (!existsSync(url)) return "";
  const title = entry === "events" ? "Events of webhooks" : `\`doorward${entry.slice(1)}\``;
  const declarations = [...readFileSync(url, "utf8").matchAll(DECLARATION)];
  return `\n## ${title}\n${declarations.map(([all, comment = "", body]) => declaration(all, comment, body)).join("")}`;
}

/** @param {string} all @param {string} comment @param {string | undefined} body */
function declaration(all, comment, body) {
  const code = all.slice(all.indexOf("*/\nexport ") + 3 + "export ".length).replace(/\{@link ([\w.]+)\}/g, "`$1`");
  const name = /(?:type|interface|class|function|const) (\w+)/.exec(code)?.[1];
  const members = membersOf(body ?? "");
  const signature = members ? "" : `\n\`\`\`ts\n${code}\n\`\`\`\n`;
  return `\n### ${name}\n${signature}\n${prose(comment)}\n${members && `\n${members}`}`;
}

/** A list of the members of a body, if each has a comment and none has members of its own. @param {string} body */
function membersOf(body) {
  const members = [...body.matchAll(MEMBER)];
  const count = body.match(/^ {2}[\w"]/gm)?.length ?? 0;
  if (members.length !== count || members.some(([all]) => all.endsWith("{"))) return "";
  return members.map(([, text = "", signature = ""]) => `- \`${flat(signature)}\`: ${flat(prose(text))}\n`).join("");
}

/** The text of a comment. @param {string} comment */
function prose(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^ *\* ?/, "").trimEnd());
  return lines
    .join("\n")
    .replace(/\{@link ([\w.]+)\}/g, "`$1`")
    .replace(/^@param (\w+)/gm, "`$1`:")
    .trim();
}

/** @param {string} text */
function flat(text) {
  return text.replace(/\s+/g, " ").replace(/\( /g, "(").replace(/, \)/g, ")").trim();
}

if (process.argv[1] === import.meta.filename) writeFileSync(TARGET, reference());
