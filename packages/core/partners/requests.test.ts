import { createHash } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";
import { makePartner } from "./partners.testing.ts";
import { answerRequest, beginRequest, releaseRequest, type RequestLease } from "./requests.server.ts";

const { db } = await testDatabase();
const start = new Date("2026-11-20T10:00:00Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const hash = createHash("sha256").update("a request").digest();
let partnerId = "";
let keys = 0;

beforeAll(async () => {
  partnerId = (await makePartner(db)).id;
});

/** A request whose worker took too long, so that a second one runs it: the leases of both. */
async function runTwice() {
  const key = `key-${(keys += 1)}`;
  const repeat = (now: Date) => beginRequest(db, { partnerId, mode: "live", key, hash, now });
  const leaseOf = async (now: Date): Promise<RequestLease> => {
    const begun = await repeat(now);
    if (begun.outcome !== "begun") throw new Error(begun.outcome);
    return begun.lease;
  };
  const late = await leaseOf(start);
  expect(await repeat(later(59))).toEqual({ outcome: "running" });
  const newer = await leaseOf(later(60));
  return { late, newer, repeat: () => repeat(later(61)) };
}

const answer = { status: 201, body: '{"refund":"the newer"}' };
const lateAnswer = { status: 500, body: '{"refund":"the late one"}' };

test("W10 a late worker does not overwrite the answer of the one that ran the request after it", async () => {
  const { late, newer, repeat } = await runTwice();
  await answerRequest(db, newer, answer);
  await answerRequest(db, late, lateAnswer);
  expect(await repeat()).toEqual({ outcome: "answered", ...answer });
});

test("W10 a late worker does not answer for the one that still runs the request", async () => {
  const { late, newer, repeat } = await runTwice();
  await answerRequest(db, late, lateAnswer);
  expect(await repeat()).toEqual({ outcome: "running" });
  await answerRequest(db, newer, answer);
  expect(await repeat()).toEqual({ outcome: "answered", ...answer });
});

test("W10 a late worker that fails does not delete the newer answer, so that the request is not run again", async () => {
  const { late, newer, repeat } = await runTwice();
  await answerRequest(db, newer, answer);
  await releaseRequest(db, late);
  expect(await repeat()).toEqual({ outcome: "answered", ...answer });
});

test("W10 a late worker that fails does not give back the key of the one that still runs the request", async () => {
  const { late, newer, repeat } = await runTwice();
  await releaseRequest(db, late);
  expect(await repeat()).toEqual({ outcome: "running" });
  await releaseRequest(db, newer);
  expect(await repeat(), "nothing was decided").toMatchObject({ outcome: "begun" });
});

test("W10 a key with an answer is not given back, not even by the worker that wrote the answer", async () => {
  const { newer, repeat } = await runTwice();
  await answerRequest(db, newer, answer);
  await releaseRequest(db, newer);
  expect(await repeat()).toEqual({ outcome: "answered", ...answer });
});
