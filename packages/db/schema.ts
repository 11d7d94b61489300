// Generated from packages/db/migrations by generate-types.ts: run "npm run db:types" after a new migration.
import type { ColumnType } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface AdditionalFields {
  choices: Generated<string[]>;
  help: Generated<string>;
  id: string;
  input_kind: string;
  is_organisation_detail: Generated<boolean>;
  is_required: Generated<boolean>;
  label: string;
  member_type_id: string;
  name: string;
  position: number;
}

export interface Boosts {
  created_at: Generated<Timestamp>;
  ends_at: Timestamp;
  id: string;
  member_rate_bp: number | null;
  member_rate_pence: number | null;
  rate_tier_id: string;
  starts_at: Timestamp;
}

export interface BrandHosts {
  brand_id: string;
  host: string;
}

export interface BrandMemberTypes {
  brand_id: string;
  member_type_id: string;
  position: Generated<number>;
}

export interface BrandRetailers {
  brand_id: string;
  is_featured: Generated<boolean>;
  retailer_id: string;
}

export interface Brands {
  affinity_id: string;
  audience: string;
  banner: Json | null;
  created_at: Generated<Timestamp>;
  features: Generated<Json>;
  id: string;
  is_default: Generated<boolean>;
  menu: Generated<Json>;
  name: string;
  slug: string;
  store_links: Generated<Json>;
  strapline: string;
  support_email: string;
  theme: string;
  updated_at: Generated<Timestamp>;
}

export interface CatalogueImports {
  content_hash: string;
  content_kind: string;
  id: string;
  imported_at: Generated<Timestamp>;
  network_id: string;
  rows_created: number;
  rows_read: number;
  rows_unchanged: number;
  rows_updated: number;
  source_name: string;
}

export interface Categories {
  body: Generated<string>;
  created_at: Generated<Timestamp>;
  id: string;
  name: string;
  position: number;
  slug: string;
  updated_at: Generated<Timestamp>;
}

export interface CodeReveals {
  id: string;
  member_id: string;
  offer_id: string;
  revealed_at: Generated<Timestamp>;
  token_hash: string;
  variant_id: string | null;
}

export interface JobCategories {
  id: string;
  member_type_id: string;
  name: string;
  position: number;
  public_number: Generated<number>;
}

export interface JobRoles {
  id: string;
  job_category_id: string;
  name: string;
  position: number;
  public_number: Generated<number>;
}

export interface MemberCredentials {
  access_token: string | null;
  access_token_expires_at: Timestamp | null;
  account_id: string;
  brand_id: string;
  created_at: Generated<Timestamp>;
  id: string;
  id_token: string | null;
  member_id: string;
  password: string | null;
  provider_id: string;
  refresh_token: string | null;
  refresh_token_expires_at: Timestamp | null;
  scope: string | null;
  updated_at: Generated<Timestamp>;
}

export interface Members {
  additional_fields: Generated<Json>;
  brand_id: string;
  created_at: Generated<Timestamp>;
  date_of_birth: string | null;
  email: string;
  email_verified: Generated<boolean>;
  id: string;
  image: string | null;
  job_role_id: string | null;
  member_number: Generated<string>;
  member_status_id: string | null;
  member_type_id: string | null;
  name: string;
  suspended_at: Timestamp | null;
  updated_at: Generated<Timestamp>;
  verification: Generated<string>;
}

export interface MemberSessions {
  brand_id: string;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  id: string;
  ip_address: string | null;
  member_id: string;
  token: string;
  updated_at: Generated<Timestamp>;
  user_agent: string | null;
}

export interface MemberStatuses {
  hides_organisation_details: Generated<boolean>;
  id: string;
  member_type_id: string;
  name: string;
  position: number;
  slug: string;
}

export interface MemberTypes {
  id: string;
  is_organisation: Generated<boolean>;
  name: string;
  position: number;
  slug: string;
}

