import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { sealBankAccount } from "../bank-details/bank-seal.ts";
import { advanceClosures } from "../closures/close-member.server.ts";
import { requestClosure } from "../closures/operations.server.ts";
import { closureDays, daysAfter } from "../closures/rules.ts";
import { makeBatch } from "./batch.server.ts";
import { findBatch } from "./list-batches.server.ts";
import { requestPayout } from "./operations.server.ts";
import { account, bankKeys, earn, giveDetails, makePayingClub, method, MONDAY, payeeKeys } from "./payouts.testing.ts";

const { db } = await testDatabase();
let clubs = 0;
const numbered = (accountNumber: string) => ({ ...account, accountNumber });
const shared = numbered("10000001");

async function earning(): Promise<Awaited<ReturnType<typeof makePayingClub>>> {
  const club = await makePayingClub(db, { networkSlug: `batches-${(clubs += 1)}` });
  await earn(db, club);
  return club;
}

const name = (member: { brandId: string; memberId: string }, own: typeof account) =>
  giveDetails(db, member, { sealed: sealBankAccount(own, member.memberId, bankKeys), of: own });

/** Who asks for a payout to an account, and has changed it by the time that the batch is looked at. */
async function asking(own: typeof account) {
  const club = await earning();
  await name(club, own);
  const asked = await requestPayout(db, { ...club, sessionId: null, now: MONDAY });
  expect(asked.outcome).toBe("requested");
  return club;
}

/** Who leaves, and has the last payout sent to an account. */
async function leaving(payee: typeof account) {
  const club = await earning();
  const { brandId, memberId } = club;
  const choices = { pendingChoice: "give-up", payableChoice: "pay-out" } as const;
  const now = daysAfter(MONDAY, -closureDays.cancel);
  await requestClosure(db, { brandId, memberId, ...choices, payee, keys: payeeKeys, now });
  return club;
}

/** The others that each member is shown to share an account with, by their place among `members`. */
async function sharingOf(members: readonly { memberId: string }[], batchNumber: number) {
  const { largest } = (await findBatch(db, { batchNumber, bankKeys }))!;
  const rows = await db.selectFrom("members").select(["id", "member_number"]).execute();
  const numbers = new Map(rows.map(({ id, member_number }) => [id, member_number]));
  return members.map(({ memberId }) =>
    largest
      .find(({ memberNumber }) => memberNumber === numbers.get(memberId))
      ?.sharedWith.map((other) => {
        expect(other.memberNumber).toBe(numbers.get(other.memberId));
        return members.findIndex((member) => member.memberId === other.memberId);
      })
      .toSorted((one, another) => one - another),
  );
}

test("C6 a batch names the members who are paid to one account, whatever they have named since, and who leaves with it", async () => {
  const asked = [await asking(shared), await asking(shared), await asking(numbered("10000002"))];
  const left = [await leaving(shared), await leaving(numbered("10000003")), await leaving(numbered("10000004"))];
  const bystander = await earning();
  await name(bystander, numbered("10000003"));
  await advanceClosures(db, { now: MONDAY });
  const { batchNumber } = await makeBatch(db, { method, bankKeys, payeeKeys, by: "first", now: MONDAY });
  for (const [at, member] of asked.entries()) await name(member, numbered(`2000000${at}`));
  const shown = await sharingOf([...asked, ...left, bystander], batchNumber!);
  expect(shown).toEqual([[1, 3], [0, 3], [], [0, 1], [6], [], undefined]);
});
