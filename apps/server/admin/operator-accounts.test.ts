import type { AdminVisit } from "@farthing/admin/server/admin-handler.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { disableOperator, inviteOperator, resetOperator } from "@farthing/core/operators/operations.server.ts";
import { operatorSession } from "@farthing/core/operators/rules.ts";
import { totpCode } from "@farthing/core/sign-in/totp.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { PasswordHashing } from "../sign-in/password-hashing.ts";
import { operatorAccounts } from "./operator-accounts.ts";
import { operatorCookie } from "./operator-cookie.ts";

const { db } = await testDatabase();
const PASSWORD = "Correct horse 7 battery";
const clock = { at: NOW };
const cookie = operatorCookie({ publicScheme: "http", key: "a key of tests" });
const parts = { db, cookie, hashing: new PasswordHashing(), key: "k", secretKeys: ["s"] as const, now: () => clock.at };
const accounts = operatorAccounts({ ...parts, mailsCodes: false });
const development = operatorAccounts({ ...parts, mailsCodes: true });
const request = new Request("http://club.example/admin/sign-in", { headers: { "user-agent": "Test" } });
let addresses = 0;

beforeAll(async () => {
  const { id } = await insertBrand(db);
  await db.updateTable("brands").set({ is_default: true }).where("id", "=", id).execute();
});

const visitWith = async (headers: Headers | null): Promise<AdminVisit> => ({
  requestId: "r",
  origin: "http://club.example",
  clientAddress: `192.0.2.${(addresses += 1)}`,
  operator: headers && (await accounts.operatorOf(headers.getSetCookie()[0]?.split(";")[0] ?? null)),
});

/** Invites an operator and has them choose the password, by the link of the mail. */
async function join(email: string): Promise<string> {
  const invited = await inviteOperator(db, { operator: { email, name: "Ada", role: "support" }, now: clock.at });
  if (invited.outcome !== "invited") throw new Error("known");
  expect(
    await accounts.choosePassword(await visitWith(null), { token: await linkFor(email), password: PASSWORD }),
  ).toEqual({
    outcome: "chosen",
  });
  return invited.id;
}

async function linkFor(email: string): Promise<string> {
  const { data } = await db
    .selectFrom("mails")
    .select("data")
    .where("recipient", "=", email)
    .where("kind", "=", "operator-invitation")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  return (data as { path: string }).path.replace("/admin/join/", "");
}

async function halfWay(email: string, by = accounts) {
  const result = await by.signIn(await visitWith(null), request, { email, password: PASSWORD });
  if (result.outcome !== "step") throw new Error(result.outcome);
  return { step: result.step, visit: await visitWith(result.headers) };
}

/** Signs in for the first time: sets the app up. Returns its secret, the session and the recovery codes. */
async function setUp(email: string) {
  const { step, visit } = await halfWay(email);
  expect(step).toBe("set-up");
  const { secret = "" } = (await accounts.prepareSetUp(visit)) ?? {};
  const done = await accounts.setUp(visit, request, totpCode(secret, clock.at));
  if (done.outcome !== "open") throw new Error(done.outcome);
  return { secret, codes: done.recoveryCodes, visit: await visitWith(done.headers) };
}

