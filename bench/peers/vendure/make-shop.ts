/**
 * Fills an empty database with a Vendure shop: node make-shop.ts <PostgreSQL URL> <offers> <retailers>
 * Tables, zones, taxes, collections and the search index are made by Vendure's own code. Products are rows that its importer would write one by one.
 */
import {
  bootstrap,
  CollectionService,
  JobQueueService,
  LanguageCode,
  Populator,
  RequestContextService,
  SearchService,
  TransactionalConnection,
  type RequestContext,
} from "@vendure/core";
import { setTimeout as delay } from "node:timers/promises";
import { makeCatalogue, type SyntheticCatalogue } from "../../search/synthetic-catalogue.ts";
import { shopConfig } from "./shop-config.ts";

const BATCH = 5_000;
const [url = "", offers = "", retailers = ""] = process.argv.slice(2);

const app = await bootstrap(shopConfig({ url, port: 0, makesTables: true }));
const connection = app.get(TransactionalConnection).rawConnection;
await app.get(Populator).populateInitialData({
  defaultLanguage: LanguageCode.en,
  defaultZone: "Europe",
  countries: [{ name: "United Kingdom", code: "GB", zone: "Europe" }],
  taxRates: [{ name: "Standard", percentage: 20 }],
  shippingMethods: [],
  paymentMethods: [],
  collections: [],
});
const catalogue = makeCatalogue({ offers: Number(offers), retailers: Number(retailers) });
await timed("products", () => insertProducts(catalogue));
const ctx = await app.get(RequestContextService).create({ apiType: "admin", languageCode: LanguageCode.en });
await app.get(JobQueueService).start();
await timed("collections", () => makeCollections(ctx, catalogue));
await timed("index", async () => {
  await app.get(SearchService).reindex(ctx);
  await jobsDone();
});
await connection.query("vacuum analyze");
const [{ indexed }] = await connection.query("select count(*)::int as indexed from search_index_item");
console.log(`${indexed} products in the index`);
await app.close();

/**
 * Inserts the offers that the first brand shows, which is every one but those of each eighth retailer, so that both sides answer from the same products.
 * The most popular has the lowest id: a listing without an order is by id, as our listing is by popularity.
 */
async function insertProducts({ retailers, offers, categories }: SyntheticCatalogue): Promise<void> {
  await connection.query(
    `insert into facet (id, code, "isPrivate") values (1, 'category', false), (2, 'retailer', false)`,
  );
  await connection.query(
    `insert into facet_translation ("languageCode", name, "baseId") values ('en', 'Category', 1), ('en', 'Retailer', 2)`,
  );
  await connection.query(`insert into facet_channels_channel ("facetId", "channelId") select id, 1 from facet`);
  // Values of both facets share one table, so retailers' ids begin after the categories'.
  const categoryValue = (index: number) => index + 1;
  const retailerValue = (index: number) => categories.length + index + 1;
  await insertAll(
    [
      ...categories.map(({ name, slug }, index) => ({ id: categoryValue(index), facet: 1, code: slug, name })),
      ...retailers.map(({ name, slug }, index) => ({ id: retailerValue(index), facet: 2, code: slug, name })),
    ],
    `with input as (select * from jsonb_to_recordset($1::jsonb) as row (id integer, facet integer, code text, name text)),
      v as (insert into facet_value (id, code, "facetId") select id, code, facet from input returning id),
      c as (insert into facet_value_channels_channel ("facetValueId", "channelId") select id, 1 from v)
    insert into facet_value_translation ("languageCode", name, "baseId") select 'en', name, id from input`,
  );
  const shown = offers
    .filter(({ retailer }) => retailer % 8 !== 0)
    .toSorted((one, other) => other.popularity - one.popularity || (one.publicId < other.publicId ? -1 : 1));
  await insertAll(
    shown.map(({ publicId, title, description, retailer }, index) => ({
      id: index + 1,
      sku: publicId,
      title,
      description,
      retailer: retailers[retailer]!.name,
      values: [categoryValue(retailers[retailer]!.category), retailerValue(retailer)],
    })),
    // The variant bears the retailer's name, because the index has no other text that a card could show it from.
    `with input as (select * from jsonb_to_recordset($1::jsonb)
        as row (id integer, sku text, title text, description text, retailer text, "values" integer[])),
      p as (insert into product (id, enabled) select id, true from input returning id),
      pt as (insert into product_translation ("languageCode", name, slug, description, "baseId") select 'en', title, sku, description, id from input),
      pc as (insert into product_channels_channel ("productId", "channelId") select id, 1 from p),
      pf as (insert into product_facet_values_facet_value ("productId", "facetValueId") select id, unnest("values") from input),
      v as (insert into product_variant (id, enabled, sku, "trackInventory", "taxCategoryId", "productId")
        select id, true, sku, 'FALSE', (select id from tax_category), id from input returning id),
      vt as (insert into product_variant_translation ("languageCode", name, "baseId") select 'en', retailer, id from input),
      vc as (insert into product_variant_channels_channel ("productVariantId", "channelId") select id, 1 from v),
      vp as (insert into product_variant_price ("currencyCode", "channelId", price, "variantId")
        select "defaultCurrencyCode", 1, 0, v.id from v, channel where channel.id = 1)
    insert into stock_level ("stockOnHand", "stockAllocated", "productVariantId", "stockLocationId")
      select 0, 0, id, (select min(id) from stock_location) from v`,
  );
  for (const table of ["facet", "facet_value", "product", "product_variant"])
    await connection.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
  await connection.query("analyze");
}

async function insertAll(rows: readonly object[], statement: string): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH)
    await connection.query(statement, [JSON.stringify(rows.slice(from, from + BATCH))]);
}

/** Makes a collection of each category: those products that have its facet value. */
async function makeCollections(ctx: RequestContext, { categories }: SyntheticCatalogue): Promise<void> {
  for (const [index, { name, slug }] of categories.entries())
    await app.get(CollectionService).create(ctx, {
      translations: [{ languageCode: LanguageCode.en, name, slug, description: "" }],
      filters: [
        {
          code: "facet-value-filter",
          arguments: [
            { name: "facetValueIds", value: JSON.stringify([String(index + 1)]) },
            { name: "containsAny", value: "false" },
          ],
        },
      ],
    });
  // The search plugin holds this work back too. Its index stays for later, when it is made at once.
  await app.get(JobQueueService).flush("search-plugin-apply-collection-filters");
  await jobsDone();
}

/** Resolves when Vendure's background work is done. @throws Error if some of it failed */
async function jobsDone(): Promise<void> {
  for (;;) {
    const [{ waiting, failed }] = await connection.query(
      `select count(*) filter (where not "isSettled") as waiting, min(error) filter (where state = 'FAILED') as failed from job_record`,
    );
    if (failed) throw new Error(`A job of Vendure failed: ${failed}`);
    if (Number(waiting) === 0) return;
    await delay(200);
  }
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - begin) / 1_000).toFixed(1)} s`);
}
