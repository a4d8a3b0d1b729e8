import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { events } from "../scripts/events.mjs";
import { reference } from "../scripts/reference.mjs";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");
const { dependencies, exports, files } = JSON.parse(read("package.json"));

test("the types of webhooks are those of the twelve schemas", () => {
  assert.equal(read("events.d.ts"), events(), "run npm run events");
  assert.equal(events().match(/^ {2}"[\w.]+": \{$/gm).length, 12);
});

test("the reference is what the comments say", () => {
  assert.equal(read("reference.md"), reference(), "run npm run reference");
});

test("each entry has types and a program, and needs nothing but the platform", () => {
  assert.equal(dependencies, undefined);
  for (const { types, default: program } of Object.values(exports)) {
    assert.ok(read(types) && read(program));
  }
});

test("nothing that a bundler takes for an action of a server, and no registry's name", () => {
  const sources = ["lib", "."].flatMap((folder) =>
    readdirSync(new URL(`../${folder}/`, import.meta.url)).map((name) => `${folder}/${name}`),
  );
  for (const name of sources.filter((name) => /\.(m?js|d\.ts|md)$/.test(name))) {
    assert.doesNotMatch(read(name), /^["']use server["']/m, name);
    assert.doesNotMatch(read(name), /npm (i|install|add) doorward\b/, name);
  }
  assert.ok(files.every((name) => !name.startsWith("test")));
});
