import { commandLine } from "../command-line.ts";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { addBrandHost, removeBrandHost } from "@farthing/core/brands/brand-hosts.server.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { saveBrand, type SavedBrand } from "@farthing/core/brands/save-brand.server.ts";
import { showAllRetailers } from "@farthing/core/brands/show-retailers.server.ts";
import {
  editLegalPage,
  findLegalPageText,
  type EditedLegalPage,
  type LegalPageText,
} from "@farthing/core/legal-pages/edit-legal-page.server.ts";
import type { LegalPageStatement } from "@farthing/core/legal-pages/save-legal-page.server.ts";
import { brandHost } from "@farthing/core/brands/schema.ts";
import { themeNames } from "@farthing/core/brands/theme-colours.server.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { recorded } from "./recorded.ts";
import { featureOptions, readBrandOptions, tellProblem } from "./read-brand-options.ts";
import { seedBeginnings } from "../development/seed-reference.ts";

export const BRAND_USAGE = `${commandLine("brands <action>")}

  list                              all brands, with their hosts and themes
  show <brand>                      everything about one
  choices                           lists themes, member types and categories
  create <brand> <options>          creates a brand, or changes only what the options state of an existing one
  hosts <brand> add <host> [--main] adds a host; --main: e-mails and canonical links name it
  hosts <brand> remove <host>       removes a host, but never the last
  remove <brand>                    removes a brand that no member ever joined
  retailers <brand> all             shows every retailer of the catalogue there
  retailers <brand> add <slug>...   shows these too
  retailers <brand> remove <slug>...  no longer shows these
  legal <brand> <page>              prints the page's text, as a file to edit
  legal <brand> <page> <file> [--title <text>] [--summary <text>]
                                    replaces the shared text with the brand's own, or adds a page

<brand> is its short name: lower-case letters, digits and dashes. Your system account is recorded.

Options of create; a new brand needs those marked with a star.

  --name <text>         *  as members read it
  --audience <text>     *  who it is for: "teachers and school staff"
  --theme <name>        *  one of ${themeNames.join(", ")}
  --support <e-mail>    *  where members write to
  --host <name>         *  where it answers, without https://; repeat for more; the first is the main one
  --member-type <slug>  *  who may join; repeat, or separate with commas, in the order that registration offers them
  --strapline <text>       below the name
  --affinity-id <text>     its name in telemetry; <brand>-members by default
  --feature <name>[=off]   ${Object.keys(featureOptions).join(", ")}; all off by default
  --ios <url>, --android <url>  its app in the stores; none removes a link
  --tag-manager <id>       the container of its tag manager, such as GTM-ABC1234; none removes it
  --engagement-script <url>  what its push provider runs in the service worker; none removes it
  --minimum-age <years>    18 by default
  --residence <codes>      where members live, as country codes; GB,IM,JE,GG by default
  --menu "<label>: <category>, <category>"  a section of the menu; repeat for more; none for no menu
  --home <sections>        the home page from top to bottom, separated by commas
  --banner <text>, --banner-link <path>     the line at the top; none removes it
  --default                answers unknown hosts in development`;

/** An error that the person at the command line can fix; printed without a stack. */
export class BrandActionError extends Error {}

export interface BrandActionParts {
  db: Db;
  by: string;
  now(): Date;
}

/**
 * Runs one action of `npm run brands` from its typed words. Returns the lines to print. @throws BrandActionError that
 * says what to do.
 */
export async function runBrandAction(
  parts: BrandActionParts,
  [name = "", ...rest]: readonly string[],
): Promise<string[]> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw new BrandActionError(BRAND_USAGE);
  return action(parts, rest);
}

type Action = (parts: BrandActionParts, words: readonly string[]) => Promise<string[]>;

const actions: Record<string, Action> = { list, show, choices, create, hosts, remove, retailers, legal };

async function list({ db }: BrandActionParts): Promise<string[]> {
  const brands = await listBrands(db);
  if (brands.length === 0) return ['No brand yet. "create" makes one.'];
  const hostsOf = await hostsByBrand(db);
  return brands.map(
    ({ id, slug, name, theme }) => `${slug}  ${name}  (theme ${theme})  ${hostsOf.get(id)?.join(" ") ?? "no host"}`,
  );
}

