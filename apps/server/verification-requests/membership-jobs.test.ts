import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { decideRequest } from "@farthing/core/verification-requests/decide-request.server.ts";
import { submitted } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { advanceMemberships } from "./membership-jobs.ts";

const { db } = await testDatabase();

test("M4 the job deletes proof 14 days after its decision and records that, reminds 30 days before a membership ends, and ends it", async () => {
  const { id: brandId } = await insertBrand(db);
  const { memberId, publicId } = await submitted(db, { brandId });
  await decideRequest(db, { publicId, decision: { accept: true }, by: "ada", now: NOW });
  const logged: object[] = [];
  const logger = { info: (fields: object) => void logged.push(fields), warn() {}, error() {} };
  const on = (day: number) => {
    const now = new Date(NOW.getTime() + day * 86_400_000);
    return advanceMemberships({ db, logger, now: () => now });
  };
  const done: Record<number, number> = {};
  for (const day of [0, 13, 14, 15, 335, 336, 365, 366]) done[day] = await on(day);
  expect(done).toEqual({ 0: 0, 13: 0, 14: 1, 15: 0, 335: 1, 336: 0, 365: 1, 366: 0 });
  expect(logged).toEqual([
    { deleted: 1, told: 0, ended: 0 },
    { deleted: 0, told: 1, ended: 0 },
    { deleted: 0, told: 0, ended: 1 },
  ]);
  const { verification } = await db
    .selectFrom("members")
    .select("verification")
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  expect(verification).toBe("lapsed");
  expect(await db.selectFrom("attachment_deletions").select("why").where("member_id", "=", memberId).execute()).toEqual(
    [{ why: "decided" }],
  );
});
