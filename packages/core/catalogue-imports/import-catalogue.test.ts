import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import {
  catalogueRows,
  editorialFile,
  editorialRetailer,
  importTexts,
  programme,
  promotion,
  recordsFile,
} from "./catalogue-files.testing.ts";
import type { FeedCommissionGroup } from "./feed.ts";
import { seedNetworks } from "./seed-networks.server.ts";

const { db } = await testDatabase();

beforeEach(async () => {
  for (const table of ["offers", "programmes", "retailers", "categories", "catalogue_imports", "networks"] as const)
    await db.deleteFrom(table).execute();
  await seedNetworks(db);
});

const counts = (result: { files: { created: number; updated: number; withdrawn: number }[] }) =>
  result.files.map(({ created, updated, withdrawn }) => ({ created, updated, withdrawn }));

const three = {
  programmes: recordsFile(programme(1), programme(2)),
  promotions: recordsFile(promotion(11, 1), promotion(12, 2, { kind: "deal", code: null, title: "Half-price things" })),
  editorial: editorialFile([
    editorialRetailer("1", {
      boosts: [{ groupId: "10", memberRateBp: 900, startsAt: "2026-11-01T00:00:00Z", endsAt: "2026-12-01T00:00:00Z" }],
      offers: [
        {
          networkOfferId: "11",
          exclusions: "Not on gift cards.",
          variants: [{ label: "Online" }, { label: "By post" }],
          codePool: ["ONE-1", "ONE-2"],
        },
      ],
    }),
    editorialRetailer("2", { offers: [{ networkOfferId: "12", kind: "in_store" }] }),
  ]),
};

test("C2 the three files become retailers, programmes, rates, offers and codes", async () => {
  const result = await importTexts(db, three);
  expect(result.problems).toEqual([]);
  const rates = await db
    .selectFrom("rate_tiers")
    .select(["label", "rate_kind", "network_rate_bp", "member_rate_bp"])
    .execute();
  expect(rates).toEqual(
    Array(2).fill({ label: "Everything", rate_kind: "percent", network_rate_bp: 750, member_rate_bp: 600 }),
  );
  const offers = await db
    .selectFrom("offers")
    .select(["network_offer_id", "kind", "headline", "exclusions", "slug"])
    .orderBy("network_offer_id")
    .execute();
  expect(offers).toEqual([
    {
      network_offer_id: "11",
      kind: "code",
      headline: "10% off",
      exclusions: "Not on gift cards.",
      slug: "10-off-order-11",
    },
    { network_offer_id: "12", kind: "in_store", headline: "Half price", exclusions: "", slug: "half-price-things" },
  ]);
  const codes = await db.selectFrom("offer_codes").select(["code_kind", "code"]).orderBy("code").execute();
  expect(codes).toEqual([
    { code_kind: "shared", code: "CODE11" },
    { code_kind: "pool", code: "ONE-1" },
    { code_kind: "pool", code: "ONE-2" },
  ]);
  const programmes = await db
    .selectFrom("offers")
    .leftJoin("programmes", "programmes.id", "offers.programme_id")
    .select(["network_offer_id", "network_programme_id"])
    .orderBy("network_offer_id")
    .execute();
  expect(programmes).toEqual([
    { network_offer_id: "11", network_programme_id: "1" },
    { network_offer_id: "12", network_programme_id: null },
  ]);
});

test("C2 a dry run reports what would change and writes nothing", async () => {
  const empty = await catalogueRows(db);
  const result = await importTexts(db, three, { dryRun: true });
  expect(result.outcome).toBe("checked");
  expect(counts(result)).toEqual([
    { created: 2, updated: 0, withdrawn: 0 },
    { created: 2, updated: 0, withdrawn: 0 },
    { created: 1, updated: 2, withdrawn: 0 },
  ]);
  expect(await catalogueRows(db)).toEqual(empty);
});

