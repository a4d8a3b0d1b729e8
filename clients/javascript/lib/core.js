import { ask } from "./ask.js";
import { DoorwardError } from "./errors.js";
import { guard } from "./guard.js";
import { verifyJwt } from "./jwt.js";
import { publishedKeys, sharedKeys } from "./keys.js";
import { configure } from "./options.js";
import { sessions } from "./session.js";
import { urls } from "./urls.js";

/** @import { AssertionClaims, Claims, Options } from "../index.js" */
/** @import { Config } from "./options.js" */

/**
 * The parts of the library, put together: each entry gives them the shape of its framework.
 *
 * @param {Options} options
 */
export function core(options = {}) {
  const config = configure(options);
  const keys = config.sharedKeys ? sharedKeys(config.sharedKeys) : publishedKeys(() => fetchKeys(config), config.clock);
  const seconds = () => config.clock() / 1000;

  /** @param {string} token @returns {Promise<Claims>} */
  async function verify(token) {
    const isFor = (/** @type {unknown[]} */ audience) => audience.includes(config.audience);
    const claims = verifyJwt(token, { typ: "at+jwt", keys, issuer: config.issuer, isFor, now: seconds() });
    return /** @type {any} */ (await claims.catch(teach));
  }

  /** @param {string} assertion @returns {Promise<AssertionClaims>} */
  async function verifyAssertion(assertion) {
    const { appUrl, issuer } = config;
    if (!appUrl) {
      const why = "an assertion is for one application, and the Host header may name another";
      throw new DoorwardError("configuration", `appUrl (DOORWARD_APP_URL) is missing: ${why}.`);
    }
    const isFor = (/** @type {unknown[]} */ audience) => audience.length === 1 && audience[0] === appUrl;
    const claims = verifyJwt(assertion, { typ: "gate+jwt", keys, issuer, isFor, now: seconds() });
    return /** @type {any} */ (await claims.catch(teach));
  }

  /** Tells the operator what only the operator can mend. @param {DoorwardError} error @returns {never} */
  function teach(error) {
    const lesson = {
      issuer: ["issuer_mismatch", "set url (DOORWARD_URL) to SVC_BASE_URL, or issuer to SVC_JWT_ISSUER"],
      audience: [
        "audience_mismatch",
        "set audience (DOORWARD_AUDIENCE) to one of SVC_AUDIENCES, an own one for each application",
      ],
      unavailable: [
        "keys_unreachable",
        `is Doorward running, and does ${config.internalUrl} (internalUrl, DOORWARD_INTERNAL_URL) reach it?`,
      ],
    }[error.code];
    if (lesson)
      config.report(
        new DoorwardError(/** @type {string} */ (lesson[0]), `${error.message} Mend: ${lesson[1]}`, {
          cause: error.cause,
        }),
      );
    throw error;
  }

  const session = sessions(config, verify);
  const pages = urls(config);
  return { config, verify, verifyAssertion, session, urls: pages, guard: guard(config, session, pages) };
}

/** @param {Config} config */
async function fetchKeys(config) {
  const { status, headers, body } = await ask(config, "/auth/.well-known/jwks.json");
  if (status !== 200) throw new Error(`status ${status}`);
  const age = /(?:^|[\s,])max-age=(\d{1,9})/.exec(headers.get("cache-control") ?? "")?.[1];
  return { body, maxAge: age === undefined ? undefined : Number(age) };
}
