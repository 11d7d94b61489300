import type { PushReading, RawPush } from "@farthing/core/networks/provider.ts";
import { z } from "zod";
import { parseExactJson } from "../parse-exact-json.ts";

/** The field of Awin's POST that holds the transaction as JSON. */
const FIELD = "AwinTransactionPush";

/** Only the transaction's id is read from a push; everything else comes from the report. */
const pushSchema = z.object({
  transactionId: z.union([z.int().positive().transform(String), z.string().regex(/^\d{1,20}$/)]),
});

/**
 * Reads Awin's transaction notification: a POST with the field AwinTransactionPush, or a GET to an address with Awin's macros
 * (`?transactionId=!!!transactionId!!!…`) under the same names.
 */
export function readAwinPush({ contentType, body }: RawPush): PushReading {
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType))
    return unreadable(`the content type is ${contentType.slice(0, 60) || "missing"}`);
  const form = new URLSearchParams(new TextDecoder().decode(body));
  const json = form.get(FIELD);
  const parsed = pushSchema.safeParse(json === null ? Object.fromEntries(form) : parseJson(json));
  return parsed.success
    ? { outcome: "read", networkTransactionId: parsed.data.transactionId }
    : unreadable(`there is no transactionId in ${json === null ? "the fields" : FIELD}`);
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return null; // reported as unreadable; the raw bytes are kept
  }
}

function unreadable(problem: string): PushReading {
  return { outcome: "unreadable", problem };
}
