import { readFileSync } from "node:fs";
import { claimsOf } from "./claims_of.mjs";

const { keys, assertions } = JSON.parse(readFileSync(0, "utf8"));
for (const assertion of assertions) {
  try {
    console.log(claimsOf(assertion, keys).email);
  } catch {
    console.log("refused");
  }
}
