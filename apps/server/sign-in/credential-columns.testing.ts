import type { Holding } from "@farthing/core/members/recovery-rules.ts";

const because = (reason: string) => (columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column, { because: reason }]));

const books = because("It identifies rows of the ledger and the catalogue, and grants no access");
const counts = because("It is the hash of what a counter is for, and grants no access");
const partners = because("It belongs to a partner, not to a member");
const unused = because("Nothing is written to it since the auth library was removed (decision 013)");
const notYet = because("A registration is no account yet; the account that it becomes has its own holdings");

/**
 * Every column of the database that may hold a credential: which holding it is, or why it opens no member's account.
 */
export const credentialColumns: Record<string, { holding?: Holding; because?: string }> = {
  "account_access_requests.session_hash": { holding: "account-access" },
  "account_access_requests.ticket_hash": { holding: "account-access" },
  "carer_migrations.token_expires_at": { holding: "link:carer-move" },
  "carer_migrations.token_hash": { holding: "link:carer-move" },
  "digital_id_devices.handle": { holding: "digital-id" },
  "login_steps.token_hash": { holding: "half-login" },
  "member_credentials.password": { holding: "password" },
  "member_passkeys.credential_id": { holding: "passkey" },
  "member_passkeys.public_key": { holding: "passkey" },
  "member_recovery_codes.code_hash": { holding: "recovery-code" },
  "member_second_factors.secret": { holding: "app-secret" },
  "member_sessions.token": { holding: "session" },
  "members.device_generation": { holding: "device-mark" },
  "rate_alerts.token": { holding: "link:stop-alert" },
  "work_email_checks.token_hash": { holding: "link:work-email" },
  // It has one holding per purpose; another test compares those.
  "member_tokens.token_hash": { holding: "link:reset-password" },
  ...because("It saves the browser that registered from typing the password again, while the link is valid")([
    "member_tokens.browser_hash",
  ]),
  ...because("It leads strangers to an offer, and to nothing of its member's account")(["referral_codes.code"]),
  ...because("A spent token, stored so that it works once")([
    "code_reveals.token_hash",
    "spent_challenges.challenge_hash",
  ]),
  ...because("A code that a member was shown stays theirs, and is a shop's discount, not access to an account")([
    "code_swaps.new_code_id",
    "code_swaps.voided_code_id",
    "code_votes.code_id",
    "code_reveals.code",
    "offer_codes.code",
    "offer_codes.code_kind",
  ]),
  ...because(
    "It opens a present of somebody without an account: one gift card, once, and nothing of a member's account",
  )(["gift_card_presents.opener_hash", "gift_card_presents.token_hash"]),
  ...because("It is an operator's, whose sessions and second factor are apart from members'")([
    "operator_links.token_hash",
    "operator_recovery_codes.code_hash",
    "operator_second_factors.secret",
    "operator_sessions.mailed_code",
    "operator_sessions.token_hash",
    "operators.password",
  ]),
  ...because("A link of the audit log's chain of hashes")([
    "audit_entries.hash",
    "audit_entries.previous_hash",
    "audit_log_start.after_hash",
  ]),
  ...notYet(["registration_drafts.password_hash", "registration_drafts.token_hash"]),
  ...unused([
    "member_credentials.access_token",
    "member_credentials.access_token_expires_at",
    "member_credentials.id_token",
    "member_credentials.refresh_token",
    "member_credentials.refresh_token_expires_at",
  ]),
  ...counts(["login_tries.key", "registration_tries.key"]),
  ...partners([
    "partner_api_keys.key_hash",
    "partner_requests.request_hash",
    "partner_requests.request_key",
    "partner_webhooks.previous_secret_until",
    "partner_webhooks.secret_version",
    "payment_refunds.request_key",
    "payments.idempotency_key",
    "gift_card_orders.idempotency_key",
    "gift_card_basket_lines.idempotency_key",
    "gift_card_spends.idempotency_key",
    "widget_sessions.bearer_hash",
  ]),
  ...books([
    "backfills.after_key",
    "cashback_changes.reason_code",
    "thresholds.threshold_key",
    "cashback_entries.reason_code",
    "claims.order_key",
    "claims.reason_code",
    "catalogue_imports.content_hash",
    "payment_changes.failure_code",
    "payout_reports.content_hash",
    "network_report_files.content_hash",
    "click_terms.terms_hash",
    "clicks.terms_hash",
    "code_pool_alarms.codes_free",
    "code_pool_alarms.codes_total",
    "ledger_transfers.content_hash",
    "ledger_transfers.transfer_key",
    "network_events.dedupe_key",
    "network_events.handled_at",
    "network_transaction_revisions.revision_hash",
    "network_transaction_rows.content_hash",
    "network_transactions.reason_code",
    "network_transactions.revision_hash",
    "schema_migrations.needs_code_of",
    "search_offers.source_hash",
    "search_retailers.source_hash",
  ]),
};
