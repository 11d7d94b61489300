import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeEach, expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { forgetOldMails } from "./outbox.server.ts";

const { db } = await testDatabase();
const brandId = (await insertBrand(db)).id;
const memberId = (await insertVerifiedMember(db, { brandId })).id;
const now = new Date("2026-10-05T12:00:00Z");
const DAY_MS = 86_400_000;

beforeEach(async () => {
  await db.deleteFrom("mails").execute();
});

type State = "waiting" | "sent" | "given-up";

/** Whether a mail is still there after a sweep. `age`: the milliseconds since it was settled, or since it was queued. */
async function isKept(mail: { kind: string; isMembers: boolean; state: State; age: number }): Promise<boolean> {
  const { kind, isMembers, state, age } = mail;
  const [id, at] = [newId(), new Date(now.getTime() - age)];
  const when = state === "waiting" ? { next_try_at: at } : { settled_at: at };
  await db
    .insertInto("mails")
    .values({
      ...{ id, brand_id: brandId, member_id: isMembers ? memberId : null, kind, state, created_at: at, ...when },
      ...{ recipient: "grace@post.test", subject: "A mail" },
    })
    .execute();
  await forgetOldMails(db, { now });
  return (await db.selectFrom("mails").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

const ends = ["sent", "given-up"] as const;

test.each(ends)(
  "S1 M5 an address without an account is gone with the next sweep after its mail was %s",
  async (state) => {
    expect(await isKept({ kind: "no-account", isMembers: false, state, age: 0 })).toBe(false);
  },
);

test.each(
  ["present", "present-news", "gift-card-receipt", "gift-card-delay", "gift-card-stopped"].flatMap((kind) =>
    ends.map((state) => ({ kind, state })),
  ),
)("S1 M5 a $kind to somebody who is no member is gone 14 days after it was $state", async ({ kind, state }) => {
  expect(await isKept({ kind, isMembers: false, state, age: 14 * DAY_MS })).toBe(true);
  expect(await isKept({ kind, isMembers: false, state, age: 14 * DAY_MS + 1 })).toBe(false);
});

test.each(ends)("S1 M5 a member's mail stays for 90 days after it was %s", async (state) => {
  expect(await isKept({ kind: "gift-card-receipt", isMembers: true, state, age: 90 * DAY_MS })).toBe(true);
  expect(await isKept({ kind: "gift-card-receipt", isMembers: true, state, age: 90 * DAY_MS + 1 })).toBe(false);
});

test.each(["no-account", "present"])("S1 M5 a %s that waits to be sent stays", async (kind) => {
  expect(await isKept({ kind, isMembers: false, state: "waiting", age: 91 * DAY_MS })).toBe(true);
});