async function show({ db }: BrandActionParts, [slug]: readonly string[]): Promise<string[]> {
  const brand = await brandOf(db, slug);
  const { features, storeLinks, tracking, registration, menu, banner } = brand;
  const types = await db
    .selectFrom("brand_member_types")
    .innerJoin("member_types", "member_types.id", "member_type_id")
    .select("member_types.slug")
    .where("brand_id", "=", brand.id)
    .orderBy("brand_member_types.position")
    .execute();
  const counted = await db
    .selectFrom("brand_retailers")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("brand_id", "=", brand.id)
    .executeTakeFirstOrThrow();
  const on = Object.entries(featureOptions).filter(([, feature]) => features[feature]);
  const rows: [string, string][] = [
    ["brand", brand.slug],
    ["name", brand.name],
    ["strapline", brand.strapline || "none"],
    ["audience", brand.audience],
    ["theme", brand.theme],
    ["affinity id", brand.affinityId],
    ["support", brand.supportEmail],
    ["hosts", (await hostsByBrand(db)).get(brand.id)?.join(" ") ?? "none"],
    ["member types", types.map((type) => type.slug).join(", ")],
    ["features", on.map(([option]) => option).join(", ") || "all off"],
    ["app stores", [storeLinks.ios, storeLinks.android].filter(Boolean).join(" ") || "none"],
    ["tag manager", tracking.tagManager ?? "none"],
    ["engagement", tracking.engagementScript ?? "none"],
    ["registration", `from ${registration.minimumAge} years, living in ${registration.residence.join(", ")}`],
    [
      "menu",
      menu.map(({ label, items = [] }) => `${label} (${items.map((item) => item.label).join(", ")})`).join("; ") ||
        "empty",
    ],
    ["home page", brand.home.join(", ")],
    ["banner", banner ? `${banner.text}${banner.href ? ` -> ${banner.href}` : ""}` : "none"],
    ["retailers", String(counted.count)],
    ["legal pages", brand.legalPages.map((page) => page.slug).join(", ") || "none"],
  ];
  return rows.map(([label, value]) => `${label.padEnd(14)}${value}`);
}

async function choices({ db }: BrandActionParts): Promise<string[]> {
  await seedBeginnings(db);
  const types = await db.selectFrom("member_types").select(["slug", "name"]).orderBy("position").execute();
  const categories = await db.selectFrom("categories").select("slug").orderBy("position").execute();
  return [
    `themes        ${themeNames.join(", ")}`,
    `categories    ${categories.map(({ slug }) => slug).join(", ") || "none yet: import the catalogue"}`,
    "member types",
    ...types.map(({ slug, name }) => `  ${slug.padEnd(24)}${name}`),
  ];
}

async function create(parts: BrandActionParts, words: readonly string[]): Promise<string[]> {
  const read = readBrandOptions(words);
  if (!read.ok) throw refusal(read.problems);
  // Every brand needs member types, questions, legal pages and networks; only what is missing is added.
  const { db } = parts;
  await seedBeginnings(db);
  const { statement } = read;
  const what = {
    permission: "brands.change",
    action: "brand.change",
    actionOf: ({ outcome }: SavedBrand) => (outcome === "created" ? "brand.create" : "brand.change"),
    subject: { type: "brand", id: statement.slug },
    changed: ({ outcome }: SavedBrand) => outcome === "created" || outcome === "changed",
  } as const;
  const saved = await recorded<SavedBrand>(parts, what, (joined) => saveBrand(joined, statement));
  if (saved.outcome === "refused")
    throw refusal(saved.problems.map(({ field, message }) => tellProblem(field, message)));
  const { slug } = statement;
  if (saved.outcome === "unchanged") return [`${slug} already has these settings. Nothing was changed.`];
  if (saved.outcome === "changed") return [`${slug} is changed. Running servers show it within five seconds.`];
  const hostNames = (await hostsByBrand(db)).get(saved.id) ?? [];
  return [
    `${slug} is created and answers at ${hostNames.join(", ")}. Running servers show it within five seconds.`,
    'Its legal pages start from sample texts, which are not legal advice: read them, and set your own with "legal".',
    'It shows no retailers until you add some with "retailers".',
  ];
}

function refusal(problems: readonly string[]): BrandActionError {
  return new BrandActionError(
    `Nothing was changed.\n${problems.map((problem) => `  - ${problem}`).join("\n")}\n"${commandLine("brands")}" explains every option.`,
  );
}

