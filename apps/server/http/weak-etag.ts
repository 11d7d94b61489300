import { createHash } from "node:crypto";

/** Returns the ETag of content: weak, because it stands for every coding of it. */
export function weakEtag(content: Buffer): string {
  return `W/"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}
