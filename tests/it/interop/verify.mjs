import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const { issuer, audience, sets, tokens } = JSON.parse(readFileSync(0, "utf8"));
const decode = (part) => JSON.parse(Buffer.from(part, "base64url").toString());

function isRight(token) {
  const [header, claims, signature] = token.split(".");
  const { kid, alg, typ } = decode(header);
  const jwk = sets.both.keys.find((key) => key.kid === kid && key.alg === alg);
  if (!jwk || typ !== "at+jwt") return false;
  const key = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" };
  const digest = alg === "ES256" ? "sha256" : null;
  if (!verify(digest, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, "base64url"))) return false;
  const { iss, aud, exp } = decode(claims);
  return iss === issuer && aud.includes(audience) && exp > Date.now() / 1000;
}

for (const { token } of tokens) console.log(isRight(token));
