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
    why: "Until the member's telemetry is erased, which it asks for",
    files: [],
    because: "a queue of minutes, which begins when the account is closed; the events are in telemetry",
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

/** Number of archives that a member can request within a day. */
export const EXPORTS_PER_DAY = 5;
