import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import { changeOperator } from "@farthing/core/operators/operations.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

test("A1 A3 the log's days are London's, as the times that it shows", async () => {
  const owner = await insertOperator(db, { role: "owner" });
  const { id } = await insertOperator(db, { role: "support" });
  const rename = (name: string, version: number, at: string) =>
    act(
      db,
      { operator: owner, requestId: "r1", now: new Date(at) },
      { permission: "operators.change", action: "operator.change", subject: { type: "operator", id }, why: name },
      (joined) => changeOperator(joined, { id, name, role: "support", version, now: new Date(at) }),
    );
  // In summer London is an hour ahead of UTC: these are 23:30 on the 19th, and 0:30 and 23:30 on the 20th.
  await rename("first", 1, "2026-07-19T22:30:00Z");
  await rename("second", 2, "2026-07-19T23:30:00Z");
  await rename("third", 3, "2026-07-20T22:30:00Z");
  await rename("fourth", 4, "2026-07-20T23:00:00Z");

  const names = async (query: string) => {
    const csv = await (await admin.get(`/admin/audit.csv?subject=${id}&sort=seq&${query}`, owner)).text();
    return ["first", "second", "third", "fourth"].filter((name) => csv.includes(`,${name},`));
  };
  expect(await names("from=2026-07-20&to=2026-07-20")).toEqual(["second", "third"]);
  expect(await names("to=2026-07-19")).toEqual(["first"]);
  expect(await names("from=2026-07-21")).toEqual(["fourth"]);

  const nameAtEndOf = async (day: string) => {
    const page = await (await admin.get(`/admin/audit/operator/${id}?on=${day}`, owner)).text();
    const past = /<section[^>]*aria-labelledby="past".*?<\/section>/s.exec(page)?.[0] ?? "";
    return ["first", "second", "third", "fourth"].filter((name) => past.includes(`<dd>${name}</dd>`));
  };
  expect(await nameAtEndOf("2026-07-19")).toEqual(["first"]);
  expect(await nameAtEndOf("2026-07-20")).toEqual(["third"]);
  expect(await nameAtEndOf("2026-07-21")).toEqual(["fourth"]);
  for (const day of ["2026-02-31", "0000-01-01", "9999-12-31", "x"]) expect(await nameAtEndOf(day)).toEqual([]);
});