async function hosts(parts: BrandActionParts, words: readonly string[]): Promise<string[]> {
  const { values, positionals } = readWords(words, { main: { type: "boolean", default: false } });
  const [slug, verb, typed, ...more] = positionals;
  if (!["add", "remove"].includes(verb ?? "") || typed === undefined || more.length > 0)
    throw new BrandActionError(BRAND_USAGE);
  const brand = await brandOf(parts.db, slug);
  const checked = brandHost.safeParse(typed);
  if (!checked.success) throw refusal([`The host ${checked.error.issues[0]?.message ?? "is wrong."}`]);
  const host = checked.data;
  if (verb === "add") {
    const takenBy = await addHost(parts, brand, { host, isMain: values["main"] === true });
    if (takenBy !== null) throw refusal([`${host} belongs to the brand ${takenBy}. Remove it there first.`]);
    return [`${brand.slug} answers at ${host}.`];
  }
  const what = {
    permission: "brands.change",
    action: "brand.remove-host",
    subject: { type: "brand", id: brand.slug },
    changed: (outcome: string) => outcome === "removed",
  } as const;
  const outcome = await recorded(parts, what, (joined) => removeBrandHost(joined, { brandId: brand.id, host }));
  if (outcome === "not-there") throw refusal([`${brand.slug} does not answer at ${host}.`]);
  if (outcome === "last") throw refusal([`${host} is the last host of ${brand.slug}. Add another first.`]);
  return [`${brand.slug} no longer answers at ${host}.`];
}

/** Returns the slug of another brand that has the host; null: it is this brand's now. */
async function addHost(
  parts: BrandActionParts,
  { id: brandId, slug }: Brand,
  added: { host: string; isMain: boolean },
): Promise<string | null> {
  const { takenBy } = await recorded<Awaited<ReturnType<typeof addBrandHost>>>(
    parts,
    {
      permission: "brands.change",
      action: "brand.add-host",
      actionOf: ({ done }) => (done === "made-main" ? "brand.main-host" : "brand.add-host"),
      subject: { type: "brand", id: slug },
      changed: ({ done }) => done !== null,
    },
    (joined) => addBrandHost(joined, { brandId, ...added }),
  );
  return takenBy;
}

/** SQLSTATE foreign_key_violation. */
const STILL_REFERRED_TO = "23503";

/** What a brand shows goes with it. Foreign keys refuse where there are members, clicks, money or mails. */
async function remove(parts: BrandActionParts, words: readonly string[]): Promise<string[]> {
  if (words.length !== 1) throw new BrandActionError(BRAND_USAGE);
  const brand = await brandOf(parts.db, words[0]);
  const what = {
    permission: "brands.change",
    action: "brand.remove",
    subject: { type: "brand", id: brand.slug },
  } as const;
  try {
    await recorded(parts, what, (joined) => joined.deleteFrom("brands").where("id", "=", brand.id).execute());
  } catch (error) {
    if ((error as { code?: unknown }).code !== STILL_REFERRED_TO) throw error;
    throw refusal([
      `${brand.slug} has members, or had some: their money, mails and records belong to it. Take its hosts from the proxy instead.`,
    ]);
  }
  return [`${brand.slug} is removed, with its hosts, texts and settings. Running servers follow within five seconds.`];
}

async function retailers(parts: BrandActionParts, words: readonly string[]): Promise<string[]> {
  const { db, now } = parts;
  const [slug, verb, ...slugs] = words;
  if (!(verb === "all" ? slugs.length === 0 : ["add", "remove"].includes(verb ?? "") && slugs.length > 0))
    throw new BrandActionError(BRAND_USAGE);
  const brand = await brandOf(db, slug);
  const found = await db
    .selectFrom("retailers")
    .select(["id", "slug"])
    .$if(verb === "all", (query) => query.where("merged_into_id", "is", null))
    .$if(verb !== "all", (query) => query.where("slug", "in", slugs))
    .execute();
  const unknown = slugs.filter((wanted) => !found.some((retailer) => retailer.slug === wanted));
  if (unknown.length > 0) throw refusal(unknown.map((name) => `There is no retailer "${name}".`));
  if (found.length === 0)
    throw refusal(["There are no retailers yet. Import the catalogue first: docs/catalogue-import.md"]);
  if (verb === "all") await showAll(parts, brand);
  else for (const retailer of found) await showOne(parts, { brand, retailer, isShown: verb === "add" });
  await indexCatalogue(db, { now: now() });
  return [
    `${brand.slug} ${verb === "remove" ? "no longer shows" : "shows"} ${found.length === 1 ? "1 retailer" : `${found.length} retailers`}, in lists and in search.`,
  ];
}

