import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KEY } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { addresses } from "../../../bin/addresses.mjs";
import { demoAccounts, demoCards, demoOperators, demoPassword } from "../../../bin/demo-access.mjs";
import { DEMO_PASSWORD as seededPassword } from "./seed-members.ts";
import { seedMembers } from "./seed-members.ts";
import { seedOperators } from "./seed-operators.ts";
import { seedReference } from "./seed-reference.ts";
import { seedVerification } from "./seed-verification.ts";

const root = join(import.meta.dirname, "../../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const url = "http://localhost:4000";
const printed = addresses({
  port: 4000,
  url,
  sandboxUrl: "http://localhost:4001",
  partnerUrl: "http://localhost:4002",
  dataDir: ".data",
}).join("\n");

test("Z3 the documented demo accounts are those that are seeded, in the documented brands", async () => {
  const { db } = await testDatabase();
  await seedReference(db);
  await seedMembers(db);
  await seedVerification(db, { key: KEY, now: new Date() });
  const brands = (await db.selectFrom("brands").select("slug").execute()).map(({ slug }) => slug);
  const members = await db.selectFrom("members").select("email").execute();
  const named = demoAccounts.flatMap(({ name, brands: only = brands }) =>
    only.map((slug) => `${name}@${slug}.example`),
  );
  expect(members.map(({ email }) => email).sort()).toEqual(named.sort());
  expect(demoPassword).toBe(seededPassword);
  await seedOperators(db, { keys: [KEY], now: new Date() });
  const operators = await db.selectFrom("operators").select(["email", "role"]).execute();
  const known = demoOperators.map(({ name }) => ({ email: `${name}@farthing.example`, role: name }));
  expect(operators.toSorted((a, b) => a.email.localeCompare(b.email))).toEqual(
    known.toSorted((a, b) => a.email.localeCompare(b.email)),
  );
});

test.each([
  ["README.md", readme],
  ["npm start", printed],
])("P1 Z3 %s names every demo account, its brand, the password, and a card for each outcome", (_, text) => {
  const line = (part: string) => text.split("\n").find((candidate) => candidate.includes(part)) ?? "";
  for (const { name, what, brands = [] } of demoAccounts) {
    expect(line(`${name}@<brand>.example`).replaceAll("`", "")).toContain(what);
    for (const brand of brands) expect(line(`${name}@<brand>.example`).toLowerCase()).toContain(brand);
  }
  for (const { name, what } of demoOperators) expect(line(`${name}@farthing.example`)).toContain(what);
  for (const { number, what } of demoCards) expect(line(number)).toContain(what);
  expect(text).toContain(demoPassword);
});

test("Z1 npm start prints the address that each brand's e-mails link to", () => {
  expect(printed).toMatch(/http:\/\/localhost:4000 +Chalkside, for teachers/);
  expect(printed).toMatch(/http:\/\/freshledge\.localhost:4000 +Freshledge, for students/);
  expect(printed).not.toContain("chalkside.localhost");
});
