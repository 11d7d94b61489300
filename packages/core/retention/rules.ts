/**
 * How long each table's rows are kept, why, and what ends them (docs/operations/retention.md, decision 055). Tests compare the list
 * with the database, with the document, and with what the jobs delete: a new table has to be added here.
 */
export interface Retention {
  /** What the rows are, in words. */
  holds: string;
  ends: readonly [End, ...End[]];
  /** Why they are kept that long; not needed where the rows name nobody and are replaced, or go with others. */
  why?: string;
}

export type End =
  /** Settings and the catalogue: kept until operators or imports change or remove them. They name no member. */
  | { when: "replaced" }
  /** Kept as long as the club runs. */
  | { when: "never" }
  /** Erased when the account is closed (packages/core/personal-data/rules.ts), or earlier by the member. */
  | { when: "member-leaves" }
  /** Deleted by the foreign key together with a row of another table. */
  | { when: "with"; table: string }
  /** A queue: deleted when the work is done. */
  | { when: "done" }
  /**
   * Deleted by a noun's own operation, which a job of the worker calls: `days` after `of`. `only`: the row stays, and this of it is
   * removed.
   */
  | { when: "after"; days: number; of: string; by: OwnJob; only?: string }
  /** Deleted or emptied by the job "retention" from what is said here (forget-old.server.ts). */
  | Term;

/** Jobs that forget by operations of their own. */
export type OwnJob =
  | "retention"
  | "sweeping"
  | "memberships"
  | "closures"
  | "telemetry days"
  | "telemetry erasures"
  | "report hours";

export interface Term {
  when: "term";
  days: number;
  /** After what, in words. */
  of: string;
  /** SQL of a row, `record`: the time that the days count from. Null: they do not count yet. */
  since: string;
  /** SQL: which of the old rows; all by default. `$before` is the moment that is `days` ago. */
  where?: string;
  /** What columns are set to, as SQL, and what that is called; without it, the rows are deleted. */
  empties?: { called: string; set: Record<string, string> };
  /**
   * The table is large: only rows of the last 400 days before the term are looked at, besides once after the start of a process.
   */
  isLarge?: true;
}

/**
 * Books and their evidence are kept for six years after the end of the accounting year (Companies Act 2006, s. 388 asks for three; HMRC for
 * six: Finance Act 1998, sch. 18, para. 21). A year ends at most a year after anything that is in it. Two days more than seven years
 * have at most: the database refuses earlier changes (keep_for_accounts.sql), by its own clock.
 */
export const ACCOUNTS_DAYS = 2_559;

const ACCOUNTS = "Accounts";

const settings = (holds: string): Retention => ({ holds, ends: [{ when: "replaced" }] });
const sums = (holds: string): Retention => ({
  holds,
  ends: [{ when: "never" }],
  why: "Reports compare years; sums name nobody",
});
const books = (holds: string, ...ends: End[]): Retention => ({
  holds,
  ends: [{ when: "never" }, ...ends],
  why: "Accounts: the books must balance. Rows name nobody",
});
const ofMember = (holds: string, ...ends: End[]): Retention => ({ holds, ends: [{ when: "member-leaves" }, ...ends] });
const partOf = (table: string, holds: string): Retention => ({ holds, ends: [{ when: "with", table }] });
const queue = (holds: string, ...ends: End[]): Retention => ({ holds, ends: [{ when: "done" }, ...ends] });
const own = (days: number, of: string, by: OwnJob, only?: string): End => ({
  when: "after",
  days,
  of,
  by,
  ...(only === undefined ? {} : { only }),
});
const afterAccounts = (of: string, rest: Omit<Term, "when" | "days" | "of">): Term => ({
  when: "term",
  days: ACCOUNTS_DAYS,
  of,
  ...rest,
});

/** SQL: random base64, new for each row. */
const RANDOM = "encode(sha256(gen_random_uuid()::text::bytea), 'base64')";
const REMOVED = "'Removed'";
const NOTHING_BOUGHT = ["cashback_entries", "network_transactions", "claims", "claim_proposals"]
  .map((table) => `not exists (select from ${table} bought where bought.click_id = record.id)`)
  .join(" and ");

