import type { Db, Trx } from "@farthing/db/client.ts";
import brandsJson from "@farthing/db/seeds/brands.json" with { type: "json" };
import menuCategoriesJson from "@farthing/db/seeds/menu-categories.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { z } from "zod";
import { buildMenu } from "./build-menu.ts";
import { brandSeed, menuCategory } from "./schema.ts";

/**
 * Adds those of the eight brands that are missing, with their hosts and member types. An existing brand stays exactly as it is: an operator may have
 * changed it. Member types must be seeded first.
 * @returns slugs of the brands that were added
 */
export async function seedBrands(db: Db): Promise<string[]> {
  const brands = z.array(brandSeed).parse(brandsJson);
  const categories = z.array(menuCategory).parse(menuCategoriesJson);
  return db.transaction().execute(async (trx) => {
    const existing = await trx.selectFrom("brands").select(["slug", "is_default"]).execute();
    const known = new Set(existing.map((brand) => brand.slug));
    const hasDefault = existing.some((brand) => brand.is_default);
    const added: string[] = [];
    for (const brand of brands) {
      if (known.has(brand.slug)) continue;
      const id = newId();
      const created = await trx
        .insertInto("brands")
        .values({
          id,
          slug: brand.slug,
          name: brand.name,
          strapline: brand.strapline,
          audience: brand.audience,
          theme: brand.theme,
          affinity_id: brand.affinityId,
          support_email: brand.supportEmail,
          features: JSON.stringify(brand.features),
          store_links: JSON.stringify(brand.storeLinks),
          registration: JSON.stringify(brand.registration),
          menu: JSON.stringify(buildMenu(brand.menu, categories)),
          home: JSON.stringify(brand.home),
          banner: brand.banner === null ? null : JSON.stringify(brand.banner),
          is_default: brand.isDefault && !hasDefault,
        })
        .onConflict((conflict) => conflict.column("slug").doNothing())
        .executeTakeFirst();
      if (created.numInsertedOrUpdatedRows === 0n) continue; // another process seeds at the same time
      await trx
        .insertInto("brand_hosts")
        .values(brand.hosts.map((host, index) => ({ host, brand_id: id, is_main: index === 0 })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await trx
        .insertInto("brand_member_types")
        .columns(["brand_id", "member_type_id", "position"])
        .expression((eb) =>
          eb
            .selectFrom("member_types")
            .select((types) => [
              types.val(id).$castTo<string>().as("brand_id"),
              "member_types.id",
              types.fn<number>("array_position", [types.val(brand.memberTypes), "member_types.slug"]).as("position"),
            ])
            .where("member_types.slug", "in", brand.memberTypes),
        )
        .execute();
      added.push(brand.slug);
    }
    await nameMainHosts(trx, brands);
    return added;
  });
}

/** Sets main hosts in databases that were seeded before brands had one; a main host that an operator has set stays. */
async function nameMainHosts(trx: Trx, brands: z.infer<typeof brandSeed>[]): Promise<void> {
  const first = brands.map(({ hosts: [host = ""] }) => host);
  await trx
    .updateTable("brand_hosts")
    .set({ is_main: true })
    .where("host", "in", first)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("brand_hosts as other")
            .select("other.host")
            .whereRef("other.brand_id", "=", "brand_hosts.brand_id")
            .where("other.is_main", "=", true),
        ),
      ),
    )
    .execute();
}
