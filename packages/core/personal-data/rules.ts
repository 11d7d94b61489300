/**
 * Where members' data is stored, and what happens to it when they leave (docs/operations/privacy.md). A test compares
 * the list with the database: a new table that refers to a member has to be added here.
 */
export type OnClosing =
  /** The rows are deleted. */
  | "erase"
  /** The rows stay, without anything that identifies the member. */
  | "keep";

export interface PersonalTable {
  onClosing: OnClosing;
  /** Why and how long rows are kept. */
  why?: string;
  /** The files of the archive with these rows; if empty, `because` says why. */
  files: readonly string[];
  because?: string;
}

const ACCOUNTING_LAW = "Tax and accounting law: six years after the end of the year";

export const PERSONAL_TABLES: Record<string, PersonalTable> = {
  account_access_requests: { onClosing: "erase", files: ["operators-in-your-account"] },
  attachment_deletions: {
    onClosing: "keep",
    why: "Proof that a file was deleted; it names nobody",
    files: ["proof-of-membership", "claim-files"],
  },
  attachments: { onClosing: "erase", files: ["proof-of-membership", "claim-files"] },
  bank_details: { onClosing: "erase", files: ["bank-details"] },
  bonuses: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["bonuses"] },
  carer_migrations: { onClosing: "erase", files: ["moves-to-another-club"] },
  cashback_entries: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["cashback", "cashback-changes"] },
  cashback_notices: {
    onClosing: "erase",
    files: [],
    because: "a queue of minutes; the changes are in cashback-changes",
  },
  cashback_months: {
    onClosing: "keep",
    why: ACCOUNTING_LAW,
    files: [],
    because: "sums of what is in cashback",
  },
  cashback_watches: {
    onClosing: "keep",
    why: ACCOUNTING_LAW,
    files: [],
    because: "what is expected of purchases that are in cashback",
  },
  claim_proposals: { onClosing: "erase", files: ["claims-proposed"] },
  claims: { onClosing: "erase", files: ["claims", "claim-changes"] },
  clicks: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["links-followed"] },
  closures: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["closing-the-account"] },
  code_reveals: { onClosing: "erase", files: ["codes"] },
  code_swaps: { onClosing: "erase", files: ["code-swaps"] },
  code_votes: { onClosing: "erase", files: ["code-votes"] },
  consent_choices: { onClosing: "erase", files: ["cookie-choices"] },
  data_exports: { onClosing: "erase", files: ["archives"] },
  detail_changes: { onClosing: "erase", files: ["details-changed"] },
  digital_id_devices: { onClosing: "erase", files: [], because: "one per session; sessions are in the archive" },
  favourite_offers: { onClosing: "erase", files: ["favourites"] },
  favourite_retailers: { onClosing: "erase", files: ["favourites"] },
  gift_card_orders: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["gift-cards", "presents"] },
  gift_card_spends: { onClosing: "erase", files: ["gift-card-spends"] },
  goodwill_credits: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["goodwill"] },
  ledger_accounts: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["ledger"] },
  login_steps: { onClosing: "erase", files: [], because: "a login that is half-way, for minutes" },
  mail_choices: { onClosing: "erase", files: ["mail-choices"] },
  mails: { onClosing: "erase", files: ["e-mails-sent"] },
  member_consents: { onClosing: "erase", files: ["consents"] },
  member_credentials: { onClosing: "erase", files: [], because: "the hash of a password, which nobody needs to read" },
  member_emails: { onClosing: "erase", files: ["e-mail-addresses"] },
  member_marks: {
    onClosing: "erase",
    files: ["invitations"],
  },
  member_notes: { onClosing: "erase", files: ["notes-about-you"] },
  member_passkeys: { onClosing: "erase", files: ["passkeys"] },
  member_recovery_codes: { onClosing: "erase", files: [], because: "hashes of codes" },
  member_second_factors: { onClosing: "erase", files: ["profile"] },
  member_sessions: { onClosing: "erase", files: ["sessions"] },
  member_tokens: { onClosing: "erase", files: [], because: "hashes of links in e-mails" },
  offer_codes: { onClosing: "keep", why: "A code that was given is never given again", files: ["codes"] },
  payout_holds: { onClosing: "keep", why: "Fraud that comes to light later", files: ["payout-holds"] },
  payouts: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["payouts"] },
  rate_alerts: { onClosing: "erase", files: ["rate-alerts"] },
  referral_codes: { onClosing: "erase", files: ["invitations"] },
  referrals: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["bonuses"] },
  renewal_notices: { onClosing: "erase", files: [], because: "that a mail was sent; e-mails-sent has it" },
  telemetry_erasures: {
    onClosing: "keep",
    why: "As long as telemetry is kept: what a page sends that was open when the account was closed is erased, too",
    files: [],
    because: "it begins when the account is closed; the events are in telemetry",
  },
  upload_tries: { onClosing: "erase", files: [], because: "a count that lasts an hour" },
  verification_requests: { onClosing: "erase", files: ["proof-of-membership"] },
  viewed_offers: { onClosing: "erase", files: ["offers-looked-at"] },
  widget_sessions: {
    onClosing: "erase",
    files: [],
    because: "visits of the gift-card page, which last half an hour and hold nothing else; orders are in gift-cards",
  },
  wallet_cards: { onClosing: "erase", files: ["gift-card-wallet"] },
  work_email_checks: { onClosing: "erase", files: ["work-e-mails"] },
};

/** A table that refers to a member through another table's row, or by another column than member_id. */
export interface LinkedTable {
  onClosing: OnClosing;
  why?: string;
  files: readonly string[];
  because?: string;
}

const OF_VISITORS = "card payments of visitors; what a member ordered and paid is in gift-cards";

