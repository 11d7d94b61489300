import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeEach, expect, test } from "vitest";
import { StartError } from "../process/start-error.ts";
import { adoptSecret, recordSecret } from "./database-secret.ts";
import { keyFingerprint } from "./key-fingerprint.ts";

const { db } = await testDatabase();
const start = (secret: string, ...oldSecrets: string[]) => recordSecret(db, { secret, oldSecrets });
beforeEach(() => db.deleteFrom("database_secrets").execute());

test("S1 a new database takes the secret it is started with, and refuses another without showing either", async () => {
  await start("first");
  await start("first");
  const refusal = await start("another").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StartError);
  const { message } = refusal as StartError;
  expect(message).toContain(`its fingerprint is ${keyFingerprint("first")}`);
  expect(message).toContain("npm run secrets -- adopt");
  expect(message).not.toMatch(/"first"|"another"/);
});

test("S1 a rotation in its order is never refused, whichever process starts when", async () => {
  await start("first");
  await start("first", "second"); // step 1: all may read with the new one
  await start("second", "first"); // step 2: exchanged
  await start("first", "second"); // another process, restarted in between
  await start("second"); // step 5: the old one is removed
  await expect(start("third")).rejects.toThrow(keyFingerprint("second"));
});

test("S1 a lost secret is given up by a command, and only then the database goes on with the new one", async () => {
  await start("lost");
  await expect(start("new")).rejects.toThrow(StartError);
  expect(await adoptSecret(db, { secret: "new" })).toBe(keyFingerprint("new"));
  await start("new");
});