describe("A1 signing in as an operator", () => {
  test("A1 the first sign-in sets up the second factor, and nothing is open before", async () => {
    await join("first@club.example");
    const { visit: half } = await halfWay("first@club.example");
    expect(half.operator?.step).toBe("set-up");
    expect(await accounts.setUp(half, request, "000000")).toEqual({ outcome: "refused" });
    const { visit, codes, secret } = await setUp("first@club.example");
    expect(visit.operator).toMatchObject({ step: "open", role: "support" });
    expect(codes).toHaveLength(10);
    const stored = await db.selectFrom("operator_second_factors").select("secret").execute();
    expect(stored.map((row) => row.secret)).not.toContain(secret);
  });

  test("A1 later sign-ins need a code, which works once; a recovery code stands in, once", async () => {
    await join("second@club.example");
    const { secret, codes } = await setUp("second@club.example");
    clock.at = new Date(clock.at.getTime() + 60_000);
    const code = totpCode(secret, clock.at);
    const one = await halfWay("second@club.example");
    expect(one.step).toBe("code");
    expect((await accounts.finish(one.visit, request, "123456")).outcome).toBe("refused");
    expect((await accounts.finish(one.visit, request, code)).outcome).toBe("open");
    const again = await halfWay("second@club.example");
    expect((await accounts.finish(again.visit, request, code)).outcome).toBe("refused");
    expect((await accounts.finish(again.visit, request, codes[0] ?? "")).outcome).toBe("open");
    const third = await halfWay("second@club.example");
    expect((await accounts.finish(third.visit, request, codes[0] ?? "")).outcome).toBe("refused");
  });

  test("S1 the session is another one after the code: the half one opens nothing", async () => {
    await join("rotated@club.example");
    const { visit: half } = await halfWay("rotated@club.example");
    await setUp("rotated@club.example");
    const left = await db
      .selectFrom("operator_sessions")
      .select("id")
      .where("id", "=", half.operator?.sessionId ?? "")
      .execute();
    expect(left).toEqual([]);
  });

  test("S1 a secret that another sign-in was shown is never turned on, nor one of which it is not known who saw it", async () => {
    await join("watched@club.example");
    const shownTo = async ({ visit }: { visit: AdminVisit }) => (await accounts.prepareSetUp(visit))?.secret ?? "";
    const code = (secret: string) => totpCode(secret, clock.at);
    const [thief, owner] = [await halfWay("watched@club.example"), await halfWay("watched@club.example")];
    const seen = await shownTo(thief);
    expect(await shownTo(thief), "a reload shows the same").toBe(seen);
    expect((await accounts.setUp(owner.visit, request, code(seen))).outcome, "before the page").toBe("refused");
    const own = await shownTo(owner);
    expect(own).not.toBe(seen);
    expect((await accounts.setUp(owner.visit, request, code(seen))).outcome).toBe("refused");
    expect((await accounts.setUp(thief.visit, request, code(own))).outcome).toBe("refused");
    await db
      .updateTable("operator_second_factors")
      .set({ shown_to: null })
      .where("operator_id", "=", owner.visit.operator?.id ?? "")
      .execute();
    expect((await accounts.setUp(owner.visit, request, code(own))).outcome, "shown to nobody known").toBe("refused");
    expect((await accounts.setUp(owner.visit, request, code(await shownTo(owner)))).outcome).toBe("open");
  });

  test("S1 a session ends without use, and at the latest after its time, however much it is used", async () => {
    await join("idle@club.example");
    const opened = clock.at;
    const { step, visit } = await halfWay("idle@club.example");
    expect(step).toBe("set-up");
    const { secret = "" } = (await accounts.prepareSetUp(visit)) ?? {};
    const done = await accounts.setUp(visit, request, totpCode(secret, clock.at));
    const header = done.outcome === "open" ? (done.headers.getSetCookie()[0]?.split(";")[0] ?? "") : "";
    const at = async (ms: number) => {
      clock.at = new Date(opened.getTime() + ms);
      return (await accounts.operatorOf(header))?.step ?? null;
    };
    expect(await at(operatorSession.idleMs - 1)).toBe("open");
    expect(await at(2 * operatorSession.idleMs - 2)).toBe("open");
    for (let ms = 0; ms < operatorSession.maxMs; ms += operatorSession.idleMs - 60_000)
      expect(await at(ms + 60_000)).not.toBe(null);
    expect(await at(operatorSession.maxMs)).toBe(null);
  });

  test("S1 a cookie of another key, or one that is cut, opens nothing", async () => {
    await join("forged@club.example");
    const { visit } = await setUp("forged@club.example");
    expect(visit.operator).not.toBeNull();
    const other = operatorCookie({ publicScheme: "http", key: "another key" });
    expect(await accounts.operatorOf(other.set("A".repeat(43)).split(";")[0] ?? "")).toBeNull();
    expect(await accounts.operatorOf(`${cookie.name}=${"A".repeat(43)}`)).toBeNull();
    expect(cookie.set("t")).toMatch(/Path=\/admin/);
    expect(cookie.set("t")).toMatch(/HttpOnly/);
    expect(operatorCookie({ publicScheme: "https", key: "k" }).set("t")).toMatch(
      /^__Secure-farthing_operator=.*Secure/,
    );
  });

  test("S1 wrong passwords are slowed down after five, for known and unknown addresses alike", async () => {
    await join("slow@club.example");
    const visit = await visitWith(null);
    const outcomes = async (email: string) => {
      const seen: string[] = [];
      for (let tries = 0; tries < 7; tries += 1)
        seen.push(
          (await accounts.signIn({ ...visit, clientAddress: email }, request, { email, password: "wrong" })).outcome,
        );
      return seen;
    };
    const [known, unknown] = [await outcomes("slow@club.example"), await outcomes("nobody@club.example")];
    expect(known).toEqual(unknown);
    expect(known).toContain("slow-down");
  });

  test("A1 a disabled operator is out at once, and a reset begins again", async () => {
    const id = await join("leaver@club.example");
    const { visit } = await setUp("leaver@club.example");
    expect(visit.operator).not.toBeNull();
    expect(await disableOperator(db, { id, now: clock.at })).toBe("disabled");
    const closed = await accounts.signIn(await visitWith(null), request, {
      email: "leaver@club.example",
      password: PASSWORD,
    });
    expect(closed.outcome).toBe("refused");

    const other = await join("lost@club.example");
    await setUp("lost@club.example");
    expect(await resetOperator(db, { id: other, now: clock.at })).toBe(true);
    const refused = await accounts.signIn(await visitWith(null), request, {
      email: "lost@club.example",
      password: PASSWORD,
    });
    expect(refused.outcome).toBe("refused");
    const link = await linkFor("lost@club.example");
    const weak = await accounts.choosePassword(await visitWith(null), { token: link, password: "short" });
    expect(weak.outcome).toBe("fault");
    expect((await accounts.choosePassword(await visitWith(null), { token: link, password: PASSWORD })).outcome).toBe(
      "chosen",
    );
    expect((await accounts.choosePassword(await visitWith(null), { token: link, password: PASSWORD })).outcome).toBe(
      "bad-link",
    );
    expect((await halfWay("lost@club.example")).step).toBe("set-up");
  });

  test("Z3 in development the code is in the mailbox, and finishes the sign-in it was sent for only", async () => {
    await join("mailed@club.example");
    await setUp("mailed@club.example");
    const mailed = async () => {
      const { data } = await db
        .selectFrom("mails")
        .select("data")
        .where("recipient", "=", "mailed@club.example")
        .where("kind", "=", "operator-code")
        .orderBy("id", "desc")
        .executeTakeFirstOrThrow();
      return (data as { code: string }).code;
    };
    const one = await halfWay("mailed@club.example", development);
    const code = await mailed();
    const two = await halfWay("mailed@club.example", development);
    if (code !== (await mailed())) expect((await development.finish(two.visit, request, code)).outcome).toBe("refused");
    expect((await development.finish(one.visit, request, code)).outcome).toBe("open");
    expect(accounts.mailCode, "elsewhere there is no such way").toBeNull();
  });
});