test("C2 importing the same files again rewrites no row", async () => {
  await importTexts(db, three);
  const versions = () =>
    sql<{ version: string }>`
    select xmin::text || ctid::text as version from offers union all select xmin::text || ctid::text from retailers
    union all select xmin::text || ctid::text from rate_tiers union all select xmin::text || ctid::text from boosts
    union all select xmin::text || ctid::text from offer_codes union all select xmin::text || ctid::text from offer_variants
    union all select xmin::text || ctid::text from offer_categories union all select xmin::text || ctid::text from categories order by 1`.execute(
      db,
    );
  const first = await versions();
  const result = await importTexts(db, three);
  expect(counts(result)).toEqual(Array(3).fill({ created: 0, updated: 0, withdrawn: 0 }));
  expect((await versions()).rows).toEqual(first.rows);
});

test("C2 rows are upserted by the network's own id, and keep their public id", async () => {
  await importTexts(db, three);
  const offer = () =>
    db
      .selectFrom("offers")
      .select(["id", "public_id", "title", "headline", "ends_at"])
      .where("network_offer_id", "=", "11")
      .executeTakeFirstOrThrow();
  const before = await offer();
  const result = await importTexts(db, {
    programmes: recordsFile(
      programme(1, {
        name: "New name",
        commissionGroups: [{ groupId: "10", label: "Everything", kind: "percent", rateBp: 500 }],
      }),
      programme(2),
    ),
    promotions: recordsFile(
      promotion(11, 1, {
        title: "25% off order 11",
        endsAt: "2098-01-01T00:00:00+00:00",
        code: "NEWCODE",
      }),
    ),
  });
  expect(counts(result)).toEqual([
    { created: 0, updated: 1, withdrawn: 0 },
    { created: 0, updated: 1, withdrawn: 0 },
  ]);
  const after = await offer();
  expect(after).toEqual({
    id: before.id,
    public_id: before.public_id,
    title: "25% off order 11",
    headline: "25% off",
    ends_at: new Date("2098-01-01"),
  });
  const codes = await db.selectFrom("offer_codes").select("code").where("code_kind", "=", "shared").execute();
  expect(codes).toEqual([{ code: "NEWCODE" }]);
  const rate = await db
    .selectFrom("rate_tiers")
    .select("member_rate_bp")
    .where("network_group_id", "=", "10")
    .executeTakeFirstOrThrow();
  expect(rate.member_rate_bp).toBe(400);
});

test("O4 the club's own facts about an offer, and codes given to members, survive a new promotions file", async () => {
  await importTexts(db, three);
  await importTexts(db, {
    promotions: recordsFile(
      promotion(12, 2, { kind: "deal", code: null, title: "Half-price things, still" }),
      promotion(11, 1, { code: null }),
    ),
  });
  const offers = await db
    .selectFrom("offers")
    .select(["kind", "programme_id", "title"])
    .where("network_offer_id", "=", "12")
    .executeTakeFirstOrThrow();
  expect(offers).toEqual({ kind: "in_store", programme_id: null, title: "Half-price things, still" });
  const codes = await db.selectFrom("offer_codes").select("code").orderBy("code").execute();
  expect(codes).toEqual([{ code: "ONE-1" }, { code: "ONE-2" }]);
});

test("O2 a variant that has codes stays: a file that lists the others without it is refused", async () => {
  await importTexts(db, three);
  const variants = await db.selectFrom("offer_variants").select(["id", "offer_id", "label"]).execute();
  const byPost = variants.find(({ label }) => label === "By post")!;
  const code = (text: string) => ({ id: newId(), offer_id: byPost.offer_id, variant_id: byPost.id, code: text });
  await db
    .insertInto("offer_codes")
    .values([
      { ...code("POST-1"), code_kind: "pool" },
      { ...code("POST-2"), code_kind: "pool" },
    ])
    .execute();
  const listing = (...labels: string[]) => ({
    editorial: editorialFile([
      editorialRetailer("1", { offers: [{ networkOfferId: "11", variants: labels.map((label) => ({ label })) }] }),
    ]),
  });
  const before = await catalogueRows(db);
  expect((await importTexts(db, listing("Online", "By courier"))).problems).toEqual([
    'editorial.json, line 6 (record 0, id 1), offers.variants: "By post" of offer 11 has 2 codes, so it can be renamed in the admin but not removed; put it back',
  ]);
  expect(await catalogueRows(db)).toEqual(before);

  expect((await importTexts(db, listing("By post"))).problems, "the other one has no codes").toEqual([]);
  expect(await db.selectFrom("offer_variants").select(["id", "label"]).execute()).toEqual([
    { id: byPost.id, label: "By post" },
  ]);
  await db
    .updateTable("offers")
    .set({ kept: ["variants"] })
    .where("id", "=", byPost.offer_id)
    .execute();
  expect((await importTexts(db, listing("Online"))).problems, "operators keep these").toEqual([]);
  const codes = await db.selectFrom("offer_codes").select("code").where("variant_id", "=", byPost.id).execute();
  expect(codes.map((row) => row.code).toSorted()).toEqual(["POST-1", "POST-2"]);
});