export interface MemberVerifications {
  brand_id: string;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  id: string;
  identifier: string;
  updated_at: Generated<Timestamp>;
  value: string;
}

export interface Networks {
  created_at: Generated<Timestamp>;
  id: string;
  member_share_bp: Generated<number>;
  name: string;
  slug: string;
}

export interface OfferBrands {
  brand_id: string;
  offer_id: string;
}

export interface OfferCategories {
  category_id: string;
  offer_id: string;
}

export interface OfferCodes {
  assigned_at: Timestamp | null;
  code: string;
  code_kind: string;
  id: string;
  member_id: string | null;
  offer_id: string;
  variant_id: string | null;
}

export interface Offers {
  adults_only: Generated<boolean>;
  created_at: Generated<Timestamp>;
  description: Generated<string>;
  ends_at: Timestamp | null;
  exclusions: Generated<string>;
  headline: Generated<string>;
  id: string;
  kind: string;
  landing_url: string;
  network_id: string;
  network_offer_id: string;
  popularity: Generated<number>;
  programme_id: string | null;
  public_id: Generated<string>;
  retailer_id: string;
  slug: string;
  starts_at: Timestamp;
  status: Generated<string>;
  terms: Generated<string>;
  title: string;
  updated_at: Generated<Timestamp>;
}

export interface OfferVariants {
  id: string;
  label: string;
  landing_url: string | null;
  offer_id: string;
  position: Generated<number>;
  public_id: Generated<string>;
}

export interface Programmes {
  created_at: Generated<Timestamp>;
  currency: Generated<string>;
  id: string;
  is_preferred: Generated<boolean>;
  landing_url: string;
  name: string;
  network_id: string;
  network_programme_id: string;
  retailer_id: string;
  status: string;
  updated_at: Generated<Timestamp>;
  valid_domains: Generated<string[]>;
}

export interface RateTiers {
  basis: Generated<string>;
  cap_pence: number | null;
  created_at: Generated<Timestamp>;
  id: string;
  label: string;
  member_rate_bp: number | null;
  member_rate_pence: number | null;
  network_group_id: string;
  network_rate_bp: number | null;
  network_rate_pence: number | null;
  position: Generated<number>;
  programme_id: string;
  rate_kind: string;
  updated_at: Generated<Timestamp>;
}

export interface RetailerCategories {
  category_id: string;
  is_main: Generated<boolean>;
  retailer_id: string;
}

export interface Retailers {
  accepts_claims: Generated<boolean>;
  adults_only: Generated<boolean>;
  confirms_after: Generated<string>;
  confirms_within_days_max: number;
  confirms_within_days_min: number;
  created_at: Generated<Timestamp>;
  homepage_url: string;
  id: string;
  long_info: Generated<string>;
  name: string;
  popularity: Generated<number>;
  short_info: Generated<string>;
  slug: string;
  status: Generated<string>;
  terms: Generated<string>;
  tracks_within_days_max: number;
  tracks_within_days_min: number;
  updated_at: Generated<Timestamp>;
}

export interface DB {
  additional_fields: AdditionalFields;
  boosts: Boosts;
  brand_hosts: BrandHosts;
  brand_member_types: BrandMemberTypes;
  brand_retailers: BrandRetailers;
  brands: Brands;
  catalogue_imports: CatalogueImports;
  categories: Categories;
  code_reveals: CodeReveals;
  job_categories: JobCategories;
  job_roles: JobRoles;
  member_credentials: MemberCredentials;
  member_sessions: MemberSessions;
  member_statuses: MemberStatuses;
  member_types: MemberTypes;
  member_verifications: MemberVerifications;
  members: Members;
  networks: Networks;
  offer_brands: OfferBrands;
  offer_categories: OfferCategories;
  offer_codes: OfferCodes;
  offer_variants: OfferVariants;
  offers: Offers;
  programmes: Programmes;
  rate_tiers: RateTiers;
  retailer_categories: RetailerCategories;
  retailers: Retailers;
}

