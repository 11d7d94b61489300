import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KEY } from "@farthing/core/verification-requests/verification.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { addresses } from "../../../bin/addresses.mjs";
import { brandOrigins } from "../brands/brand-origins.ts";
import { findBrandAddresses } from "../brands/brand-addresses.ts";
import { demoAccounts, demoCards, demoOperators, demoPassword } from "../../../bin/demo-access.mjs";
import { DEMO_PASSWORD as seededPassword } from "./seed-members.ts";
import { seedMembers } from "./seed-members.ts";
import { seedOperators } from "./seed-operators.ts";
import { seedReference } from "./seed-reference.ts";
import { seedVerification } from "./seed-verification.ts";

const root = join(import.meta.dirname, "../../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const url = "http://localhost:4000";
const { db } = await testDatabase();
await seedReference(db);
const linesOf = async (environment: "dev" | "production") => {
  const publicScheme = environment === "dev" ? "http" : "https";
  const brands = await findBrandAddresses(db, brandOrigins({ environment, publicScheme, port: 4000 }));
  const [sandboxUrl, partnerUrl] = ["http://localhost:4001", "http://localhost:4002"];
  return addresses({
    ...{ url, sandboxUrl, partnerUrl, brands, dataDir: ".data", sandbox: environment === "dev" },
  }).join("\n");
};
const printed = await linesOf("dev");

test("Z3 the documented demo accounts are those that are seeded, in the documented brands", async () => {
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

test("Z1 A2 npm start prints the brands and hosts that operators have set, not only those of a new database", async () => {
  const { id, name } = await insertBrand(db, { slug: "ninth" });
  await db.insertInto("brand_hosts").values({ brand_id: id, host: "ninth.club.example", is_main: true }).execute();
  await db
    .updateTable("brand_hosts")
    .set({ host: "fresh.localhost" })
    .where("host", "=", "freshledge.localhost")
    .execute();
  const lines = await linesOf("dev");
  expect(lines).toMatch(new RegExp(`http://ninth\\.club\\.example:4000 +${name}, for `));
  expect(lines).toMatch(/http:\/\/fresh\.localhost:4000 +Freshledge/);
  expect(lines).not.toContain("freshledge.localhost");
});

test("Z1 P1 outside development npm start names nothing that does not listen: no sandbox, mailbox, demo account or test card", async () => {
  const lines = await linesOf("production");
  expect(lines).toMatch(/https:\/\/localhost +Chalkside, for teachers/);
  expect(lines).toContain("https://localhost/admin");
  for (const word of [
    "4001",
    "4002",
    "mailbox",
    "Sandbox",
    "@",
    demoPassword,
    ...demoCards.map(({ number }) => number),
  ])
    expect(lines).not.toContain(word);
});