/** Tables that hold a member's data without saying whose: a test finds them by their foreign keys, however many steps away. */
export const LINKED_TABLES: Record<string, LinkedTable> = {
  attachment_parts: { onClosing: "erase", files: [], because: "the archive has the files themselves" },
  cashback_changes: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["cashback-changes"] },
  cashback_expectations: {
    onClosing: "keep",
    why: ACCOUNTING_LAW,
    files: [],
    because: "dates that were worked out, not told by the member; the steps are in cashback-changes",
  },
  claim_changes: { onClosing: "erase", files: ["claim-changes"] },
  claim_filings: { onClosing: "erase", files: [], because: "random references of claims that are in the archive" },
  gift_card_basket_lines: { onClosing: "erase", files: [], because: "a basket lasts as long as a visit, half an hour" },
  gift_card_baskets: { onClosing: "erase", files: [], because: "a basket lasts as long as a visit, half an hour" },
  gift_card_devices: {
    onClosing: "erase",
    files: [],
    because: "which session has shown a card; sessions are in the archive",
  },
  gift_card_line_changes: {
    onClosing: "keep",
    why: ACCOUNTING_LAW,
    files: [],
    because: "the state of each card is in gift-cards",
  },
  gift_card_lines: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["gift-cards"] },
  gift_card_presents: { onClosing: "keep", why: "They are somebody else's", files: ["presents"] },
  ledger_entries: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["ledger"] },
  ledger_totals: { onClosing: "keep", why: ACCOUNTING_LAW, files: [], because: "sums of what is in ledger" },
  ledger_transfers: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["ledger"] },
  network_transaction_revisions: {
    onClosing: "keep",
    why: ACCOUNTING_LAW,
    files: [],
    because: "earlier versions of what is in cashback",
  },
  network_transactions: { onClosing: "keep", why: ACCOUNTING_LAW, files: ["cashback"] },
  partner_tokens: { onClosing: "erase", files: [], because: "a token lasts a minute" },
  payment_changes: { onClosing: "keep", why: ACCOUNTING_LAW, files: [], because: OF_VISITORS },
  payment_dispute_changes: { onClosing: "keep", why: ACCOUNTING_LAW, files: [], because: OF_VISITORS },
  payment_disputes: { onClosing: "keep", why: ACCOUNTING_LAW, files: [], because: OF_VISITORS },
  payment_fees: { onClosing: "keep", why: ACCOUNTING_LAW, files: [], because: OF_VISITORS },
  payment_lookups: { onClosing: "keep", why: "Until the payment is decided", files: [], because: OF_VISITORS },
  payment_refunds: { onClosing: "keep", why: ACCOUNTING_LAW, files: [], because: OF_VISITORS },
  payments: { onClosing: "keep", why: ACCOUNTING_LAW, files: [], because: OF_VISITORS },
  payout_entries: {
    onClosing: "keep",
    why: ACCOUNTING_LAW,
    files: [],
    because: "both sides are in cashback and payouts",
  },
  referral_holds: {
    onClosing: "keep",
    why: ACCOUNTING_LAW,
    files: [],
    because: "suspicion of fraud, which an archive would spoil",
  },
  referral_watches: {
    onClosing: "keep",
    why: "Until the invitation is decided",
    files: [],
    because: "when it is looked at next",
  },
  registration_drafts: {
    onClosing: "keep",
    why: "Somebody else's registration, for seven days; the inviter's row names nobody",
    files: [],
    because: "they are about the person who is invited",
  },
};

const OPERATOR = "an operator's, who is named for seven years at least: evidence of who did what";

/**
 * Columns that may name a person, in tables that do not say which member: whose they are, and what ends them. A test finds such columns by
 * their names.
 */
export const OTHERS_NAMED: Record<string, string> = {
  "audit_entries.actor": OPERATOR,
  "book_checks.checked_by": OPERATOR,
  "catalogue_import_runs.source_name": "a file's or network's name",
  "catalogue_import_runs.started_by": OPERATOR,
  "catalogue_import_runs.stopped_by": OPERATOR,
  "catalogue_imports.source_name": "a file's or network's name",
  "claim_packs.made_by": OPERATOR,
  "dropped_work.dropped_by": OPERATOR,
  "network_events.raw":
    "a network's push: an order's number and a random reference, for 400 days; in the archive as cashback",
  "network_transaction_rows.raw":
    "a network's line: an order's number and a random reference, for seven years; in the archive as cashback",
  "operator_sessions.ip_address": "an operator's, until the session ends",
  "operator_sessions.user_agent": "an operator's, until the session ends",
  "operator_views.name": "of a list's filters",
  "operators.email": OPERATOR,
  "network_report_files.file_name": "a file of a network",
  "network_report_files.imported_by": OPERATOR,
  "operators.name": OPERATOR,
  "password_reset_requests.email":
    "of a member or a stranger, for seconds; given up, for 30 days. Nothing tells which it is",
  "payout_batches.approved_by": OPERATOR,
  "payout_batches.cancelled_by": OPERATOR,
  "payout_batches.confirmed_by": OPERATOR,
  "payout_batches.made_by": OPERATOR,
  "payout_batches.rejected_by": OPERATOR,
  "payout_reports.applied_by": OPERATOR,
  "payout_reports.discarded_by": OPERATOR,
  "payout_reports.file_name": "a file of the bank",
  "payout_reports.read_by": OPERATOR,
  "telemetry_events.session_id": "random; ends with the events, and with the account by user_id",
  "telemetry_events.user_id": "a pseudonym; erased by telemetry_erasures, in the archive as telemetry",
};

/** Number of archives that a member can request within a day. */
export const EXPORTS_PER_DAY = 5;