test("O4 a code that is in the pool of a variant comes into the offer no second time, from neither file", async () => {
  await importTexts(db, three);
  const online = await db
    .selectFrom("offer_variants")
    .select(["id", "offer_id"])
    .where("label", "=", "Online")
    .executeTakeFirstOrThrow();
  const ofVariant = { offer_id: online.offer_id, variant_id: online.id };
  await db
    .insertInto("offer_codes")
    .values([
      { id: newId(), ...ofVariant, code_kind: "pool", code: "POOL-1" },
      { id: newId(), ...ofVariant, code_kind: "shared", code: "BOTH" },
    ])
    .execute();
  const codes = async () =>
    (await db.selectFrom("offer_codes").select(["code", "variant_id"]).where("code", "not like", "ONE-%").execute())
      .map(({ code, variant_id }) => `${code}${variant_id ? " of a variant" : ""}`)
      .toSorted();
  const codePool = ["POOL-1", "NEW-1"];
  const editorial = editorialFile([editorialRetailer("1", { offers: [{ networkOfferId: "11", codePool }] })]);
  expect((await importTexts(db, { editorial })).problems).toEqual([]);
  expect(await codes()).toEqual(["BOTH of a variant", "CODE11", "NEW-1", "POOL-1 of a variant"]);
  const shared = async (code: string) => {
    expect((await importTexts(db, { promotions: recordsFile(promotion(11, 1, { code })) })).problems).toEqual([]);
    return await codes();
  };
  expect(await shared("POOL-1")).toEqual(["BOTH of a variant", "NEW-1", "POOL-1 of a variant"]);
  expect(await shared("BOTH"), "the other variants have it, too").toEqual([
    "BOTH",
    "BOTH of a variant",
    "NEW-1",
    "POOL-1 of a variant",
  ]);
});

test("C2 offers missing from a file stay, unless it is the whole list; those that return are live again", async () => {
  await importTexts(db, three);
  const one = { promotions: recordsFile(promotion(11, 1)) };
  const status = async () =>
    (await db.selectFrom("offers").select("status").where("network_offer_id", "=", "12").executeTakeFirstOrThrow())
      .status;
  await importTexts(db, one);
  expect(await status()).toBe("live");
  expect(counts(await importTexts(db, one, { full: true }))).toEqual([{ created: 0, updated: 0, withdrawn: 1 }]);
  expect(await status()).toBe("withdrawn");
  await importTexts(db, three);
  expect(await status()).toBe("live");
});

test.each([
  // live offers, of which the file lists the first; how many it may withdraw without confirmation
  [6, 1, 5, "imported"],
  [7, 1, 6, "refused"],
  [70, 63, 7, "imported"],
  [70, 62, 8, "refused"],
])("C2 of %i live offers, a full file of %i withdraws %i: %s", async (live, listed, withdrawn, outcome) => {
  const offers = Array.from({ length: live }, (_, id) => promotion(1000 + id, 1));
  const ended = promotion(999, 1, { endsAt: "2026-11-19T00:00:00+00:00" });
  const programmes = recordsFile(programme(1));
  const imported = await importTexts(db, { programmes, promotions: recordsFile(ended, ...offers) });
  expect(imported.problems).toEqual([]);
  const fresh = promotion(5000, 1);
  const promotions = recordsFile(fresh, ...offers.slice(0, listed));
  const result = await importTexts(db, { promotions }, { full: true });
  expect(result.outcome).toBe(outcome);
  const liveNow = async () =>
    Number(
      (
        await db
          .selectFrom("offers")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("status", "=", "live")
          .where("network_offer_id", ">=", "1000")
          .where("network_offer_id", "<", "2000")
          .executeTakeFirstOrThrow()
      ).count,
    );
  if (outcome === "imported") {
    expect(await liveNow()).toBe(listed);
    return;
  }
  expect(result.problems).toEqual([
    expect.stringMatching(new RegExp(`^promotions.json: .*withdraw ${withdrawn} of the network's ${live} live offers`)),
  ]);
  expect(await liveNow()).toBe(live);
  for (const other of [withdrawn - 1, withdrawn + 1])
    expect((await importTexts(db, { promotions }, { full: true, withdraw: other })).outcome).toBe("refused");
  expect((await importTexts(db, { promotions }, { full: true, dryRun: true })).files[0]).toMatchObject({
    withdrawn,
    lacks: { live, isUnconfirmed: true },
  });
  expect((await importTexts(db, { promotions }, { full: true, withdraw: withdrawn })).outcome).toBe("imported");
  expect(await liveNow()).toBe(listed);
});