async function showAll(parts: BrandActionParts, { id: brandId, slug }: Brand): Promise<void> {
  const what = {
    permission: "brands.change",
    action: "brand.show-retailers",
    subject: { type: "brand", id: slug },
    changed: (added: number) => added > 0,
  } as const;
  await recorded(parts, what, (joined) => showAllRetailers(joined, { brandId }));
}

/** Shows a retailer at a brand, or no longer. The entry is under the retailer, as that of its form is, which has the same list. */
async function showOne(
  parts: BrandActionParts,
  { brand, retailer, isShown }: { brand: Brand; retailer: { id: string; slug: string }; isShown: boolean },
): Promise<void> {
  const what = {
    permission: "catalogue.change",
    action: "retailer.change",
    subject: { type: "retailer", id: retailer.slug },
  } as const;
  await recorded(parts, what, async (joined) => {
    const { numAffectedRows = 0n } = await (
      isShown
        ? sql`insert into brand_retailers (brand_id, retailer_id) values (${brand.id}, ${retailer.id}) on conflict do nothing`
        : sql`delete from brand_retailers where brand_id = ${brand.id} and retailer_id = ${retailer.id}`
    ).execute(joined);
    return numAffectedRows > 0n;
  });
}

async function legal(parts: BrandActionParts, words: readonly string[]): Promise<string[]> {
  const { values, positionals } = readWords(words, { title: { type: "string" }, summary: { type: "string" } });
  const [slug, page, file, ...more] = positionals;
  if (page === undefined || more.length > 0) throw new BrandActionError(BRAND_USAGE);
  const brand = await brandOf(parts.db, slug);
  const stored = await findLegalPageText(parts.db, { brandId: brand.id, slug: page });
  if (file === undefined) {
    if (!stored)
      throw refusal([`There is no page ${page}. There are ${brand.legalPages.map((of) => of.slug).join(", ")}.`]);
    return [stored.body.trimEnd()];
  }
  const body = await readFile(file, "utf8").catch((error: unknown) => {
    throw refusal([`${file} can't be read: ${(error as Error).message}`]);
  });
  const [title, summary] = [values["title"], values["summary"]].map((value) =>
    typeof value === "string" ? value : undefined,
  );
  const statement = { brandId: brand.id, slug: page, body, title, summary };
  const edited = await saveLegal(parts, statement, stored);
  if (edited.outcome === "refused") throw refusal(edited.problems);
  if (edited.outcome === "stale") throw refusal(["Somebody saved this page meanwhile. Read it, then run this again."]);
  return [`/legal/${page} of ${brand.slug} is its own text. Running servers show it within five seconds.`];
}

/** Saves a page, unless it is not `stored` any more. */
function saveLegal(
  parts: BrandActionParts,
  statement: Omit<LegalPageStatement, "today">,
  stored: LegalPageText | null,
): Promise<EditedLegalPage> {
  return recorded<EditedLegalPage>(
    parts,
    {
      permission: "brands.change",
      action: "legal-page.change",
      subject: stored?.ownId
        ? { type: "legal-page", id: stored.ownId }
        : { type: "legal-page", idOf: (done) => (done.outcome === "saved" ? done.id : "") },
      changed: ({ outcome }) => outcome === "saved",
    },
    (joined, now) =>
      editLegalPage(joined, {
        ...statement,
        ...{ today: now.toISOString().slice(0, 10), seen: stored?.seen ?? null },
      }),
  );
}

function readWords(
  words: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>["options"] & object,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw refusal([(error as Error).message]);
  }
}

async function brandOf(db: Db, slug = ""): Promise<Brand> {
  const brand = (await listBrands(db)).find((candidate) => candidate.slug === slug);
  if (!brand) throw new BrandActionError(`There is no brand "${slug}". "list" shows them.`);
  return brand;
}

/** Returns the hosts of each brand by its id, the main host first. */
async function hostsByBrand(db: Db): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("brand_hosts")
    .select(["brand_id", "host"])
    .orderBy("is_main", "desc")
    .orderBy("host")
    .execute();
  const hostsOf = new Map<string, string[]>();
  for (const { brand_id, host } of rows) hostsOf.set(brand_id, [...(hostsOf.get(brand_id) ?? []), host]);
  return hostsOf;
}
