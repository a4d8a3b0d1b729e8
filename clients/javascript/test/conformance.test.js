import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** Answers of the program, a line for each case. */
async function answers(kind, cases) {
  const program = spawn(process.execPath, ["conformance.mjs", kind], { cwd: new URL("..", import.meta.url) });
  program.stdin.end(cases.map((given) => `${JSON.stringify(given)}\n`).join(""));
  const text = await new Response(program.stdout).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

for (const kind of ["verify", "gate", "webhooks"]) {
  const file = new URL(`../../conformance/${kind}.json`, import.meta.url);
  test(`every shared case of ${kind} is answered as expected, in order`, async () => {
    const { cases } = JSON.parse(readFileSync(file, "utf8"));
    const given = cases.map(({ expect, ...rest }) => rest);
    assert.deepEqual(
      await answers(kind, given),
      cases.map(({ id, expect }) => ({ id, ...expect })),
    );
  });
}
