import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { textSource } from "../../catalogue-imports/import-source.server.ts";
import type { ImportResult } from "../../catalogue-imports/import-report.ts";
import { csvLine, keepGuard } from "../../personal-data/csv.ts";
import { insertBrand } from "../../testing/insert-brand.testing.ts";
import { insertNetwork } from "../../testing/insert-network.testing.ts";
import { insertCategory, insertCode, insertOffer, insertRetailer, NOW } from "../catalogue.testing.ts";
import { findMerge } from "../retailers/find-merge.server.ts";
import { mergeRetailers } from "../retailers/merge-retailers.server.ts";
import { eachOwnOffer, importOffers, MAX_OFFERS_IN_FILE } from "./import-offers.server.ts";
import { offerColumns, offerLine, offersHead, offersTemplate, type OfferColumn } from "./offers-csv.ts";

const { db } = await testDatabase();
const brand = await insertBrand(db);
const other = await insertBrand(db);
const shop = await insertRetailer(db, { name: "Fernhollow Boots", brandIds: [brand.id, other.id] });
const [shoes, hats] = [await insertCategory(db, "Shoes"), await insertCategory(db, "Hats")];
const columns = Object.keys(offerColumns) as OfferColumn[];
const actor = { command: "test", now: NOW };

const plain: Record<OfferColumn, string> = {
  ...{
    reference: "summer-26",
    retailer: shop.slug,
    state: "published",
    kind: "code",
    title: "15% off boots",
    headline: "15% off",
  },
  ...{
    description: "On the summer range.",
    terms: "One use.",
    exclusions: "Sandals.",
    code: "SUMMER",
    over_18s_only: "no",
    popularity: "7",
  },
  ...{ landing_url: "https://fernhollow.example/summer", starts_at: "2026-06-01 09:00", ends_at: "2027-08-31 23:59" },
  ...{
    categories: `${shoes.slug} ${hats.slug}`,
    brands: brand.slug,
    variants: "Adult | https://fernhollow.example/adult\nChild",
  },
};
const fileOf = (...rows: Partial<Record<OfferColumn, string>>[]) =>
  `${csvLine(columns)}${rows.map((row) => csvLine(columns.map((name) => keepGuard({ ...plain, ...row }[name])))).join("")}`;
const read = (text: string, { dryRun = false } = {}) =>
  importOffers(db, { actor, source: textSource("offers.csv", text), dryRun });
const figures = (result: ImportResult) => {
  const [{ read: rows, created, updated } = { read: 0, created: 0, updated: 0 }] = result.files;
  return [result.outcome, rows, created, updated];
};
const problemsOf = (result: ImportResult) =>
  result.outcome === "refused" ? result.problems.map(({ line, field, message }) => [line, field, message]) : [];
const offersNow = async () => {
  const all = [];
  for await (const offer of eachOwnOffer(db)) all.push(offer);
  return all;
};
const exported = async () => offersHead + (await offersNow()).map(offerLine).join("");
const entries = () => db.selectFrom("audit_entries").select(["action", "why"]).orderBy("seq").execute();

test("A2 a file makes offers with every field, changes known ones, and a dry run writes nothing", async () => {
  const file = fileOf(
    {},
    {
      reference: "draft.1",
      state: "withdrawn",
      title: "A draft",
      brands: "",
      ends_at: "",
      over_18s_only: "YES",
      code: "",
    },
  );
  expect(figures(await read(file, { dryRun: true }))).toEqual(["checked", 2, 2, 0]);
  expect([await offersNow(), await entries()]).toEqual([[], []]);
  const made = await read(file);
  expect(figures(made)).toEqual(["imported", 2, 2, 0]);
  expect(made.files[0]?.records).toEqual([
    { line: 2, id: "summer-26", title: "15% off boots", what: "created" },
    { line: 4, id: "draft.1", title: "A draft", what: "created" },
  ]);
  const [draft, summer] = await offersNow();
  expect(draft).toMatchObject({
    number: "draft.1",
    status: "withdrawn",
    brands: [],
    endsAt: null,
    adultsOnly: true,
    code: null,
  });
  expect(summer).toMatchObject({
    ...{
      number: "summer-26",
      status: "live",
      kind: "code",
      title: "15% off boots",
      headline: "15% off",
      code: "SUMMER",
    },
    ...{
      description: "On the summer range.",
      terms: "One use.",
      exclusions: "Sandals.",
      popularity: 7,
      adultsOnly: false,
    },
    ...{
      landingUrl: "https://fernhollow.example/summer",
      startsAt: new Date("2026-06-01T08:00:00Z"),
      endsAt: new Date("2027-08-31T22:59:00Z"),
    },
    ...{ categories: ["hats", "shoes"], brands: [brand.slug], network: null, kept: [], retailer: { slug: shop.slug } },
    variants: [
      { label: "Adult", landingUrl: "https://fernhollow.example/adult" },
      { label: "Child", landingUrl: null },
    ],
  });
  const change = fileOf({ title: "20% off boots", state: "withdrawn", starts_at: "01/06/2026 09:00" });
  expect(figures(await read(change))).toEqual(["imported", 1, 0, 1]);
  expect((await offersNow())[1]).toMatchObject({
    title: "20% off boots",
    status: "withdrawn",
    startsAt: new Date("2026-06-01T08:00:00Z"),
  });
  expect((await entries()).map(({ action, why }) => [action, why])).toEqual([
    ["offer.create", "From the file offers.csv, line 2"],
    ["offer.create", "From the file offers.csv, line 4"],
    ["offer.change", "From the file offers.csv, line 2"],
  ]);
});

