import { z } from "zod";
import { homeSections } from "./brand.ts";

/** A brand in packages/db/seeds/brands.json. */

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

/** A colour as people type it: `#1F4D3F`, `1f4d3f` or `#abc`. */
export const hexColour = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => `#${text.replace(/^#/, "").replace(/^([0-9a-f])([0-9a-f])([0-9a-f])$/, "$1$1$2$2$3$3")}`)
  .refine((text) => /^#[0-9a-f]{6}$/.test(text), "is not a colour. Give it as #1f4d3f.");

const pair = z.strictObject({ ground: hexColour, text: hexColour });
export const colourPairs = z.strictObject({ header: pair, hero: pair, action: pair, accent: pair });

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
  /** The first is the main host, which e-mails link to. */
  hosts: z.array(z.string().regex(/^[a-z0-9.-]+$/)).min(1),
  isDefault: z.boolean(),
  theme: slug,
  affinityId: z.string().min(1),
  supportEmail: z.email(),
  features: brandFeatures,
  storeLinks: brandStoreLinks,
  registration: brandRegistration,
  /** Slugs of member types, in registration's order. */
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

const oneLine = (min: number, max: number) =>
  z
    .string()
    .trim()
    .refine(
      (text) => text.length >= min && text.length <= max && !/[\u0000-\u001f\u007f]/.test(text),
      `needs ${min} to ${max} characters on one line.`,
    );

const hostPattern = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** A host as browsers send it, in lower case. */
export const brandHost = z
  .string()
  .trim()
  .toLowerCase()
  .refine(
    (host) => hostPattern.test(host),
    "is not a host name. Give the name alone, without https://, port or path: club.example",
  );

const storeLink = z
  .url({ protocol: /^https$/, error: "is not an https address. Give the app's page in the store, or none." })
  .nullable();

const tagManager = z
  .string()
  .regex(/^GTM-[A-Z0-9]{4,12}$/, "is not a container. Give its id, such as GTM-ABC1234, or none.")
  .nullable();

const engagementScript = z
  .string()
  .max(300, "is longer than 300 characters.")
  .refine(
    // Browsers take http for this machine as secure; everywhere else it is not.
    (text) => URL.canParse(text) && /^(https:\/\/|http:\/\/localhost[:/])[\x21-\x7e]+$/.test(text),
    "is not an https address. Give that of the provider's script for service workers, or none.",
  )
  .nullable();

/**
 * What an operator sets for a brand: its slug, and any other fields. A field that is left out stays as it is; a new brand gets its default. Messages
 * continue a sentence that begins with the field's name.
 */
export const brandStatement = z.strictObject({
  slug: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{1,39}$/,
      "needs 2 to 40 lower-case letters, digits and dashes, beginning with a letter: my-club",
    ),
  name: oneLine(1, 60).optional(),
  strapline: oneLine(0, 160).optional(),
  audience: oneLine(1, 160).optional(),
  theme: z.string().optional(),
  affinityId: oneLine(1, 100).optional(),
  supportEmail: z.email({ error: "is not an e-mail address. Give one that members can write to." }).optional(),
  /** The first is the main host, which e-mails and canonical links name. */
  hosts: z.array(brandHost).optional(),
  /** Slugs, in registration's order. */
  memberTypes: z.array(z.string()).optional(),
  features: brandFeatures.partial().optional(),
  tracking: z
    .strictObject({ tagManager: tagManager.optional(), engagementScript: engagementScript.optional() })
    .optional(),
  storeLinks: z.strictObject({ ios: storeLink.optional(), android: storeLink.optional() }).optional(),
  minimumAge: z.int("is not a whole number.").min(13, "is below 13.").max(99, "is above 99.").optional(),
  residence: z
    .array(
      z
        .string()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, "is not a country code of two letters, such as GB."),
    )
    .min(1)
    .optional(),
  menu: z
    .array(z.strictObject({ label: oneLine(1, 30), categories: z.array(z.string()).min(1, "names no category.") }))
    .max(7, "has more than 7 sections, and the header has room for 7.")
    .optional(),
  home: z
    .array(z.enum(homeSections, { error: `is not one of ${homeSections.join(", ")}.` }))
    .min(1, "names no section.")
    .optional(),
  banner: z
    .strictObject({
      text: oneLine(1, 160),
      href: z
        .string()
        .regex(/^\/(?!\/)/, "is not a path of this site, such as /categories/travel.")
        .nullable(),
    })
    .nullable()
    .optional(),
  /** Whom the carer migration asks, and where they go; null: nobody. Statuses are written `member-type/status`. */
  carerMove: z
    .strictObject({
      statuses: z.array(z.string()).min(1, "names no status."),
      toBrand: z.string(),
      toMemberType: z.string(),
    })
    .nullable()
    .optional(),
  isDefault: z.boolean().optional(),
  /** Its own colours over its theme's, all at once: an area that is left out has the theme's. */
  colours: colourPairs.partial().optional(),
  payoutThresholdPence: z
    .int("is not an amount.")
    .min(1, "is below £0.01.")
    .max(100_000, "is above £1,000.")
    .optional(),
});
export type BrandStatement = z.infer<typeof brandStatement>;
