import { DoorwardError } from "./errors.js";

/** @import { RequestLike } from "../index.js" */
/** @import { Config } from "./options.js" */

const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
const PREFETCH = ["sec-purpose", "purpose", "next-router-prefetch", "next-router-segment-prefetch"];

/** Whether a browser asks for a page that its person may never open. @param {RequestLike} request */
export function isPrefetch({ headers }) {
  return PREFETCH.some((name) => headers.get(name) !== null);
}

/** Whether a person opens a page, as the gate decides it. @param {RequestLike} request */
export function isNavigation({ method, headers }) {
  if (method !== "GET" && method !== "HEAD") return false;
  if (headers.get("sec-fetch-mode") === null) return (headers.get("accept") ?? "").includes("text/html");
  return isForPage(headers);
}

/** Whether a browser shows the answer to a form as a page. @param {RequestLike} request */
export function isForm({ method, headers }) {
  return !SAFE.has(method) && isForPage(headers);
}

/** @param {RequestLike["headers"]} headers */
function isForPage(headers) {
  return headers.get("sec-fetch-mode") === "navigate" && (headers.get("sec-fetch-dest") ?? "document") === "document";
}

/**
 * The application's origin: as configured, else the request's host with the scheme of `url`, whatever a proxy makes of
 * it.
 *
 * @param {Config} config
 * @param {RequestLike} request
 */
export function originOf({ appUrl, url }, request) {
  if (appUrl) return appUrl;
  const { protocol } = new URL(url);
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return URL.canParse(`${protocol}//${host}`) ? new URL(`${protocol}//${host}`).origin : url;
}

/**
 * Whether a page of the application sent a request, or the request changes nothing.
 *
 * @param {Config} config
 * @param {RequestLike} request
 */
export function isOwn(config, request) {
  const { method, headers } = request;
  const opensWebSocket = headers.get("sec-fetch-mode") === "websocket" || headers.get("upgrade") === "websocket";
  if (SAFE.has(method) && !opensWebSocket) return true;
  const [site, origin] = [headers.get("sec-fetch-site"), headers.get("origin")];
  if (site === "same-origin" || site === "none" || (site === null && origin === null)) return true;
  if (origin !== null && (origin === originOf(config, request) || config.origins.has(origin))) return true;
  const mend =
    origin === "null"
      ? "a page of yours that sends this has the Referrer-Policy no-referrer; use strict-origin-when-cross-origin"
      : "if that is a page of yours, add its origin to origins, or set appUrl (DOORWARD_APP_URL)";
  const sender = JSON.stringify(origin ?? site).slice(0, 200);
  config.report(
    new DoorwardError("wrong_origin", `Refused a request that changes something, from ${sender}: ${mend}.`),
  );
  return false;
}
