import { makeMainEmail, removeEmail, startAddingEmail } from "@farthing/core/members/emails.server.ts";
import { addPasskey } from "@farthing/core/sign-in/passkeys.server.ts";
import { signOut } from "@farthing/core/sign-in/session-list.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite } from "@farthing/site/testing/site.testing.ts";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccounts } from "./accounts.ts";
import { accountsOfTheClub, type Browser } from "./club.testing.ts";
import { PasswordHashing } from "./password-hashing.ts";
import { EMAILS_PAGE, NEW_PASSWORD, newAddress, openRecoveryClub } from "./recovery-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, clock, logIn, opens, idOf, linkTo, forget, reset, add, visit } = await openRecoveryClub(db);

describe("S1 concurrent requests", () => {
  test("S1 removing an address and making it the main one are serialised, and the owner is never locked out", async () => {
    const owner = await club.newMember();
    const second = newAddress();
    await add(await logIn(owner.email), second);
    const sessionId = (await (await logIn(owner.email)).member())?.sessionId ?? "";
    const own = { brandId: club.brand.id, memberId: owner.id, sessionId, emailId: await idOf(second), now: clock.now };
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(distinct pid)::int as count from pg_locks
        where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db);
      return rows[0]?.count;
    };
    let acts: Promise<unknown>[] = [];
    await db.transaction().execute(async (trx) => {
      // Deleting the row waits for this transaction, so the other request starts in between.
      await trx.selectFrom("member_emails").select("id").where("id", "=", own.emailId).forUpdate().execute();
      const removing = removeEmail(db, own);
      await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 20_000 });
      let isDone = false;
      const making = makeMainEmail(db, own).finally(() => (isDone = true));
      await vi.waitFor(async () => expect(isDone || (await waiting()) === 2).toBe(true), { timeout: 20_000 });
      acts = [removing, making];
    });
    const outcomes = await Promise.allSettled(acts);
    expect(outcomes.map((outcome) => outcome.status === "fulfilled" && outcome.value)).toEqual([true, false]);
    const main = await db.selectFrom("members").select("email").where("id", "=", owner.id).executeTakeFirstOrThrow();
    expect(await opens(main.email)).toBe(true);
  });

  test("S1 the database refuses to delete a main address", async () => {
    const owner = await club.newMember();
    const deleted = db.deleteFrom("member_emails").where("email", "=", owner.email).execute();
    await expect(deleted).rejects.toThrow(/main e-mail address/);
    await db.deleteFrom("members").where("id", "=", owner.id).execute();
  });

  describe("S1 a request in flight when the owner recovers the account grants no access", () => {
    /** Opens accounts whose password check lasts until the owner has signed out everywhere. */
    function slowAccounts(memberId: string) {
      const hashing = Object.assign(Object.create(new PasswordHashing()) as PasswordHashing, {
        verify: async () => {
          await signOut(db, { brandId: club.brand.id, memberId, now: clock.now });
          return true;
        },
        hash: (password: string) => new PasswordHashing().hash(password),
      });
      return openAccounts({ ...accountsOfTheClub, db, hashing, now: () => clock.now });
    }
    const cookiesOf = ({ cookies }: Browser) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const asking = (browser: Browser) =>
      new Request("http://x/login", { method: "POST", headers: { cookie: cookiesOf(browser) } });
    const openedFor = async (memberId: string) => [
      ...(await db.selectFrom("member_sessions").select("id").where("member_id", "=", memberId).execute()),
      ...(await db.selectFrom("login_steps").select("id").where("member_id", "=", memberId).execute()),
      ...(await db.selectFrom("member_passkeys").select("id").where("member_id", "=", memberId).execute()),
      ...(await db
        .selectFrom("member_tokens")
        .select("id")
        .where("member_id", "=", memberId)
        .where("used_at", "is", null)
        .execute()),
    ];

    test.each(["one step", "two steps"])("S1 a login of %s", async (steps) => {
      const { id, email } = await club.newMember();
      if (steps === "two steps")
        await db
          .insertInto("member_second_factors")
          .values({ member_id: id, secret: "x", enabled_at: clock.now, created_at: clock.now })
          .execute();
      const login = await slowAccounts(id).logIn(visit(), asking(club.browser()), { email, password: testPassword });
      expect(login.outcome).toBe("refused");
      expect(await openedFor(id)).toEqual([]);
    });

    test("S1 re-authenticating, and changing the password", async () => {
      const { id, email } = await club.newMember();
      for (const act of ["confirmWithPassword", "changePassword"] as const) {
        const thief = await logIn(email);
        const visiting = { ...visit(), member: await thief.member() };
        const proof = { password: testPassword, code: "", present: testPassword, wanted: NEW_PASSWORD };
        const { outcome } = await slowAccounts(id)[act](visiting, asking(thief), proof);
        expect(outcome, act).toBe("refused");
        expect(await openedFor(id), act).toEqual([]);
      }
      expect(await opens(email), "the password is what it was").toBe(true);
    });

    test("S1 rotating the session, adding an address, and every change of credentials", async () => {
      const { id, email } = await club.newMember();
      const thief = await logIn(email);
      const second = newAddress();
      await add(thief, second);
      const visiting = { ...visit(), member: await thief.member() };
      const sessionId = visiting.member?.sessionId ?? "";
      await signOut(db, { brandId: club.brand.id, memberId: id, now: clock.now });
      await db.deleteFrom("member_tokens").where("member_id", "=", id).execute();
      const own = { brandId: club.brand.id, memberId: id, sessionId, now: clock.now };
      expect([...(await club.accounts.rotateSession(visiting, asking(thief)))]).toEqual([]);
      expect(await startAddingEmail(db, { ...own, email: newAddress() })).toBe(false);
      expect(await makeMainEmail(db, { ...own, emailId: await idOf(second) })).toBe(false);
      expect(await removeEmail(db, { ...own, emailId: await idOf(second) })).toBe(false);
      const passkey = { credentialId: `c-${id}`, publicKey: "k", counter: 0, transports: [], name: "Thief’s" };
      expect(await addPasskey(db, { ...own, ...passkey })).toBe(false);
      expect((await club.accounts.turnOnSecondFactor(visiting, asking(thief), "000000")).outcome).toBe("refused");
      expect(await club.accounts.renewRecoveryCodes(visiting, asking(thief))).toBeNull();
      expect(await openedFor(id)).toEqual([]);
    });
  });

  test("S1 a concurrent reset, undo, removal and sign-out all complete, without a deadlock", async () => {
    for (let round = 0; round < 4; round += 1) {
      const owner = await club.newMember();
      const second = newAddress();
      const browser = await logIn(owner.email);
      await add(browser, second);
      await forget(owner.email);
      const [resetToken, undoToken] = [
        await linkTo("reset-password", owner.email),
        await linkTo("email-changed", owner.email),
      ];
      const address = await idOf(second);
      const answers = await Promise.all([
        reset(resetToken),
        club.browser().post("/undo-email-change", { token: undoToken }),
        browser.post(EMAILS_PAGE, { intent: "remove", address }),
        browser.post("/profile/security", { intent: "end-others" }),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
    }
  });
});
