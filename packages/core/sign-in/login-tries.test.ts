import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { expect, test } from "vitest";
import { loginLimits } from "./login-limits.ts";
import { countCodeTry, forgiveCodeTry, type Try } from "./login-tries.server.ts";

const { db } = await testDatabase();
const brandId = newId();

/** A code for an account, sent from a network address and by default from an unknown browser. */
const sent = (account: string, address: string, device: string | null = null): Try => ({
  ...{ brandId, account, address, device, secret: "a secret that is long enough" },
});

test("S1 codes for one account are limited together, although each is guessed from another address", async () => {
  const [account, other] = [newId(), newId()];
  const { free } = loginLimits.codesOfAccount;
  for (let guess = 0; guess < free; guess += 1)
    expect(await countCodeTry(db, sent(account, `198.51.100.${guess}`)), `guess ${guess}`).toBe(0);
  expect(await countCodeTry(db, sent(account, "203.0.113.1")), "from an address of its own").toBeGreaterThan(0);
  expect(await countCodeTry(db, sent(account, "2001:db8::1"))).toBeGreaterThan(0);
  expect(await countCodeTry(db, sent(other, "198.51.100.1")), "another account").toBe(0);
  const owner = sent(account, "203.0.113.2", "the owner's browser");
  expect(await countCodeTry(db, owner), "a browser that the owner has used before").toBe(0);
  await forgiveCodeTry(db, owner);
  expect(await countCodeTry(db, sent(account, "203.0.113.3")), "a right code ends the count").toBe(0);
});

test("S1 codes that were refused for coming too fast from one address delay no other address", async () => {
  const account = newId();
  for (let guess = 0; guess < loginLimits.codesOfAccount.free * 2; guess += 1)
    await countCodeTry(db, sent(account, "198.51.100.1"));
  expect(await countCodeTry(db, sent(account, "198.51.100.1"))).toBeGreaterThan(0);
  expect(await countCodeTry(db, sent(account, "203.0.113.1"))).toBe(0);
});
