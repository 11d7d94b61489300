import { createHash, randomBytes } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { decideRequest } from "./decide-request.server.ts";
import { addDays, mailboxOf, verificationDays, workEmailLimits } from "./rules.ts";
import { submitted } from "./verification.testing.ts";
import { confirmWorkEmail, findWorkEmailCheck, requestWorkEmailCheck } from "./work-email.server.ts";

const { db } = await testDatabase();
let brandId: string;
let typeId: string;
beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  const type = { id: newId(), slug: "teachers", name: "Teachers", position: 1 };
  typeId = type.id;
  await db.insertInto("member_types").values(type).execute();
  await db.insertInto("work_email_domains").values({ member_type_id: typeId, domain: "sch.example" }).execute();
});

let count = 0;
/** Returns a work address with a mailbox of its own, and the given part after the plus. */
const address = (tag = "") => `ada${count}${tag}@sch.example`;
const nextMailbox = () => void (count += 1);

async function teacher({ brand = brandId, type = typeId }: { brand?: string; type?: string | null } = {}) {
  const { id } = await insertMember(db, { brandId: brand });
  await db
    .updateTable("members")
    .set({ member_type_id: type, verification: "unverified" })
    .where("id", "=", id)
    .execute();
  return id;
}
const verification = async (memberId: string) =>
  (await db.selectFrom("members").select("verification").where("id", "=", memberId).executeTakeFirstOrThrow())
    .verification;

/** Requests a link and returns its token from the mail. */
async function link(memberId: string, email: string, { brand = brandId, now = NOW } = {}): Promise<string> {
  expect(await requestWorkEmailCheck(db, { brandId: brand, memberId, email, now })).toEqual({ outcome: "sent" });
  const { data } = await db
    .selectFrom("mails")
    .select("data")
    .where("member_id", "=", memberId)
    .where("kind", "=", "work-email-link")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  return new URL((data as { path: string }).path, "http://x").searchParams.get("token") ?? "";
}
const confirm = async (token: string, { brand = brandId, now = NOW } = {}) =>
  (await confirmWorkEmail(db, { brandId: brand, token, now })).outcome;
const later = (ms: number) => new Date(NOW.getTime() + ms);
const lifetimeMs = workEmailLimits.linkHours * 3_600_000;

