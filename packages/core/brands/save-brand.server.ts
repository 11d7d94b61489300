import { createHash } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { Brand } from "./brand.ts";
import { buildMenu } from "./build-menu.ts";
import { carerMoveProblems, setCarerMove } from "./carer-move.server.ts";
import type { BrandStatement, MenuCategory } from "./schema.ts";
import { type Area, areas, areaWords, faultOf, type OwnColours, tellFault } from "./own-colours.ts";
import { startOf, themeNames } from "./theme-colours.server.ts";

/** A problem with one field. The message continues a sentence that begins with the field's name. */
export interface BrandProblem {
  field: keyof BrandStatement;
  message: string;
  /** Which colour it is about. */
  area?: Area;
  part?: "ground" | "text";
}

export type SavedBrand =
  | { outcome: "created" | "changed" | "unchanged"; id: string }
  /** Somebody saved meanwhile, or another brand has this short name; nothing was written. */
  | { outcome: "stale" | "taken"; id: string }
  /** Nothing was written. */
  | { outcome: "refused"; problems: BrandProblem[] };

/** Fields that a new brand must have. */
const required = ["name", "audience", "theme", "supportEmail", "hosts", "memberTypes"] as const;

/** Retailers that the menu lists below each category. */
const MAX_MENU_RETAILERS = 4;

/**
 * Creates a brand, or changes the one with this slug, in one transaction (B3, B5). Fields that are left out stay as they are, and hosts are added to the
 * existing ones. Idempotent.
 * @param only `create`, or the version that is changed: nothing else is written then
 */
export async function saveBrand(
  db: Db,
  statement: BrandStatement,
  only?: "create" | { version: number },
): Promise<SavedBrand> {
  return db.transaction().execute(async (trx) => {
    // Changes take turns, so that the checks below still hold when the brand is written. Reads go on.
    await sql`lock table brands, brand_hosts in share row exclusive mode`.execute(trx);
    const found = await trx.selectFrom("brands").selectAll().where("slug", "=", statement.slug).executeTakeFirst();
    if (found && only === "create") return { outcome: "taken", id: found.id };
    if (found && typeof only === "object" && found.version !== only.version) return { outcome: "stale", id: found.id };
    const problems = [
      ...(found ? [] : missingFields(statement)),
      ...emptyLists(statement),
      ...themeProblems(statement),
      ...colourProblems(statement, found),
      ...(await takenAffinity(trx, statement, found === undefined)),
      ...(await takenHosts(trx, statement)),
      ...(await unknownMemberTypes(trx, statement)),
    ];
    const menu = await readMenu(trx, statement, problems);
    const storeLinks = {
      ios: null,
      android: null,
      ...(found?.store_links as object | undefined),
      ...statement.storeLinks,
    };
    const tracking = { ...(found?.tracking as object | undefined), ...statement.tracking };
    const features = { ...(found?.features as object | undefined), ...statement.features };
    if ("appExclusive" in features && features.appExclusive === true && !storeLinks.ios && !storeLinks.android)
      problems.push({
        field: "features",
        message: "appExclusive sends members to an app store, and no store link is given. Give one, or leave it off.",
      });
    const isAsking = "carerMigration" in features && features.carerMigration === true;
    problems.push(...(await carerMoveProblems(trx, statement, { brandId: found?.id, isOn: isAsking })));
    if (problems.length > 0) return { outcome: "refused", problems };

    const before = found && (await fingerprint(trx, found.id));
    const id = found?.id ?? newId();
    const registration = {
      ...(found?.registration as object | undefined),
      ...(statement.minimumAge === undefined ? {} : { minimumAge: statement.minimumAge }),
      ...(statement.residence === undefined ? {} : { residence: statement.residence }),
    };
    if (statement.isDefault) await trx.updateTable("brands").set({ is_default: false }).where("id", "<>", id).execute();
    const stated = {
      ...defined({
        name: statement.name,
        strapline: statement.strapline,
        audience: statement.audience,
        theme: statement.theme,
        affinity_id: statement.affinityId,
        support_email: statement.supportEmail,
        is_default: statement.isDefault,
        colours: statement.colours && JSON.stringify(statement.colours),
        payout_threshold_pence: statement.payoutThresholdPence,
        menu: menu && JSON.stringify(menu),
        home: statement.home && JSON.stringify(statement.home),
      }),
      ...(statement.banner === undefined ? {} : { banner: bannerJson(statement.banner, found?.banner) }),
      features: JSON.stringify(features),
      store_links: JSON.stringify(storeLinks),
      tracking: JSON.stringify(tracking),
    };
    if (found) {
      await trx
        .updateTable("brands")
        .set({ ...stated, registration: JSON.stringify(registration) })
        .where("id", "=", id)
        .execute();
    } else {
      const { name = "", audience = "", theme = "", supportEmail = "", slug } = statement;
      await trx
        .insertInto("brands")
        .values({
          ...{ id, slug, name, audience, theme, support_email: supportEmail },
          ...{ strapline: "", affinity_id: `${slug}-members` },
          ...stated,
        })
        .execute();
      // Registration settings that a new brand leaves out get the table's defaults.
      await sql`update brands set registration = registration || ${JSON.stringify(registration)}::jsonb where id = ${id}`.execute(
        trx,
      );
    }
    await addHosts(trx, id, statement.hosts ?? []);
    if (statement.memberTypes) await setMemberTypes(trx, id, statement.memberTypes);
    if (statement.carerMove !== undefined) await setCarerMove(trx, id, statement.carerMove);
    if (!found) return { outcome: "created", id };
    if ((await fingerprint(trx, id)) === before) return { outcome: "unchanged", id };
    await trx
      .updateTable("brands")
      .set({ updated_at: sql`now()` })
      .where("id", "=", id)
      .execute();
    return { outcome: "changed", id };
  });
}

