// Generated from packages/db/migrations by generate-types.ts: run "npm run db:types" after a new migration.
import type { ColumnType } from "kysely";

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[]
  ? U[]
  : ArrayTypeImpl<T>;

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S[], I[], U[]>
  : T[];

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface AccountAccessRequests {
  answered_at: Timestamp | null;
  asked_at: Timestamp;
  brand_id: string;
  changes_made: Generated<number>;
  ended_at: Timestamp | null;
  ended_by: string | null;
  ends_at: Timestamp | null;
  id: string;
  lapses_at: Timestamp;
  last_request: string | null;
  member_id: string;
  operator_id: string;
  operator_name: string;
  operator_session_id: string | null;
  pages_seen: Generated<number>;
  public_id: string;
  reason: string;
  requests_refused: Generated<number>;
  session_hash: Buffer | null;
  started_at: Timestamp | null;
  state: string;
  ticket_ends_at: Timestamp | null;
  ticket_hash: Buffer | null;
}

export interface AdditionalFields {
  autocomplete: Generated<string>;
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

export interface AttachmentDeletions {
  attachment_id: string;
  brand_id: string;
  claim_id: string | null;
  deleted_at: Timestamp;
  id: Generated<string>;
  member_id: string;
  received_at: Timestamp;
  request_id: string | null;
  sha256: Buffer;
  size: number;
  why: string;
}

export interface AttachmentParts {
  attachment_id: string;
  bytes: Buffer;
  position: number;
}

export interface Attachments {
  brand_id: string;
  claim_id: string | null;
  delete_after: Timestamp | null;
  deleted_at: Timestamp | null;
  deleted_why: string | null;
  id: string;
  media_type: string;
  member_id: string;
  original_name: string;
  public_id: Generated<string>;
  received_at: Timestamp;
  request_id: string | null;
  sha256: Buffer;
  size: number;
}

export interface AuditEntries {
  action: string;
  actor: string;
  after: NonNullable<unknown> | null;
  at: Timestamp;
  before: NonNullable<unknown> | null;
  hash: Buffer;
  id: string;
  operator_id: string | null;
  previous_hash: Buffer;
  request_id: string | null;
  seq: number;
  subject_id: string;
  subject_type: string;
  why: string | null;
}

export interface AuditLogStart {
  after_hash: Generated<Buffer>;
  after_seq: Generated<number>;
  only_row: Generated<boolean>;
}

export interface Backfills {
  after_key: string | null;
  finished_at: Timestamp | null;
  name: string;
  rows_seen: Generated<number>;
  started_at: Generated<Timestamp>;
}

export interface BankDetails {
  account_mark: Buffer;
  brand_id: string;
  changed_at: Timestamp;
  member_id: string;
  sealed: string;
  usable_from: Timestamp;
}

export interface Bonuses {
  amount_pence: number;
  brand_id: string;
  changed_at: Timestamp;
  earned_at: Timestamp | null;
  end_reason: string | null;
  id: string;
  member_id: string;
  payable_at: Timestamp | null;
  referral_id: string;
  side: string;
  state: string;
  version: Generated<number>;
}

export interface BookChecks {
  accounts: number;
  checked_at: Timestamp;
  checked_by: string;
  entries: number;
  faults: NonNullable<unknown>;
  id: string;
  notes: NonNullable<unknown>;
  public_id: Generated<string>;
  took_ms: number;
  transfers: number;
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
  is_main: Generated<boolean>;
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
  banner: NonNullable<unknown> | null;
  colours: Generated<NonNullable<unknown>>;
  created_at: Generated<Timestamp>;
  features: Generated<NonNullable<unknown>>;
  home: Generated<NonNullable<unknown>>;
  id: string;
  is_default: Generated<boolean>;
  menu: Generated<NonNullable<unknown>>;
  name: string;
  payout_threshold_pence: Generated<number>;
  registration: Generated<NonNullable<unknown>>;
  slug: string;
  store_links: Generated<NonNullable<unknown>>;
  strapline: string;
  support_email: string;
  theme: string;
  tracking: Generated<NonNullable<unknown>>;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
}

export interface CardEvents {
  id: string;
  kind: string;
  provider_payment_id: string;
  received_at: Timestamp;
  settled_at: Timestamp | null;
}

export interface CarerMigrationRules {
  brand_id: string;
  id: string;
  member_status_id: string;
  to_brand_id: string;
  to_member_type_id: string;
}

export interface CarerMigrations {
  agreed_at: Timestamp | null;
  ask_again_at: Timestamp | null;
  brand_id: string;
  consent: string | null;
  id: string;
  member_id: string;
  moved_at: Timestamp | null;
  new_member_id: string | null;
  rule_id: string | null;
  state: string;
  times_put_off: Generated<number>;
  token_expires_at: Timestamp | null;
  token_hash: Buffer | null;
  updated_at: Timestamp;
}

export interface CashbackChanges {
  cashback_pence: number;
  change_kind: string;
  changed_at: Timestamp;
  difference_pence: number;
  entry_id: string;
  reason_code: string | null;
  state: string;
  transfer_id: string | null;
  version: number;
}

export interface CashbackEntries {
  brand_id: string;
  cashback_pence: number;
  click_id: string;
  commission_pence: number;
  confirm_expected_from: Timestamp | null;
  confirm_expected_to: Timestamp | null;
  confirmed_at: Timestamp | null;
  created_at: Timestamp;
  declined_at: Timestamp | null;
  entry_kind: string;
  id: string;
  member_id: string;
  network_id: string;
  network_transaction_id: string;
  paid_at: Timestamp | null;
  payable_at: Timestamp | null;
  purchased_at: Timestamp;
  reason_code: string | null;
  retailer_id: string;
  sale_pence: number;
  state: string;
  tracked_at: Timestamp | null;
  updated_at: Timestamp;
  version: Generated<number>;
}

export interface CashbackExpectations {
  awaits: string;
  entry_id: string;
  expected_from: Timestamp | null;
  expected_to: Timestamp | null;
  made_at: Timestamp;
  reason: string;
  revision: number;
}

export interface CashbackMonths {
  confirmed_pence: number;
  declined_pence: number;
  member_id: string;
  month: string;
  paid_pence: number;
  payable_pence: number;
  purchases: number;
  tracked_pence: number;
}

export interface CashbackNotices {
  created_at: Generated<Timestamp>;
  entry_id: string;
  member_id: string;
  version: number;
}

export interface CashbackTimings {
  p50_days: number;
  p90_days: number;
  p95_days: number | null;
  sample: number;
  step: string;
  subject_id: string;
  worked_out_at: Timestamp;
}

export interface CashbackWatches {
  attempts: Generated<number>;
  awaits: string;
  cashback_pence: number;
  entry_id: string;
  expected_from: Timestamp | null;
  expected_to: Timestamp | null;
  last_error: string | null;
  member_id: string;
  next_look_at: Timestamp;
  overdue_since: Timestamp | null;
  revision: number;
}

export interface CatalogueImportRuns {
  heard_at: Generated<Timestamp>;
  id: string;
  rows_read: Generated<number>;
  source_name: string;
  stage: Generated<string>;
  started_at: Generated<Timestamp>;
  started_by: string;
  stopped_by: string | null;
}

export interface CatalogueImports {
  content_hash: string;
  content_kind: string;
  id: string;
  imported_at: Generated<Timestamp>;
  network_id: string | null;
  rows_created: number;
  rows_read: number;
  rows_unchanged: number;
  rows_updated: number;
  rows_withdrawn: Generated<number>;
  source_name: string;
}

export interface Categories {
  body: Generated<string>;
  created_at: Generated<Timestamp>;
  id: string;
  is_hidden: Generated<boolean>;
  name: string;
  position: number;
  slug: string;
  updated_at: Generated<Timestamp>;
}

export interface CategoryCounts {
  brand_id: string;
  category_id: string;
  is_common: Generated<boolean>;
  kinds: Generated<NonNullable<unknown>>;
  live_offers: number;
}

export interface ClaimChanges {
  changed_at: Timestamp;
  claim_id: string;
  is_to_tell: boolean;
  made_by: string;
  note: string | null;
  state: string;
  version: number;
}

export interface ClaimFilings {
  claim_id: string;
  filed_at: Timestamp | null;
  filing: number;
  kind: string;
  network_claim_id: string | null;
  network_transaction_id: string | null;
  pack_id: string | null;
  reference: string;
}

export interface ClaimPacks {
  id: string;
  made_at: Timestamp;
  made_by: string;
  network_id: string;
  pack_number: Generated<number>;
}

export interface ClaimProposals {
  brand_id: string;
  click_id: string;
  dismissed_at: Timestamp | null;
  member_id: string;
  proposed_at: Timestamp;
}

export interface ClaimRules {
  closes_after_days: number;
  needs_evidence: boolean;
  opens_after_days: number | null;
  retailer_id: string;
}

export interface Claims {
  answer: string | null;
  appeal: string | null;
  asked: string | null;
  attempts: Generated<number>;
  auto_approves_at: Timestamp | null;
  awaits_pack: Generated<boolean>;
  brand_id: string;
  changed_at: Timestamp;
  click_id: string;
  closes_at: Timestamp;
  credited_transaction_id: string | null;
  decided_at: Timestamp | null;
  entry_id: string | null;
  filings: Generated<number>;
  given_up_at: Timestamp | null;
  id: string;
  kind: string;
  last_error: string | null;
  made_at: Timestamp;
  member_id: string;
  needs_evidence: boolean;
  network_id: string;
  next_step_at: Timestamp;
  opens_at: Timestamp;
  order_key: Generated<string | null>;
  order_reference: string;
  programme_id: string;
  public_id: Generated<string>;
  purchased_on: string;
  reason_code: string | null;
  retailer_id: string;
  sale_pence: number;
  state: string;
  version: Generated<number>;
}

export interface Clicks {
  brand_id: string;
  click_number: string;
  created_at: Timestamp;
  id: string;
  member_id: string;
  network_id: string;
  offer_id: string | null;
  offer_variant_id: string | null;
  pre_flight: string | null;
  programme_id: string;
  rate_snapshot: NonNullable<unknown>;
  reference: string;
  retailer_id: string;
  target_url: string;
  terms_hash: string;
}

export interface ClickTerms {
  first_at: Timestamp;
  terms: string;
  terms_hash: string;
}

export interface Closures {
  brand_id: string;
  cancellable_until: Timestamp;
  cancelled_at: Timestamp | null;
  closed_at: Timestamp | null;
  due_at: Timestamp | null;
  erased_at: Timestamp | null;
  given_up_pence: Generated<number>;
  id: string;
  member_id: string;
  paid_at: Timestamp | null;
  paid_by: string | null;
  paid_pence: number | null;
  payable_choice: string;
  payable_pence: number;
  payee: string | null;
  payee_usable_from: Timestamp | null;
  pending_choice: string;
  pending_pence: number;
  public_id: Generated<string>;
  requested_at: Timestamp;
  state: string;
  version: Generated<number>;
}

export interface CodePoolAlarms {
  codes_free: number;
  codes_total: number;
  ended_at: Timestamp | null;
  id: string;
  level: string;
  offer_id: string;
  raised_at: Timestamp;
  variant_id: string | null;
}

export interface CodeReveals {
  code: string | null;
  id: string;
  is_repeat: Generated<boolean>;
  member_id: string;
  offer_id: string;
  revealed_at: Generated<Timestamp>;
  token_hash: string;
  variant_id: string | null;
}

export interface CodeSwaps {
  id: string;
  is_by_club: boolean;
  member_id: string;
  new_code_id: string;
  offer_id: string;
  reason: string;
  swapped_at: Timestamp;
  voided_code_id: string;
}

export interface CodeVotes {
  code_id: string;
  id: string;
  member_id: string;
  offer_id: string;
  outcome: string;
  voted_at: Timestamp;
  voted_on: string;
}

export interface ConsentChoices {
  brand_id: string;
  chosen_at: Timestamp;
  has_signal: boolean;
  id: string;
  member_id: string;
  purposes: string[];
  version: number;
}

export interface DatabaseSecrets {
  fingerprint: string;
  first_used_at: Generated<Timestamp>;
}

export interface DataExports {
  brand_id: string;
  id: string;
  made_at: Timestamp;
  member_id: string;
}

export interface DetailChanges {
  brand_id: string;
  changed_at: Timestamp;
  field: string;
  from_text: string;
  id: string;
  member_id: string;
  to_text: string;
}

export interface DigitalIdDevices {
  brand_id: string;
  handle: string;
  id: string;
  issued_at: Timestamp;
  member_id: string;
  session_id: string;
}

export interface DroppedWork {
  dropped_at: Timestamp;
  dropped_by: string;
  queue: string;
  work_id: string;
}

export interface ExchangeRates {
  currency: string;
  id: Generated<string>;
  rate_micros: number;
  valid_from: Timestamp;
}

export interface FaqCategories {
  id: string;
  is_hidden: Generated<boolean>;
  name: string;
  own_brand_id: string | null;
  position: number;
  slug: string;
  version: Generated<number>;
}

export interface Faqs {
  answer: string;
  brand_id: string | null;
  category_id: string;
  feature: string | null;
  id: string;
  position: number;
  question: string;
  slug: string;
  version: Generated<number>;
}

export interface FavouriteOffers {
  created_at: Timestamp;
  member_id: string;
  offer_id: string;
}

export interface FavouriteRetailers {
  created_at: Timestamp;
  member_id: string;
  retailer_id: string;
}

export interface GiftCardBasketLines {
  face_pence: number;
  gift: NonNullable<unknown> | null;
  id: string;
  idempotency_key: string | null;
  line_number: number;
  product_id: string;
  public_id: Generated<string>;
  session_id: string;
}

export interface GiftCardBaskets {
  order_id: string | null;
  session_id: string;
  version: Generated<number>;
}

export interface GiftCardDevices {
  line_id: string;
  session_id: string;
  shown_at: Timestamp;
}

export interface GiftCardLineChanges {
  card_state: string;
  changed_at: Timestamp;
  changed_by: string;
  line_id: string;
  reason: string | null;
  state: string;
  transfer_id: string | null;
  version: number;
}

export interface GiftCardLines {
  attempts: Generated<number>;
  card_state: Generated<string>;
  cashback_pence: number;
  cashback_state: Generated<string>;
  cost_pence: number;
  expires_on: string | null;
  face_pence: number;
  fee_pence: number;
  first_shown_at: Timestamp | null;
  gift: NonNullable<unknown> | null;
  id: string;
  issue_calls: Generated<number>;
  issued_at: Timestamp | null;
  issuer_reference: string | null;
  issuing_since: Timestamp | null;
  last_error: string | null;
  last_issue_at: Timestamp | null;
  line_number: number;
  lost_to_dispute_at: Timestamp | null;
  next_step_at: Timestamp | null;
  order_id: string;
  paid_at: Timestamp | null;
  price_pence: number;
  product_id: string;
  public_id: Generated<string>;
  reason: string | null;
  refunded_at: Timestamp | null;
  reversing_since: Timestamp | null;
  sealed_card: string | null;
  state: string;
  version: Generated<number>;
}

export interface GiftCardOrders {
  brand_id: string | null;
  buyer_email: string | null;
  buyer_mark: Buffer;
  delay_told_at: Timestamp | null;
  id: string;
  idempotency_key: string;
  member_id: string | null;
  partner_id: string | null;
  payment_id: string | null;
  payout_id: string | null;
  placed_at: Timestamp;
  public_id: Generated<string>;
  receipt_refunds: number | null;
  session_id: string | null;
  total_pence: number;
}

export interface GiftCardPresents {
  attempts: Generated<number>;
  brand_id: string;
  design: string;
  giver_name: string;
  id: string;
  last_error: string | null;
  line_id: string;
  made_at: Timestamp;
  mail_id: string | null;
  message: string | null;
  next_step_at: Timestamp | null;
  opened_at: Timestamp | null;
  opener_hash: Buffer | null;
  public_id: Generated<string>;
  recipient_email: string | null;
  recipient_name: string | null;
  send_on: string;
  sends: Generated<number>;
  sent_at: Timestamp | null;
  state: string;
  taken_back_at: Timestamp | null;
  token_hash: Buffer | null;
  version: Generated<number>;
  was_seen: boolean;
}

export interface GiftCardProducts {
  amounts_pence: ArrayType<number> | null;
  category_id: string | null;
  expires_after_months: number | null;
  fee_pence: Generated<number>;
  id: string;
  is_insolvent: Generated<boolean>;
  is_reversible: boolean;
  issuer: string;
  issuer_discount_bp: number;
  issuer_product_id: string;
  max_pence: number | null;
  min_pence: number | null;
  name: string;
  public_id: Generated<string>;
  redeemable_at: string[];
  retailer_id: string | null;
  reward_bp: number;
  reward_kind: Generated<string>;
  slug: Generated<string>;
  step_pence: number | null;
  stopped_at: Timestamp | null;
  stopped_because: string | null;
  synced_at: Timestamp;
  terms: string;
  withdrawn_at: Timestamp | null;
}

export interface GiftCardSpends {
  amount_pence: number;
  brand_id: string;
  id: string;
  idempotency_key: string | null;
  line_id: string;
  member_id: string;
  note: string | null;
  noted_at: Timestamp;
}

export interface GoodwillCredits {
  amount_pence: number;
  brand_id: string;
  claim_id: string | null;
  given_at: Timestamp;
  given_by: string;
  id: string;
  member_id: string;
  note: string;
  public_id: Generated<string>;
  reason: string;
  reference: string;
  reversal_note: string | null;
  reversed_at: Timestamp | null;
  reversed_by: string | null;
  state: Generated<string>;
  version: Generated<number>;
}

export interface IssuerFloats {
  float_pence: number;
  issuer: string;
  low_since: Timestamp | null;
  read_at: Timestamp;
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

export interface KeptKeys {
  kept_at: Timestamp;
  key_id: string;
  purpose: string;
  sealed: string;
}

export interface LedgerAccounts {
  account_kind: string;
  created_at: Generated<Timestamp>;
  currency: Generated<string>;
  id: string;
  member_id: string | null;
  network_id: string | null;
}

export interface LedgerEntries {
  account_id: string;
  amount_pence: number;
  transfer_id: string;
  xact_id: Generated<string>;
}

export interface LedgerTotals {
  account_id: string;
  total_pence: number;
  updated_at: Generated<Timestamp>;
}

export interface LedgerTransfers {
  cause_id: string;
  cause_kind: string;
  content_hash: Buffer;
  happened_at: Timestamp;
  id: string;
  recorded_at: Generated<Timestamp>;
  transfer_key: string;
  transfer_kind: string;
  xact_id: Generated<string>;
}

export interface LedgerWatermark {
  folded_at: Generated<Timestamp>;
  folded_below: string;
  only_row: Generated<boolean>;
}

export interface LegalPages {
  body: string;
  brand_id: string | null;
  id: string;
  position: number;
  slug: string;
  summary: string;
  title: string;
  updated_on: string;
  version: Generated<number>;
}

export interface LoginSteps {
  brand_id: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  id: string;
  member_id: string;
  next_path: string;
  token_hash: string;
}

export interface LoginTries {
  key: string;
  resets_at: Timestamp;
  tries: number;
  waits_until: Timestamp | null;
}

export interface MailChoices {
  brand_id: string;
  chosen_at: Timestamp;
  id: string;
  is_wanted: boolean;
  kind: string;
  member_id: string;
  way: string;
}

export interface Mails {
  attempts: Generated<number>;
  brand_id: string;
  created_at: Generated<Timestamp>;
  data: Generated<NonNullable<unknown>>;
  id: string;
  kind: string;
  last_error: string | null;
  member_id: string | null;
  next_try_at: Timestamp | null;
  recipient: string;
  settled_at: Timestamp | null;
  state: Generated<string>;
  subject: string | null;
}

export interface MemberConsents {
  brand_id: string;
  given_at: Timestamp;
  id: string;
  kind: string;
  member_id: string;
  withdrawn_at: Timestamp | null;
  wording: string;
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

export interface MemberEmails {
  brand_id: string;
  created_at: Generated<Timestamp>;
  email: string;
  id: string;
  main_since: Timestamp | null;
  member_id: string;
  verified_at: Timestamp | null;
}

export interface MemberMarks {
  brand_id: string;
  mark: Buffer;
  mark_kind: string;
  member_id: string;
  seen_at: Timestamp;
}

export interface MemberNotes {
  brand_id: string;
  created_at: Timestamp;
  id: string;
  member_id: string;
  text: string;
  written_by: string;
}

export interface MemberPasskeys {
  brand_id: string;
  counter: Generated<number>;
  created_at: Timestamp;
  credential_id: string;
  id: string;
  last_used_at: Timestamp | null;
  member_id: string;
  name: string;
  public_key: string;
  transports: Generated<string[]>;
}

export interface MemberRecoveryCodes {
  code_hash: string;
  created_at: Timestamp;
  id: string;
  member_id: string;
  used_at: Timestamp | null;
}

export interface Members {
  additional_fields: Generated<NonNullable<unknown>>;
  brand_id: string;
  closed_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  date_of_birth: string | null;
  device_generation: Generated<number>;
  email: string;
  email_verified: Generated<boolean>;
  gift_cards_from: Timestamp | null;
  id: string;
  image: string | null;
  job_role_id: string | null;
  member_number: Generated<string>;
  member_status_id: string | null;
  member_type_id: string | null;
  name: string;
  residence: string | null;
  stated_member_id: string | null;
  suspended_at: Timestamp | null;
  updated_at: Generated<Timestamp>;
  verification: Generated<string>;
  verified_until: Timestamp | null;
}

export interface MemberSecondFactors {
  created_at: Timestamp;
  enabled_at: Timestamp | null;
  last_step: Generated<number>;
  member_id: string;
  secret: string;
  shown_to: string | null;
}

export interface MemberSessions {
  authenticated_at: Generated<Timestamp>;
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

export interface MemberTokens {
  brand_id: string;
  browser_hash: string | null;
  created_at: Timestamp;
  email: string;
  expires_at: Timestamp;
  id: string;
  main_since: Timestamp | null;
  member_id: string;
  next_path: string | null;
  purpose: string;
  token_hash: string;
  used_at: Timestamp | null;
}

export interface MemberTypeProofs {
  id: string;
  member_status_id: string | null;
  member_type_id: string;
  position: number;
  proof_kind_id: string;
}

export interface MemberTypes {
  id: string;
  is_organisation: Generated<boolean>;
  member_id_help: Generated<string>;
  member_id_label: Generated<string>;
  name: string;
  position: number;
  slug: string;
  version: Generated<number>;
}

export interface NetworkEvents {
  attempts: Generated<number>;
  content_type: string;
  dedupe_key: Buffer;
  handled_at: Timestamp | null;
  id: string;
  last_error: string | null;
  network_id: string;
  network_transaction_id: string | null;
  next_attempt_at: Timestamp;
  raw: Buffer;
  received_at: Timestamp;
  status: string;
}

export interface NetworkPasses {
  covered_until: Timestamp;
  last_error: string | null;
  late_began_at: Timestamp | null;
  late_covered_at: Timestamp | null;
  late_due_at: Timestamp | null;
  late_error: string | null;
  late_read_until: Timestamp | null;
  network_id: string;
  pass: string;
  ran_at: Timestamp;
}

export interface NetworkReportFiles {
  content_hash: string;
  downloaded_at: Timestamp;
  file_name: string;
  id: string;
  imported_at: Timestamp;
  imported_by: string;
  network_id: string;
  rows_changed: number;
  rows_failed: number;
  rows_new: number;
  rows_read: number;
  rows_unreadable: number;
}

export interface Networks {
  created_at: Generated<Timestamp>;
  id: string;
  member_share_bp: Generated<number>;
  name: string;
  slug: string;
}

export interface NetworkTransactionRevisions {
  modified_at: Timestamp;
  observed_at: Timestamp;
  raw: NonNullable<unknown>;
  recorded_at: Timestamp;
  revision_hash: string;
  revision_number: number;
  transaction_id: string;
}

export interface NetworkTransactionRows {
  content: NonNullable<unknown>;
  content_hash: string;
  modified_at: Timestamp;
  network_id: string;
  network_row_id: string;
  network_transaction_id: string;
  observed_at: Timestamp;
  raw: NonNullable<unknown>;
  recorded_at: Timestamp;
}

export interface NetworkTransactions {
  click_id: string | null;
  click_reference: string | null;
  clicked_at: Timestamp | null;
  commission_minor: number;
  created_at: Timestamp;
  currency: string;
  exchange_rate_micros: number | null;
  held_because: string | null;
  id: string;
  locks_at: Timestamp | null;
  modified_at: Timestamp;
  network_id: string;
  network_programme_id: string;
  network_transaction_id: string;
  next_change_at: Timestamp | null;
  observed_at: Timestamp;
  order_reference: string | null;
  paid_at: Timestamp | null;
  paid_to_publisher: boolean;
  parts: NonNullable<unknown>;
  payment_asked_at: Timestamp | null;
  programme_id: string | null;
  purchased_at: Timestamp;
  reason_code: string | null;
  revision_hash: string;
  revision_number: number;
  sale_minor: number;
  status: string;
  transaction_kind: Generated<string>;
  updated_at: Timestamp;
  validated_at: Timestamp | null;
}

export interface Notices {
  brand_id: string | null;
  id: string;
  kind: string;
  since: Timestamp;
  text: string;
  title: string;
  until: Timestamp | null;
  version: Generated<number>;
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
  voided_at: Timestamp | null;
}

export interface Offers {
  adults_only: Generated<boolean>;
  created_at: Generated<Timestamp>;
  description: Generated<string>;
  ends_at: Timestamp | null;
  exclusions: Generated<string>;
  headline: Generated<string>;
  id: string;
  kept: Generated<string[]>;
  kind: string;
  landing_url: string;
  network_id: string | null;
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

export interface OperatorLinks {
  created_at: Timestamp;
  expires_at: Timestamp;
  id: string;
  operator_id: string;
  token_hash: Buffer;
}

export interface OperatorRecoveryCodes {
  code_hash: string;
  created_at: Timestamp;
  id: string;
  operator_id: string;
  used_at: Timestamp | null;
}

export interface Operators {
  created_at: Timestamp;
  disabled_at: Timestamp | null;
  email: string;
  id: string;
  name: string;
  password: string | null;
  role: string;
  updated_at: Timestamp;
  version: Generated<number>;
}

export interface OperatorSecondFactors {
  created_at: Timestamp;
  enabled_at: Timestamp | null;
  last_step: Generated<number>;
  operator_id: string;
  secret: string;
  shown_to: string | null;
}

export interface OperatorSessions {
  created_at: Timestamp;
  expires_at: Timestamp;
  id: string;
  ip_address: string | null;
  mailed_code: string | null;
  operator_id: string;
  step: string;
  token_hash: Buffer;
  used_at: Timestamp;
  user_agent: string | null;
}

export interface OperatorViews {
  created_at: Timestamp;
  id: string;
  list: string;
  name: string;
  operator_id: string;
  query: string;
}

export interface PartnerApiKeys {
  created_at: Generated<Timestamp>;
  id: string;
  key_hash: Buffer;
  mode: Generated<string>;
  partner_id: string;
  prefix: string;
  revoked_at: Timestamp | null;
}

export interface PartnerCalls {
  calls: number;
  minute: Timestamp;
  partner_id: string;
}

export interface PartnerMints {
  mints: number;
  minute: Timestamp;
  partner_id: string;
}

export interface PartnerOrigins {
  origin: string;
  partner_id: string;
}

export interface PartnerRequests {
  body: string | null;
  leased_until: Timestamp;
  mode: string;
  partner_id: string;
  request_hash: Buffer;
  request_key: string;
  started_at: Timestamp;
  status: number | null;
}

export interface Partners {
  created_at: Generated<Timestamp>;
  id: string;
  id_placeholder: string | null;
  is_house: Generated<boolean>;
  mints_per_minute: Generated<number>;
  name: string;
  public_id: string;
  success_template_url: string | null;
  suspended_at: Timestamp | null;
}

export interface PartnerTokens {
  amount_pence: number | null;
  api_key_id: string;
  description: string | null;
  email: string | null;
  expires_at: Timestamp;
  id: string;
  member_session_id: string | null;
  minted_at: Timestamp;
  mode: Generated<string>;
  once_per_reference: Generated<boolean>;
  origin: string;
  partner_id: string;
  reference: string | null;
  spent_at: Timestamp | null;
}

export interface PartnerWebhookAttempts {
  attempted_at: Timestamp;
  delivery_id: string;
  duration_ms: number;
  error: string | null;
  id: string;
  status: number | null;
}

export interface PartnerWebhookDeliveries {
  attempts: Generated<number>;
  body: string;
  created_at: Timestamp;
  delivered_at: Timestamp | null;
  event_id: string;
  id: string;
  kind: string;
  last_error: string | null;
  last_status: number | null;
  next_try_at: Timestamp | null;
  webhook_id: string;
}

export interface PartnerWebhooks {
  created_at: Generated<Timestamp>;
  disabled_at: Timestamp | null;
  id: string;
  mode: Generated<string>;
  partner_id: string;
  previous_secret_until: Timestamp | null;
  secret_version: Generated<number>;
  url: string;
}

export interface PasswordResetRequests {
  attempts: Generated<number>;
  brand_id: string;
  created_at: Timestamp;
  email: string;
  given_up_at: Timestamp | null;
  id: string;
  last_error: string | null;
  next_try_at: Generated<Timestamp>;
}

export interface PaymentChanges {
  changed_at: Timestamp;
  failure_code: string | null;
  payment_id: string;
  refunded_pence: number;
  state: string;
  transfer_id: string | null;
  version: number;
}

export interface PaymentDisputeChanges {
  changed_at: Timestamp;
  dispute_id: string;
  fee_pence: number;
  state: string;
  transfer_id: string | null;
  version: number;
  withdrawn_pence: number;
}

export interface PaymentDisputes {
  amount_pence: number;
  changed_at: Timestamp;
  evidence_due_at: Timestamp | null;
  fee_pence: number;
  has_evidence: boolean;
  id: string;
  is_for_gift_cards: boolean;
  lookups: Generated<number>;
  next_look_at: Timestamp | null;
  opened_at: Timestamp;
  payment_id: string;
  provider_dispute_id: string;
  public_id: Generated<string>;
  reason: string;
  state: string;
  version: Generated<number>;
  withdrawn_pence: number;
}

export interface PaymentFees {
  attempts: Generated<number>;
  fee_pence: number | null;
  last_error: string | null;
  next_read_at: Timestamp | null;
  payment_id: string;
  transfer_id: string | null;
}

export interface PaymentLookups {
  lookups: number;
  next_look_at: Timestamp;
  payment_id: string;
}

export interface PaymentRefunds {
  amount_pence: number;
  announced_at: Generated<Timestamp | null>;
  asked_at: Timestamp;
  attempts: Generated<number>;
  id: string;
  last_error: string | null;
  made_by: Generated<string>;
  next_try_at: Timestamp | null;
  payment_id: string;
  provider_refund_id: string | null;
  request_key: string;
  state: string;
}

export interface Payments {
  amount_pence: number;
  changed_at: Timestamp;
  created_at: Timestamp;
  description: string | null;
  id: string;
  idempotency_key: string;
  mode: Generated<string>;
  partner_id: string;
  provider_customer_id: string | null;
  provider_payment_id: string | null;
  public_id: string;
  reference: string;
  refunded_pence: Generated<number>;
  session_id: string | null;
  session_reference: string | null;
  state: string;
  version: Generated<number>;
  widget_session_id: string | null;
}

export interface PayoutBatches {
  approved_alone_because: string | null;
  approved_at: Timestamp | null;
  approved_by: string | null;
  batch_number: Generated<number>;
  cancelled_at: Timestamp | null;
  cancelled_because: string | null;
  cancelled_by: string | null;
  confirmed_at: Timestamp | null;
  confirmed_by: string | null;
  entry_day: string;
  id: string;
  made_at: Timestamp;
  made_by: string;
  method: string;
  processing_day: string;
  rejected_at: Timestamp | null;
  rejected_because: string | null;
  rejected_by: string | null;
}

export interface PayoutEntries {
  entry_id: string;
  payout_id: string;
}

export interface PayoutHolds {
  brand_id: string;
  id: string;
  lifted_at: Timestamp | null;
  lifted_by: string | null;
  member_id: string;
  placed_at: Timestamp;
  placed_by: string;
  public_id: Generated<string>;
  reason: string;
}

export interface PayoutReports {
  applied_at: Timestamp | null;
  applied_by: string | null;
  content_hash: Buffer;
  discarded_at: Timestamp | null;
  discarded_because: string | null;
  discarded_by: string | null;
  failures: NonNullable<unknown>;
  file_name: string;
  id: string;
  outcomes: NonNullable<unknown> | null;
  public_id: Generated<string>;
  read_at: Timestamp;
  read_by: string;
}

export interface Payouts {
  amount_pence: number;
  bank_reference: string;
  bank_said: string | null;
  batch_id: string | null;
  brand_id: string;
  closure_id: string | null;
  failed_at: Timestamp | null;
  id: string;
  last_error: string | null;
  member_id: string;
  method: string;
  paid_at: Timestamp | null;
  payee: string | null;
  processing_at: Timestamp | null;
  public_id: Generated<string>;
  reason: string | null;
  requested_at: Timestamp;
  requested_by: Generated<string>;
  returned_at: Timestamp | null;
  state: string;
  version: Generated<number>;
}

export interface ProgrammeRates {
  boosted_until: Timestamp | null;
  programme_id: string;
  tiers: NonNullable<unknown> | null;
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
  programme_link: string | null;
  retailer_id: string;
  status: string;
  updated_at: Generated<Timestamp>;
  valid_domains: Generated<string[]>;
}

export interface ProofKinds {
  drawing: string;
  help: string;
  hides: Generated<string>;
  id: string;
  is_general: Generated<boolean>;
  name: string;
  position: number;
  shows: Generated<string[]>;
  slug: string;
  version: Generated<number>;
}

export interface RateAlerts {
  asked_value: number;
  created_at: Timestamp;
  id: string;
  known_value: number;
  member_id: string;
  rate_kind: string;
  retailer_id: string;
  token: string;
  told_at: Timestamp | null;
}

export interface RateTiers {
  basis: Generated<string>;
  cap_pence: number | null;
  created_at: Generated<Timestamp>;
  id: string;
  kept: Generated<string[]>;
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

export interface ReferralCodes {
  brand_id: string;
  code: string;
  made_at: Timestamp;
  member_id: string;
  shows_first_name: Generated<boolean>;
}

export interface ReferralHolds {
  decided_at: Timestamp | null;
  decided_by: string | null;
  decision: string | null;
  id: string;
  note: string | null;
  placed_at: Timestamp;
  placed_by: string;
  public_id: Generated<string>;
  reasons: string[];
  referral_id: string;
}

export interface ReferralProgrammes {
  brand_id: string;
  ended_by: string | null;
  ends_at: Timestamp | null;
  friend_pence: number;
  id: string;
  inviter_pence: number;
  made_at: Timestamp;
  made_by: string;
  max_per_year: number;
  min_cashback_pence: number;
  public_id: Generated<string>;
  starts_at: Timestamp;
  within_days: number;
}

export interface Referrals {
  announced_at: Timestamp | null;
  brand_id: string;
  id: string;
  inviter_id: string;
  member_id: string;
  programme_id: string;
  public_id: Generated<string>;
  qualify_until: Timestamp;
  registered_at: Timestamp;
  reminded_at: Timestamp | null;
}

export interface ReferralWatches {
  attempts: Generated<number>;
  last_error: string | null;
  next_look_at: Timestamp;
  referral_id: string;
}

export interface RegistrationDrafts {
  answers: Generated<NonNullable<unknown>>;
  brand_id: string;
  browser_mark: Buffer | null;
  completed_at: Timestamp | null;
  created_at: Timestamp;
  email: string;
  expires_at: Timestamp;
  id: string;
  inviter_id: string | null;
  member_status_id: string;
  member_type_id: string;
  password_hash: string | null;
  referral_programme_id: string | null;
  token_hash: string;
}

export interface RegistrationTries {
  key: string;
  resets_at: Timestamp;
  tries: number;
}

export interface RenewalNotices {
  member_id: string;
  told_at: Timestamp;
  verified_until: Timestamp;
}

export interface ReportClickHours {
  blocked: number;
  healthy: number;
  hour: Timestamp;
  network_id: string;
  no_cookies: number;
  slow: number;
  unchecked: number;
}

export interface ReportHours {
  confirmed_pence: number;
  hour: Timestamp;
  joined: number;
  tracked: number;
}

export interface ReportLateHours {
  hour: Timestamp;
}

export interface ReportMoneyDays {
  account_kind: string;
  brand_id: string | null;
  day: string;
  pence: number;
  transfer_kind: string;
  transfers: number;
}

export interface ReportMoneyWatermark {
  only_row: Generated<boolean>;
  summed_below: Generated<string>;
}

export interface ReportOfferDays {
  brand_id: string;
  cashback_pence: number;
  clicks: number;
  confirmed: number;
  day: string;
  offer_id: string | null;
  reveals: number;
  sale_pence: number;
  tracked: number;
}

export interface ReportOfferMonths {
  brand_id: string;
  clicks: number;
  month: string;
  offer_id: string;
}

export interface ReportWatermark {
  only_row: Generated<boolean>;
  summed_until: Timestamp | null;
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
  merged_at: Timestamp | null;
  merged_into_id: string | null;
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

export interface RetailerScorecards {
  decided: number;
  declined: number;
  median_confirm_days: number | null;
  purchases: number;
  retailer_id: string;
  tracked_in_time: number;
  worked_out_at: Timestamp;
}

export interface SearchCategories {
  category_id: string;
  document: string;
  name_folded: string;
}

export interface SearchOffers {
  brand_ids: string[];
  category_ids: string[];
  document: string;
  ends_at: Timestamp | null;
  kind: string;
  offer_id: string;
  popularity: number;
  retailer_id: string;
  source_hash: string;
  starts_at: Timestamp;
  tier: Generated<number>;
}

export interface SearchRetailers {
  brand_ids: string[];
  document: string;
  name_folded: string;
  popularity: number;
  retailer_id: string;
  source_hash: string;
  tier: Generated<number>;
}

export interface SearchWords {
  common_brand_ids: Generated<string[]>;
  lexeme: string;
  occurrences: number;
  singular: string | null;
  slips: string[];
  word: string;
}

export interface SearchWordsRevision {
  only_row: Generated<boolean>;
  revision: Generated<number>;
}

export interface SpentChallenges {
  challenge_hash: string;
  expires_at: Timestamp;
}

export interface TelemetryDays {
  brand_id: string;
  day: string;
  event_type: string;
  events: number;
}

export interface TelemetryErasures {
  brand_id: string;
  erased_at: Timestamp | null;
  erased_below: number | null;
  id: string;
  member_id: string;
  requested_at: Timestamp;
}

export interface TelemetryEvents {
  affinity_id: string;
  brand_id: string;
  event_type: string;
  extra_fields: NonNullable<unknown> | null;
  id: string;
  page_loaded_at: Timestamp | null;
  received_at: Timestamp;
  received_on: string;
  recorded_in: number;
  session_id: string;
  subject: string;
  user_id: string | null;
}

export interface TelemetryExports {
  batch_below: number | null;
  batch_rows: number | null;
  exported_below: Generated<number>;
  last_error: string | null;
  leased_until: Generated<Timestamp>;
  sink: string;
}

export interface TelemetryOfferDays {
  brand_id: string;
  day: string;
  offer_id: string;
  redemptions: number;
  views: number;
}

export interface TelemetryOfferMonths {
  brand_id: string;
  month: string;
  offer_id: string;
  views: number;
}

export interface TelemetrySearchDays {
  brand_id: string;
  day: string;
  people: number | null;
  searches: number;
  term: string;
}

export interface TelemetrySearchResults {
  brand_id: string;
  checked_at: Timestamp;
  results: number;
  term: string;
}

export interface TelemetryWatermark {
  kept_from: string | null;
  only_row: Generated<boolean>;
  summed_below: Generated<number>;
  xact_offset: Generated<number>;
}

export interface Thresholds {
  brand_values: Generated<NonNullable<unknown>>;
  club_value: number | null;
  threshold_key: string;
  updated_at: Timestamp;
  version: Generated<number>;
}

export interface UploadTries {
  hour: Timestamp;
  member_id: string;
  tries: number;
}

export interface VerificationRequests {
  brand_id: string;
  decided_at: Timestamp | null;
  decided_by: string | null;
  id: string;
  is_renewal: boolean;
  member_id: string;
  note: string | null;
  proof_kind_id: string | null;
  public_id: Generated<string>;
  reason: string | null;
  state: string;
  submitted_at: Timestamp;
  valid_until: Timestamp | null;
  way: string;
}

export interface ViewedOffers {
  member_id: string;
  offer_id: string;
  viewed_at: Timestamp;
}

export interface WalletCards {
  attempts: Generated<number>;
  brand_id: string;
  insolvency_told_at: Timestamp | null;
  last_error: string | null;
  left_pence: number | null;
  left_read_at: Timestamp | null;
  line_id: string;
  member_id: string;
  next_notice_at: Timestamp | null;
  reminded_days: number | null;
  used_at: Timestamp | null;
}

export interface WidgetSessions {
  amount_pence: number | null;
  bearer_hash: Buffer;
  description: string | null;
  email: string | null;
  expires_at: Timestamp;
  id: string;
  member_id: string | null;
  member_session_id: string | null;
  mode: Generated<string>;
  once_per_reference: Generated<boolean>;
  opened_at: Timestamp;
  ordered_in: string | null;
  origin: string;
  partner_id: string;
  reference: string | null;
}

export interface WorkEmailChecks {
  brand_id: string;
  email: string;
  expires_at: Timestamp;
  id: string;
  mailbox: string;
  member_id: string;
  requested_at: Timestamp;
  token_hash: Buffer;
  used_at: Timestamp | null;
}

export interface WorkEmailDomains {
  domain: string;
  member_type_id: string;
  with_subdomains: Generated<boolean>;
}

export interface DB {
  account_access_requests: AccountAccessRequests;
  additional_fields: AdditionalFields;
  attachment_deletions: AttachmentDeletions;
  attachment_parts: AttachmentParts;
  attachments: Attachments;
  audit_entries: AuditEntries;
  audit_log_start: AuditLogStart;
  backfills: Backfills;
  bank_details: BankDetails;
  bonuses: Bonuses;
  book_checks: BookChecks;
  boosts: Boosts;
  brand_hosts: BrandHosts;
  brand_member_types: BrandMemberTypes;
  brand_retailers: BrandRetailers;
  brands: Brands;
  card_events: CardEvents;
  carer_migration_rules: CarerMigrationRules;
  carer_migrations: CarerMigrations;
  cashback_changes: CashbackChanges;
  cashback_entries: CashbackEntries;
  cashback_expectations: CashbackExpectations;
  cashback_months: CashbackMonths;
  cashback_notices: CashbackNotices;
  cashback_timings: CashbackTimings;
  cashback_watches: CashbackWatches;
  catalogue_import_runs: CatalogueImportRuns;
  catalogue_imports: CatalogueImports;
  categories: Categories;
  category_counts: CategoryCounts;
  claim_changes: ClaimChanges;
  claim_filings: ClaimFilings;
  claim_packs: ClaimPacks;
  claim_proposals: ClaimProposals;
  claim_rules: ClaimRules;
  claims: Claims;
  click_terms: ClickTerms;
  clicks: Clicks;
  closures: Closures;
  code_pool_alarms: CodePoolAlarms;
  code_reveals: CodeReveals;
  code_swaps: CodeSwaps;
  code_votes: CodeVotes;
  consent_choices: ConsentChoices;
  data_exports: DataExports;
  database_secrets: DatabaseSecrets;
  detail_changes: DetailChanges;
  digital_id_devices: DigitalIdDevices;
  dropped_work: DroppedWork;
  exchange_rates: ExchangeRates;
  faq_categories: FaqCategories;
  faqs: Faqs;
  favourite_offers: FavouriteOffers;
  favourite_retailers: FavouriteRetailers;
  gift_card_basket_lines: GiftCardBasketLines;
  gift_card_baskets: GiftCardBaskets;
  gift_card_devices: GiftCardDevices;
  gift_card_line_changes: GiftCardLineChanges;
  gift_card_lines: GiftCardLines;
  gift_card_orders: GiftCardOrders;
  gift_card_presents: GiftCardPresents;
  gift_card_products: GiftCardProducts;
  gift_card_spends: GiftCardSpends;
  goodwill_credits: GoodwillCredits;
  issuer_floats: IssuerFloats;
  job_categories: JobCategories;
  job_roles: JobRoles;
  kept_keys: KeptKeys;
  ledger_accounts: LedgerAccounts;
  ledger_entries: LedgerEntries;
  ledger_totals: LedgerTotals;
  ledger_transfers: LedgerTransfers;
  ledger_watermark: LedgerWatermark;
  legal_pages: LegalPages;
  login_steps: LoginSteps;
  login_tries: LoginTries;
  mail_choices: MailChoices;
  mails: Mails;
  member_consents: MemberConsents;
  member_credentials: MemberCredentials;
  member_emails: MemberEmails;
  member_marks: MemberMarks;
  member_notes: MemberNotes;
  member_passkeys: MemberPasskeys;
  member_recovery_codes: MemberRecoveryCodes;
  member_second_factors: MemberSecondFactors;
  member_sessions: MemberSessions;
  member_statuses: MemberStatuses;
  member_tokens: MemberTokens;
  member_type_proofs: MemberTypeProofs;
  member_types: MemberTypes;
  members: Members;
  network_events: NetworkEvents;
  network_passes: NetworkPasses;
  network_report_files: NetworkReportFiles;
  network_transaction_revisions: NetworkTransactionRevisions;
  network_transaction_rows: NetworkTransactionRows;
  network_transactions: NetworkTransactions;
  networks: Networks;
  notices: Notices;
  offer_brands: OfferBrands;
  offer_categories: OfferCategories;
  offer_codes: OfferCodes;
  offer_variants: OfferVariants;
  offers: Offers;
  operator_links: OperatorLinks;
  operator_recovery_codes: OperatorRecoveryCodes;
  operator_second_factors: OperatorSecondFactors;
  operator_sessions: OperatorSessions;
  operator_views: OperatorViews;
  operators: Operators;
  partner_api_keys: PartnerApiKeys;
  partner_calls: PartnerCalls;
  partner_mints: PartnerMints;
  partner_origins: PartnerOrigins;
  partner_requests: PartnerRequests;
  partner_tokens: PartnerTokens;
  partner_webhook_attempts: PartnerWebhookAttempts;
  partner_webhook_deliveries: PartnerWebhookDeliveries;
  partner_webhooks: PartnerWebhooks;
  partners: Partners;
  password_reset_requests: PasswordResetRequests;
  payment_changes: PaymentChanges;
  payment_dispute_changes: PaymentDisputeChanges;
  payment_disputes: PaymentDisputes;
  payment_fees: PaymentFees;
  payment_lookups: PaymentLookups;
  payment_refunds: PaymentRefunds;
  payments: Payments;
  payout_batches: PayoutBatches;
  payout_entries: PayoutEntries;
  payout_holds: PayoutHolds;
  payout_reports: PayoutReports;
  payouts: Payouts;
  programme_rates: ProgrammeRates;
  programmes: Programmes;
  proof_kinds: ProofKinds;
  rate_alerts: RateAlerts;
  rate_tiers: RateTiers;
  referral_codes: ReferralCodes;
  referral_holds: ReferralHolds;
  referral_programmes: ReferralProgrammes;
  referral_watches: ReferralWatches;
  referrals: Referrals;
  registration_drafts: RegistrationDrafts;
  registration_tries: RegistrationTries;
  renewal_notices: RenewalNotices;
  report_click_hours: ReportClickHours;
  report_hours: ReportHours;
  report_late_hours: ReportLateHours;
  report_money_days: ReportMoneyDays;
  report_money_watermark: ReportMoneyWatermark;
  report_offer_days: ReportOfferDays;
  report_offer_months: ReportOfferMonths;
  report_watermark: ReportWatermark;
  retailer_categories: RetailerCategories;
  retailer_scorecards: RetailerScorecards;
  retailers: Retailers;
  search_categories: SearchCategories;
  search_offers: SearchOffers;
  search_retailers: SearchRetailers;
  search_words: SearchWords;
  search_words_revision: SearchWordsRevision;
  spent_challenges: SpentChallenges;
  telemetry_days: TelemetryDays;
  telemetry_erasures: TelemetryErasures;
  telemetry_events: TelemetryEvents;
  telemetry_exports: TelemetryExports;
  telemetry_offer_days: TelemetryOfferDays;
  telemetry_offer_months: TelemetryOfferMonths;
  telemetry_search_days: TelemetrySearchDays;
  telemetry_search_results: TelemetrySearchResults;
  telemetry_watermark: TelemetryWatermark;
  thresholds: Thresholds;
  upload_tries: UploadTries;
  verification_requests: VerificationRequests;
  viewed_offers: ViewedOffers;
  wallet_cards: WalletCards;
  widget_sessions: WidgetSessions;
  work_email_checks: WorkEmailChecks;
  work_email_domains: WorkEmailDomains;
}

