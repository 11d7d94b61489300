import { randomBytes } from "node:crypto";

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

/** The id of a request: the proxy's where we trust it and it is well-formed (it ends up in logs and headers), else a new one. */
export function requestIdOf(incoming: string | undefined, trustProxy: boolean): string {
  return trustProxy && incoming !== undefined && wellFormed.test(incoming) ? incoming : newRequestId();
}