test("C2 another network's offers are not withdrawn by a full file", async () => {
  await importTexts(db, three);
  await importTexts(
    db,
    { programmes: recordsFile(programme(1)), promotions: recordsFile(promotion(11, 1)) },
    { network: "cj", full: true },
  );
  expect(await db.selectFrom("offers").select("status").distinct().execute()).toEqual([{ status: "live" }]);
});

test("S2 markup in a title is stored as plain text", async () => {
  const title = `<script>alert("1")</script> & 'more' -- ; drop table offers`;
  await importTexts(db, {
    programmes: recordsFile(programme(1)),
    promotions: recordsFile(promotion(11, 1, { title })),
  });
  expect(await db.selectFrom("offers").select("title").execute()).toEqual([{ title }]);
});

test("C2 a time without an offset is in the feed's time zone", async () => {
  const dates = { startsAt: "2026-07-01T00:00:00", endsAt: "2026-08-01T00:00:00+02:00" };
  await importTexts(db, {
    programmes: recordsFile(programme(1)),
    promotions: recordsFile(promotion(11, 1, dates)),
  });
  expect(await db.selectFrom("offers").select(["starts_at", "ends_at"]).execute()).toEqual([
    { starts_at: new Date("2026-06-30T23:00:00Z"), ends_at: new Date("2026-07-31T22:00:00Z") },
  ]);
});

test("C2 an offset counts also after a space between day and time", async () => {
  const spaced = promotion(14, 1, { startsAt: "2026-07-20 09:00:00+00:00", endsAt: "2026-07-21 09:00:00+00:00" });
  await importTexts(db, { programmes: recordsFile(programme(1)), promotions: recordsFile(spaced) });
  expect(await db.selectFrom("offers").select(["starts_at", "ends_at"]).execute()).toEqual([
    { starts_at: new Date("2026-07-20T09:00:00Z"), ends_at: new Date("2026-07-21T09:00:00Z") },
  ]);
});

test("C5 a fixed commission in a foreign currency is left out with a warning, not promised in pounds", async () => {
  const commissionGroups: FeedCommissionGroup[] = [
    { groupId: "1", label: "Bookings", kind: "fixed", amountMinor: 1250, currency: "EUR" },
    { groupId: "2", label: "Extras", kind: "percent", rateBp: 200 },
  ];
  const result = await importTexts(db, {
    programmes: recordsFile(programme(1, { currency: "EUR", commissionGroups })),
  });
  expect(result.files[0]?.warnings).toHaveLength(1);
  expect(await db.selectFrom("rate_tiers").select("label").execute()).toEqual([{ label: "Extras" }]);
  expect(await db.selectFrom("programmes").select("currency").execute()).toEqual([{ currency: "EUR" }]);
});

test("C5 tiers follow the file: new ones are added, missing ones deleted, and a file without groups changes none", async () => {
  const groups = (...ids: number[]) => ({
    commissionGroups: ids.map((id) => ({
      groupId: String(id),
      label: `Group ${id}`,
      kind: "percent" as const,
      rateBp: 500,
    })),
  });
  const labels = async () =>
    (await db.selectFrom("rate_tiers").select("label").orderBy("position").execute()).map((tier) => tier.label);
  await importTexts(db, { programmes: recordsFile(programme(1, groups(1, 2))) });
  await importTexts(db, { programmes: recordsFile(programme(1, groups(3, 2))) });
  expect(await labels()).toEqual(["Group 3", "Group 2"]);
  await importTexts(db, { programmes: recordsFile(programme(1, { commissionGroups: null })) });
  expect(await labels()).toEqual(["Group 3", "Group 2"]);
});

