import type { MenuItem } from "@farthing/core/brands/brand.ts";

export interface HomeLead {
  label: string;
  href: string;
  /** Slugs. */
  categories: string[];
}

/**
 * Returns the first section of the brand's menu, which matters most to its members, with the categories in it. Null
 * without a menu.
 */
export function leadOf(menu: readonly MenuItem[]): HomeLead | null {
  const first = menu[0];
  if (!first) return null;
  const categories = [first, ...(first.items ?? [])]
    .map(({ href }) => /^\/categories\/([a-z0-9-]+)$/.exec(href)?.[1])
    .filter((slug) => slug !== undefined);
  return { label: first.label, href: first.href, categories: [...new Set(categories)] };
}
