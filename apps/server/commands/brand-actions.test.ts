import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrandByHost } from "@farthing/core/brands/queries.server.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { findLegalPage } from "@farthing/core/legal-pages/queries.server.ts";
import { findMainHost } from "@farthing/core/brands/main-host.server.ts";
import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { runBrandAction } from "./brand-actions.ts";
import { commandEntries } from "./command-entries.testing.ts";

const { db } = await testDatabase();
let today = new Date("2026-11-20T10:00:00Z");
const runAs = async (by: string, ...words: string[]) =>
  (await runBrandAction({ db, by, now: () => today }, words)).join("\n");
const run = (...words: string[]) => runAs("operator", ...words);
const refusal = (...words: string[]) =>
  run(...words).then(
    (text) => `accepted: ${text}`,
    (error: Error) => error.message,
  );

/** Returns the words that create a complete brand, with options replaced. */
function whole(slug: string, replaced: Record<string, string[] | null> = {}): string[] {
  const values: Record<string, string[] | null> = {
    name: ["Village Club"],
    audience: ["people of the village"],
    theme: ["chalkside"],
    support: ["help@village.example"],
    host: [`${slug}.example`],
    "member-type": ["education"],
    ...replaced,
  };
  return [
    slug,
    ...Object.entries(values).flatMap(([name, all]) => (all ?? []).flatMap((value) => [`--${name}`, value])),
  ];
}

