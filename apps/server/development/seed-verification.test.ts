import { listOpenRequests } from "@farthing/core/verification-requests/queries.server.ts";
import { KEY } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { seedMembers } from "./seed-members.ts";
import { seedReference } from "./seed-reference.ts";
import { seedVerification } from "./seed-verification.ts";

const { db } = await testDatabase();

test("Z3 M4 M7 each brand gets a member with a waiting proof, three get one with an offered move; a second start adds none", async () => {
  await seedReference(db);
  await seedMembers(db);
  const now = new Date("2026-11-22T09:00:00Z");
  expect(await seedVerification(db, { key: KEY, now })).toBe(11);
  const open = await listOpenRequests(db);
  expect(open).toHaveLength(8);
  expect(open.every(({ member, brand }) => member.email === `waiting@${brand}.example`)).toBe(true);
  expect(await seedVerification(db, { key: KEY, now })).toBe(0);
});

test("Z3 M4 sixty days later demo proofs are dated to yesterday; decided ones and those of people are unchanged", async () => {
  const later = new Date("2027-01-21T09:00:00Z");
  const requests = () =>
    db
      .selectFrom("verification_requests as request")
      .innerJoin("attachments as attachment", "attachment.request_id", "request.id")
      .select([
        "request.id",
        "request.state",
        "request.submitted_at",
        "attachment.id as file",
        "attachment.received_at",
      ])
      .orderBy("request.id")
      .execute();
  const [decided, own] = await requests();
  await db
    .updateTable("verification_requests")
    .set({ state: "rejected", reason: "unreadable", decided_at: new Date("2026-11-23"), decided_by: "tests" })
    .where("id", "=", decided!.id)
    .execute();
  await db.updateTable("attachments").set({ original_name: "scan.jpg" }).where("id", "=", own!.file).execute();
  const before = await requests();
  await seedVerification(db, { key: KEY, now: later });
  const after = await requests();
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  for (const { submitted_at, received_at } of after.slice(2)) {
    expect(submitted_at).toEqual(new Date("2027-01-20T09:00:00Z"));
    expect(received_at).toEqual(submitted_at);
  }
  await seedVerification(db, { key: KEY, now: new Date("2027-01-22T09:00:00Z") });
  expect(await requests()).toEqual(after);
});
