import { importTexts, type FileTexts } from "@farthing/core/catalogue-imports/catalogue-files.testing.ts";
import { importCatalogue } from "@farthing/core/catalogue-imports/import-catalogue.server.ts";
import { describeProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { cjFeed } from "./cj/cj-feed.ts";
import { rakutenFeed } from "./rakuten/rakuten-feed.ts";

/** The networks' own documents, imported: the elements are those of their published answers, with the ones that are not read. */

const { db } = await testDatabase();
const cj = { network: "cj", feed: cjFeed };
const rakuten = { network: "rakuten", feed: rakutenFeed };
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const advertiser = (id: number, { actions = saleAction("7.50%"), extra = "" } = {}) => `    <advertiser>
      <advertiser-id>${id}</advertiser-id>
      <account-status>Active</account-status>
      <seven-day-epc>20.00</seven-day-epc>
      <three-month-epc>N/A</three-month-epc>
      <language>en</language>
      <advertiser-name>Bed &amp; Bath ${id}</advertiser-name>
      <program-url>https://shop-${id}.example</program-url>
      <relationship-status>joined</relationship-status>
      <network-rank>5</network-rank>
      <primary-category>
        <parent>Home &amp; Garden</parent>
        <child>Utilities</child>
      </primary-category>
      <actions>${actions}</actions>
      <link-types><link-type>Banner</link-type><link-type>Text Link</link-type></link-types>${extra}
    </advertiser>`;
const saleAction = (commission: string, id = 31) => `
        <action>
          <name>Online Sale</name>
          <type>advanced sale</type>
          <id>${id}</id>
          <commission><default type="item-level">${commission}</default><itemlist name="Books" id="9">2.00%</itemlist></commission>
        </action>
      `;
const advertisers = (...records: string[]) => `${DECLARATION}
<cj-api>
  <advertisers total-matched="${records.length}" records-returned="${records.length}" page-number="1">
${records.join("\n")}
  </advertisers>
</cj-api>
`;

const link = (id: number, advertiserId: number, different: Record<string, string> = {}) => {
  const elements: Record<string, string> = {
    "advertiser-id": String(advertiserId),
    "advertiser-name": "Bed &amp; Bath",
    category: "Home Appliances",
    "click-commission": "0.0",
    "link-code-html": "&lt;a href=&quot;https://www.tkqlhce.com/click-1-2&quot;&gt;Towels&lt;/a&gt;",
    destination: `https://shop-${advertiserId}.example/towels?a=1&amp;b=2`,
    "link-id": String(id),
    "link-name": "<![CDATA[10% off towels & sheets]]>",
    description: "",
    "link-type": "Text Link",
    "promotion-end-date": "2027-01-31 23:59:59.0",
    "promotion-start-date": "2026-11-01 00:00:00.0",
    "promotion-type": "coupon",
    "coupon-code": "TOWEL10",
    "seven-day-epc": "N/A",
    clickUrl: "https://www.tkqlhce.com/click-1-2",
    ...different,
  };
  return `<link>${Object.entries(elements)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join("")}</link>`;
};
const links = (...records: string[]) => `${DECLARATION}
<cj-api><links total-matched="${records.length}" records-returned="${records.length}" page-number="1">
${records.join("\n")}
</links></cj-api>
`;

const CLICK =
  "https://click.linksynergy.com/fs-bin/click?id=XXXXXXXXXXX&amp;offerid=164317.10002595&amp;type=4&amp;subid=0";
const coupon = (different: Record<string, string> = {}) => {
  const elements: Record<string, string> = {
    categories: '<category id="983">computers</category><category id="12">electronics</category>',
    promotiontypes: '<promotiontype id="22">percentage off</promotiontype>',
    offerdescription: "15 percent off",
    offerstartdate: "2026-11-01",
    offerenddate: "2026-12-31",
    couponcode: "KJEISLD",
    couponrestriction: "New customers only",
    clickurl: CLICK,
    impressionpixel:
      "https://ad.linksynergy.com/fs-bin/show?id=XXXXXXXXXXX&amp;bids=164317.10002595&amp;type=4&amp;subid=0",
    advertiserid: "2149",
    advertisername: "Shop 2149",
    network: "Linkshare Network",
    ...different,
  };
  return `<link type="TEXT">${Object.entries(elements)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join("")}</link>`;
};
const coupons = (...records: string[]) => `${DECLARATION}
<couponfeed>
<TotalMatches>${records.length}</TotalMatches><TotalPages>1</TotalPages><PageNumberRequested>1</PageNumberRequested>
${records.join("\n")}
</couponfeed>
`;

const programmesOf = (network: string) =>
  db
    .selectFrom("programmes")
    .innerJoin("networks", "networks.id", "programmes.network_id")
    .where("networks.slug", "=", network)
    .select(["network_programme_id", "programmes.name", "currency", "programmes.landing_url"])
    .orderBy("network_programme_id")
    .execute();
const offer = (id: string) =>
  db
    .selectFrom("offers")
    .where("network_offer_id", "=", id)
    .select(["title", "kind", "terms", "landing_url", "starts_at", "ends_at"])
    .executeTakeFirst();

async function refused(texts: FileTexts, options: typeof cj | typeof rakuten): Promise<string[]> {
  const result = await importTexts(db, texts, options);
  expect(result.outcome).toBe("refused");
  return result.problems;
}

beforeAll(async () => {
  await seedNetworks(db);
  const shops = { id: 2149, name: "Shop 2149", url: "https://shop-2149.example/" };
  for (const [texts, options] of [
    [{ programmes: advertisers(advertiser(4471)) }, cj],
    [{ programmes: JSON.stringify({ advertisers: [shops] }) }, rakuten],
  ] as const)
    expect((await importTexts(db, texts, options)).problems).toEqual([]);
});

describe("C2 CJ's Advertiser Lookup", () => {
  test("C2 one advertiser or several, each with one action or several, become programmes with their rates", async () => {
    const two = saleAction("7.50%") + saleAction("USD 0.50", 32);
    const result = await importTexts(
      db,
      {
        programmes: advertisers(
          advertiser(4471),
          advertiser(4472, { actions: two }),
          advertiser(4473, { actions: "" }),
        ),
      },
      cj,
    );
    expect(result.problems).toEqual([]);
    expect(result.files[0]).toMatchObject({ read: 3, created: 2 });
    expect(await programmesOf("cj")).toEqual(
      [
        ["4471", "GBP"],
        ["4472", "USD"],
        ["4473", "GBP"],
      ].map(([id, currency]) => ({
        network_programme_id: id,
        name: `Bed & Bath ${id}`,
        currency,
        landing_url: `https://shop-${id}.example`,
      })),
    );
    const { rate } = await db
      .selectFrom("rate_tiers")
      .where("network_group_id", "=", "31")
      .select((eb) => eb.fn.max("network_rate_bp").as("rate"))
      .executeTakeFirstOrThrow();
    expect(rate).toBe(750);
  });

  test("C2 a problem names the line, the record, the id and the element", async () => {
    const bad = advertiser(4475, { actions: saleAction("a tenth") }).replace(/<program-url>.*<\/program-url>/, "");
    expect(await refused({ programmes: advertisers(advertiser(4471), bad) }, cj)).toEqual([
      "programmes.json, line 28 (record 1, id 4475), program-url: is missing",
      "programmes.json, line 28 (record 1, id 4475), actions.0.commission.default: must be 7.5% or GBP 25.00",
    ]);
  });

  test("C2 an element that stands twice, and an id that is listed twice, are refused", async () => {
    const twice = advertiser(4475, { extra: "<program-url>https://other.example</program-url>" });
    const problems = await refused({ programmes: advertisers(twice, advertiser(4471), advertiser(4471)) }, cj);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^programmes.json, line 4 \(record 0, id 4475\), program-url: must be/);
    expect(problems[1]).toMatch(/id 4471\): this id is already on line 28; remove one of the two/);
  });

  test("C2 CJ's error, links in place of advertisers, JSON and an empty list are refused with what to do", async () => {
    for (const [programmes, problem] of [
      [
        "<cj-api><error-message>Not Authenticated: 401</error-message></cj-api>",
        /"Not Authenticated: 401".*Correct the request/,
      ],
      [links(link(1, 4471)), /found a list named "links" where "advertisers" is expected/],
      ['{"advertisers": []}', /not an XML file/],
      [advertisers(), /contains no records/],
    ] as const) {
      const problems = await refused({ programmes }, cj);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(problem);
    }
  });
});