test("C2 two shops of the same name get distinct slugs", async () => {
  await importTexts(db, {
    programmes: recordsFile(programme(1, { name: "Otter Books" }), programme(2, { name: "Otter Books" })),
  });
  expect(
    (await db.selectFrom("retailers").select("slug").orderBy("slug").execute()).map((retailer) => retailer.slug),
  ).toEqual(["otter-books", "otter-books-2"]);
});

test("C2 two retailers can swap slugs in one file", async () => {
  await importTexts(db, three);
  const result = await importTexts(db, {
    editorial: editorialFile([editorialRetailer("1", { slug: "shop-2" }), editorialRetailer("2", { slug: "shop-1" })]),
  });
  expect(result.problems).toEqual([]);
  const slugs = await db
    .selectFrom("retailers")
    .innerJoin("programmes", "programmes.retailer_id", "retailers.id")
    .select(["network_programme_id", "slug"])
    .orderBy("network_programme_id")
    .execute();
  expect(slugs).toEqual([
    { network_programme_id: "1", slug: "shop-2" },
    { network_programme_id: "2", slug: "shop-1" },
  ]);
});

test("C2 a retailer on two networks has one preferred programme", async () => {
  const other = {
    network: "cj",
    networkProgrammeId: "777",
    name: "Shop",
    currency: "GBP",
    landingUrl: "https://shop-1.example/",
    validDomains: ["shop-1.example"],
  };
  await importTexts(db, {
    programmes: recordsFile(programme(1)),
    editorial: editorialFile([editorialRetailer("1", { otherProgrammes: [other] })]),
  });
  const programmes = await db
    .selectFrom("programmes")
    .innerJoin("networks", "networks.id", "network_id")
    .select(["networks.slug", "is_preferred"])
    .orderBy("networks.slug")
    .execute();
  expect(programmes).toEqual([
    { slug: "awin", is_preferred: true },
    { slug: "cj", is_preferred: false },
  ]);
  expect(await db.selectFrom("retailers").select("slug").execute()).toHaveLength(1);
});

test("A2 each import is recorded with its figures and the hash of its bytes, without a machine's path", async () => {
  await importTexts(db, three);
  const imports = await db
    .selectFrom("catalogue_imports")
    .select(["source_name", "content_kind", "rows_read", "rows_created", "content_hash"])
    .orderBy("content_kind")
    .execute();
  expect(
    imports.map(({ content_hash, ...rest }) => ({ ...rest, hashed: /^[0-9a-f]{64}$/.test(content_hash) })),
  ).toEqual([
    { source_name: "editorial.json", content_kind: "editorial", rows_read: 3, rows_created: 1, hashed: true },
    { source_name: "programmes.json", content_kind: "programmes", rows_read: 2, rows_created: 2, hashed: true },
    { source_name: "promotions.json", content_kind: "promotions", rows_read: 2, rows_created: 2, hashed: true },
  ]);
});

test("P5 a long file reports its progress", async () => {
  const heard: number[] = [];
  const programmes = recordsFile(...Array.from({ length: 1200 }, (_, index) => programme(index + 1)));
  await importTexts(db, { programmes }, { progress: ({ rows }) => heard.push(rows) });
  expect(heard).toEqual([500, 1000, 1200]);
});

test("C2 concurrent imports take turns, and all succeed", async () => {
  const results = await Promise.all([importTexts(db, three), importTexts(db, three), importTexts(db, three)]);
  expect(results.map((result) => result.outcome)).toEqual(["imported", "imported", "imported"]);
  expect(await db.selectFrom("offers").select("id").execute()).toHaveLength(2);
});

