import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { requestPayout } from "@farthing/core/payouts/operations.server.ts";
import { earn, giveDetails, makePayingClub, MONDAY } from "@farthing/core/payouts/payouts.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import { afterEach, expect } from "vitest";

/**
 * Opens the admin at a clock that stands on MONDAY, with two operators of finance and an owner. Each test ends without an
 * error that a page has reported.
 */
export async function openPayoutAdmin(db: Db) {
  loadAdmin();
  const clock = { now: MONDAY };
  const admin = openTestAdmin(db, { now: () => clock.now });
  afterEach(() => expect(admin.errors).toEqual([]));

  const finance = await insertOperator(db, { role: "finance", now: MONDAY });
  const second = await insertOperator(db, { role: "finance", name: "Second", now: MONDAY });
  const owner = await insertOperator(db, { role: "owner", now: MONDAY });

  let clubs = 0;
  /** Adds a member who has asked for £6.00, and sets the clock to MONDAY. */
  async function asking() {
    clock.now = MONDAY;
    const club = await makePayingClub(db, { networkSlug: `admin-${(clubs += 1)}` });
    await earn(db, club);
    await giveDetails(db, club);
    const asked = await requestPayout(db, { ...club, sessionId: null, now: MONDAY });
    if (asked.outcome !== "requested") throw new Error(asked.outcome);
    const { member_number: memberNumber } = await db
      .selectFrom("members")
      .select("member_number")
      .where("id", "=", club.memberId)
      .executeTakeFirstOrThrow();
    const payout = await db
      .selectFrom("payouts")
      .selectAll()
      .where("public_id", "=", asked.publicId)
      .executeTakeFirstOrThrow();
    return { ...club, memberNumber, publicId: asked.publicId, reference: payout.bank_reference };
  }

  /** Makes a batch of everything that waits. Returns its page. */
  async function makeBatch(by = finance): Promise<string> {
    const made = await admin.post("/admin/payouts/batches", by, { act: "make" });
    expect(made.status).toBe(303);
    return made.headers.get("location")!;
  }

  /** Makes a batch of one member's payout, and a second person approves it. */
  async function approvedBatch() {
    const one = await asking();
    const batch = await makeBatch();
    await admin.post(batch, second, { act: "approve" });
    return { ...one, batch, number: batch.split("/").at(-1)! };
  }

  const stateOf = async (publicId: string) =>
    (await db.selectFrom("payouts").select("state").where("public_id", "=", publicId).executeTakeFirstOrThrow()).state;
  /** Returns what the log has about a record: action, actor and reason. */
  const entriesOf = async (subjectId: string) =>
    (
      await db
        .selectFrom("audit_entries")
        .select(["action", "actor", "why"])
        .where("subject_id", "=", subjectId)
        .orderBy("seq")
        .execute()
    ).map(({ action, actor, why }) => [action, actor, why]);
  const pageOf = async (path: string, operator = finance) => (await admin.get(path, operator)).text();

  return { admin, clock, finance, second, owner, asking, makeBatch, approvedBatch, stateOf, entriesOf, pageOf };
}
