import { z } from "zod";
import { homeSections } from "./brand.ts";

/** A brand as packages/db/seeds/brands.json writes it. The same shape will serve the admin's form. */

const slug = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/);
const path = z.string().startsWith("/");

export const brandFeatures = z.strictObject({
  telemetry: z.boolean(),
  loginConfetti: z.boolean(),
  carerMigration: z.boolean(),
  appExclusive: z.boolean(),
  giftCards: z.boolean(),
});

export const brandStoreLinks = z.strictObject({
  ios: z.url({ protocol: /^https$/ }).nullable(),
  android: z.url({ protocol: /^https$/ }).nullable(),
});

export const brandBanner = z
  .strictObject({ id: z.string().min(1).max(40), text: z.string().min(1).max(160), href: path.nullable() })
  .nullable();

export const brandRegistration = z.strictObject({
  minimumAge: z.int().min(13).max(99),
  residence: z.array(z.string().regex(/^[A-Z]{2}$/)).min(1),
});

const hex = z.string().regex(/^#[0-9a-f]{6}$/);
export const brandColours = z.strictObject({
  ground: hex,
  surface: hex,
  ink: hex,
  inkSoft: hex,
  action: hex,
  onAction: hex,
  accent: hex,
  hero: hex,
  onHero: hex,
});

export const brandSeed = z.strictObject({
  slug,
  name: z.string().min(1).max(60),
  strapline: z.string().max(160),
  audience: z.string().min(1),
  /** The first is the main one: e-mails lead there. */
  hosts: z.array(z.string().regex(/^[a-z0-9.-]+$/)).min(1),
  isDefault: z.boolean(),
  theme: slug,
  affinityId: z.string().min(1),
  supportEmail: z.email(),
  features: brandFeatures,
  storeLinks: brandStoreLinks,
  registration: brandRegistration,
  /** Slugs of member types, in the order that registration offers them. */
  memberTypes: z.array(z.string()).min(1),
  /** Sections of the menu with the categories in each; seed-brands.server.ts adds the third level from menu-categories.json. */
  menu: z.array(z.strictObject({ label: z.string().min(1).max(30), categories: z.array(z.string()).min(1) })),
  home: z.array(z.enum(homeSections)).min(1),
  banner: brandBanner,
});
export type BrandSeed = z.infer<typeof brandSeed>;

export const menuCategory = z.strictObject({
  slug: z.string(),
  name: z.string(),
  retailers: z.array(z.strictObject({ slug: z.string(), name: z.string() })),
});
export type MenuCategory = z.infer<typeof menuCategory>;