function missingFields(statement: BrandStatement): BrandProblem[] {
  return required
    .filter((field) => statement[field] === undefined)
    .map((field) => ({ field, message: "is missing, and a new brand needs it." }));
}

function emptyLists(statement: BrandStatement): BrandProblem[] {
  return (["hosts", "memberTypes"] as const)
    .filter((field) => statement[field]?.length === 0)
    .map((field) => ({ field, message: "is empty. Give at least one." }));
}

function themeProblems({ theme }: BrandStatement): BrandProblem[] {
  if (theme === undefined || themeNames.includes(theme)) return [];
  return [{ field: "theme", message: `"${theme}" does not exist. There are ${themeNames.join(", ")}.` }];
}

/** Colours are checked against the theme that the brand has afterwards: a change of the theme alone may make them unreadable. */
function colourProblems(
  { theme, colours }: BrandStatement,
  found: { theme: string; colours: unknown } | undefined,
): BrandProblem[] {
  const own = colours ?? ((found?.colours ?? {}) as OwnColours);
  const { light } = startOf(theme ?? found?.theme ?? "");
  return areas.flatMap((area) => {
    const pair = own[area];
    const fault = pair && faultOf(area, pair, light);
    return fault
      ? [{ field: "colours" as const, message: `${areaWords[area].name}: ${tellFault(fault)}`, area, part: fault.part }]
      : [];
  });
}

async function takenAffinity(trx: Trx, { slug, affinityId }: BrandStatement, isNew: boolean): Promise<BrandProblem[]> {
  const wanted = affinityId ?? (isNew ? `${slug}-members` : null);
  if (wanted === null) return [];
  const other = await trx
    .selectFrom("brands")
    .select("slug")
    .where("affinity_id", "=", wanted)
    .where("slug", "<>", slug)
    .executeTakeFirst();
  if (!other) return [];
  return [{ field: "affinityId", message: `"${wanted}" belongs to the brand ${other.slug}. Give another.` }];
}

async function takenHosts(trx: Trx, { slug, hosts = [] }: BrandStatement): Promise<BrandProblem[]> {
  if (hosts.length === 0) return [];
  const taken = await trx
    .selectFrom("brand_hosts")
    .innerJoin("brands", "brands.id", "brand_hosts.brand_id")
    .select(["host", "slug"])
    .where("host", "in", hosts)
    .where("slug", "<>", slug)
    .orderBy("host")
    .execute();
  return taken.map(({ host, slug: owner }) => ({
    field: "hosts",
    message: `${host} belongs to the brand ${owner}. Remove it there first.`,
  }));
}

