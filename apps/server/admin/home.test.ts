import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { roles } from "@farthing/core/operators/permissions.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

test("A3 T7 home says on which day it counts purchases, and leads to the report that counts them on another", async () => {
  for (const role of roles) {
    const operator = await insertOperator(db, { role });
    const html = await (await admin.get("/admin", operator)).text();
    expect(html, role).toContain("on the day on which it was tracked");
    const [report = ""] = /\/admin\/reports\/funnel[\w-]*/.exec(html) ?? [];
    expect((await admin.get(report, operator)).status, role).toBe(200);
  }
});
