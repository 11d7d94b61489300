import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { testPassword, visitOf, insertMemberWithPassword } from "../sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { openAccounts } from "../sign-in/accounts.ts";
import { commandEntries } from "./command-entries.testing.ts";
import { MemberActionError, runMemberAction } from "./member-actions.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const run = (...words: string[]) => runMemberAction({ db, by: "olive", now: () => now }, words);

test("S1 an operator suspends and restores a member by any of their addresses, at the named brand only", async () => {
  const [one, two] = [await insertBrand(db, { slug: "one", isDefault: true }), await insertBrand(db, { slug: "two" })];
  const email = "ada@one.test";
  const id = await insertMemberWithPassword(db, one, email);
  await insertMemberWithPassword(db, two, email);
  const key = "key-of-the-test-with-a-decent-length";
  const accounts = openAccounts({ db, key, secretKeys: ["another key"], publicScheme: "http" });
  const outcome = async (brand: typeof one) => {
    const request = new Request(`http://${brand.slug}.test/login`);
    return (await accounts.logIn(visitOf(brand), request, { email, password: testPassword })).outcome;
  };
  expect(await run("suspend", "one", " ADA@one.test ")).toEqual([
    "ada@one.test is suspended and signed out everywhere.",
  ]);
  expect({ one: await outcome(one), two: await outcome(two) }).toEqual({ one: "refused", two: "logged-in" });
  await expect(run("suspend", "one", email)).rejects.toThrow(/already suspended/);
  await run("restore", "one", email);
  expect(await outcome(one)).toBe("logged-in");
  await expect(run("restore", "one", email)).rejects.toThrow(/not suspended/);
  expect(await commandEntries(db, "olive"), "A1").toEqual([`member.suspend ${id}`, `member.restore ${id}`]);
  await expect(run("suspend", "one", "nobody@one.test")).rejects.toThrow(MemberActionError);
  for (const words of [[], ["suspend"], ["suspend", "one"], ["delete", "one", email], ["suspend", "one", email, "x"]])
    await expect(run(...words)).rejects.toThrow(/npm run members/);
});
