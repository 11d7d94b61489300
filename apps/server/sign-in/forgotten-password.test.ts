import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { DAY_MINUTES, EMAILS_PAGE, NEW_PASSWORD, newAddress, openRecoveryClub } from "./recovery-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, clock, later, logIn, opens, linkTo, forget, reset, registered, visit } = await openRecoveryClub(db);

describe("S1 a forgotten password", () => {
  test("S1 earlier links stay valid until one of them is used", async () => {
    const { email } = await club.newMember();
    await forget(email);
    const first = await linkTo("reset-password", email);
    await forget(email);
    const second = await linkTo("reset-password", email);
    expect((await reset(first)).status).toBe(303);
    expect((await reset(second)).status).toBe(410);
    expect(await opens(email, NEW_PASSWORD)).toBe(true);
  });

  test("S1 strangers' requests neither block the owner's nor fill the mailbox", async () => {
    const { email } = await club.newMember();
    let mailed = 0;
    for (let minute = 0; minute < 3 * DAY_MINUTES; minute += 10) {
      later(10);
      await club.accounts.forgotPassword(
        { ...visit(), clientAddress: `198.51.${minute % 200}.${Math.floor(minute / 200)}` },
        email,
      );
      await club.mailCount("reset-password", email); // the worker answers
      const live = await db
        .selectFrom("member_tokens")
        .select("id")
        .where("email", "=", email)
        .where("used_at", "is", null)
        .where("expires_at", ">=", new Date(clock.now.getTime() + 30 * 60_000))
        .execute();
      // The owner, who requests one now, has a link that is valid for half an hour.
      expect(live.length, `after ${minute} minutes`).toBeGreaterThan(0);
      const day = Math.floor(minute / DAY_MINUTES);
      if (minute % DAY_MINUTES === DAY_MINUTES - 10) {
        const sent = (await club.mailCount("reset-password", email)) - mailed;
        expect(sent, `day ${day}`).toBeLessThanOrEqual(8);
        mailed += sent;
      }
    }
    expect((await reset(await linkTo("reset-password", email))).status).toBe(303);
    await forget(email);
    expect(await club.mailCount("reset-password", email), "a used link is none to wait for").toBe(mailed + 1);
  });

  test("S1 M2 a new password verifies the address that got the link, and no other", async () => {
    const member = await registered();
    const second = newAddress();
    const row = { id: member.id, brand_id: club.brand.id, member_id: member.id, email: second, verified_at: clock.now };
    await db.insertInto("member_emails").values(row).execute();
    const isVerified = async () =>
      (
        await db
          .selectFrom("members")
          .select("email_verified as verified")
          .where("id", "=", member.id)
          .executeTakeFirstOrThrow()
      ).verified;
    await forget(second);
    expect((await reset(await linkTo("reset-password", second))).status).toBe(303);
    expect(await isVerified(), "the main address, which proved nothing").toBe(false);
    await forget(member.email);
    expect((await reset(await linkTo("reset-password", member.email), "Owners-next-2026")).status).toBe(303);
    expect(await isVerified()).toBe(true);
  });

  test("S1 an address without an account gets at most one mail a day", async () => {
    const email = "nobody-at-all@home.example";
    for (let round = 0; round < 5; round += 1) await forget(email);
    expect(await club.mailCount("no-account", email)).toBe(1);
  });

  test("S1 strangers' requests don't use up the limit of other mails", async () => {
    const owner = await club.newMember();
    const mine = newAddress();
    for (let round = 0; round < 6; round += 1) {
      await forget(owner.email);
      await forget(mine);
    }
    await (await logIn(owner.email)).post(EMAILS_PAGE, { intent: "add", email: mine });
    expect(await club.mailCount("add-email", mine)).toBe(1);
    const joining = await registered();
    for (let round = 0; round < 6; round += 1) await forget(joining.email);
    await logIn(joining.email);
    expect(await club.mailCount("confirm-email", joining.email), "one from the registration, one from the login").toBe(
      2,
    );
  });
});
