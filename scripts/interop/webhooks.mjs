// Verifies tests/fixtures/webhooks.json with the libraries of npm, each as its documentation has it.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.cwd() + "/");
const fixtures = JSON.parse(readFileSync(process.argv[2], "utf8"));
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
const octokit = await import("file://" + process.cwd() + "/node_modules/@octokit/webhooks-methods/dist-node/index.js")
  .catch(() => import("file://" + process.cwd() + "/node_modules/@octokit/webhooks-methods/dist-bundle/index.js"));

const standard = (library) => async ({ secret, body, headers }) => {
  const { Webhook } = require(library);
  new Webhook(secret).verify(body, headers);
};
const libraries = {
  standardwebhooks: ["webhook-signature", standard("standardwebhooks")],
  svix: ["webhook-signature", standard("svix")],
  "@octokit/webhooks-methods": ["X-Svc-Signature", async ({ secret, body, headers }) => {
    if (!(await octokit.verify(secret, body, headers["X-Svc-Signature"]))) throw new Error("no match");
  }],
};
for (const [name, [header, verify]] of Object.entries(libraries)) {
  for (const fixture of fixtures) {
    Date.now = () => fixture.now * 1000;
    const outcome = await verify(fixture).then(() => "accepted", (error) => `refused ${error.message}`);
    console.log(["webhooks", `${name} (npm)`, version(name), header, "", fixture.case, outcome].join("\t"));
  }
}