describe("C2 CJ's Link Search", () => {
  test("C2 promotions become offers, dates without an offset are Pacific, and plain links are left out", async () => {
    const plain = { "promotion-type": "N/A", "promotion-start-date": "", "promotion-end-date": "", "coupon-code": "" };
    const result = await importTexts(
      db,
      {
        promotions: links(
          link(101, 4471),
          link(102, 4471, plain),
          link(103, 4471, { "promotion-type": "sale/discount", "promotion-end-date": "ongoing", "coupon-code": "" }),
        ),
      },
      cj,
    );
    expect(result.problems).toEqual([]);
    expect(result.files[0]).toMatchObject({ read: 2, created: 2 });
    expect(await offer("101")).toEqual({
      title: "10% off towels & sheets",
      kind: "code",
      terms: "",
      landing_url: "https://shop-4471.example/towels?a=1&b=2",
      starts_at: new Date("2026-11-01T07:00:00Z"),
      ends_at: new Date("2027-02-01T07:59:59Z"),
    });
    expect(await offer("102")).toBeUndefined();
    expect(await offer("103")).toMatchObject({ kind: "deal", ends_at: null });
  });

  test("C2 a coupon without a start is refused by its element", async () => {
    expect(await refused({ promotions: links(link(104, 4471, { "promotion-start-date": "" })) }, cj)).toEqual([
      "promotions.json, line 3 (record 0, id 104), promotion-start-date: is missing",
    ]);
  });

  test("C2 the pages of a search, one after another, are the whole list", async () => {
    const promotions = links(link(101, 4471)) + links(link(105, 4471));
    const result = await importTexts(db, { promotions }, { ...cj, full: true });
    expect(result.problems).toEqual([]);
    expect(result.files[0]).toMatchObject({ read: 2, created: 1, withdrawn: 1 });
  });

  test.each([
    ["11/30/2026", "12/31/2026", "2026-11-30T08:00:00Z", "2027-01-01T07:59:59Z"],
    ["1/2/2027", "7/4/2027", "2027-01-02T08:00:00Z", "2027-07-05T06:59:59Z"],
    ["11/30/2026 09:30", "12/31/2026 12:00:00.0", "2026-11-30T17:30:00Z", "2026-12-31T20:00:00Z"],
    ["2026-11-30", "2026-12-31", "2026-11-30T08:00:00Z", "2027-01-01T07:59:59Z"],
    ["2026-11-30T00:00:00Z", "2026-12-31T23:59:59-08:00", "2026-11-30T00:00:00Z", "2027-01-01T07:59:59Z"],
  ])("C2 dates are read with the month first or in ISO's order: %s to %s", async (start, end, from, to) => {
    const dates = { "promotion-start-date": start, "promotion-end-date": end };
    expect((await importTexts(db, { promotions: links(link(106, 4471, dates)) }, cj)).problems).toEqual([]);
    expect(await offer("106")).toMatchObject({ starts_at: new Date(from), ends_at: new Date(to) });
  });

  test.each(["30/11/2026", "02/29/2027", "11/31/2026", "11-30-2026", "11/30/26", "11/30/2026x", "Nov 30"])(
    "C2 %s is no date, and the message says which comes first",
    async (date) => {
      expect(await refused({ promotions: links(link(107, 4471, { "promotion-start-date": date })) }, cj)).toEqual([
        expect.stringMatching(/promotion-start-date: must be a real date such as 11\/30\/2026 \(the month first\)/),
      ]);
    },
  );
});

