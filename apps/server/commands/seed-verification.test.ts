import { listOpenRequests } from "@farthing/core/verification-requests/queries.server.ts";
import { KEY } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, it } from "vitest";
import { seedMembers } from "./seed-members.ts";
import { seedReference } from "./seed-reference.ts";
import { seedVerification } from "./seed-verification.ts";

const { db } = await testDatabase();

it("Z3 M4 each brand has a member whose proof waits, M7 three have one whom the carers' club concerns; a second start adds nobody", async () => {
  await seedReference(db);
  await seedMembers(db);
  const now = new Date();
  expect(await seedVerification(db, { key: KEY, now })).toBe(11);
  const open = await listOpenRequests(db);
  expect(open).toHaveLength(8);
  expect(open.every(({ member, brand }) => member.email === `waiting@${brand}.example`)).toBe(true);
  expect(await seedVerification(db, { key: KEY, now })).toBe(0);
});