describe("M4 one mailbox at work proves one account", () => {
  test.each([
    ["", ""],
    ["+1", "+2"],
    ["", "+2"],
    ["+1", ""],
    ["+a", "+a+b"],
    ["+", "+1"],
  ])("M4 ada%s@ proves one member, and ada%s@ no other", async (first, second) => {
    nextMailbox();
    const [one, other] = [await teacher(), await teacher()];
    const tokens = [await link(one, address(first)), await link(other, address(second))] as const;
    expect(await confirm(tokens[0])).toBe("accepted");
    expect(await confirm(tokens[1])).toBe("taken");
    expect(await verification(other)).toBe("unverified");
    expect(await confirm(tokens[1]), "the link is spent").toBe("over");
  });

  test("M4 of two members who follow links at the same time one is verified", async () => {
    nextMailbox();
    const members = await Promise.all([1, 2].map(() => teacher()));
    const tokens = [await link(members[0]!, address("+1")), await link(members[1]!, address("+2"))];
    expect((await Promise.all(tokens.map((token) => confirm(token)))).sort()).toEqual(["accepted", "taken"]);
  });

  test("M4 a mailbox can prove its member again, and a member of another brand", async () => {
    nextMailbox();
    const member = await teacher();
    expect(await confirm(await link(member, address("+1")))).toBe("accepted");
    await db.updateTable("members").set({ verification: "lapsed" }).where("id", "=", member).execute();
    expect(await confirm(await link(member, address("+2")))).toBe("accepted");
    const brand = (await insertBrand(db)).id;
    expect(await confirm(await link(await teacher({ brand }), address("+3"), { brand }), { brand })).toBe("accepted");
  });

  test("M4 of several links that a member requested, whichever is followed first gives a year, and the others nothing", async () => {
    nextMailbox();
    const member = await teacher();
    const [first, second, third] = [
      await link(member, address()),
      await link(member, address("+1")),
      await link(member, address()),
    ];
    expect(await confirm(second)).toBe("accepted");
    expect(await findWorkEmailCheck(db, { brandId, token: first, now: NOW }), "its page says so, too").toBeNull();
    expect([await confirm(first), await confirm(third)]).toEqual(["over", "over"]);
    const { verified_until } = await db
      .selectFrom("members")
      .select("verified_until")
      .where("id", "=", member)
      .executeTakeFirstOrThrow();
    expect(verified_until).toEqual(addDays(NOW, verificationDays.valid));
    const ask = () => requestWorkEmailCheck(db, { brandId, memberId: member, email: address("+2"), now: NOW });
    await db.updateTable("members").set({ verification: "lapsed" }).where("id", "=", member).execute();
    expect(await ask(), "they count as sent").toEqual({ outcome: "too-many" });
  });

  test("M4 a link adds no year once an operator has accepted the document that was sent beside it; before, it decides", async () => {
    nextMailbox();
    for (const isDecidedFirst of [true, false]) {
      const { memberId, publicId } = await submitted(db, { brandId });
      await db.updateTable("members").set({ member_type_id: typeId }).where("id", "=", memberId).execute();
      const token = await link(memberId, address());
      const decide = () => decideRequest(db, { publicId, decision: { accept: true }, by: "ada", now: NOW });
      if (isDecidedFirst) await decide();
      expect(await confirm(token)).toBe(isDecidedFirst ? "over" : "accepted");
      if (!isDecidedFirst) expect(await decide()).toEqual({ outcome: "not-open", state: "replaced" });
      const { verified_until } = await db
        .selectFrom("members")
        .select("verified_until")
        .where("id", "=", memberId)
        .executeTakeFirstOrThrow();
      expect(verified_until).toEqual(addDays(NOW, verificationDays.valid));
    }
  });

  test("M4 a link that proves nothing, because the member's type has changed, leaves the mailbox free", async () => {
    nextMailbox();
    const [moved, other] = [await teacher(), await teacher()];
    const token = await link(moved, address());
    await db.updateTable("members").set({ member_type_id: null }).where("id", "=", moved).execute();
    expect(await confirm(token)).toBe("not-a-work-email");
    expect(await confirm(token), "the link is spent").toBe("over");
    expect(await confirm(await link(other, address()))).toBe("accepted");
  });

  test("M4 a mailbox gets a limited number of links a day, whatever follows the plus sign and regardless of who requests them", async () => {
    nextMailbox();
    for (let sent = 0; sent < workEmailLimits.sendsPerMailboxPerDay; sent += 1)
      await link(await teacher(), address(`+${sent}`));
    const ask = async (now: Date) =>
      (await requestWorkEmailCheck(db, { brandId, memberId: await teacher(), email: address("+last"), now })).outcome;
    expect(await ask(later(24 * 3_600_000 - 1))).toBe("too-many");
    expect(await ask(later(24 * 3_600_000))).toBe("sent");
  });

  const used = (memberId: string, email: string, more: { mailbox?: string; used_at?: Date | null } = {}) =>
    db
      .insertInto("work_email_checks")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: memberId,
        email,
        mailbox: mailboxOf(email),
        token_hash: createHash("sha256").update(randomBytes(8)).digest(),
        requested_at: NOW,
        expires_at: later(lifetimeMs),
        used_at: NOW,
        ...more,
      })
      .execute();

  test("M4 the database refuses proof of a second member by one mailbox", async () => {
    nextMailbox();
    const [one, other] = [await teacher(), await teacher()];
    await used(one, address("+1"));
    await used(one, address("+2"));
    await used(other, address("+3"), { used_at: null });
    await expect(used(other, address("+3"))).rejects.toThrow("work_email_checks_one_account");
    await expect(
      db.updateTable("work_email_checks").set({ used_at: NOW }).where("member_id", "=", other).execute(),
    ).rejects.toThrow("work_email_checks_one_account");
  });

  test.each(["ada@sch.example", "ada+1@sch.example", "ada+1+2@sch.example", "+1@sch.example", "a.d-a@elm.sch.example"])(
    "M4 rule and database agree on the mailbox of %s, and the database accepts no other",
    async (email) => {
      const member = await teacher({ brand: brandId });
      await used(member, email, { used_at: null });
      await expect(used(member, email, { mailbox: `x${mailboxOf(email)}` })).rejects.toThrow("mailbox_of_email");
    },
  );
});

test("M4 a link is valid until its last millisecond, for the page and for the button", async () => {
  nextMailbox();
  const token = await link(await teacher(), address());
  const find = async (now: Date) => (await findWorkEmailCheck(db, { brandId, token, now }))?.email ?? null;
  expect(await find(later(lifetimeMs - 1))).toBe(address());
  expect(await find(later(lifetimeMs))).toBeNull();
  expect(await confirm(token, { now: later(lifetimeMs) })).toBe("over");
  expect(await confirm(token, { now: later(lifetimeMs - 1) })).toBe("accepted");
});
