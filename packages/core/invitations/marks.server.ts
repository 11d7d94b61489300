import { createHmac } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
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

/** Remembers marks of a member who invites or is invited, unless they have left. */
export async function rememberMarks(
  db: Db | Trx,
  {
    brandId,
    memberId,
    marks,
    now,
  }: { brandId: string; memberId: string; marks: { browser: Buffer | null; mailbox: Buffer }; now: Date },
): Promise<void> {
  await sql`
    insert into member_marks (member_id, brand_id, mark_kind, mark, seen_at)
    select m.id, m.brand_id, seen.kind, seen.mark, ${now}
    from members m, (values ('mailbox', ${marks.mailbox}::bytea), ('browser', ${marks.browser}::bytea)) seen (kind, mark)
    where m.id = ${memberId} and m.brand_id = ${brandId} and m.closed_at is null and seen.mark is not null
    for key share of m
    on conflict (member_id, mark_kind, mark) do nothing`.execute(db);
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
