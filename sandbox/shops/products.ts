import type { CommissionGroup, Programme } from "../catalogue/catalogue.ts";
import { defaultGroup } from "../network/commission.ts";
import type { Drawing } from "./drawings/drawings.ts";
import { hash, pick } from "./hash.ts";
import type { Good } from "./sectors/sector.ts";
import { sectorOf } from "./sectors/sector-of.ts";

/** A product of a shop. */
export interface Product {
  sku: string;
  name: string;
  pence: number;
  wasPence: number | null;
  drawing: Drawing;
  department: string;
  blurb: string;
  groupId: number;
}

const makers = [
  "Alder",
  "Harbour",
  "Fennel",
  "Larch",
  "Pewter",
  "Tansy",
  "Rowan",
  "Cobble",
  "Marlow",
  "Heron",
  "Sorrel",
  "Ember",
  "Quarry",
  "Willow",
  "Flint",
  "Juniper",
  "Bramble",
  "Slate",
  "Teasel",
  "Loxley",
  "Orchard",
  "Pebble",
  "Kestrel",
  "Thistle",
] as const;

const blurbs = [
  "Made in small batches and checked by hand before it leaves us.",
  "Our best seller for three years running, and easy to see why.",
  "Simple, sturdy and meant to be used every day.",
  "A favourite of the people who work here.",
  "Back in stock after a short rest.",
  "Chosen for how it lasts, not only for how it looks.",
] as const;

/** Returns a shop's twelve products, the same on every machine and every day. */
export function productsOf(programme: Programme, slug: string): Product[] {
  const sector = sectorOf(programme.primarySector, programme.name);
  const goods = Object.entries(sector.goods).flatMap(([department, some]) =>
    some.map((good) => ({ department, good })),
  );
  const products = goods.map(({ department, good }, index) => {
    const key = `${slug} ${index}`;
    const pence = price(good, key);
    const reduced = hash(`${key} reduced`) % 5 === 0;
    const maker = sector.named ? `${pick(makers, `${key} maker`)} ` : "";
    return {
      sku: `${initials(programme.name)}-${String(100 + index * 7 + (hash(key) % 7))}`,
      name: `${maker}${good.name}`,
      pence,
      wasPence: reduced ? Math.ceil((pence * 1.25) / 100) * 100 : null,
      drawing: good.drawing,
      department,
      blurb: pick(blurbs, `${key} blurb`),
      groupId: groupFor(programme.commissionGroups, good, index).groupId,
    };
  });
  // Ordered in steps of five, so that similar products are not side by side.
  return products.map((_, index) => products[(index * 5) % products.length] as Product);
}

/** Returns a price within the product's range: whole pounds above £200, otherwise often ending in .50, .95 or .99. */
function price(good: Good, key: string): number {
  const pounds = good.from + (hash(`${key} price`) % (good.to - good.from + 1));
  if (pounds >= 200) return pounds * 100;
  return pounds * 100 - pick([0, 1, 5, 50], `${key} ending`);
}

/**
 * Returns a product's commission group: a group whose name shares a word with the product's name, otherwise one of the others. Groups
 * about customers (new, existing) are excluded. The products are distributed so that each group has one.
 */
function groupFor(groups: readonly CommissionGroup[] | undefined, good: Good, index: number): CommissionGroup {
  const standard = defaultGroup(groups);
  const others = (groups ?? []).filter(
    (group) => group !== standard && !isForNewCustomers(group) && !isForKnownCustomers(group),
  );
  const named = others.find((group) => wordsOf(group.groupName).some((word) => wordsOf(good.name).includes(word)));
  if (named) return named;
  return index % 3 === 2 ? (others[Math.floor(index / 3) % Math.max(others.length, 1)] ?? standard) : standard;
}

/** Returns whether a group is for a first purchase: "New customers", "First order". */
export function isForNewCustomers(group: CommissionGroup): boolean {
  return /\bnew customers?\b|\bfirst (order|pair)\b/i.test(group.groupName);
}

/** Returns whether a group is for later purchases: "Existing customers", "Later orders", "Upgrades". */
export function isForKnownCustomers(group: CommissionGroup): boolean {
  return /\b(existing|returning|loyal) customers?\b|\b(later|further|repeat) (order|pair)s?\b|\bupgrades?\b/i.test(
    group.groupName,
  );
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 3)
    .map((word) => word.replace(/s$/, ""));
}

/** Returns initials: "FB" for "Fernhollow Boots". */
export function initials(name: string): string {
  const letters = name
    .normalize("NFD")
    .replace(/[^A-Za-z ]/g, "")
    .split(" ")
    .filter(Boolean)
    .map((word) => word[0]?.toUpperCase() ?? "");
  return letters.join("").slice(0, 3) || "SH";
}
