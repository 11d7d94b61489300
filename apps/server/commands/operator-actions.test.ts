import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { OperatorActionError, runOperatorAction } from "./operator-actions.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const run = (...words: string[]) => runOperatorAction({ db, by: "root", now: () => now }, words);

test("A1 the command makes the first owner, who is mailed a link; the last owner can't be demoted or disabled", async () => {
  expect(await run("list")).toEqual(["There is no operator yet. Add the first owner with “add”."]);
  await expect(run("add", "ada@club.example", "Ada Lovelace", "owner")).rejects.toThrow(
    /Make one first: npm run brands/,
  );
  await insertBrand(db, { slug: "one", isDefault: true });
  expect(await run("add", "Ada@club.example", "Ada Lovelace", "owner")).toEqual([
    "ada@club.example is invited as owner. The link to choose a password is on its way.",
  ]);
  await expect(run("add", "ada@club.example", "Ada again", "support")).rejects.toThrow(/is an operator already/);
  await expect(run("add", "no address", "Nobody", "owner")).rejects.toThrow(OperatorActionError);
  await expect(run("role", "ada@club.example", "support")).rejects.toThrow(/last owner/);
  await expect(run("disable", "ada@club.example")).rejects.toThrow(/last owner/);

  await run("add", "sam@club.example", "Sam Marsh", "support");
  expect(await run("role", " SAM@club.example", "owner")).toEqual([" SAM@club.example is now owner."]);
  await run("disable", "ada@club.example");
  await expect(run("disable", "ada@club.example")).rejects.toThrow(/disabled already/);
  await expect(run("reset", "ada@club.example")).rejects.toThrow(/is disabled/);
  await run("reset", "sam@club.example");
  await expect(run("role", "nobody@club.example", "owner")).rejects.toThrow(/No operator has the address/);
});

test("A1 each change by the command is in the audit log with the system account, and the log proves itself", async () => {
  const entries = await db.selectFrom("audit_entries").select(["actor", "action"]).orderBy("seq").execute();
  expect(entries.map(({ action }) => action)).toEqual([
    "operator.invite",
    "operator.invite",
    "operator.change",
    "operator.disable",
    "operator.reset",
  ]);
  for (const { actor } of entries) expect(actor).toContain("root");
  expect(await run("check-log")).toEqual(["Every entry of the audit log is as it was written."]);
});

test("A1 what is no action shows how to use the command, and changes nothing", async () => {
  for (const words of [[], ["add"], ["add", "x@club.example"], ["list", "all"], ["role", "sam@club.example", "boss"]])
    await expect(run(...words)).rejects.toThrow(/npm run operators/);
});
