import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { expect, test } from "vitest";
import { loginLimits } from "./login-limits.ts";
import { countCodeTry, countTry, forgiveCodeTry, type Try } from "./login-tries.server.ts";

const { db } = await testDatabase();
const brandId = newId();

/** A password or a code for an account, sent from a network address and by default from an unknown browser. */
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

/** Ends the waits of counts that have reached `tries`, as time would. */
const endWaitsFrom = (tries: number) =>
  db.updateTable("login_tries").set({ waits_until: null }).where("tries", ">=", tries).execute();

test("S1 logins that were refused for coming too fast at one account delay no other account at their network address", async () => {
  const [account, other] = [newId(), newId()];
  for (let tries = 0; tries < loginLimits.address.free; tries += 1) await countTry(db, sent(account, "198.51.100.2"));
  expect(await countTry(db, sent(account, "198.51.100.2"))).toBeGreaterThan(0);
  expect(await countTry(db, sent(other, "198.51.100.2")), "another account").toBe(0);
});

test("S1 logins that were refused because their network address waits delay their account no longer than that", async () => {
  const account = newId();
  for (let tries = 0; tries < loginLimits.address.free; tries += 1)
    expect(await countTry(db, sent(newId(), "198.51.100.3"))).toBe(0);
  for (let tries = 0; tries < loginLimits.accountAndAddress.free * 2; tries += 1)
    expect(await countTry(db, sent(account, "198.51.100.3"))).toBeGreaterThan(0);
  await endWaitsFrom(loginLimits.address.free);
  expect(await countTry(db, sent(account, "198.51.100.3"))).toBe(0);
});

test("S1 codes that were refused because their account waits don't count at their network address", async () => {
  const account = newId();
  for (let guess = 0; guess < loginLimits.codesOfAccount.free; guess += 1)
    await countCodeTry(db, sent(account, `198.51.101.${guess}`));
  for (let guess = 0; guess < loginLimits.code.free * 2; guess += 1)
    expect(await countCodeTry(db, sent(account, "203.0.113.4"))).toBeGreaterThan(0);
  await endWaitsFrom(loginLimits.codesOfAccount.free);
  expect(await countCodeTry(db, sent(account, "203.0.113.4"))).toBe(0);
});