async function unknownMemberTypes(trx: Trx, { memberTypes }: BrandStatement): Promise<BrandProblem[]> {
  if (!memberTypes) return [];
  const types = await trx.selectFrom("member_types").select("slug").orderBy("position").execute();
  const known = types.map(({ slug }) => slug);
  return memberTypes
    .filter((type) => !known.includes(type))
    .map((type) => ({ field: "memberTypes", message: `"${type}" does not exist. There are ${known.join(", ")}.` }));
}

/** Returns the menu with its third level; undefined where none is given or `problems` says what is wrong with it. */
async function readMenu(trx: Trx, { slug, menu }: BrandStatement, problems: BrandProblem[]) {
  if (!menu) return undefined;
  const wanted = [...new Set(menu.flatMap(({ categories }) => categories))];
  const categories = wanted.length === 0 ? [] : await menuCategories(trx, slug, wanted);
  const unknown = wanted.filter((category) => !categories.some((known) => known.slug === category));
  for (const category of unknown)
    problems.push({
      field: "menu",
      message: `names the category "${category}", which does not exist. Import the catalogue first, or leave it out.`,
    });
  return unknown.length > 0 ? undefined : buildMenu(menu, categories);
}

/** Returns categories with their most popular retailers: those that the brand shows, where it has chosen any. */
async function menuCategories(trx: Trx, brandSlug: string, slugs: string[]): Promise<MenuCategory[]> {
  const { rows } = await sql<MenuCategory>`
    select c.slug, c.name, coalesce((
      select json_agg(json_build_object('slug', r.slug, 'name', r.name) order by r.popularity desc, r.name)
        from (select r.slug, r.name, r.popularity
                from retailer_categories rc join retailers r on r.id = rc.retailer_id
                join brand_retailers br on br.retailer_id = r.id
                join brands b on b.id = br.brand_id and b.slug = ${brandSlug}
               where rc.category_id = c.id and rc.is_main and r.status = 'active'
               order by r.popularity desc, r.name limit ${MAX_MENU_RETAILERS}) r), '[]'::json) as retailers
      from categories c where c.slug = any(${slugs})`.execute(trx);
  return rows;
}

/**
 * Returns the banner with an id derived from what it says, so that a visitor who closed it sees it again when that changes. A saved banner that says the
 * same keeps its id.
 */
function bannerJson(banner: BrandStatement["banner"], saved: unknown): string | null {
  if (!banner) return null;
  const before = saved as Brand["banner"] | undefined;
  if (before?.text === banner.text && before.href === banner.href) return JSON.stringify(before);
  const id = createHash("sha256").update(JSON.stringify(banner)).digest("hex").slice(0, 12);
  return JSON.stringify({ id, ...banner });
}

async function addHosts(trx: Trx, brandId: string, hosts: string[]): Promise<void> {
  for (const host of new Set(hosts))
    await trx
      .insertInto("brand_hosts")
      .values({ host, brand_id: brandId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const [main] = hosts;
  if (main === undefined) return;
  await trx
    .updateTable("brand_hosts")
    .set({ is_main: false })
    .where("brand_id", "=", brandId)
    .where("host", "<>", main)
    .execute();
  await trx.updateTable("brand_hosts").set({ is_main: true }).where("host", "=", main).execute();
}

async function setMemberTypes(trx: Trx, brandId: string, slugs: string[]): Promise<void> {
  await trx.deleteFrom("brand_member_types").where("brand_id", "=", brandId).execute();
  await sql`
    insert into brand_member_types (brand_id, member_type_id, position)
    select ${brandId}, id, array_position(${slugs}::text[], slug) from member_types where slug = any(${slugs})`.execute(
    trx,
  );
}

/** Returns everything that a statement can set as one text. */
async function fingerprint(trx: Trx, brandId: string): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', to_jsonb(b) - 'updated_at' - 'version',
      (select jsonb_agg(to_jsonb(h) order by h.host) from brand_hosts h where h.brand_id = b.id),
      (select jsonb_agg(to_jsonb(t) order by t.position) from brand_member_types t where t.brand_id = b.id),
      (select jsonb_agg(to_jsonb(r) order by r.id) from carer_migration_rules r where r.brand_id = b.id)) as text
      from brands b where b.id = ${brandId}`.execute(trx);
  return rows[0]?.text ?? "";
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
