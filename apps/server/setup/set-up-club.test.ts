import { choosePassword, findLinkOperator } from "@farthing/core/operators/sign-in.server.ts";
import { disableOperator, inviteOperator } from "@farthing/core/operators/operations.server.ts";
import { findBrandByHost } from "@farthing/core/brands/queries.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeEach, expect, test } from "vitest";
import { setUpClub, type ClubSetUp } from "./set-up-club.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const brand = {
  ...{ slug: "village-club", name: "Village Club", audience: "people who keep a village going", theme: "chalkside" },
  ...{ supportEmail: "help@club.example", hosts: ["club.example"], memberTypes: ["charity"] },
};
const operator = { email: "ada@club.example", name: "Ada Lovelace", role: "owner" } as const;
const setUp = (changes: object = {}) => setUpClub(db, { brand, operator, by: "root", now, ...changes });

function tokenOf(made: ClubSetUp): string {
  if (made.outcome !== "set-up" || made.operator.outcome !== "invited") throw new Error("There is no link");
  return made.operator.path.replace("/admin/join/", "");
}
const opens = (token: string) => findLinkOperator(db, { token, now });

beforeEach(async () => {
  await db.deleteFrom("mails").execute();
  await db.deleteFrom("operators").execute();
  await db.deleteFrom("brands").execute();
});

test("B5 A1 an empty database gets its first brand, which answers, and an owner with a link to choose a password", async () => {
  const made = await setUp();
  expect(made).toMatchObject({ outcome: "set-up", brand: "created", operator: { outcome: "invited" } });
  expect(await findBrandByHost(db, "club.example")).toMatchObject({ name: "Village Club" });
  expect(await opens(tokenOf(made))).toMatchObject({ email: "ada@club.example" });
  const mails = await db.selectFrom("mails").select(["kind", "recipient"]).execute();
  expect(mails).toEqual([{ kind: "operator-invitation", recipient: "ada@club.example" }]);
  const entry = await db
    .selectFrom("audit_entries")
    .select(["action", "actor"])
    .orderBy("seq", "desc")
    .executeTakeFirst();
  expect(entry).toEqual({ action: "operator.invite", actor: "command: root" });
});

test("A1 a second run makes what the first did not get to, and a new link that ends the former one", async () => {
  await setUpClub(db, { brand, operator, by: "root", now });
  await db.deleteFrom("operators").execute();
  const first = tokenOf(await setUp());
  const again = await setUp();
  expect(again).toMatchObject({ brand: "known", operator: { outcome: "invited" } });
  expect([await opens(first), (await opens(tokenOf(again)))?.email]).toEqual([null, "ada@club.example"]);
});

test("S1 no link is made for somebody who has a password, is disabled, or has another role", async () => {
  const token = tokenOf(await setUp());
  await choosePassword(db, { token, hash: "a hash", now });
  expect(await setUp()).toMatchObject({ operator: { outcome: "known", role: "owner" } });
  const second = { email: "sam@club.example", name: "Sam Marsh", role: "support" } as const;
  const invited = await inviteOperator(db, { operator: second, now });
  if (invited.outcome === "invited") await disableOperator(db, { id: invited.id, now });
  const made = await setUp({ operator: { ...second, role: "owner" } });
  expect(made).toMatchObject({ operator: { outcome: "known", role: "support" } });
});

test("B5 a brand that was changed since stays as it is; a host of another brand refuses everything", async () => {
  await setUp();
  await setUp({ brand: { ...brand, name: "Another name" } });
  expect(await findBrandByHost(db, "club.example")).toMatchObject({ name: "Village Club" });
  const refused = await setUp({ brand: { ...brand, slug: "town-club" } });
  expect(refused).toMatchObject({
    outcome: "refused",
    problems: [expect.stringMatching(/club\.example belongs to the brand village-club/)],
  });
});
