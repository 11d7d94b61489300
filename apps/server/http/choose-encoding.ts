import { parseAccept } from "hono/utils/accept";
import { LRUCache } from "lru-cache";

export type Encoding = "br" | "gzip" | "identity";

/** Longer headers don't come from browsers; parsing them would only cost time. */
const MAX_HEADER_LENGTH = 512;

/** Choices by header: browsers send the same few. */
const choices = new LRUCache<string, Encoding>({ max: 64 });

/**
 * Returns the content coding for an Accept-Encoding header (RFC 9110, 12.5.3). br wins if the client gives it the same
 * weight as gzip.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding.length > MAX_HEADER_LENGTH) return "identity";
  const known = choices.get(acceptEncoding);
  if (known) return known;
  const choice = negotiate(acceptEncoding);
  choices.set(acceptEncoding, choice);
  return choice;
}

/** Returns whether a client that sends this Accept-Encoding header takes gzip, whatever it likes best. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const choice = chooseEncoding(acceptEncoding);
  return choice === "gzip" || (choice === "br" && weigher(acceptEncoding ?? "")("gzip") > 0);
}

function negotiate(acceptEncoding: string): Encoding {
  const weightOf = weigher(acceptEncoding);
  const [br, gzip] = [weightOf("br"), weightOf("gzip")];
  if (br > 0 && br >= gzip) return "br";
  return gzip > 0 ? "gzip" : "identity";
}

function weigher(acceptEncoding: string): (coding: string) => number {
  const weights = new Map(parseAccept(acceptEncoding.toLowerCase()).map(({ type, q }) => [type, q]));
  return (coding) => weights.get(coding) ?? weights.get("*") ?? 0;
}