test("A2 the file that was exported changes nothing when it is imported again, whatever the offers hold", async () => {
  const odd = {
    ...{
      title: "=SUM(A1)",
      headline: '\'@home, "now"',
      description: "One\n\n- two\n'=three",
      terms: "+44",
      exclusions: "-5; é ☕",
    },
    ...{ code: "-10", variants: "=x\nTwo, three" },
  };
  expect(figures(await read(fileOf({ reference: "odd-1", ...odd })))).toEqual(["imported", 1, 1, 0]);
  const stored = (await offersNow()).find(({ number }) => number === "odd-1");
  expect(stored).toMatchObject({ ...odd, variants: [{ label: "=x" }, { label: "Two, three" }] });
  const before = await entries();
  const file = await exported();
  expect(file).toContain("'=SUM(A1)");
  for (const text of [file, file.replaceAll("\r\n", "\n"), file.replace("\uFEFF", "")])
    expect(figures(await read(text))).toEqual(["imported", (await offersNow()).length, 0, 0]);
  expect([await exported(), await entries()]).toEqual([file, before]);
});

test("A2 each fault is named by line and column, and nothing of the file is written", async () => {
  const before = await exported();
  const wrong = await read(
    fileOf(
      { reference: "new-1", title: "Fine" },
      { reference: "a b", retailer: "/retailers/x", state: "live", over_18s_only: "maybe" },
      { reference: "new-2", kind: "gift", title: "", landing_url: "ftp://x", starts_at: "soon", popularity: "-1" },
      { reference: "new-3", ends_at: "2026-05-01 00:00" },
      { reference: "new-1" },
    ),
  );
  const london = "must be a date and time of London, such as 2026-11-30 23:59";
  expect(problemsOf(wrong)).toEqual([
    [4, "reference", expect.stringContaining("letters, digits")],
    [4, "retailer", expect.stringContaining("last part")],
    [4, "state", "must be published or withdrawn"],
    [4, "over_18s_only", "must be yes or no"],
    [6, "kind", "Choose a kind."],
    [6, "title", "must not be empty"],
    [6, "landing_url", expect.stringContaining("full web address")],
    [6, "starts_at", london],
    [6, "popularity", expect.stringContaining("whole number")],
    [8, "ends_at", "must be after the start"],
    [10, "", "this id is already on line 2; remove one of the two"],
  ]);
  const both = await read(
    fileOf(
      { reference: "new-1", categories: "none" },
      { reference: "new-2", retailer: "no-such", brands: "nobody", starts_at: "soon", title: "Save up to 50% off" },
      { reference: "new-2", state: "live", retailer: "no-such", ends_at: "2026-05-01 00:00", popularity: "-1" },
    ),
  );
  expect(problemsOf(both)).toEqual([
    [2, "categories", expect.stringContaining("“none”")],
    [4, "starts_at", london],
    [4, "title", expect.stringContaining("without the lowest amount")],
    [4, "retailer", expect.stringContaining("There is no retailer")],
    [4, "brands", expect.stringContaining("“nobody”")],
    [6, "", "this id is already on line 4; remove one of the two"],
    [6, "state", "must be published or withdrawn"],
    [6, "popularity", expect.stringContaining("whole number")],
    [6, "ends_at", "must be after the start"],
    [6, "retailer", expect.stringContaining("There is no retailer")],
  ]);
  const unknown = await read(
    fileOf(
      { reference: "new-1" },
      { reference: "new-2", retailer: "no-such" },
      { reference: "new-3", categories: "none", brands: "nobody" },
    ),
  );
  expect(problemsOf(unknown)).toEqual([
    [4, "retailer", expect.stringContaining("There is no retailer")],
    [6, "categories", expect.stringContaining("“none”")],
    [6, "brands", expect.stringContaining("“nobody”")],
  ]);
  expect(await exported()).toBe(before);
});

