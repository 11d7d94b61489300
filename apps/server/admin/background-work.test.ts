import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findQueueStates } from "@farthing/core/background-work/overview.server.ts";
import { queues, type QueueName } from "@farthing/core/background-work/queues.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { findListPage } from "@farthing/core/lists/find-list-page.server.ts";
import { readListState } from "@farthing/core/lists/list-schema.ts";
import { workStates, type ListedWork, type WorkState } from "@farthing/core/due-work/due-work.server.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { claimDueMails, failMail } from "@farthing/core/mails/outbox.server.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { dueResetRequests, requestPasswordReset } from "@farthing/core/sign-in/reset-requests.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const { id: brandId } = await insertBrand(db);
const finance = await insertOperator(db, { role: "finance" });
const entriesOf = (id: string) =>
  db.selectFrom("audit_entries").selectAll().where("subject_id", "=", id).orderBy("seq").execute();
const listed = async (queue: QueueName, state: WorkState) => {
  const { due, about } = queues[queue];
  const order = readListState(new URLSearchParams(), { sorts: ["time"], defaultSort: "time" });
  return (await findListPage<ListedWork, "time">(db, due.list({ state, about, now: NOW }), order)).rows;
};

async function givenUpMail(error: string): Promise<string> {
  await queueMail(db, { brandId, memberId: null, to: "ada@example.org", mail: { kind: "no-account" }, now: NOW });
  const [mail] = await claimDueMails(db, { now: NOW, leaseMs: 60_000, max: 1 });
  await failMail(db, { mail: mail!, error, isPermanent: true, now: NOW });
  return mail!.id;
}

async function givenUpReset(): Promise<string> {
  await requestPasswordReset(db, { brandId, email: "ada@example.org", now: NOW });
  const [lease] = await dueResetRequests.claim(db, { now: NOW, leaseMs: 60_000, max: 1 });
  await dueResetRequests.fail(db, lease!, { now: NOW, error: "no mail server", isPermanent: true });
  return lease!.id;
}

describe("R1 background work in the admin", () => {
  test("R1 every queue has a screen, whose three lists read what they say of the work", async () => {
    for (const name of Object.keys(queues) as QueueName[])
      for (const state of workStates) {
        const page = await admin.get(`/admin/background-work/${name}?state=${state}`, finance);
        expect({ name, state, status: page.status }).toEqual({ name, state, status: 200 });
      }
    expect((await admin.get("/admin/background-work/members", finance)).status).toBe(404);
    expect((await admin.get("/admin/background-work/toString", finance)).status).toBe(404);
  });

  test("R1 given-up work is listed with its reason, never with whom it is for, and dropped after a question", async () => {
    const id = await givenUpMail("mailbox unknown");
    const page = await (await admin.get("/admin/background-work/mails", finance)).text();
    expect(page).toContain("mailbox unknown");
    expect(page).not.toContain("ada@");
    expect(page).not.toContain("Try again");
    const needOf = async () =>
      (await findNeeds(db, { role: "finance", now: NOW })).find(({ key }) => key === "dead-letters")?.count;
    expect(await needOf()).toBe(1);

    const form = { act: "drop", ids: [id] };
    expect(await (await admin.post("/admin/background-work/mails", finance, form)).text()).toContain(
      "Drop this piece of work?",
    );
    expect(
      (await admin.post("/admin/background-work/mails", finance, { ...form, confirmed: "yes", why: "" })).status,
    ).toBe(422);
    expect(await listed("mails", "given-up")).toHaveLength(1);
    expect((await admin.post("/admin/background-work/mails", finance, { act: "retry", ids: [id] })).status).toBe(422);
    const dropped = { ...form, confirmed: "yes", why: "address typed wrongly" };
    expect(await (await admin.post("/admin/background-work/mails", finance, dropped)).text()).toContain("1 dropped.");
    expect(await listed("mails", "given-up")).toEqual([]);
    expect(await queues.mails.due.countBuried(db)).toBe(0);
    expect(await needOf()).toBe(0);
    expect(await (await admin.post("/admin/background-work/mails", finance, dropped)).text()).toContain(
      "not given up any more",
    );
    expect(await entriesOf(id)).toMatchObject([
      {
        action: "work.drop",
        why: "address typed wrongly",
        before: { state: "given-up", is_dropped: false },
        after: { is_dropped: true },
      },
    ]);
  });

  test("R1 retried work is due again with the attempts of new work; support may not even look", async () => {
    const id = await givenUpReset();
    const support = await insertOperator(db, { role: "support" });
    const refused = await admin.get("/admin/background-work", support);
    expect(refused.status).toBe(403);
    expect(await refused.text(), "who can help").toContain("Roles with this page: Finance, Owner.");
    expect(
      (await admin.post("/admin/background-work/password_reset_requests", support, { act: "retry", ids: [id] })).status,
    ).toBe(403);
    const retry = { act: "retry", ids: [id] };
    const queue = "/admin/background-work/password_reset_requests";
    expect(await (await admin.post(queue, finance, retry)).text()).toContain("Try this piece of work again?");
    expect(await listed("password_reset_requests", "given-up")).toHaveLength(1);
    const done = await admin.post(queue, finance, { ...retry, confirmed: "yes" });
    expect(await done.text()).toContain("1 due again");
    expect(await listed("password_reset_requests", "given-up")).toEqual([]);
    expect(await listed("password_reset_requests", "due")).toMatchObject([{ id, attempts: 0, dueAt: NOW }]);
    const [lease] = await dueResetRequests.claim(db, { now: NOW, leaseMs: 60_000, max: 1 });
    expect(lease).toMatchObject({ id, attempts: 1 });
    expect(await entriesOf(id)).toMatchObject([{ action: "work.retry", after: { given_up_at: null, attempts: 0 } }]);

    await dueResetRequests.fail(db, lease!, { now: NOW, error: "still none" });
    expect(await listed("password_reset_requests", "failing")).toMatchObject([{ id, lastError: "still none" }]);
    const state = (await findQueueStates(db, { now: NOW })).find(({ name }) => name === "password_reset_requests");
    expect(state).toMatchObject({ due: 0, failing: 1, givenUp: 0 });
  });

  test("A3 what was given up and what fails is found by an index in every queue", async () => {
    await db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      await sql`set local enable_bitmapscan = off`.execute(trx);
      for (const name of Object.keys(queues) as QueueName[])
        for (const state of ["given-up", "failing"] as const) {
          const { due, about } = queues[name];
          const { where, sorts } = due.list({ state, about, now: NOW });
          const { rows } = await sql<{ "QUERY PLAN": string }>`explain select from ${sql.table(name)} work
            where ${sql.join(where, sql` and `)} order by ${sorts.time.by} limit 50`.execute(trx);
          const plan = rows.map((line) => line["QUERY PLAN"]).join("\n");
          if (!plan.includes("One-Time Filter: false")) expect(plan).toContain(`${name}_${state.replace("-", "_")}`);
        }
    });
  });
});
