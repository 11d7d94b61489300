import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { lockMember } from "../members/lock-member.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { nextResetAttempt } from "./password-reset-rules.ts";
import {
  answerResetRequests,
  dueResetRequests,
  forgetOldResetRequests,
  requestPasswordReset,
  type FailedResetRequest,
} from "./reset-requests.server.ts";

const { db } = await testDatabase();
const { id: brandId } = await insertBrand(db);
const now = new Date("2026-11-20T10:00:00Z");
const later = (ms: number, from = now) => new Date(from.getTime() + ms);
const POISON = "poison@home.example";

// No mail to this address can be queued.
await sql`
  create function refuse_poison() returns trigger language plpgsql as $$
  begin
    raise exception 'This mail cannot be queued.';
  end $$`.execute(db);
const poison = () =>
  sql`create trigger poison before insert on mails for each row when (new.recipient = ${sql.lit(POISON)})
    execute function refuse_poison()`.execute(db);
const cure = () => sql`drop trigger if exists poison on mails`.execute(db);

beforeEach(async () => {
  await db.deleteFrom("password_reset_requests").execute();
  await db.deleteFrom("mails").execute();
  await db.deleteFrom("login_tries").execute();
  await cure();
  await poison();
});

const request = (email: string, at = now) => requestPasswordReset(db, { brandId, email, now: at });
async function answer(at = now) {
  const failures: FailedResetRequest[] = [];
  const onFailure = (failed: FailedResetRequest) => void failures.push(failed);
  const claimed = await answerResetRequests(db, { secret: "a secret of tests", now: at, onFailure });
  return { claimed, failures };
}
const mailed = async () => {
  const mails = await db.selectFrom("mails").select(["recipient", "kind"]).orderBy("recipient").execute();
  return mails.map(({ recipient, kind }) => `${kind} to ${recipient}`);
};

describe("R1 requests for a new password", () => {
  test("R1 one that can't be answered holds up no other, before it or after it, and is reported", async () => {
    await insertVerifiedMember(db, { brandId, email: "ada@home.example" });
    for (const [second, email] of ["first@home.example", POISON, "ada@home.example"].entries())
      await request(email, later(second));
    const { claimed, failures } = await answer(later(3));
    expect(claimed).toBe(3);
    expect(failures).toMatchObject([
      { attempts: 1, state: "waiting", error: { message: expect.stringContaining("cannot be queued") as string } },
    ]);
    expect(await mailed()).toEqual(["reset-password to ada@home.example", "no-account to first@home.example"]);
    expect(await db.selectFrom("password_reset_requests").select("email").execute()).toEqual([{ email: POISON }]);
  });

  test("R1 as many failing requests as a round takes hold up none that comes after them", async () => {
    for (let number = 0; number < 20; number += 1) await request(POISON);
    await answer();
    await request("late@home.example", later(1));
    const { claimed } = await answer(later(1));
    expect({ claimed, mails: await mailed() }).toEqual({ claimed: 1, mails: ["no-account to late@home.example"] });
  });

  test("R1 a failed one leaves nothing of its answer behind, waits, and is answered when the cause is gone", async () => {
    await request(POISON);
    await answer();
    expect(await db.selectFrom("login_tries").selectAll().execute(), "the stranger's mail was not counted").toEqual([]);
    await cure();
    const due = nextResetAttempt(1, now)!;
    expect(await answer(later(-1, due))).toEqual({ claimed: 0, failures: [] });
    expect(await answer(due)).toEqual({ claimed: 1, failures: [] });
    expect(await mailed()).toEqual([`no-account to ${POISON}`]);
    expect(await dueResetRequests.countOpen(db)).toBe(0);
  });

  test("R1 one that always fails is given up, is listed without its address, and is forgotten after a month", async () => {
    await request(POISON);
    const states: string[] = [];
    let at: Date | null = now;
    for (; at; at = await dueResetRequests.nextDue(db))
      for (const { state } of (await answer(at)).failures) {
        states.push(state);
        if (state === "buried") await forgetOldResetRequests(db, { now: later(30 * 86_400_000, at) });
      }
    expect(states).toEqual(["waiting", "waiting", "waiting", "waiting", "waiting", "buried"]);
    const listed = await dueResetRequests.listBuried(db, { max: 10 });
    expect(listed).toMatchObject([{ attempts: 6, lastError: "This mail cannot be queued." }]);
    expect(JSON.stringify(listed)).not.toContain(POISON);
    await forgetOldResetRequests(db, { now: later(32 * 86_400_000) });
    expect(await dueResetRequests.countBuried(db)).toBe(0);
  });

  test("R1 S1 an address that the member removes while its request is answered gets no link", async () => {
    const { id: memberId } = await insertVerifiedMember(db, { brandId, email: "owner@home.example" });
    const email = "thief@home.example";
    await db
      .insertInto("member_emails")
      .values({ id: newId(), member_id: memberId, brand_id: brandId, email, verified_at: now, created_at: now })
      .execute();
    await request(email);
    const answered = await db.transaction().execute(async (trx) => {
      await lockMember(trx, { brandId, memberId });
      const answering = answer();
      await untilWaiting(db);
      await trx.deleteFrom("member_emails").where("email", "=", email).execute();
      return { answering };
    });
    expect(await answered.answering).toMatchObject({ failures: [] });
    expect(await mailed()).toEqual([]);
    expect(await db.selectFrom("member_tokens").select("id").where("email", "=", email).execute()).toEqual([]);
  });

  test("R2 concurrent workers answer each request once", async () => {
    for (let number = 0; number < 12; number += 1) await request(`person-${number}@home.example`);
    const rounds = await Promise.all([answer(), answer(), answer()]);
    expect(rounds.reduce((sum, { claimed }) => sum + claimed, 0)).toBe(12);
    expect(await mailed()).toHaveLength(12);
  });
});