/** Returns one line per row that a brand command can change. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select to_jsonb(b)::text as text from brands b union all select to_jsonb(h)::text from brand_hosts h
    union all select to_jsonb(t)::text from brand_member_types t union all select to_jsonb(l)::text from legal_pages l order by 1`.execute(
    db,
  );
  return rows.map(({ text }) => text).join("\n");
}

describe("B5 brands from the command line", () => {
  test("B3 B5 create fills an empty database with a brand and the reference data that pages need", async () => {
    expect(await run("list")).toContain("No brand yet");
    const made = await run(
      "create",
      ...whole("village", {
        host: ["Village.Example", "www.village.example", "bücher.example"],
        "member-type": ["organisation", "education"],
        strapline: ["Money back"],
        feature: ["telemetry", "login-confetti=on", "gift-cards=off"],
        ios: ["https://apps.example/ios/village"],
        "minimum-age": ["16"],
        residence: ["gb, im"],
        home: ["lead,offers,latest"],
        banner: ["Half price week"],
        "banner-link": ["/faq"],
        menu: ["none"],
      }),
    );
    expect(made).toContain("village is created and answers at village.example");
    const brand = await findBrandByHost(db, "village.example");
    expect(brand).toMatchObject({
      slug: "village",
      name: "Village Club",
      strapline: "Money back",
      audience: "people of the village",
      theme: "chalkside",
      affinityId: "village-members",
      supportEmail: "help@village.example",
      features: { telemetry: true, loginConfetti: true, carerMigration: false, appExclusive: false, giftCards: false },
      storeLinks: { ios: "https://apps.example/ios/village", android: null },
      registration: { minimumAge: 16, residence: ["GB", "IM"] },
      home: ["lead", "offers", "latest"],
      banner: { text: "Half price week", href: "/faq" },
      menu: [],
    });
    expect(brand?.legalPages.map(({ slug }) => slug)).toEqual(["terms", "privacy", "cookies", "accessibility"]);
    for (const host of ["www.village.example", "xn--bcher-kva.example"])
      expect((await findBrandByHost(db, host))?.slug).toBe("village");
    expect(await findMainHost(db, brand!.id)).toBe("village.example");
    const shown = await run("show", "village");
    for (const part of [
      "organisation, education",
      "telemetry, login-confetti",
      "from 16 years, living in GB, IM",
      "Half price week -> /faq",
    ])
      expect(shown).toContain(part);
    expect(await run("list")).toContain("village  Village Club  (theme chalkside)  village.example ");
  });

  test("B5 the same options again change nothing, and fewer options change only what they state", async () => {
    await run("create", ...whole("again", { feature: ["telemetry"], "minimum-age": ["17"] }));
    const before = await everything();
    expect(await run("create", ...whole("again", { feature: ["telemetry"], "minimum-age": ["17"] }))).toContain(
      "Nothing was changed",
    );
    expect(await run("create", "again")).toContain("Nothing was changed");
    expect(await everything()).toBe(before);
    expect(await run("create", "again", "--name", "Again & Again", "--feature", "telemetry=off")).toContain(
      "is changed",
    );
    expect(await findBrandByHost(db, "again.example")).toMatchObject({
      name: "Again & Again",
      theme: "chalkside",
      features: { telemetry: false },
      registration: { minimumAge: 17, residence: ["GB", "IM", "JE", "GG"] },
    });
  });

  test("B5 everything that a new brand lacks is listed at once, and nothing is saved", async () => {
    const before = await everything();
    const told = await refusal("create", "half-made");
    for (const option of ["--name", "--audience", "--theme", "--support", "--host", "--member-type"])
      expect(told).toMatch(new RegExp(`- ${option} is missing, and a new brand needs it`));
    expect(await everything()).toBe(before);
  });

  test.each<[string, Record<string, string[] | null>, RegExp]>([
    ["name", { name: [""] }, /--name needs 1 to 60 characters/],
    ["name", { name: ["x".repeat(61)] }, /--name needs 1 to 60 characters/],
    ["name", { name: ["two\nlines"] }, /--name needs .+ on one line/],
    ["strapline", { strapline: ["x".repeat(161)] }, /--strapline needs 0 to 160/],
    ["audience", { audience: [" "] }, /--audience needs 1 to 160/],
    ["theme", { theme: ["chalkslide"] }, /--theme "chalkslide" does not exist\. There are beaconry, .*wardlight/],
    ["support", { support: ["Help <help@x.example>"] }, /--support is not an e-mail address/],
    ["host", { host: ["https://club.example/"] }, /--host is not a host name\. Give the name alone, without https/],
    ["host", { host: ["club.example:443"] }, /--host is not a host name/],
    ["host", { host: ["club..example"] }, /--host is not a host name/],
    ["host", { host: [""] }, /--host is empty/],
    ["host", { host: ["again.example"] }, /--host again\.example belongs to the brand again\. Remove it there first/],
    ["affinity-id", { "affinity-id": ["again-members"] }, /--affinity-id "again-members" belongs to the brand again/],
    ["affinity-id", { "affinity-id": [""] }, /--affinity-id needs 1 to 100/],
    ["member-type", { "member-type": ["teachers"] }, /--member-type "teachers" does not exist\. There are education, /],
    [
      "feature",
      { feature: ["confetti"] },
      /--feature "confetti" is not a feature\. Give one of telemetry, login-confetti/,
    ],
    ["feature", { feature: ["telemetry=maybe"] }, /--feature "telemetry=maybe" is not a feature/],
    ["feature", { feature: ["constructor"] }, /--feature "constructor" is not a feature/],
    [
      "feature",
      { feature: ["app-exclusive"] },
      /--feature appExclusive sends members to an app store, and no store link/,
    ],
    ["ios", { ios: ["http://apps.example/x"] }, /--ios or --android is not an https address/],
    ["minimum-age", { "minimum-age": ["12"] }, /--minimum-age is below 13/],
    ["minimum-age", { "minimum-age": ["sixteen"] }, /--minimum-age .*(number|NaN)/],
    ["residence", { residence: ["England"] }, /--residence is not a country code of two letters/],
    ["menu", { menu: ["Fashion"] }, /--menu "Fashion" is not a menu section\. Write its label, a colon/],
    ["menu", { menu: ["Fashion:"] }, /--menu names no category/],
    ["menu", { menu: ["Fashion: no-such"] }, /--menu names the category "no-such", which does not exist\. Import/],
    ["menu", { menu: Array.from({ length: 8 }, () => "A: b") }, /--menu has more than 7 sections/],
    ["home", { home: ["offers,news"] }, /--home is not one of offers, logos/],
    ["banner", { banner: ["x".repeat(161)] }, /--banner needs 1 to 160/],
    ["banner-link", { banner: ["x"], "banner-link": ["https://evil.example"] }, /--banner is not a path of this site/],
    ["banner-link", { banner: ["x"], "banner-link": ["//evil.example"] }, /--banner is not a path of this site/],
    ["banner-link", { "banner-link": ["/faq"] }, /--banner-link needs --banner/],
    ["an unknown option", { colour: ["red"] }, /Unknown option '--colour'/],
  ])("B5 a wrong %s is refused with what to do, and nothing is saved: %j", async (_, replaced, message) => {
    const before = await everything();
    expect(await refusal("create", ...whole("wrong", replaced))).toMatch(message);
    expect(await everything()).toBe(before);
  });

  test.each(["", "X", "1club", "club_one", "a", "x".repeat(41), "../x", "drop table"])(
    "B5 the short name %j is refused",
    async (slug) => {
      expect(await refusal("create", ...whole(slug))).toMatch(
        /The brand's short name needs 2 to 40 lower-case letters|is not part of an option/,
      );
    },
  );

  test("B5 of two brands that add a host at the same time, one gets it and the other is refused", async () => {
    const outcomes = await Promise.all(
      ["first", "second"].map((slug) => refusal("create", ...whole(slug, { host: ["wanted.example"] }))),
    );
    expect(outcomes.filter((text) => text.startsWith("accepted")).length).toBe(1);
    expect(outcomes.find((text) => !text.startsWith("accepted"))).toMatch(
      /wanted\.example belongs to the brand (first|second)/,
    );
  });

  test("B1 hosts are added and removed, but not the last one, and none is taken from another brand", async () => {
    await run("create", ...whole("hosted"));
    const { id } = (await findBrandByHost(db, "hosted.example"))!;
    await run("hosts", "hosted", "add", "Members.Hosted.example", "--main");
    expect(await findMainHost(db, id)).toBe("members.hosted.example");
    await run("hosts", "hosted", "add", "members.hosted.example");
    await run("hosts", "hosted", "remove", "hosted.example");
    expect(await findBrandByHost(db, "hosted.example")).toBeNull();
    expect(await refusal("hosts", "hosted", "remove", "members.hosted.example")).toMatch(
      /the last host of hosted\. Add another/,
    );
    expect(await refusal("hosts", "hosted", "remove", "again.example")).toMatch(/does not answer at again\.example/);
    expect(await refusal("hosts", "hosted", "add", "again.example")).toMatch(/belongs to the brand again/);
    expect(await refusal("hosts", "hosted", "add", "https://x.example")).toMatch(/is not a host name/);
  });

  test("B4 a brand shows the retailers that were added, and its menu names them", async () => {
    const [category, retailer, other] = [newId(), newId(), newId()];
    await db.insertInto("categories").values({ id: category, slug: "books", name: "Books", position: 1 }).execute();
    const times = {
      tracks_within_days_min: 1,
      tracks_within_days_max: 2,
      confirms_within_days_min: 1,
      confirms_within_days_max: 2,
    };
    await db
      .insertInto("retailers")
      .values([
        { id: retailer, slug: "page-turner", name: "Page Turner", homepage_url: "https://page.example", ...times },
        { id: other, slug: "dog-ear", name: "Dog Ear", homepage_url: "https://dog.example", ...times },
      ])
      .execute();
    await db
      .insertInto("retailer_categories")
      .values([retailer, other].map((retailer_id) => ({ retailer_id, category_id: category, is_main: true })))
      .execute();
    await run("create", ...whole("reader"));
    expect(await run("retailers", "reader", "all")).toContain("shows 2 retailers");
    expect(await run("retailers", "reader", "remove", "dog-ear")).toContain("no longer shows 1");
    expect(await refusal("retailers", "reader", "add", "no-such")).toMatch(/no retailer "no-such"/);
    await run("create", "reader", "--menu", "Reading: books");
    expect((await findBrandByHost(db, "reader.example"))?.menu).toEqual([
      {
        label: "Reading",
        href: "/categories/books",
        items: [
          {
            label: "Books",
            href: "/categories/books",
            items: [
              { label: "Page Turner", href: "/retailers/page-turner" },
              { label: "All books", href: "/categories/books" },
            ],
          },
        ],
      },
    ]);
  });

  test("B3 legal pages start as the shared texts and are replaced for one brand only", async () => {
    const folder = await mkdtemp(join(tmpdir(), "farthing-legal-"));
    try {
      for (const slug of ["lawful", "other"]) await run("create", ...whole(slug));
      const text = await run("legal", "lawful", "terms");
      expect(text).toContain("{brand}");
      const file = join(folder, "terms.md");
      await writeFile(file, "Only at {brand}: be kind.");
      await run("legal", "lawful", "terms", file);
      today = new Date("2026-12-24T10:00:00Z");
      await run("legal", "lawful", "terms", file);
      const [lawful, other] = [
        (await findBrandByHost(db, "lawful.example"))!,
        (await findBrandByHost(db, "other.example"))!,
      ];
      expect(await findLegalPage(db, { brand: lawful, slug: "terms" })).toMatchObject({
        title: "Terms",
        updatedOn: "2026-11-20",
        blocks: [{ kind: "paragraph", words: ["Only at Village Club: be kind."] }],
      });
      expect(JSON.stringify(await findLegalPage(db, { brand: other, slug: "terms" }))).not.toContain("be kind");
      expect(await refusal("legal", "lawful", "slavery", file)).toMatch(
        /--title is missing[\s\S]*--summary is missing/,
      );
      await run("legal", "lawful", "slavery", file, "--title", "Slavery", "--summary", "None.");
      expect((await findBrandByHost(db, "lawful.example"))?.legalPages).toHaveLength(5);
      await writeFile(file, "Call {phone}.");
      expect(await refusal("legal", "lawful", "terms", file)).toMatch(
        /\{phone\} stands for nothing\. There are \{brand\}, /,
      );
      expect(await refusal("legal", "lawful", "terms", join(folder, "missing.md"))).toMatch(/can't be read/);
      expect(await refusal("legal", "lawful", "no-such")).toMatch(/no page no-such\. There are terms, /);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test.each([
    [[]],
    [["constructor"]],
    [["hosts", "village"]],
    [["hosts", "village", "move", "x"]],
    [["legal", "village"]],
    [["retailers", "village", "all", "x"]],
  ])("B5 %j prints the usage", async (words) => {
    expect(await refusal(...words)).toContain("npm run brands -- <action>");
  });

  test("B5 an unknown brand is refused", async () => {
    for (const words of [
      ["show", "nobody"],
      ["hosts", "nobody", "add", "x.example"],
      ["legal", "nobody", "terms"],
      ["retailers", "nobody", "all"],
    ])
      expect(await refusal(...words)).toMatch(/no brand "nobody"\. "list" shows them/);
  });
});

describe("remove", () => {
  test("B5 a brand that nobody joined goes with what it shows; one with members stays", async () => {
    await run("create", ...whole("passing-club"));
    expect(await run("remove", "passing-club")).toContain("passing-club is removed");
    expect(await run("list")).not.toContain("passing-club");
    expect(await findBrandByHost(db, "passing-club.example")).toBeNull();

    await run("create", ...whole("lasting-club"));
    const brand = await findBrandByHost(db, "lasting-club.example");
    await insertVerifiedMember(db, { brandId: brand!.id });
    expect(await refusal("remove", "lasting-club")).toContain("lasting-club has members, or had some");
    expect(await run("list")).toContain("lasting-club");
    expect(await refusal("remove")).toContain("npm run brands -- <action>");
  });
});

test("A1 B5 what a command changes of brands is in the log with who typed it, and what changes nothing is not", async () => {
  const { id: category } = await db
    .selectFrom("categories")
    .select("id")
    .where("slug", "=", "books")
    .executeTakeFirstOrThrow();
  const retailer = newId();
  const days = { tracks_within_days_min: 1, tracks_within_days_max: 2 };
  const later = { confirms_within_days_min: 1, confirms_within_days_max: 2 };
  await db
    .insertInto("retailers")
    .values({ id: retailer, slug: "logged-shop", name: "Logged", homepage_url: "https://l.example", ...days, ...later })
    .execute();
  await db
    .insertInto("retailer_categories")
    .values({ retailer_id: retailer, category_id: category, is_main: true })
    .execute();
  const folder = await mkdtemp(join(tmpdir(), "farthing-logged-"));
  const file = join(folder, "terms.md");
  await writeFile(file, "Be kind.");
  const typed = (...words: string[]) => runAs("oscar", ...words);
  // Each twice: the second time there is nothing left to change.
  const twice = [
    ["create", ...whole("logged")],
    ["create", "logged", "--name", "Logged Club"],
    ["hosts", "logged", "add", "www.logged.example"],
    ["hosts", "logged", "add", "www.logged.example", "--main"],
    ["retailers", "logged", "add", "logged-shop"],
    ["retailers", "logged", "remove", "logged-shop"],
    ["retailers", "logged", "all"],
    ["legal", "logged", "terms", file],
  ];
  for (const words of twice.flatMap((each) => [each, each])) await typed(...words);
  await writeFile(file, "Be very kind.");
  await typed("legal", "logged", "terms", file);
  await rm(folder, { recursive: true, force: true });
  await expect(typed("create", "logged", "--theme", "none")).rejects.toThrow("does not exist");
  await expect(typed("hosts", "logged", "add", "again.example")).rejects.toThrow("belongs to the brand again");
  await typed("hosts", "logged", "remove", "logged.example");
  await expect(typed("hosts", "logged", "remove", "www.logged.example")).rejects.toThrow("the last host");
  const page = await db
    .selectFrom("legal_pages")
    .innerJoin("brands", "brands.id", "brand_id")
    .select("legal_pages.id")
    .where("brands.slug", "=", "logged")
    .executeTakeFirstOrThrow();
  await expect(typed("remove", "lasting-club")).rejects.toThrow("has members");
  await typed("remove", "logged");
  expect(await commandEntries(db, "oscar")).toEqual([
    "brand.create logged",
    "brand.change logged",
    "brand.add-host logged",
    "brand.main-host logged",
    "retailer.change logged-shop",
    "retailer.change logged-shop",
    "brand.show-retailers logged",
    `legal-page.change ${page.id}`,
    `legal-page.change ${page.id}`,
    "brand.remove-host logged",
    "brand.remove logged",
  ]);
  const { before } = await db
    .selectFrom("audit_entries")
    .select("before")
    .where("action", "=", "legal-page.change")
    .orderBy("seq", "desc")
    .executeTakeFirstOrThrow();
  expect(before).toMatchObject({ body: "Be kind." });
});
