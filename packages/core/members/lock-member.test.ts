import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { expect, test } from "vitest";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { lockMember, lockMembers } from "./lock-member.server.ts";

const { db } = await testDatabase();

test("S1 several members are locked in the order of their ids, however they are named: two who lock the same can't deadlock", async () => {
  const { id: brandId } = await insertBrand(db);
  const made = [await insertMember(db, { brandId }), await insertMember(db, { brandId })];
  const [low, high] = made.map(({ id }) => id).toSorted() as [string, string];
  const other = await db.startTransaction().execute();
  await lockMember(other, { memberId: low });
  const locking = db.transaction().execute((trx) => lockMembers(trx, [high, low]));
  await untilWaiting(db);
  expect(await lockMember(other, { memberId: high })).toMatchObject({ id: high });
  await other.rollback().execute();
  await locking;
  await db.transaction().execute((trx) => lockMembers(trx, []));
});
