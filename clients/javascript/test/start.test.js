import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { promisify } from "node:util";
import { DoorwardError, doorward } from "../index.js";
import { startDoorward } from "../testing.js";
import { library, page, start } from "./support.js";

const url = "http://localhost:8080";

test("a missing address stops the start, and names its variable", () => {
  for (const options of [undefined, {}, { url: "" }]) {
    assert.throws(() => doorward(options), { name: "DoorwardError", code: "missing_url", message: /DOORWARD_URL/ });
  }
});

test("settings come from the environment, and options win", async () => {
  const variables = { DOORWARD_URL: "https://auth.example.com", DOORWARD_APP_URL: "https://app.example.com/start" };
  const code = `
    import { doorward } from "./index.js";
    const request = new Request("http://localhost/x");
    console.log(doorward().loginUrl(request));
    console.log(doorward({ url: "https://example.com" }).loginUrl(request));`;
  const options = { cwd: new URL("..", import.meta.url), env: { ...process.env, ...variables } };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code], options);
  const back = "return_to=https%3A%2F%2Fapp.example.com%2Fx";
  assert.deepEqual(stdout.trim().split("\n"), [
    `https://auth.example.com/auth/login?${back}`,
    `https://example.com/auth/login?${back}`,
  ]);
});

test("a wrong setting stops the start, is named, and a secret is not shown", () => {
  for (const [name, value] of [
    ["url", "localhost:8080"],
    ["url", "http://localhost:8080/auth"],
    ["url", "http://ada:secret@localhost"],
    ["internalUrl", "ftp://localhost"],
    ["appUrl", "app.example.com"],
    ["name", "Svc"],
    ["origins", ["https://app.example.com/x"]],
    ["origins", "https://app.example.com"],
    ["clock", 7],
    ["seen", []],
    ["webhookSecret", "whsec_secret!"],
    ["webhookSecretPrevious", "whsec_"],
    ["keys", "new:c2VjcmV0"],
    ["audiance", "secret"],
  ]) {
    assert.throws(
      () => doorward({ url, [name]: value }),
      (error) => {
        return (
          error instanceof DoorwardError && error.message.includes(name) && !/secret!|c2VjcmV0|ada/.test(error.message)
        );
      },
      name,
    );
  }
});

test("with another service name the cookies have it", async () => {
  const server = await start({ DOORWARD_NAME: "acme" });
  const { cookie, cookies } = await server.session({ email: "ada@example.com" });
  assert.ok(cookies.acme_access);
  assert.ok(await library(server, { name: "acme" }).who(page({ cookie })));
  assert.equal(await library(server, { name: "svc" }).who(page({ cookie })), null);
});

test("the fixture opens sessions, shows mails and moves the clock", async () => {
  const server = await start();
  const { cookie, user_id } = await server.session({ email: "ada@example.com" });
  const { who, look } = library(server);
  assert.equal((await look(page({ cookie }))).user.id, user_id);
  const reset = `${server.internalUrl}/auth/api/v2/users/${user_id}/password-reset`;
  await fetch(reset, { method: "POST", headers: { authorization: `Bearer ${server.apiKey}` } });
  const [mail] = await server.mails("ada@example.com");
  assert.match(mail.link, /\/auth\/password\/reset\//);
  assert.deepEqual(await server.mails("bob@example.com"), []);
  await server.advance("15m");
  assert.equal(await who(page({ cookie })), null);
});

test("a fixture without its program says how to get it", async () => {
  const { DOORWARD_BIN } = process.env;
  process.env.DOORWARD_BIN = "/nowhere/doorward";
  const started = startDoorward();
  process.env.DOORWARD_BIN = DOORWARD_BIN ?? "";
  await assert.rejects(started, { code: "binary_missing", message: /DOORWARD_BIN/ });
});

test("a fixture that does not start says why", async () => {
  await assert.rejects(startDoorward({ SVC_ACCESS_TTL: "soon" }), /SVC_ACCESS_TTL/);
});

test("a fixture ends with the process that started it, however that ends", { timeout: 10_000 }, async () => {
  const code = `
    import { startDoorward } from "./testing.js";
    const server = await startDoorward();
    console.log(server.internalUrl);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: new URL("..", import.meta.url),
  });
  const [line] = await once(child.stdout, "data");
  const health = `${String(line).trim()}/auth/health`;
  assert.equal((await fetch(health)).status, 200);
  child.kill("SIGKILL");
  while (
    await fetch(health, { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      () => false,
    )
  );
});
