import { readFileSync } from "node:fs";
import { isGenuine, isGenuineAndFresh } from "./verify.mjs";

for (const one of JSON.parse(readFileSync(0, "utf8"))) {
  const body = Buffer.from(one.body, "base64");
  console.log(
    isGenuine(one.secret, body, one.signature),
    isGenuineAndFresh(one.secret, body, one.id, one.timestamp, one.signatures),
  );
}
