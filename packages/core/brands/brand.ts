/** A members' club on this deployment (B3). Loaded once per request by host name; never crosses to another brand. */
export interface Brand {
  id: string;
  slug: string;
  name: string;
  strapline: string;
  /** Who it is for, in words: "teachers and school staff". */
  audience: string;
  /** The host that e-mails and canonical links name, without a port; null where it has none. */
  mainHost: string | null;
  /** Name of the theme stylesheet. */
  theme: string;
  /** Telemetry's affinityId (seed section 3). */
  affinityId: string;
  supportEmail: string;
  features: BrandFeatures;
  storeLinks: { ios: string | null; android: string | null };
  menu: MenuItem[];
  /** The sections of the home page, from top to bottom. */
  home: HomeSection[];
  banner: { id: string; text: string; href: string | null } | null;
  /** Its theme's, in the light scheme, for what no stylesheet reaches: mails, the manifest, the social image. */
  colours: BrandColours;
  /** Its pages at /legal/…, in the order that the footer lists them. */
  legalPages: { slug: string; title: string }[];
  registration: BrandRegistration;
}

/** Hex colours with `#`. What the roles are for: docs/themes.md. */
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

/** What a home page is made of, below its hero (D1). Categories come as a grid or as a carousel. */
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

/** Three levels at most: section, group, link (D6). */
export interface MenuItem {
  label: string;
  href: string;
  items?: MenuItem[];
}
