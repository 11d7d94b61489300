import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { confirmBatch } from "./confirm.server.ts";
import { requestPayout } from "./operations.server.ts";
import {
  bankKeys,
  earn,
  faultsOf,
  giveDetails,
  makeApprovedBatch,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  WEDNESDAY,
} from "./payouts.testing.ts";

const { db, url } = await testDatabase();
const MEMBERS = 6;

/** Runs the drill's process and expects that it was killed. */
function kill(...words: string[]): void {
  const script = fileURLToPath(new URL("./killed-batch.testing.ts", import.meta.url));
  const { signal, stderr } = spawnSync(process.execPath, [script, url, ...words], { encoding: "utf8" });
  expect(signal, stderr).toBe("SIGKILL");
}

test("C6 R1 kill -9 in the middle of a batch, and of confirming it, pays everyone once", async () => {
  const club = await makePayingClub(db, { networkSlug: "drill" });
  for (let member = 0; member < MEMBERS; member += 1) {
    const own = { ...club, memberId: (await insertVerifiedMember(db, club)).id };
    await earn(db, own);
    await giveDetails(db, own);
    await requestPayout(db, { ...own, sessionId: null, now: MONDAY });
  }
  const statesOf = async () =>
    (await db.selectFrom("payouts").select("state").execute())
      .map(({ state }) => state)
      .sort()
      .join(" ");

  for (const after of [0, 3, MEMBERS - 1]) {
    kill("batch", String(after));
    expect(await statesOf(), "all of a batch or nothing").toBe(Array(MEMBERS).fill("requested").join(" "));
    expect(await faultsOf(db)).toEqual([]);
  }
  const parts = { method, bankKeys, payeeKeys, by: "an operator", now: MONDAY };
  const made = await makeApprovedBatch(db, parts);
  expect(made).toMatchObject({ payouts: MEMBERS, totalPence: 600 * MEMBERS });
  const batchNumber = made.batchNumber ?? 0;

  kill("confirm", "0", String(batchNumber));
  kill("confirm", "2", String(batchNumber));
  expect((await statesOf()).match(/paid/g), "what was committed before stays").toHaveLength(2);
  expect(await faultsOf(db)).toEqual([]);
  const confirmed = await confirmBatch(db, { batchNumber, bankKeys, by: "an operator", now: WEDNESDAY });
  expect(confirmed).toMatchObject({ outcome: "confirmed", paid: MEMBERS - 2 });
  expect(await statesOf()).toBe(Array(MEMBERS).fill("paid").join(" "));
  const mails = await db.selectFrom("mails").select("kind").where("kind", "=", "payout-paid").execute();
  expect(mails).toHaveLength(MEMBERS);
  expect(await faultsOf(db)).toEqual([]);
});
