import { randomBytes } from "node:crypto";
import { isFromProxy, type Incoming, type TrustProxy } from "./request-origin.ts";

const wellFormed = /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/;
const processPart = randomBytes(6)
  .toString("base64url")
  .replaceAll(/[^A-Za-z0-9]/g, "x");
let count = 0;

/** A new id, unique over processes and cheap enough for every request: this process's random part and a number. */
export function newRequestId(): string {
  count += 1;
  return `${processPart}-${count.toString(36)}`;
}

/** The id of a request: a trusted proxy's where it is well-formed (it ends up in logs and headers), else a new one. */
export function requestIdOf(incoming: Incoming, trustProxy: TrustProxy): string {
  const stated = incoming.header("x-request-id");
  return stated !== undefined && wellFormed.test(stated) && isFromProxy(incoming, trustProxy) ? stated : newRequestId();
}
