// Keeps the rows of docs/reference/tried-software.md in results.json, as the verdicts make them, and writes the tables of
// docs/guides/tokens.md. What was not tried this time stays.
// Arguments: the file of verdicts, results.json, docs/guides/tokens.md.
import { readFileSync, writeFileSync } from "node:fs";

const [, , verdicts, results, page] = process.argv;
const lines = readFileSync(verdicts, "utf8").trim().split("\n").map((line) => line.split("\t"));
const by = (rows, key) => Map.groupBy ? Map.groupBy(rows, key) : rows.reduce((all, row) => {
  all.set(key(row), [...(all.get(key(row)) ?? []), row]);
  return all;
}, new Map());

/** Yes if all that is right is accepted, and all that is wrong refused. */
function cell(rows, isRight) {
  if (rows.length === 0) return "";
  const wrong = rows.find((row) => !isRight(row[5]) && row[6] === "accepted");
  if (wrong) return `**unsafe**: accepts "${wrong[5]}"`;
  const refused = rows.find((row) => isRight(row[5]) && row[6] !== "accepted");
  return refused ? "no" : "yes";
}

function tokenRow(name, version, own) {
  const tokenCell = (set, alg) => cell(own.filter((row) => row[3] === set && row[4] === alg), (name) => name === "right");
  return [name, version, tokenCell("EdDSA", "EdDSA"), tokenCell("ES256", "ES256"), tokenCell("both", "ES256")];
}

function webhookRow(name, version, own) {
  const right = ["right", "new one of two secrets", "old one of two secrets"];
  const inHeader = own[0][3] === "webhook-signature" ? right : right.slice(0, 2);
  // X-Svc-Signature covers no time, so an old request passes.
  const judged = own.filter((row) => own[0][3] === "webhook-signature" || row[5] !== "too old");
  return [name, version, `\`${own[0][3]}\``, cell(judged, (name) => inHeader.includes(name))];
}

/** What was tried of this one alone, and the result: each "no" with what came instead, and what one should know. */
function triedRow(name, version, own) {
  const outcome = (row, word) => row[6].startsWith(`${word} `) && row[6].slice(word.length + 1);
  const failed = own.filter((row) => row[6].split(" ")[0] === "no").map((row) => `${row[5]}: no (${outcome(row, "no")})`);
  const notes = own.map((row) => outcome(row, "note")).filter(Boolean);
  const works = failed.length === 0 ? ["works"] : failed.map((text) => `**${text}**`);
  const tried = own.filter((row) => row[3] === "own").map((row) => row[5]);
  return [name, version, tried.join("; "), [...works, ...notes].join("; ")];
}

/** Those that were used: the page has them. */
const settings = lines.filter(([kind]) => kind === "settings").map(([, block]) => JSON.parse(block));
const rowOf = { tokens: tokenRow, webhooks: webhookRow, applications: triedRow, programs: triedRow };
const kept = JSON.parse(readFileSync(results, "utf8"));
const { cases, rows } = kept;
for (const [kind, ofKind] of by(lines.filter(([kind]) => rowOf[kind]), (row) => row[0])) {
  // Those of one application alone stand in its row.
  cases[kind] = [...new Set(ofKind.filter((row) => !["own", "note"].includes(row[3])).map((row) => row[5]))];
  rows[kind] = [...by(ofKind, (row) => row[1])].map(([name, own]) => rowOf[kind](name, own[0][2].split("-")[0], own));
}
writeFileSync(results, JSON.stringify({ cases, settings: settings.length > 0 ? settings : kept.settings, rows }, null, 2) + "\n");

const heads = {
  tokens: ["Library", "Version", "`EdDSA`", "ES256", "ES256, keys of both kinds in the set"],
  webhooks: ["Library", "Version", "Header", "Verifies"],
};
let text = readFileSync(page, "utf8");
for (const [kind, head] of Object.entries(heads)) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const lines = [line(head), line(head.map(() => "---")).replaceAll(" ", ""), ...rows[kind].map(line)];
  const mark = new RegExp(`(<!-- ${kind}: .*-->\n)[^]*?(\n<!-- end -->)`);
  if (!mark.test(text)) throw new Error(`${page} has no place for the table of ${kind}`);
  text = text.replace(mark, `$1\n${lines.join("\n")}\n$2`);
}
writeFileSync(page, text);
