import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { KEY, submitted } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandEntries } from "./command-entries.testing.ts";
import { runVerificationAction } from "./verification-actions.ts";

const { db } = await testDatabase();
let folder: string;
let brandId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "farthing-verifications-"));
  brandId = (await insertBrand(db)).id;
});
afterAll(() => rm(folder, { recursive: true }));

const run = async (...words: string[]) =>
  (await runVerificationAction({ db, key: KEY, by: "ada", now: () => NOW }, words)).join("\n");

test("M4 an operator lists, views and decides proofs, and each decision records a name", async () => {
  expect(await run("list")).toBe("Nothing waits for a decision.");
  const one = await submitted(db, { brandId });
  const two = await submitted(db, { brandId });
  expect(await run("list")).toContain(one.publicId);
  const out = join(folder, "proof.jpg");
  expect(await run("show", one.publicId, "--out", out)).toContain("payslip.jpg");
  expect(await readFile(out, "utf8")).toBe("the proof");
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  expect(await run("accept", one.publicId)).toContain("Accepted by ada: verified until 2027-11-20");
  expect(await run("reject", two.publicId, "--reason", "unreadable", "--by", "grace")).toContain("Rejected by grace");
  expect(await run("show", two.publicId)).toContain("by grace: unreadable");
  expect(await commandEntries(db, "ada"), "A1").toEqual([`verification.accept ${one.publicId}`]);
  expect(await commandEntries(db, "grace"), "A1").toEqual([`verification.reject ${two.publicId}`]);
  expect(await run("list")).toBe("Nothing waits for a decision.");
});

test("M4 an impossible action is refused with what to do, and changes nothing", async () => {
  const { publicId } = await submitted(db, { brandId });
  const taken = join(folder, "taken.jpg");
  await writeFile(taken, "mine");
  await expect(run("show", publicId, "--out", taken)).rejects.toThrow("already exists");
  expect(await readFile(taken, "utf8")).toBe("mine");
  await expect(run("reject", publicId)).rejects.toThrow("Give a reason");
  await expect(run("reject", publicId, "--reason", "toString")).rejects.toThrow("Give a reason");
  await expect(run("reject", publicId, "--reason", "other")).rejects.toThrow("--note");
  await expect(run("accept", "nobody")).rejects.toThrow("There is no proof nobody");
  for (const words of [["accept"], ["list", "all"], ["accept", publicId, "--force", "yes"], ["constructor", publicId]])
    await expect(run(...words)).rejects.toThrow("npm run verifications");
  await run("accept", publicId);
  await expect(run("accept", publicId)).rejects.toThrow("The proof is already accepted");
});
