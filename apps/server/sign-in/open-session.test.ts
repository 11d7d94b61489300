import { hashSecretTokenAsText } from "@farthing/core/secrets/secret-token.ts";
import { forgetExpiredSessions } from "@farthing/core/sign-in/sessions.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { insertMemberWithPassword, testPassword, visitOf } from "./accounts.testing.ts";
import { openAccounts } from "./accounts.ts";
import { sessionCookie, signedCookie } from "./session-cookie.ts";
import { cookieFrom, newEmail, openTwoBrands, request } from "./two-brands.testing.ts";

const { db } = await testDatabase();
const { options, accounts, one, two } = await openTwoBrands(db);

describe("B4 separate brands", () => {
  test("B4 a member of one brand can't log in at another, where the same e-mail is another account", async () => {
    const email = newEmail();
    const inOne = await insertMemberWithPassword(db, one, email);
    expect(await accounts.logIn(visitOf(two), request(), { email, password: testPassword })).toEqual({
      outcome: "refused",
    });
    const inTwo = await insertMemberWithPassword(db, two, email);
    const result = await accounts.logIn(visitOf(two), request(), { email, password: testPassword });
    expect(await accounts.memberOf(two, cookieFrom(result))).toMatchObject({ id: inTwo });
    expect(inOne).not.toBe(inTwo);
  });

  test("B4 a session of another brand is no session here, and a logout here does not end it", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const cookie = cookieFrom(await accounts.logIn(visitOf(one), request(), { email, password: testPassword }));
    expect(await accounts.memberOf(two, cookie)).toBeNull();
    await accounts.logOut(visitOf(two), request(cookie));
    expect(await accounts.memberOf(one, cookie)).not.toBeNull();
  });

  test("B4 the database refuses a session or sign-in of one brand for a member of another", async () => {
    const id = await insertMemberWithPassword(db, one, newEmail());
    const session = {
      id: crypto.randomUUID(),
      brand_id: two.id,
      member_id: id,
      token: crypto.randomUUID(),
      expires_at: new Date(Date.now() + 60_000),
    };
    await expect(db.insertInto("member_sessions").values(session).execute()).rejects.toThrow(
      /member_sessions_member_of_brand/,
    );
    const credential = {
      id: crypto.randomUUID(),
      brand_id: two.id,
      member_id: id,
      account_id: id,
      provider_id: "credential",
    };
    await expect(db.insertInto("member_credentials").values(credential).execute()).rejects.toThrow(
      /member_credentials_member_of_brand/,
    );
  });
});

describe("S1 sessions", () => {
  test("S1 a login ends a session that was planted before it (fixation), and the one of an earlier login", async () => {
    const attacker = newEmail();
    const victim = newEmail();
    await insertMemberWithPassword(db, one, attacker);
    const victimId = await insertMemberWithPassword(db, one, victim);
    const planted = cookieFrom(
      await accounts.logIn(visitOf(one), request(), { email: attacker, password: testPassword }),
    );
    const own = cookieFrom(
      await accounts.logIn(visitOf(one), request(planted), { email: victim, password: testPassword }),
    );
    expect(own).not.toBe(planted);
    expect(await accounts.memberOf(one, planted)).toBeNull();
    expect(await accounts.memberOf(one, own)).toMatchObject({ id: victimId });
  });

  test("M2 a logout ends the session on the server and clears the cookie", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const cookie = cookieFrom(await accounts.logIn(visitOf(one), request(), { email, password: testPassword }));
    const headers = await accounts.logOut(visitOf(one), request(cookie));
    expect(headers.get("set-cookie")).toMatch(/^farthing_session=; Max-Age=0; Path=\/; HttpOnly/);
    expect(await accounts.memberOf(one, cookie)).toBeNull();
  });

  test("S1 whoever reads the row of a session can make no cookie of it without the key", async () => {
    const email = newEmail();
    const id = await insertMemberWithPassword(db, one, email);
    const cookie = cookieFrom(await accounts.logIn(visitOf(one), request(), { email, password: testPassword }));
    const row = await db
      .selectFrom("member_sessions")
      .selectAll()
      .where("member_id", "=", id)
      .executeTakeFirstOrThrow();
    const forged = (value: string, key: string) => signedCookie(sessionCookie("http"), value, key).split(";")[0] ?? "";
    expect(forged(row.token, options.key), "the server's own").toBe(cookie);
    for (const value of [row.token, row.id, hashSecretTokenAsText(row.token)]) {
      expect(await accounts.memberOf(one, `farthing_session=${value}`), value).toBeNull();
      for (const key of ["", row.token, row.id, row.member_id, row.brand_id])
        expect(await accounts.memberOf(one, forged(value, key)), `${value}, signed with ${key}`).toBeNull();
    }
    expect(await accounts.memberOf(one, cookie)).toMatchObject({ id });
  });

  test("S1 a session that is changed, unsigned, signed by another key, expired or of a suspended member is refused", async () => {
    const email = newEmail();
    const id = await insertMemberWithPassword(db, one, email);
    const cookie = cookieFrom(await accounts.logIn(visitOf(one), request(), { email, password: testPassword }));
    const token = decodeURIComponent(cookie.slice(cookie.indexOf("=") + 1)).split(".")[0];
    expect(await accounts.memberOf(one, `theme=dark; ${cookie}`)).toMatchObject({ id });
    for (const bad of [
      `farthing_session=${token}`,
      `farthing_session=${token}.`,
      `farthing_session=${token}.AAAA`,
      cookie.replace("=", "=x"),
      "farthing_session=%E0%A4%A",
      "farthing_session=",
      `x${cookie}`,
    ]) {
      expect(await accounts.memberOf(one, bad), bad).toBeNull();
    }
    expect(await openAccounts({ ...options, key: "another-key" }).memberOf(one, cookie)).toBeNull();
    await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", id).execute();
    expect(await accounts.memberOf(one, cookie)).toBeNull();
    await db.updateTable("members").set({ suspended_at: null }).where("id", "=", id).execute();
    expect(await accounts.memberOf(one, cookie)).not.toBeNull();
    await db
      .updateTable("member_sessions")
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where("member_id", "=", id)
      .execute();
    expect(await accounts.memberOf(one, cookie)).toBeNull();
    expect(await forgetExpiredSessions(db, { now: new Date() })).toBeGreaterThan(0);
  });
});