test("B4 a brand that the file names shows what the file says; any other brand keeps what it shows", async () => {
  const ids = new Map<string, string>();
  for (const slug of ["first", "second", "ninth"]) {
    const brand = {
      id: newId(),
      slug,
      name: slug,
      strapline: "",
      audience: "all",
      theme: slug,
      affinity_id: slug,
      support_email: `help@${slug}.example`,
    };
    await db.insertInto("brands").values(brand).execute();
    ids.set(slug, brand.id);
  }
  const file = (featuredOn: string[]) =>
    editorialFile(
      [
        editorialRetailer("1", {
          brands: { hiddenFrom: ["second"], featuredOn },
          offers: [{ networkOfferId: "11", brands: ["first"] }],
        }),
        editorialRetailer("2"),
      ],
      { brands: ["first", "second"] },
    );
  const shown = async () => {
    const rows = await db
      .selectFrom("brand_retailers")
      .innerJoin("brands", "brands.id", "brand_id")
      .innerJoin("retailers", "retailers.id", "retailer_id")
      .select(["brands.slug as brand", "retailers.slug as retailer", "is_featured"])
      .orderBy("brands.slug")
      .orderBy("retailers.slug")
      .execute();
    return rows.map(({ brand, retailer, is_featured }) => `${brand} ${retailer}${is_featured ? " featured" : ""}`);
  };
  await importTexts(db, { ...three, editorial: file(["first"]) });
  expect(await shown()).toEqual(["first shop-1 featured", "first shop-2", "second shop-2"]);
  const { id: retailerId } = await db
    .selectFrom("retailers")
    .select("id")
    .where("slug", "=", "shop-1")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("brand_retailers")
    .values({ brand_id: ids.get("ninth")!, retailer_id: retailerId, is_featured: true })
    .execute();
  await importTexts(db, { editorial: file([]) });
  expect(await shown()).toEqual(["first shop-1", "first shop-2", "ninth shop-1 featured", "second shop-2"]);
  expect(await db.selectFrom("offer_brands").select("brand_id").execute()).toEqual([{ brand_id: ids.get("first") }]);
  await importTexts(db, { editorial: editorialFile([editorialRetailer("1", { offers: [{ networkOfferId: "11" }] })]) });
  expect(await db.selectFrom("offer_brands").select("brand_id").execute()).toEqual([]);
  await db.deleteFrom("brands").execute();
});

test("C5 a boost missing from the file is deleted, and a changed one updated", async () => {
  const withBoosts = (...boosts: unknown[]) => ({ editorial: editorialFile([editorialRetailer("1", { boosts })]) });
  const boost = (day: string, memberRateBp: number) => ({
    groupId: "10",
    memberRateBp,
    startsAt: `2026-11-${day}T00:00:00Z`,
    endsAt: "2026-12-24T00:00:00Z",
  });
  const rates = async () =>
    (await db.selectFrom("boosts").select("member_rate_bp").orderBy("starts_at").execute()).map(
      (row) => row.member_rate_bp,
    );
  await importTexts(db, three);
  await importTexts(db, withBoosts(boost("01", 700), boost("20", 800)));
  expect(await rates()).toEqual([700, 800]);
  await importTexts(db, withBoosts(boost("20", 850)));
  expect(await rates()).toEqual([850]);
});

test.each([
  ["2026-07-01", "2026-07-31", "2026-06-30T23:00:00Z", "2026-07-31T22:59:59Z"],
  ["2026-07-01", "2026-07-01", "2026-06-30T23:00:00Z", "2026-07-01T22:59:59Z"],
  ["2026-07-01T09:00:00", "2026-07-01T18:00:00", "2026-07-01T08:00:00Z", "2026-07-01T17:00:00Z"],
  ["2026-07-01 09:00:00Z", "2026-07-01T12:00:00+02:00", "2026-07-01T09:00:00Z", "2026-07-01T10:00:00Z"],
])(
  "C5 a boost of %s to %s is in British time unless it has an offset, and its last day counts",
  async (startsAt, endsAt, starts, ends) => {
    const boosts = [{ groupId: "10", memberRateBp: 700, startsAt, endsAt }];
    await importTexts(db, three);
    await importTexts(db, { editorial: editorialFile([editorialRetailer("1", { boosts })]) });
    expect(await db.selectFrom("boosts").select(["starts_at", "ends_at"]).execute()).toEqual([
      { starts_at: new Date(starts), ends_at: new Date(ends) },
    ]);
  },
);
