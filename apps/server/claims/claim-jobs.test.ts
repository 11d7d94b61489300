import { afterAll, beforeAll, expect, test } from "vitest";
import { claim, claimRow, clickOf, type ClaimClub } from "@farthing/core/claims/claims.testing.ts";
import { makeClub } from "@farthing/core/cashback/cashback.testing.ts";
import { findMemberBalances } from "@farthing/core/ledger/balances.server.ts";
import { createNetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { impact } from "@farthing/providers/affiliates/impact/impact.ts";
import { startTestSandbox, type TestSandbox } from "../../../sandbox/testing/start-test-sandbox.ts";
import { pollReports } from "../networks/poll-reports.ts";
import { workClaims } from "./claim-jobs.ts";

const SECRET = "a-secret-token-of-impact";
let at = new Date("2026-11-01T09:30:00Z");
const now = () => at;
let testSandbox: TestSandbox;
beforeAll(async () => {
  testSandbox = await startTestSandbox({
    now: () => at.getTime(),
    networks: { impact: { credentials: { authToken: SECRET } } },
  });
});
afterAll(() => testSandbox.end());
const { db } = await testDatabase();
const logger = { info() {}, warn() {}, error() {} };
const authorization = `Basic ${Buffer.from(`IRdevelopment:${SECRET}`).toString("base64")}`;

test("C7 C3 over HTTP: a claim is filed with Impact, accepted, reported without its click, and becomes tracked cashback", async () => {
  const settings = {
    ...impact.readSettings({}, { isDevelopment: true, standInUrl: "http://sandbox.test" }),
    authToken: SECRET,
  };
  const provider = impact.createProvider(settings, {
    fetch: async (input, init) => testSandbox.sandbox.fetch(new Request(input, init)),
    now,
  });
  const networks = createNetworkRegistry([provider]);
  const club = await makeClub(db, { networkSlug: "impact" });
  await db
    .updateTable("programmes")
    .set({ network_programme_id: "5001" })
    .where("id", "=", club.shop.programmeId)
    .execute();
  const own: ClaimClub = { ...club, ...(await clickOf(db, club, new Date("2026-10-20T09:00:00Z"))) };
  const form = { purchasedOn: "2026-10-20", orderReference: "order-77", salePence: 12_345 };
  const made = await claim(db, own, { form, now: at });
  const publicId = "publicId" in made ? made.publicId : "";
  const parts = { db, networks, unsubscribeKeys: ["a key"] as [string], logger, now };
  const work = async (minutes: number) => {
    at = new Date(at.getTime() + minutes * 60_000);
    await workClaims(parts);
    return (await claimRow(db, publicId)).state;
  };
  expect(await work(0)).toBe("filed");
  const list = await testSandbox.call("/impact/Mediapartners/IRdevelopment/ActionInquiries", {
    headers: { authorization },
  });
  const { ActionInquiries } = (await list.json()) as { ActionInquiries: Record<string, string>[] };
  expect(ActionInquiries).toMatchObject([{ OrderId: "order-77", CampaignId: "5001", InquiryType: "UNTRACKED" }]);
  expect(await work(1)).toBe("filed");
  const resolved = await testSandbox.call("/impact/Advertisers/IRdevelopment/ActionInquiries", {
    method: "PUT",
    headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      Id: ActionInquiries[0]!["Id"]!,
      ResolutionStatus: "VALID",
      RejectReason: "",
    }).toString(),
  });
  expect(resolved.status).toBe(200);
  expect(await work(10)).toBe("accepted");
  const { id } = await testSandbox.json<{ id: number }>("POST", "/control/transactions", {
    network: "impact",
    advertiserId: 5001,
    salePence: 12_345,
    clickRef: own.reference,
    orderRef: "order-77",
    transactedAt: "2026-10-20T10:00:00Z",
    push: false,
  });
  await testSandbox.json("POST", `/control/transactions/${id}/lose-clickref`, {});
  await pollReports({ db, networks, now, logger, pollSeconds: { impact: 1 } });
  expect((await claimRow(db, publicId)).state).toBe("credited");
  const balances = await findMemberBalances(db, { memberId: club.memberId });
  expect(balances.member_tracked).toBeGreaterThan(0);
});
