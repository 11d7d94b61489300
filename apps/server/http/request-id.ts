import { randomBytes } from "node:crypto";
import { isFromProxy, type Incoming, type TrustProxy } from "./request-origin.ts";

const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;
const processPart = randomBytes(6)
  .toString("base64url")
  .replaceAll(/[^A-Za-z0-9]/g, "x");
let count = 0;

/**
 * Returns a new id: a random part of this process and a counter. Unique across processes and cheap enough for
 * every request.
 */
export function newRequestId(): string {
  count += 1;
  return `${processPart}-${count.toString(36)}`;
}

/**
 * Returns the id of a request: a trusted proxy's if it is well-formed (it ends up in logs and headers), otherwise a
 * new one.
 */
export function requestIdOf(incoming: Incoming, trustProxy: TrustProxy): string {
  const stated = incoming.header("x-request-id");
  return stated !== undefined && wellFormed.test(stated) && isFromProxy(incoming, trustProxy) ? stated : newRequestId();
}
