/** A members' club on this deployment (product.md B3). Loaded once per request by host name; never crosses to another brand. */
export interface Brand {
  id: string;
  slug: string;
  name: string;
  strapline: string;
  /** Who it is for, in words: "teachers and school staff". */
  audience: string;
  /** Name of the theme stylesheet. */
  theme: string;
  /** Telemetry's affinityId (seed section 3). */
  affinityId: string;
  supportEmail: string;
  features: BrandFeatures;
  storeLinks: { ios: string | null; android: string | null };
  menu: MenuItem[];
  banner: { id: string; text: string; href: string | null } | null;
}

export interface BrandFeatures {
  telemetry: boolean;
  loginConfetti: boolean;
  carerMigration: boolean;
  appExclusive: boolean;
  giftCards: boolean;
}

/** Three levels at most: section, group, link (product.md D6). */
export interface MenuItem {
  label: string;
  href: string;
  items?: MenuItem[];
}
