import { testDatabase } from "@farthing/db/testing/test-database.ts";
import type { LogInResult } from "@farthing/site/server/account-services.ts";
import { describe, expect, test } from "vitest";
import { insertMemberWithPassword, testPassword, visitOf } from "./accounts.testing.ts";
import { openAccounts } from "./accounts.ts";
import { cookieFrom, newEmail, openTwoBrands, request } from "./two-brands.testing.ts";
import { PasswordHashing } from "./password-hashing.ts";

const { db } = await testDatabase();
const { options, accounts, one } = await openTwoBrands(db);

describe("M2 log in", () => {
  test("M2 the right password opens a session of its member", async () => {
    const email = newEmail();
    const id = await insertMemberWithPassword(db, one, email);
    const result = await accounts.logIn(visitOf(one), request(), {
      email: ` ${email.toUpperCase()} `,
      password: testPassword,
    });
    expect(result.outcome).toBe("logged-in");
    expect(await accounts.memberOf(one, cookieFrom(result))).toMatchObject({ id, email, verification: "verified" });
  });

  test("S1 the cookie is HttpOnly, for this host only and SameSite=Lax; over https it is Secure and has the __Host- prefix", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const plain = await accounts.logIn(visitOf(one), request(), { email, password: testPassword });
    const secure = await openAccounts({ ...options, publicScheme: "https" }).logIn(visitOf(one), request(), {
      email,
      password: testPassword,
    });
    const cookiesOf = (result: LogInResult) => (result.outcome === "logged-in" ? result.headers.getSetCookie() : []);
    expect(cookiesOf(plain)).toHaveLength(2);
    for (const [index, cookie] of [...cookiesOf(plain), ...cookiesOf(secure)].entries()) {
      expect(cookie).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly(; Secure)?; SameSite=Lax$/);
      expect(cookie).not.toMatch(/domain/i);
      if (index >= 2) expect(cookie).toMatch(/^__Host-farthing_\w+=.*; Secure/);
    }
    expect(cookiesOf(plain)[0]).toMatch(/^farthing_session=.*; Max-Age=2592000;/);
  });

  test("S1 a wrong password, an unknown e-mail, a suspended member and malformed input get the same answer", async () => {
    const email = newEmail();
    const suspended = newEmail();
    await insertMemberWithPassword(db, one, email);
    const suspendedId = await insertMemberWithPassword(db, one, suspended);
    await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", suspendedId).execute();
    const answers = await Promise.all([
      accounts.logIn(visitOf(one), request(), { email, password: "Wrong-2026" }),
      accounts.logIn(visitOf(one), request(), { email: newEmail(), password: testPassword }),
      accounts.logIn(visitOf(one), request(), { email: suspended, password: testPassword }),
      accounts.logIn(visitOf(one), request(), { email: "no e-mail", password: testPassword }),
      accounts.logIn(visitOf(one), request(), { email, password: "x".repeat(100_000) }),
      accounts.logIn(visitOf(one), request(), { email: "' or 1=1 --@x.test", password: "\u0000" }),
    ]);
    expect(answers).toEqual(answers.map(() => ({ outcome: "refused" })));
    expect(await db.selectFrom("member_sessions").selectAll().where("member_id", "=", suspendedId).execute()).toEqual(
      [],
    );
  });

  test("S1 an unknown e-mail costs a hash, as a known one does, so timing reveals nothing", async () => {
    let hashes = 0;
    const counting = new PasswordHashing();
    const hashing = Object.assign(Object.create(counting) as PasswordHashing, {
      hash: (password: string) => ((hashes += 1), counting.hash(password)),
      verify: (hash: string | null, password: string) => ((hashes += 1), counting.verify(hash, password)),
    });
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const watched = openAccounts({ ...options, hashing });
    await watched.logIn(visitOf(one), request(), { email, password: "Wrong-2026" });
    expect(hashes).toBe(1);
    await watched.logIn(visitOf(one), request(), { email: newEmail(), password: "Wrong-2026" });
    expect(hashes).toBe(2);
  });
});