export const RETENTION: Record<string, Retention> = {
  account_access_requests: ofMember("Operators' requests to see an account, and answers"),
  additional_fields: settings("Questions of the registration"),
  attachment_deletions: {
    holds: "Proof that a member's file was deleted",
    ends: [afterAccounts("the deletion", { since: "deleted_at" })],
    why: "To show that files are deleted; rows name nobody",
  },
  attachment_parts: partOf("attachments", "Encrypted bytes of files"),
  attachments: ofMember(
    "Files that prove membership or a claim",
    own(14, "the decision; evidence of a declined claim 30 days longer", "memberships"),
  ),
  audit_entries: {
    holds: "What operators did",
    ends: [own(ACCOUNTS_DAYS, "the act", "retention")],
    why: "Evidence for the accounts and of abuse; no entry names a member",
  },
  audit_log_start: settings("Where the audit log begins: one row"),
  backfills: settings("How far existing rows are filled in after upgrades"),
  bank_details: ofMember("Accounts that payouts go to, encrypted"),
  bonuses: books("Bonuses for invitations"),
  book_checks: {
    holds: "Checks of the books",
    ends: [afterAccounts("the check", { since: "checked_at" })],
    why: ACCOUNTS,
  },
  boosts: settings("Raised rates"),
  brand_hosts: settings("Brands' addresses"),
  brand_member_types: settings("Who may join a brand"),
  brand_retailers: settings("Which retailers a brand shows"),
  brands: settings("Brands"),
  card_events: {
    holds: "Ids of the card provider's webhooks",
    ends: [own(30, "they came", "sweeping")],
    why: "To recognise duplicates, which the provider sends for days",
  },
  carer_migration_rules: settings("Whose work has become another brand's"),
  carer_migrations: ofMember("Moves to another club"),
  cashback_changes: books("Steps of cashback"),
  cashback_entries: books("Cashback by purchase"),
  cashback_expectations: books("When cashback was expected"),
  cashback_months: books("Sums of a member's months"),
  cashback_notices: queue("Changes of cashback that nobody was mailed about", { when: "member-leaves" }),
  cashback_timings: settings("How long retailers take, worked out daily"),
  cashback_watches: queue("Purchases that are not decided yet"),
  catalogue_import_runs: queue("Imports under way"),
  catalogue_imports: {
    holds: "Imports of the catalogue",
    ends: [{ when: "term", days: 731, of: "the import", since: "imported_at" }],
    why: "To find what changed an offer",
  },
  categories: settings("Categories"),
  category_counts: settings("Counts of live offers, worked out daily"),
  claim_changes: partOf("claims", "Steps of claims"),
  claim_filings: partOf("claims", "What was filed with networks"),
  claim_packs: sums("Files of claims for networks, by number and day"),
  claim_proposals: ofMember("Visits that a member is asked about"),
  claim_rules: settings("When claims can be filed"),
  claims: ofMember("Claims"),
  click_terms: {
    holds: "Terms that clicks were made under, each once",
    ends: [{ when: "never" }],
    why: "Receipts print them; they name nobody",
  },
  clicks: {
    holds: "Visits to retailers, with rate and offer",
    ends: [
      afterAccounts("the visit, if nothing was bought", {
        since: "created_at",
        where: NOTHING_BOUGHT,
        isLarge: true,
      }),
      afterAccounts("the visit, if something was bought", {
        since: "created_at",
        where: "target_url <> 'https://removed.invalid/'",
        empties: {
          called: "address, offer, reference and number",
          set: {
            target_url: "'https://removed.invalid/'",
            reference: `left(translate(${RANDOM}, '+/=', '-_'), 22)`,
            click_number: `regexp_replace(translate(upper(left(${RANDOM}, 12)), 'ILOU+/', 'JKMNPQ'), '(.{4})(.{4})(.{4})', '\\1-\\2-\\3')`,
            offer_id: "null",
            offer_variant_id: "null",
            pre_flight: "null",
          },
        },
        isLarge: true,
      }),
    ],
    why: "Accounts: cashback is worked out from the rate that was promised",
  },
  closures: books("Members who left, and what they chose", own(30, "the payment", "closures", "bank details")),
  code_pool_alarms: {
    holds: "Pools of codes that ran low",
    ends: [{ when: "term", days: 365, of: "the alarm's end", since: "ended_at" }],
    why: "To see which pools run low again and again",
  },
  code_reveals: ofMember("Codes that a member was shown"),
  code_swaps: ofMember("Codes that a member swapped, and why"),
  code_votes: ofMember("Whether codes worked"),
  consent_choices: ofMember("Choices about cookies"),
  data_exports: ofMember("When a member had a copy of their data"),
  database_secrets: settings("Fingerprints of each FARTHING_SECRET that the database was used with"),
  detail_changes: ofMember("Changes of a member's details"),
  digital_id_devices: ofMember("Browsers that show the digital ID", { when: "with", table: "member_sessions" }),
  dropped_work: {
    holds: "Work that an operator has dropped",
    ends: [{ when: "never" }],
    why: "What was dropped must not come back; a person drops it, or disables its endpoint",
  },
  exchange_rates: {
    holds: "Exchange rates",
    ends: [{ when: "never" }],
    why: "Purchases were worked out with them; they name nobody",
  },
  faq_categories: settings("Subjects of questions"),
  faqs: settings("Questions and answers"),
  favourite_offers: ofMember("Favourite offers"),
  favourite_retailers: ofMember("Favourite retailers"),
  gift_card_basket_lines: partOf("gift_card_baskets", "Cards in a basket, and for whom"),
  gift_card_baskets: partOf("widget_sessions", "Baskets of the portal"),
  gift_card_devices: partOf("member_sessions", "Browsers that have shown a card"),
  gift_card_line_changes: books("Steps of gift cards"),
  gift_card_lines: books(
    "Gift cards: amounts, and the card encrypted",
    own(30, "the order", "sweeping", "for whom a card was"),
  ),
  gift_card_orders: books(
    "Orders of gift cards",
    own(30, "the order", "sweeping", "the address that a visitor typed"),
    afterAccounts("the order", {
      since: "placed_at",
      where: "buyer_mark <> decode(repeat('00', 32), 'hex')",
      empties: { called: "the hash of the buyer's address", set: { buyer_mark: "decode(repeat('00', 32), 'hex')" } },
    }),
  ),
  gift_card_presents: books(
    "Presents: giver, receiver, words",
    own(30, "it was opened or taken back", "sweeping", "the receiver's address"),
    own(365, "it was opened or taken back", "sweeping", "names and words"),
    afterAccounts("it was made, where nobody has opened it", {
      since: "made_at",
      where: "recipient_email <> 'removed@removed.invalid' and state in ('planned', 'sent', 'bounced')",
      empties: {
        called: "address, names and words",
        set: {
          recipient_email: "'removed@removed.invalid'",
          recipient_name: REMOVED,
          giver_name: "'A friend'",
          message: "''",
          last_error: "null",
        },
      },
    }),
  ),
  gift_card_products: settings("Gift cards on sale"),
  gift_card_spends: ofMember("What a member spent with a card"),
  goodwill_credits: books(
    "Goodwill",
    afterAccounts("it was given", {
      since: "given_at",
      where: `note <> ${REMOVED} or reversal_note <> ${REMOVED}`,
      empties: {
        called: "what was written about the member",
        set: { note: REMOVED, reversal_note: `case when reversal_note is not null then ${REMOVED} end` },
      },
    }),
  ),
  issuer_floats: settings("Money that lies with issuers of gift cards, as they said last"),
  job_categories: settings("Job categories"),
  job_roles: settings("Job roles"),
  kept_keys: {
    ...queue("Earlier keys of recovery codes, encrypted"),
    why: "Unused codes from before a rotation are hashed with them",
  },
  ledger_accounts: books("Accounts of the ledger"),
  ledger_entries: books("Entries of the ledger"),
  ledger_totals: books("Totals of the ledger"),
  ledger_transfers: books("Transfers of the ledger"),
  ledger_watermark: settings("How far totals are summed: one row"),
  legal_pages: settings("Terms, privacy and similar pages"),
  login_steps: ofMember("Logins that are half-way", own(0, "they expire", "sweeping")),
  login_tries: {
    holds: "Counts of tries to log in, by keyed hash",
    ends: [own(0, "their window ends", "sweeping")],
    why: "To slow down guessing",
  },
  mail_choices: ofMember("Which e-mails a member chose"),
  mails: ofMember(
    "E-mails: address, subject, state",
    own(0, "they were sent or given up", "sweeping", "what they said"),
    own(0, "they were sent or given up, those that say that an address has no account", "sweeping"),
    own(
      14,
      "they were sent or given up, those to people who are not members, such as a present's receiver",
      "sweeping",
    ),
    own(90, "they were sent or given up", "sweeping"),
  ),
  member_consents: ofMember("What a member agreed to"),
  member_credentials: ofMember("Hashes of passwords"),
  member_emails: ofMember("A member's addresses"),
  member_marks: ofMember("Keyed hashes of a member's browsers and mailbox"),
  member_notes: ofMember("What operators wrote about a member"),
  member_passkeys: ofMember("Public halves of passkeys"),
  member_recovery_codes: ofMember("Hashes of recovery codes"),
  member_second_factors: ofMember("Secrets of members' apps, encrypted"),
  member_sessions: ofMember("Signed-in browsers, with network address", own(0, "they expire", "sweeping")),
  member_statuses: settings("Member statuses"),
  member_tokens: ofMember("Hashes of links in e-mails", own(7, "they expire", "sweeping")),
  member_type_proofs: settings("What counts as proof for whom"),
  member_types: settings("Member types"),
  members: books("Members. Closing the account removes all that identifies the person, but not the member number", {
    when: "term",
    days: ACCOUNTS_DAYS,
    of: "the account was closed and no money has moved since",
    since: "closed_at",
    where: `member_number not like 'GONE-%' and not exists (
        select from ledger_accounts account join ledger_entries entry on entry.account_id = account.id
          join ledger_transfers transfer on transfer.id = entry.transfer_id
        where account.member_id = record.id and transfer.happened_at >= $before)`,
    empties: { called: "the member number", set: { member_number: "'GONE-' || upper(random_public_id())" } },
  }),
  network_events: {
    holds: "What networks pushed, as it came",
    ends: [
      {
        when: "term",
        days: 400,
        of: "it came, if it is handled",
        since: "received_at",
        where: "status <> 'received'",
      },
    ],
    why: "To find out why a purchase did not track; networks correct sales for up to a year",
  },
  network_passes: settings("How far networks' reports are read"),
  network_report_files: {
    holds: "Networks' reports that were given as files: their names and counts",
    ends: [afterAccounts("it was imported", { since: "imported_at" })],
    why: ACCOUNTS,
  },
  network_transaction_revisions: books(
    "Each version of a reported sale",
    afterAccounts("it was read", {
      since: "recorded_at",
      where: "raw <> '{}'",
      empties: { called: "the network's words", set: { raw: "'{}'" } },
      isLarge: true,
    }),
  ),
  network_transaction_rows: books(
    "Lines of reported sales",
    afterAccounts("it was read", {
      since: "recorded_at",
      where: "raw <> '{}'",
      empties: {
        called: "the network's words and the order's number",
        set: { raw: "'{}'", content: `content || '{"orderReference":null,"clickReference":null}'` },
      },
      isLarge: true,
    }),
  ),
  network_transactions: books(
    "Reported sales",
    afterAccounts("it was first read", {
      since: "created_at",
      where: "(order_reference is not null or click_reference is not null)",
      empties: {
        called: "the order's number and the reference",
        set: { order_reference: "null", click_reference: "null" },
      },
      isLarge: true,
    }),
  ),
  networks: settings("Affiliate networks"),
  notices: settings("What operators tell everybody: planned work, trouble"),
  offer_brands: settings("Offers for some brands"),
  offer_categories: settings("Offers' categories"),
  offer_codes: {
    holds: "Codes, and who was given one",
    ends: [
      { when: "never" },
      afterAccounts("the offer's end, if a member was given it", {
        since: "(select ends_at from offers where offers.id = record.offer_id)",
        where: "member_id is not null",
      }),
    ],
    why: "A code that was given is never given again",
  },
  offer_variants: settings("Variants of offers"),
  offers: settings("Offers; their pages stay when they are over"),
  operator_links: queue("Hashes of operators' invitations", own(0, "they expire", "sweeping")),
  operator_recovery_codes: partOf("operators", "Hashes of operators' recovery codes"),
  operator_second_factors: partOf("operators", "Secrets of operators' apps, encrypted"),
  operator_sessions: {
    holds: "Operators' sessions, with network address",
    ends: [own(0, "they expire or are unused for too long", "sweeping")],
    why: "To let operators in",
  },
  operator_views: partOf("operators", "Operators' saved lists"),
  operators: {
    holds: "Operators: name and address",
    ends: [
      afterAccounts("the account was disabled", {
        since: "disabled_at",
        where: "not exists (select from account_access_requests asked where asked.operator_id = record.id)",
      }),
    ],
    why: "The audit log names who did what",
  },
  partner_api_keys: settings("Hashes of partners' keys"),
  partner_calls: settings("Calls of the current minute: one row for each partner"),
  partner_mints: settings("Tokens of the current minute: one row for each partner"),
  partner_origins: settings("Where partners may embed the widget"),
  partner_requests: {
    holds: "Partners' keyed requests, and answers",
    ends: [own(2, "they began", "sweeping")],
    why: "A repeated request gets the same answer",
  },
  partner_tokens: {
    holds: "Tokens for partners' visitors, with the receipt's address",
    ends: [own(1 / 24, "they expire", "sweeping")],
    why: "To tell a replayed token from an invented one",
  },
  partner_webhook_attempts: partOf("partner_webhook_deliveries", "Attempts to deliver an event"),
  partner_webhook_deliveries: {
    holds: "Events for partners' servers: amount, state, reference",
    ends: [
      {
        when: "term",
        days: 1097,
        of: "the event, if it is not being sent",
        since: "created_at",
        // What is as old and still waits, waits for a partner that was never resumed.
        where: "next_try_at is null or next_try_at < $before",
        isLarge: true,
      },
    ],
    why: "Partners send events again; usage by days is shown for three years",
  },
  partner_webhooks: settings("Where partners are told of events"),
  partners: settings("Partners"),
  password_reset_requests: queue(
    "Requests for a new password, with the address",
    own(30, "they were given up", "sweeping"),
  ),
  payment_changes: books("Steps of card payments"),
  payment_dispute_changes: books("Steps of disputes"),
  payment_disputes: books("Disputes of card payments"),
  payment_fees: books("What the card provider kept"),
  payment_lookups: queue("Payments that are looked up", own(0, "the payment is decided", "sweeping")),
  payment_refunds: books("Refunds of card payments"),
  payments: books(
    "Card payments. We never have the card",
    afterAccounts("its last change", {
      since: "created_at",
      where: "changed_at < $before and reference <> 'removed'",
      empties: {
        called: "description, references and the provider's customer",
        set: { reference: "'removed'", session_reference: "null", description: "null", provider_customer_id: "null" },
      },
    }),
  ),
  payout_batches: books("Batches of payouts"),
  payout_entries: books("Which cashback a payout was of"),
  payout_holds: {
    holds: "Withdrawals that were stopped, and why",
    ends: [afterAccounts("the hold was lifted", { since: "lifted_at" })],
    why: "Accounts, and fraud that comes to light later",
  },
  payout_reports: {
    holds: "Failures that the bank reported",
    ends: [afterAccounts("it was read", { since: "read_at" })],
    why: ACCOUNTS,
  },
  payouts: books(
    "Payouts to members",
    own(30, "the payment", "sweeping", "the account, encrypted"),
    afterAccounts("it was asked for", {
      since: "requested_at",
      where: "state in ('paid', 'failed', 'returned') and (bank_said is not null or last_error is not null)",
      empties: { called: "the bank's words", set: { bank_said: "null", last_error: "null", version: "version + 1" } },
    }),
  ),
  programme_rates: settings("What each programme pays, as cards read it"),
  programmes: settings("Retailers' programmes at networks"),
  proof_kinds: settings("What counts as proof"),
  rate_alerts: ofMember("Rates that a member watches"),
  rate_tiers: settings("Rates"),
  referral_codes: ofMember("The code of a member's link"),
  referral_holds: books(
    "Invitations that an operator looked at",
    afterAccounts("it was placed, if it is decided", {
      since: "placed_at",
      where: `note <> ${REMOVED}`,
      empties: { called: "what was written about it", set: { note: REMOVED } },
    }),
  ),
  referral_programmes: settings("Rules of invitations; what was promised stays"),
  referral_watches: queue("Invitations that are not decided"),
  referrals: books("Who invited whom, by number"),
  registration_drafts: {
    holds: "Registrations between the two steps, with address and answers",
    ends: [own(0, "they expire, after seven days", "sweeping")],
    why: "To go on where somebody stopped",
  },
  registration_tries: {
    holds: "Counts of registrations, by keyed hash",
    ends: [own(0, "their window ends", "sweeping")],
    why: "To stop floods",
  },
  renewal_notices: ofMember("That a member was reminded"),
  report_click_hours: { holds: "Clicks by hour and network", ends: [{ when: "with", table: "report_hours" }] },
  report_hours: {
    holds: "Members who joined and purchases, by hour",
    ends: [own(16, "the hour", "report hours")],
  },
  report_late_hours: queue("Hours that are counted again"),
  report_money_days: sums("Money by day and brand"),
  report_money_watermark: settings("How far money is summed: one row"),
  report_offer_days: sums("Clicks and cashback by day and offer"),
  report_offer_months: sums("Clicks by month and offer"),
  report_watermark: settings("How far clicks are summed: one row"),
  retailer_categories: settings("Retailers' categories"),
  retailer_scorecards: settings("How retailers treat purchases, worked out daily"),
  retailers: settings("Retailers"),
  search_categories: settings("The search index"),
  search_offers: settings("The search index"),
  search_retailers: settings("The search index"),
  search_words: settings("The search index"),
  search_words_revision: settings("How often the search index's words have changed: one row"),
  spent_challenges: {
    holds: "Hashes of challenges that passkeys answered",
    ends: [own(0, "they expire, after minutes", "sweeping")],
    why: "Each is answered once",
  },
  telemetry_days: sums("Events by day"),
  telemetry_erasures: {
    holds: "Members whose telemetry is to be erased",
    ends: [own(90, "the account was closed (`TELEMETRY_DAYS`)", "telemetry erasures")],
    why: "A page that was open then may send more, which is erased daily",
  },
  telemetry_events: {
    holds: "What visitors who agreed did, under a pseudonym",
    ends: [own(90, "the day (`TELEMETRY_DAYS`)", "telemetry days")],
    why: "Consent; reports are made from it",
  },
  telemetry_exports: settings("How far events are copied: one row for each copy"),
  telemetry_offer_days: sums("Views by day and offer"),
  telemetry_offer_months: sums("Views by month and offer"),
  telemetry_search_days: {
    holds: "What was searched for, by day, without who",
    ends: [
      own(90, "the day (`TELEMETRY_DAYS`), if fewer than three people searched for it", "telemetry days"),
      { when: "term", days: 1_097, of: "the day", since: "day" },
    ],
    why: "Reports of three years; a rare term may be about a person, and goes with its events",
  },
  telemetry_search_results: queue("What searches find, while a sum names the term"),
  telemetry_watermark: settings("How far events are summed: one row"),
  thresholds: settings("Thresholds"),
  upload_tries: ofMember("Counts of uploads by hour", { when: "term", days: 1, of: "the hour", since: "hour" }),
  verification_requests: ofMember("Requests to be verified, and decisions"),
  viewed_offers: ofMember("Offers that a member looked at lately, the newest only"),
  wallet_cards: ofMember("What a member notes of a gift card"),
  widget_sessions: {
    holds: "Visits of partners' frames, with the receipt's address",
    ends: [own(30, "they end", "sweeping"), { when: "member-leaves" }],
    why: "To find a payment by its visit",
  },
  work_email_checks: ofMember(
    "Addresses at work; used ones show which mailbox proved whom",
    own(1, "they expire unused", "memberships"),
  ),
  work_email_domains: settings("Domains of employers"),
};

/** What the job "retention" deletes or empties, table by table. */
export const TERMS: readonly { table: string; term: Term }[] = Object.entries(RETENTION).flatMap(([table, { ends }]) =>
  ends.flatMap((end) => (end.when === "term" ? [{ table, term: end }] : [])),
);