test("A2 a shared code that is in the offer's pool, for whichever variant, is a fault of its line", async () => {
  await read(fileOf({ reference: "pooled-1" }));
  const { id: offerId } = (await offersNow()).find(({ number }) => number === "pooled-1")!;
  const { id: variantId } = await db
    .selectFrom("offer_variants")
    .select("id")
    .where("offer_id", "=", offerId)
    .where("label", "=", "Child")
    .executeTakeFirstOrThrow();
  await insertCode(db, { offerId, codeKind: "pool", code: "FOR-ALL" });
  await insertCode(db, { offerId, variantId, codeKind: "pool", code: "FOR-CHILD" });
  const before = await exported();
  for (const code of ["FOR-ALL", "FOR-CHILD"])
    expect(problemsOf(await read(fileOf({ reference: "pooled-1", code })))).toEqual([
      [2, "code", `“${code}” is in this offer’s pool, where each code is for one member. Take another code.`],
    ]);
  expect(await exported()).toBe(before);
});

test.each([
  ["", "The file is empty"],
  ["reference,title\r\nx,y\r\n", 'The header lacks "retailer"'],
  [csvLine(columns), "The file contains no records"],
  [csvLine(columns).replaceAll(",", ";"), "The header lacks"],
  [`${csvLine(columns)}only,three,cells\r\n`, "can't be read"],
])("A2 a file in the wrong shape is refused as a whole: %#", async (text, words) => {
  expect(JSON.stringify(problemsOf(await read(text)))).toContain(JSON.stringify(words).slice(1, -1));
});

test("A2 a file has at most 500 offers, and an offer stays at its retailer", async () => {
  const many = Array.from({ length: MAX_OFFERS_IN_FILE + 1 }, (_, at) => ({ reference: `many-${at}` }));
  expect(problemsOf(await read(fileOf(...many)))).toEqual([[null, "", expect.stringContaining("at most 500")]]);
  const elsewhere = await insertRetailer(db, { name: "Elsewhere" });
  expect(problemsOf(await read(fileOf({ retailer: elsewhere.slug })))).toEqual([
    [2, "retailer", expect.stringContaining(shop.slug)],
  ]);
});

test("A2 a file from before a merge goes to the retailer that stays; a network's offer of that number is not touched", async () => {
  const twin = await insertRetailer(db, { name: "Twin" });
  await read(fileOf({ reference: "at-twin", retailer: twin.slug }));
  const { seen } = (await findMerge(db, { slug: twin.slug, into: shop.slug }))!;
  await mergeRetailers(db, { slug: twin.slug, into: shop.slug, seen, now: NOW });
  const network = await insertNetwork(db, { slug: "awin" });
  const theirs = await insertOffer(db, { networkId: network.id, retailerId: shop.id, title: "Theirs" });
  await db.updateTable("offers").set({ network_offer_id: "shared-number" }).where("id", "=", theirs.id).execute();
  const file = fileOf(
    { reference: "at-twin", retailer: twin.slug },
    { reference: "shared-number", retailer: twin.slug },
  );
  expect(figures(await read(file))).toEqual(["imported", 2, 1, 0]);
  const titles = await db
    .selectFrom("offers")
    .select("title")
    .where("network_offer_id", "=", "shared-number")
    .orderBy("title")
    .execute();
  expect(titles).toEqual([{ title: "15% off boots" }, { title: "Theirs" }]);
});

test("A2 the template is a file that the import reads", async () => {
  expect(figures(await read(offersTemplate.replace("summer-26", "of-template"), { dryRun: true }))).toEqual([
    "checked",
    1,
    1,
    0,
  ]);
});
