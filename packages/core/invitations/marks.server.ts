import { createHmac } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { mailboxOf } from "./rules.ts";

/** How many of a member's browsers are remembered, the newest; a person has few. */
const MAX_BROWSERS = 20;

/** Returns the keyed hash of a browser's random cookie. Without the key, nobody can tell which cookie it was. */
export function markOfBrowser(cookie: string, secret: string): Buffer {
  return markOf("browser", cookie, secret);
}

/** Returns the keyed hash of the mailbox behind an address. */
export function markOfMailbox(email: string, secret: string): Buffer {
  return markOf("mailbox", mailboxOf(email), secret);
}

function markOf(kind: string, text: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`referral ${kind}\n${text}`).digest();
}

/** Remembers marks of a member who invites or is invited. */
export async function rememberMarks(
  db: Db | Trx,
  {
    brandId,
    memberId,
    marks,
    now,
  }: { brandId: string; memberId: string; marks: { browser: Buffer | null; mailbox: Buffer }; now: Date },
): Promise<void> {
  const row = { brand_id: brandId, member_id: memberId, seen_at: now };
  await db
    .insertInto("member_marks")
    .values([
      { ...row, mark_kind: "mailbox", mark: marks.mailbox },
      ...(marks.browser ? [{ ...row, mark_kind: "browser", mark: marks.browser }] : []),
    ])
    .onConflict((conflict) => conflict.columns(["member_id", "mark_kind", "mark"]).doNothing())
    .execute();
  await db
    .deleteFrom("member_marks")
    .where("member_id", "=", memberId)
    .where("mark_kind", "=", "browser")
    .where("mark", "not in", (eb) =>
      eb
        .selectFrom("member_marks as kept")
        .select("kept.mark")
        .where("kept.member_id", "=", memberId)
        .where("kept.mark_kind", "=", "browser")
        .orderBy("kept.seen_at", "desc")
        .orderBy("kept.mark")
        .limit(MAX_BROWSERS),
    )
    .execute();
}