describe("C2 Rakuten's Coupon feed", () => {
  test("C2 a coupon has its id from its link, leads to the programme's own page and lasts through its last day in GMT", async () => {
    expect((await importTexts(db, { promotions: coupons(coupon()) }, rakuten)).problems).toEqual([]);
    expect(await offer("164317.10002595")).toEqual({
      title: "15 percent off",
      kind: "code",
      terms: "New customers only",
      landing_url: "https://shop-2149.example/",
      starts_at: new Date("2026-11-01T00:00:00Z"),
      ends_at: new Date("2026-12-31T23:59:59Z"),
    });
  });

  test("C2 a link that names its page leads there, and an offer without code or end is a deal", async () => {
    const clickurl =
      "https://click.linksynergy.com/link?id=X&amp;offerid=386491.29&amp;type=3&amp;murl=https%3A%2F%2Fshop-2149.example%2Fgifts%3Fa%3D1";
    const promotions = coupons(coupon(), coupon({ clickurl, couponcode: "", offerenddate: "" }));
    expect((await importTexts(db, { promotions }, rakuten)).problems).toEqual([]);
    expect(await offer("386491.29")).toMatchObject({
      kind: "deal",
      landing_url: "https://shop-2149.example/gifts?a=1",
      ends_at: null,
    });
  });

  test("C2 an offer of one day is accepted", async () => {
    const promotions = coupons(coupon({ offerenddate: "2026-11-01" }));
    expect((await importTexts(db, { promotions }, rakuten)).problems).toEqual([]);
  });

  test.each([
    ["clickurl", "", /offerid: must be in clickurl, as in offerid=164317/],
    ["clickurl", "https://click.linksynergy.com/fs-bin/click?id=X", /offerid: must be in clickurl/],
    ["clickurl", `${CLICK}&amp;murl=javascript:alert(1)`, /murl: must be a full web address/],
    ["advertiserid", "", /advertiserid: is missing/],
    ["offerstartdate", "11/01/2026", /offerstartdate: must be a real date/],
    ["offerdescription", "", /offerdescription: is missing/],
  ])("C2 %s with %j is refused by its element and line", async (name, text, problem) => {
    const problems = await refused({ promotions: coupons(coupon({ [name]: text })) }, rakuten);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^promotions.json, line 4 \(record 0/);
    expect(problems[0]).toMatch(problem);
  });

  test("C2 advertisers stay JSON, as Rakuten sends them", async () => {
    const [problem] = await refused({ programmes: coupons(coupon()) }, rakuten);
    expect(problem).toMatch(/not a JSON file/);
  });
});

test("S2 a file with a DOCTYPE changes nothing", async () => {
  const evil = links(link(101, 4471, { description: "&x;" })).replace(
    "<cj-api>",
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><cj-api>',
  );
  expect(await refused({ promotions: evil }, cj)).toEqual([
    expect.stringMatching(/^promotions.json, line 2: The file has a document type \(DOCTYPE\)/),
  ]);
});

test("C2 ten thousand links are imported, and a second time without a change", async () => {
  const text = links(...Array.from({ length: 10_000 }, (_, id) => link(1_000_000 + id, 4471)));
  const source = {
    name: "links.xml",
    async *open() {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
  };
  const request = { ...cj, promotions: source, now: new Date("2026-11-20T12:00:00Z") };
  const first = await importCatalogue(db, request);
  expect(first.outcome === "refused" ? first.problems.map(describeProblem) : []).toEqual([]);
  expect(first.files[0]).toMatchObject({ read: 10_000, created: 10_000 });
  expect((await importCatalogue(db, request)).files[0]).toMatchObject({ created: 0, updated: 0 });
});
