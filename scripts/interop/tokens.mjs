// Verifies tests/fixtures/tokens.json with the libraries of npm, each as its documentation has it.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.cwd() + "/");
const { issuer, audience, sets, tokens } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
const algorithms = ["EdDSA", "ES256"];

// The key set at an address, as jwks-rsa and jose fetch it.
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(sets[request.url.slice(1)]));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = (set) => new URL(`http://127.0.0.1:${server.address().port}/${set}`);

const jose = await import(require.resolve("jose"));
const jsonwebtoken = require("jsonwebtoken");
const jwksRsa = require("jwks-rsa");
const { expressjwt } = require("express-jwt");
const passportJwt = require("passport-jwt");
const { createVerifier } = require("fast-jwt");
const { createPublicKey } = require("node:crypto");

const client = (set) => jwksRsa({ jwksUri: address(set).href });
const options = { issuer, audience, algorithms: ["ES256"] };

const libraries = {
  "jose": async (set, token) => {
    const keys = jose.createRemoteJWKSet(address(set));
    await jose.jwtVerify(token, keys, { issuer, audience, algorithms, typ: "at+jwt" });
  },
  "fast-jwt": async (set, token) => {
    const { header } = jose.decodeJwt(token) && { header: jose.decodeProtectedHeader(token) };
    const jwk = sets[set].keys.find((key) => key.kid === header.kid);
    const key = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
    createVerifier({ key, algorithms, allowedIss: issuer, allowedAud: audience })(token);
  },
  "jsonwebtoken": async (set, token) => {
    const key = (header, done) => client(set).getSigningKey(header.kid).then((key) => done(null, key.getPublicKey()), done);
    await new Promise((ok, fail) => jsonwebtoken.verify(token, key, options, (error) => (error ? fail(error) : ok())));
  },
  "express-jwt": async (set, token) => {
    const middleware = expressjwt({ ...options, secret: jwksRsa.expressJwtSecret({ jwksUri: address(set).href }) });
    const request = { headers: { authorization: `Bearer ${token}` } };
    await new Promise((ok, fail) => middleware(request, {}, (error) => (error ? fail(error) : ok())));
  },
  "passport-jwt": async (set, token) => {
    const strategy = new passportJwt.Strategy({
      ...options,
      jwtFromRequest: () => token,
      secretOrKeyProvider: jwksRsa.passportJwtSecret({ jwksUri: address(set).href }),
    }, (_claims, done) => done(null, {}));
    await new Promise((ok, fail) => {
      Object.assign(strategy, { success: ok, fail, error: fail });
      strategy.authenticate({ headers: {} });
    });
  },
};

for (const [name, verify] of Object.entries(libraries)) {
  for (const set of Object.keys(sets)) {
    for (const { alg, case: what, token } of tokens.filter(({ alg }) => set === "both" || set === alg)) {
      const outcome = await verify(set, token).then(() => "accepted", (error) => `refused ${error?.message ?? error}`);
      console.log(["tokens", `${name} (npm)`, version(name), set, alg, what, outcome.replace(/\s+/g, " ")].join("\t"));
    }
  }
}
server.close();
