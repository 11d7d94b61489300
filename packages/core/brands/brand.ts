import type { ShownNotice } from "../notices/rules.ts";

/** A members' club on this deployment (B3), loaded once per request by host name. */
export interface Brand {
  id: string;
  slug: string;
  name: string;
  strapline: string;
  /** For example "teachers and school staff". */
  audience: string;
  /** The host in e-mails and canonical links, without a port; null where the brand has none. */
  mainHost: string | null;
  /** Name of the theme stylesheet. */
  theme: string;
  /** The affinityId of telemetry events (T1). */
  affinityId: string;
  supportEmail: string;
  features: BrandFeatures;
  tracking: BrandTracking;
  storeLinks: { ios: string | null; android: string | null };
  menu: MenuItem[];
  /** The sections of the home page, from top to bottom. */
  home: HomeSection[];
  banner: { id: string; text: string; href: string | null } | null;
  /** The stylesheet of its own colours below /brand/ (own-colours.ts); null where they are its theme's. */
  colourFile: string | null;
  /** Its colours in the light scheme, for what no stylesheet styles: mails, the manifest, the social image. */
  colours: BrandColours;
  /** Its pages at /legal/…, in the footer's order. */
  legalPages: { slug: string; title: string }[];
  /** Notices that hold or are to come, those of every brand too (core/notices). */
  notices: ShownNotice[];
  registration: BrandRegistration;
}

/** Hex colours with `#`. docs/themes.md describes the roles. */
export interface BrandColours {
  ground: string;
  surface: string;
  ink: string;
  inkSoft: string;
  action: string;
  onAction: string;
  accent: string;
  hero: string;
  onHero: string;
}

/** Who may join. */
export interface BrandRegistration {
  /** In whole years. */
  minimumAge: number;
  /** Where a member may live: ISO 3166-1 codes, such as GB, IM, JE and GG. */
  residence: string[];
}

export interface BrandFeatures {
  telemetry: boolean;
  loginConfetti: boolean;
  carerMigration: boolean;
  appExclusive: boolean;
  giftCards: boolean;
}

/**
 * Returns whether a brand's members can use an offer that only an app has (O5): it takes part in such offers, and there is a
 * store to get the app from. brands_with_app.sql is the same rule.
 */
export function hasApp({ features, storeLinks }: Pick<Brand, "features" | "storeLinks">): boolean {
  return features.appExclusive && Boolean(storeLinks.ios || storeLinks.android);
}

/** What a brand's site loads beyond the necessary, once a person agrees (T4, T5, T6). */
export interface BrandTracking {
  /** The container of its tag manager, such as GTM-ABC1234; null: none. */
  tagManager: string | null;
  /** Address of the script that its customer-engagement provider runs in the service worker; null: none. */
  engagementScript: string | null;
}

/** The sections of a home page below its hero (D1). Categories are shown as a grid or as a carousel. */
export const homeSections = [
  "offers",
  "logos",
  "lead",
  "cashback",
  "how",
  "categories",
  "category-carousel",
  "latest",
  "ending",
] as const;
export type HomeSection = (typeof homeSections)[number];

/** At most three levels: section, group, link (D6). */
export interface MenuItem {
  label: string;
  href: string;
  items?: MenuItem[];
}
