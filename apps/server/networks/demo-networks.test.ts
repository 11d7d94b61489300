import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { seedBrands } from "@farthing/core/brands/seed-brands.server.ts";
import { findReceipt } from "@farthing/core/cashback/find-receipt.server.ts";
import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { seedCatalogue } from "@farthing/demo-catalogue/seed-catalogue.server.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../sandbox/create-sandbox.ts";
import { buyFirst, Visitor } from "../../../sandbox/testing/visitor.ts";
import { goAppForTests } from "../clicks/go.testing.ts";
import { readNetworkSettings } from "./network-settings.ts";
import { openNetworks } from "./open-networks.ts";
import { pollReports } from "./poll-reports.ts";

const { db } = await testDatabase();
const NOW = new Date("2026-11-20T10:00:00Z");
let clock = NOW;
const now = () => clock;
const clicks = createClickRecorder({ db });
let sandbox: Sandbox;
let dataDir: string;
let brandId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "farthing-demo-networks-"));
  await seedNetworks(db);
  await seedMemberTypes(db);
  await seedBrands(db);
  await seedCatalogue(db, { dataDir, now: NOW });
  brandId = (await db.selectFrom("brands").select("id").where("slug", "=", "chalkside").executeTakeFirstOrThrow()).id;
  sandbox = await createSandbox({
    catalogueDir: path.join(dataDir, "catalogue"),
    publisherId: 100001,
    apiToken: "development-token",
    now: () => clock.getTime(),
  });
}, 120_000);
afterAll(async () => {
  await clicks.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
});

const call = async (to: string, init?: RequestInit) =>
  sandbox.fetch(new Request(new URL(to, "http://sandbox.test"), { redirect: "manual", ...init }));
const { networks, pollSeconds } = openNetworks(
  readNetworkSettings(
    {
      AWIN_PUBLISHER_ID: "100001",
      AWIN_API_TOKEN: "development-token",
      AWIN_API_URL: "http://sandbox.test/awin",
      AWIN_CALLS_PER_MINUTE: "1200",
    },
    { isDevelopment: true, standInUrl: "http://sandbox.test" },
  ),
  { fetch: async (input, init) => sandbox.fetch(new Request(input, init)), now },
);

/** A demo retailer of each network that the brand shows, with a live programme and a percentage. */
async function retailerAt(network: string) {
  const { rows } = await sql<{ slug: string; programme: string }>`
    select retailer.slug, programme.network_programme_id as programme
    from retailers retailer
      join programmes programme on programme.retailer_id = retailer.id and programme.is_preferred and programme.status = 'joined'
      join networks network on network.id = programme.network_id and network.slug = ${network}
      join brand_retailers shown on shown.retailer_id = retailer.id and shown.brand_id = ${brandId}
    where retailer.status = 'active' and not retailer.adults_only and programme.currency = 'GBP'
      and (select bool_and(tier.rate_kind = 'percent' and tier.member_rate_bp > 0) from rate_tiers tier where tier.programme_id = programme.id)
    order by retailer.slug limit 1`.execute(db);
  return rows[0]!;
}

/** What a link of each network looks like, for a programme. */
const LINKS: Readonly<Record<string, (programme: string) => RegExp>> = {
  awin: (id) => new RegExp(`^http://sandbox\\.test/awin/cread\\.php\\?awinmid=${id}&awinaffid=100001&clickref=`),
  cj: (id) => new RegExp(`^http://sandbox\\.test/cj/click-8200002-${id}\\?sid=`),
  rakuten: (id) => new RegExp(`^http://sandbox\\.test/rakuten/deeplink\\?id=[^&]+&mid=${id}&murl=`),
  impact: (id) => new RegExp(`^http://sandbox\\.test/impact/c/1924609/650971/${id}\\?subId1=`),
  partnerize: (id) => new RegExp(`^http://sandbox\\.test/partnerize/click/camref:1011l${id.slice(5)}/pubref:`),
};

test.each(allNetworks.map(({ slug }) => slug))(
  "C2 C3 a demo retailer on %s: a click leads through its link to its shop, and a purchase there is tracked",
  async (network) => {
    clock = NOW;
    const memberId = (await insertVerifiedMember(db, { brandId })).id;
    const { slug, programme } = await retailerAt(network);
    const app = goAppForTests({ db, clicks, brandId, memberId, networks, now });
    const redirect = await app.request(`http://club.test/go/retailers/${slug}`);
    const link = redirect.headers.get("location") ?? "";
    expect([redirect.status, link]).toEqual([302, expect.stringMatching(LINKS[network]!(programme))]);

    const visitor = await new Visitor({ call }).get(link);
    expect([visitor.status, visitor.url.pathname]).toEqual([200, `/shops/${slug}/`]);
    expect(await buyFirst(visitor)).toMatch(/^[A-Z]+-\d+$/);

    clock = new Date(NOW.getTime() + 60_000);
    const said: string[] = [];
    const tell = (facts: object, what: string) => void said.push(`${what} ${JSON.stringify(facts)}`);
    await db.deleteFrom("network_passes").execute();
    await pollReports({ db, networks, now, logger: { info() {}, warn: tell, error: tell }, pollSeconds });
    expect(said).toEqual([]);
    const { items, balances } = await findCashbackTimeline(db, { memberId, now: clock });
    expect(items).toMatchObject([{ state: "tracked", retailer: { slug } }]);
    expect(balances.trackedPence).toBe(items[0]!.cashbackPence);
    expect(balances.trackedPence).toBeGreaterThan(0);
    const { click_number: clickNumber } = await db
      .selectFrom("clicks")
      .select("click_number")
      .where("member_id", "=", memberId)
      .executeTakeFirstOrThrow();
    const receipt = (await findReceipt(db, { memberId, clickNumber }))!;
    expect(receipt.networkName).toBe(allNetworks.find((one) => one.slug === network)!.name);
    expect(receipt.purchases).toHaveLength(1);
    expect((await checkLedger(db)).faults).toEqual([]);
  },
);
