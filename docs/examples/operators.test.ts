import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeClick, makeClub, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertMember } from "@farthing/core/testing/insert-member.testing.ts";
import { advanceClosures } from "@farthing/core/closures/close-member.server.ts";
import { requestClosure } from "@farthing/core/closures/operations.server.ts";
import { closureDays, daysAfter } from "@farthing/core/closures/rules.ts";
import { receivedFile } from "@farthing/core/verification-requests/verification.testing.ts";
import { submitProof } from "@farthing/core/verification-requests/submit-proof.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { deriveKey } from "@farthing/server/secrets/derive-key.ts";
import { readConfig } from "@farthing/server/env.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { example } from "./fenced-blocks.ts";
import { runShell, temporaryFolder } from "./run-example.testing.ts";

// Commands that operators paste, from docs/operations and docs/ledger.md, against a database of their own.

const folder = temporaryFolder();
const { db, url } = await testDatabase();
const env = { DATABASE_URL: url, DATA_DIR: folder };
const { secret } = readConfig(env);
const now = new Date();

/** Stores a new member's proof of membership and returns its id. */
async function makeProof(brandId: string): Promise<string> {
  const { id: memberId } = await insertMember(db, { brandId });
  await db.updateTable("members").set({ verification: "unverified" }).where("id", "=", memberId).execute();
  const file = receivedFile(Buffer.from("the proof"));
  const key = deriveKey(secret, "attachment");
  const result = await submitProof(db, { brandId, memberId, proofKind: null, file, key, now });
  if (result.outcome !== "submitted") throw new Error(result.outcome);
  return result.publicId;
}

describe("docs/operations/running.md", () => {
  test("M4 proof is listed, shown, accepted and rejected", async () => {
    const { id: brandId } = await insertBrand(db);
    const [accepted, rejected] = [await makeProof(brandId), await makeProof(brandId)];
    const file = join(folder, "proof.pdf");
    const printed: string[] = [];
    for (const line of example("docs/operations/running.md", "npm run verifications").trim().split("\n")) {
      const id = line.includes("reject") ? rejected : accepted;
      printed.push(await runShell(line.replace("<id>", id).replace("proof.pdf", file), { cwd: folder, env }));
    }
    const [list = "", show = "", accept = "", reject = ""] = printed;
    expect(list).toContain(accepted);
    expect(list).toContain(rejected);
    expect(show).toContain("payslip.jpg");
    expect(readFileSync(file, "utf8")).toBe("the proof");
    expect(accept).toContain("Accepted by");
    expect(reject).toContain("Rejected by");
  });

  test("M9 the query counts mails that wait or were given up", async () => {
    const { rows } = await sql.raw(example("docs/operations/running.md", "from mails")).execute(db);
    const queued = expect.objectContaining({ state: "waiting", kind: "verification-rejected", count: 1, max: null });
    expect(rows).toContainEqual(queued);
  });

  test("R1 background work is listed", async () => {
    const printed = await runShell(example("docs/operations/running.md", "npm run due-work"), { cwd: folder, env });
    expect(printed).toMatch(/mails/i);
  });

  test("C1 C2 networks are listed", async () => {
    const printed = await runShell(example("docs/operations/running.md", "npm run networks"), { cwd: folder, env });
    expect(printed).toContain("corrections that wait for their original: 0");
  });
});

describe("docs/operations/privacy.md", () => {
  test("M5 a last payout is listed and recorded as paid", async () => {
    const club = await makeClub(db);
    const sale = reportedSale(club, await makeClick(db, club), { status: "approved", paidToPublisher: true });
    await recordReportedTransaction(db, { networkId: club.networkId, reported: sale, now });
    await requestClosure(db, {
      brandId: club.brandId,
      memberId: club.memberId,
      pendingChoice: "wait",
      payableChoice: "pay-out",
      payee: { name: "Ada Lovelace", sortCode: "200000", accountNumber: "55779911" },
      keys: [deriveKey(secret, "payee")],
      now,
    });
    await advanceClosures(db, { now: daysAfter(now, closureDays.cancel) });
    const [list = "", paid = ""] = example("docs/operations/privacy.md", "npm run closures").trim().split("\n");
    const listed = await runShell(list, { cwd: folder, env });
    expect(listed).toContain("55779911");
    const [, id = ""] = /^(\S+) {2}awaiting_payout/m.exec(listed) ?? [];
    const printed = await runShell(paid.replace("<id>", id).replace("12.34", "6.00"), { cwd: folder, env });
    expect(printed).toContain("Paid £6.00");
  });
});

describe("docs/payouts.md", () => {
  test("C6 what waits is listed, and a batch of nobody is not made", async () => {
    const [list = "", batch = ""] = example("docs/payouts.md", "npm run payouts -- list").trim().split("\n");
    expect(await runShell(list, { cwd: folder, env })).toContain("Nothing waits");
    expect(await runShell(batch, { cwd: folder, env })).toContain("no batch was made");
  });
});

describe("docs/disputes.md", () => {
  test("G3 disputes and refunds that were made elsewhere are listed", async () => {
    const printed: string[] = [];
    const card = {
      STRIPE_SECRET_KEY: "sk_test_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
      STRIPE_PUBLISHABLE_KEY: "pk_test_x",
    };
    for (const line of example("docs/disputes.md", "npm run payments:disputes").trim().split("\n"))
      printed.push(await runShell(line, { cwd: folder, env: { ...env, ...card } }));
    expect(printed.map((text) => text.trim().split("\n").at(-1))).toEqual([
      "No dispute is open.",
      "No payment was ever disputed.",
      "Every refund was made by us, and arrived.",
    ]);
  });
});

describe("docs/ledger.md", () => {
  test("C4 the books are checked", async () => {
    const printed = await runShell(example("docs/ledger.md", "npm run ledger:check"), { cwd: folder, env });
    expect(printed).toMatch(/balance/i);
  });
});
