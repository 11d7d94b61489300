import { paths } from "../paths.ts";
import type { MenuItem } from "./brand.ts";
import type { BrandSeed, MenuCategory } from "./schema.ts";

/**
 * Returns a three-level menu (D6): sections, their categories, and a few retailers in each category.
 * @throws Error for a category that is not in `categories`.
 */
export function buildMenu(sections: BrandSeed["menu"], categories: readonly MenuCategory[]): MenuItem[] {
  return sections.map(({ label, categories: slugs }) => {
    const groups = slugs.map((slug) => {
      const category = categories.find((candidate) => candidate.slug === slug);
      if (category === undefined) throw new Error(`The menu names a category that does not exist: ${slug}`);
      const href = paths.category(slug);
      const retailers = category.retailers.map((retailer) => ({
        label: retailer.name,
        href: paths.retailer(retailer.slug),
      }));
      return { label: category.name, href, items: [...retailers, { label: `All ${lowerFirst(category.name)}`, href }] };
    });
    return { label, href: groups[0]!.href, items: groups };
  });
}

/** Returns a name such as "Books, learning & gifts" for the middle of a sentence; abbreviations such as "DIY" stay in capitals. */
function lowerFirst(name: string): string {
  return /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}
