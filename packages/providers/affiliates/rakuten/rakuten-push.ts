import type { PushReading, RawPush } from "@farthing/core/networks/provider.ts";
import { z } from "zod";
import { parseExactJson } from "../parse-exact-json.ts";
import { rakutenTransactionId } from "./rakuten-report.ts";

const pushSchema = z.object({
  advertiser_id: z.union([z.int().positive().transform(String), z.string().regex(/^\d{1,20}$/)]),
  order_id: z.union([z.int().nonnegative().transform(String), z.string().regex(/^[\x21-\x7e]{1,100}$/)]),
});

/** Reads Rakuten's postback: the fields of an event in the query of a GET, in a form, or as JSON. */
export function readRakutenPush({ contentType, body }: RawPush): PushReading {
  const text = new TextDecoder().decode(body);
  const fields = /^application\/json\b/i.test(contentType)
    ? parseJson(text)
    : Object.fromEntries(new URLSearchParams(text));
  const push = pushSchema.safeParse(fields);
  return push.success
    ? {
        outcome: "read",
        networkTransactionId: rakutenTransactionId(push.data.advertiser_id, push.data.order_id),
      }
    : { outcome: "unreadable", problem: "there is no advertiser_id and order_id in the fields" };
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return null; // reported as unreadable; the raw bytes are kept
  }
}
