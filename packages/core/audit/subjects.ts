/** What the log may keep of a kind of record: the columns that say its state. */
export interface Subject {
  /** The word for people. */
  name: string;
  table: string;
  /** The column that the subject's id is. It has an index. */
  key: string;
  /** The type of that column; text by default. Compared as what it is, the index finds the row. */
  keyIs?: "text" | "uuid" | "integer";
  /**
   * Columns to keep, or SQL with `record` as the row. Never a secret, and nothing that names a member: entries outlive
   * accounts.
   */
  keeps: readonly (string | { as: string; sql: string })[];
}

const isDropped = {
  as: "is_dropped",
  sql: "exists (select from dropped_work dropped where dropped.work_id = record.id)",
};

/** Every kind of record that operators change. A section adds its own here. */
export const subjects = {
  member: {
    name: "Member",
    table: "members",
    key: "id",
    keyIs: "uuid",
    keeps: [
      "verification",
      "verified_until",
      "suspended_at",
      "closed_at",
      { as: "sessions", sql: "(select count(*) from member_sessions s where s.member_id = record.id)" },
      {
        as: "closure",
        sql: "(select c.state from closures c where c.member_id = record.id and c.state <> 'cancelled')",
      },
      { as: "notes", sql: "(select count(*) from member_notes n where n.member_id = record.id)" },
    ],
  },
  // What an operator opened and changed as the member: an entry for each request.
  "account-access": {
    name: "Account access",
    table: "account_access_requests",
    key: "public_id",
    keeps: [
      ...["member_id", "operator_id", "state", "answered_at", "started_at", "ends_at", "ended_at", "ended_by"],
      ...["last_request", "pages_seen", "changes_made", "requests_refused"],
    ],
  },
  verification: {
    name: "Verification",
    table: "verification_requests",
    key: "public_id",
    keeps: ["member_id", "state", "reason", "decided_at", "decided_by", "valid_until"],
  },
  claim: {
    name: "Claim",
    table: "claims",
    key: "public_id",
    keeps: [
      "member_id",
      "state",
      "reason_code",
      "decided_at",
      "awaits_pack",
      "given_up_at",
      "attempts",
      "filings",
      "version",
    ],
  },
  "claim-pack": {
    name: "Pack of claims",
    table: "claim_packs",
    key: "pack_number",
    keyIs: "integer",
    keeps: [
      "network_id",
      "made_at",
      { as: "claims", sql: "(select count(*) from claim_filings f where f.pack_id = record.id)" },
    ],
  },
  mail: { name: "E-mail", table: "mails", key: "id", keyIs: "uuid", keeps: ["kind", "state", "attempts", isDropped] },
  "reset-request": {
    name: "Request for a new password",
    table: "password_reset_requests",
    key: "id",
    keyIs: "uuid",
    keeps: ["attempts", "next_try_at", "given_up_at", isDropped],
  },
  "webhook-delivery": {
    name: "Delivery to a partner",
    table: "partner_webhook_deliveries",
    key: "id",
    keyIs: "uuid",
    keeps: ["event_id", "kind", "attempts", "next_try_at", "delivered_at", isDropped],
  },
  "network-event": {
    name: "Push of a network",
    table: "network_events",
    key: "id",
    keyIs: "uuid",
    keeps: ["network_id", "network_transaction_id", "status", "attempts", "next_attempt_at", isDropped],
  },
  "refund-attempt": {
    name: "Refund of a payment",
    table: "payment_refunds",
    key: "id",
    keyIs: "uuid",
    keeps: ["payment_id", "amount_pence", "state", "attempts", "next_try_at"],
  },
  "gift-card-line": {
    name: "Gift card",
    table: "gift_card_lines",
    key: "public_id",
    keeps: ["order_id", "state", "card_state", "reason", "refunded_at", "next_step_at", "version"],
  },
  "gift-card-product": {
    name: "Gift-card product",
    table: "gift_card_products",
    key: "public_id",
    keeps: [
      "issuer",
      "issuer_product_id",
      "name",
      "stopped_at",
      "stopped_because",
      "is_insolvent",
      "reward_kind",
      "reward_bp",
    ],
  },
  "card-issuer": {
    name: "Issuer of gift cards",
    table: "gift_card_products",
    key: "issuer",
    keeps: [
      {
        as: "products",
        sql: "(select count(*) from gift_card_products p where p.issuer = record.issuer and p.withdrawn_at is null)",
      },
      {
        as: "withdrawn",
        sql: "(select count(*) from gift_card_products p where p.issuer = record.issuer and p.withdrawn_at is not null)",
      },
      { as: "read_at", sql: "(select max(p.synced_at) from gift_card_products p where p.issuer = record.issuer)" },
    ],
  },
  "float-payment": {
    name: "Payment to an issuer",
    table: "ledger_transfers",
    key: "transfer_key",
    keeps: [
      "transfer_kind",
      "happened_at",
      {
        as: "pence",
        sql: "(select sum(e.amount_pence) from ledger_entries e where e.transfer_id = record.id and e.amount_pence > 0)",
      },
    ],
  },
  referral: {
    name: "Referral",
    table: "referrals",
    key: "public_id",
    keeps: [
      "inviter_id",
      "member_id",
      {
        as: "bonuses",
        sql: "(select string_agg(b.side || ' ' || b.state, ', ' order by b.side) from bonuses b where b.referral_id = record.id)",
      },
      {
        as: "open_holds",
        sql: "(select count(*) from referral_holds h where h.referral_id = record.id and h.decision is null)",
      },
    ],
  },
  "referral-programme": {
    name: "Referral programme",
    table: "referral_programmes",
    key: "public_id",
    keeps: [
      { as: "brand", sql: "(select b.slug from brands b where b.id = record.brand_id)" },
      ...["friend_pence", "inviter_pence", "min_cashback_pence", "within_days", "max_per_year"],
      ...["starts_at", "ends_at", "made_by", "ended_by"],
    ],
  },
  partner: {
    name: "Partner",
    table: "partners",
    key: "public_id",
    keeps: [
      "name",
      "mints_per_minute",
      "suspended_at",
      {
        as: "keys",
        sql: "(select string_agg(k.mode || ' ' || k.prefix, ', ' order by k.created_at, k.id) from partner_api_keys k where k.partner_id = record.id and k.revoked_at is null)",
      },
      {
        as: "origins",
        sql: "(select string_agg(o.origin, ', ' order by o.origin) from partner_origins o where o.partner_id = record.id)",
      },
      {
        as: "webhooks",
        sql: "(select string_agg(w.url || ', secret ' || w.secret_version, '; ' order by w.url) from partner_webhooks w where w.partner_id = record.id and w.disabled_at is null)",
      },
    ],
  },
  brand: {
    name: "Brand",
    table: "brands",
    key: "slug",
    keeps: [
      ...[
        "name",
        "strapline",
        "audience",
        "theme",
        "colours",
        "support_email",
        "affinity_id",
        "features",
        "store_links",
      ],
      ...["tracking", "registration", "home", "banner", "payout_threshold_pence"],
      {
        as: "menu",
        sql: "(select string_agg(item ->> 'label', ', ' order by at) from jsonb_array_elements(record.menu) with ordinality m (item, at))",
      },
      {
        as: "hosts",
        sql: "(select string_agg(h.host, ', ' order by h.is_main desc, h.host) from brand_hosts h where h.brand_id = record.id)",
      },
      {
        as: "member_types",
        sql: "(select string_agg(t.slug, ', ' order by b.position) from brand_member_types b join member_types t on t.id = b.member_type_id where b.brand_id = record.id)",
      },
      {
        as: "carer_move",
        sql: "(select string_agg(t.slug || '/' || s.slug || ' to ' || b.slug || '/' || there.slug, ', ' order by t.slug, s.slug) from carer_migration_rules r join member_statuses s on s.id = r.member_status_id join member_types t on t.id = s.member_type_id join brands b on b.id = r.to_brand_id join member_types there on there.id = r.to_member_type_id where r.brand_id = record.id)",
      },
      { as: "retailers", sql: "(select count(*) from brand_retailers r where r.brand_id = record.id)" },
    ],
  },
  "legal-page": {
    name: "Legal page",
    table: "legal_pages",
    key: "id",
    keyIs: "uuid",
    keeps: [
      ...["slug", "title", "summary", "body", "updated_on"],
      { as: "brand", sql: "(select b.slug from brands b where b.id = record.brand_id)" },
    ],
  },
  "member-type": {
    name: "Member type",
    table: "member_types",
    key: "slug",
    keeps: [
      ...["name", "is_organisation", "member_id_label", "member_id_help", "position"],
      {
        as: "statuses",
        sql: "(select string_agg(s.name || case when s.hides_organisation_details then ' (hides the organisation)' else '' end, '; ' order by s.position, s.id) from member_statuses s where s.member_type_id = record.id)",
      },
      {
        as: "fields",
        sql: "(select jsonb_agg(to_jsonb(f) - 'id' - 'member_type_id' order by f.position, f.id) from additional_fields f where f.member_type_id = record.id)",
      },
      {
        as: "jobs",
        sql: "(select string_agg(c.name || ': ' || coalesce((select string_agg(r.name, ', ' order by r.position, r.id) from job_roles r where r.job_category_id = c.id), 'none'), '; ' order by c.position, c.id) from job_categories c where c.member_type_id = record.id)",
      },
      {
        as: "proofs",
        sql: "(select string_agg(l.status || ': ' || l.kinds, '; ' order by l.place nulls first, l.status) from (select coalesce(s.name, 'everyone') as status, s.position as place, string_agg(k.name, ', ' order by p.position, k.slug) as kinds from member_type_proofs p join proof_kinds k on k.id = p.proof_kind_id left join member_statuses s on s.id = p.member_status_id where p.member_type_id = record.id group by s.id, s.name, s.position) l)",
      },
      {
        as: "work_email_domains",
        sql: "(select string_agg(d.domain || case when d.with_subdomains then ' and under it' else '' end, ', ' order by d.domain) from work_email_domains d where d.member_type_id = record.id)",
      },
    ],
  },
  "proof-kind": {
    name: "Proof kind",
    table: "proof_kinds",
    key: "slug",
    keeps: ["name", "help", "shows", "hides", "drawing", "is_general", "position"],
  },
  threshold: {
    name: "Threshold",
    table: "thresholds",
    key: "threshold_key",
    keeps: ["club_value", "brand_values"],
  },
  "faq-subject": {
    name: "Subject of questions",
    table: "faq_categories",
    key: "id",
    keyIs: "uuid",
    keeps: [
      ...["slug", "name", "position", "is_hidden"],
      { as: "brand", sql: "(select b.slug from brands b where b.id = record.own_brand_id)" },
      { as: "questions", sql: "(select count(*) from faqs f where f.category_id = record.id)" },
    ],
  },
  faq: {
    name: "Question",
    table: "faqs",
    key: "id",
    keyIs: "uuid",
    keeps: [
      ...["slug", "question", "answer", "feature", "position"],
      { as: "category", sql: "(select c.slug from faq_categories c where c.id = record.category_id)" },
      { as: "brand", sql: "(select b.slug from brands b where b.id = record.brand_id)" },
    ],
  },
  notice: {
    name: "Notice",
    table: "notices",
    key: "id",
    keyIs: "uuid",
    keeps: [
      ...["kind", "title", "text", "since", "until"],
      { as: "brand", sql: "(select b.slug from brands b where b.id = record.brand_id)" },
    ],
  },
  operator: {
    name: "Operator",
    table: "operators",
    key: "id",
    keyIs: "uuid",
    keeps: [
      "email",
      "name",
      "role",
      "disabled_at",
      "version",
      {
        as: "has_second_factor",
        sql: "exists (select from operator_second_factors f where f.operator_id = record.id and f.enabled_at is not null)",
      },
      { as: "sessions", sql: "(select count(*) from operator_sessions s where s.operator_id = record.id)" },
    ],
  },
  // Everything that the form has, by its names: an undo writes it back.
  offer: {
    name: "Offer",
    table: "offers",
    key: "public_id",
    keeps: [
      ...["kind", "title", "headline", "description", "terms", "exclusions", "status", "popularity", "kept"],
      ...(["landing_url", "adults_only", "starts_at", "ends_at"] as const),
      {
        as: "code",
        sql: "(select k.code from offer_codes k where k.offer_id = record.id and k.code_kind = 'shared' and k.variant_id is null)",
      },
      {
        as: "categories",
        sql: "array(select c.slug from offer_categories f join categories c on c.id = f.category_id where f.offer_id = record.id order by c.slug)",
      },
      {
        as: "brands",
        sql: "array(select b.slug from offer_brands o join brands b on b.id = o.brand_id where o.offer_id = record.id order by b.slug)",
      },
      {
        as: "variants",
        sql: "coalesce((select jsonb_agg(jsonb_build_object('label', v.label, 'landingUrl', v.landing_url) order by v.position, v.label) from offer_variants v where v.offer_id = record.id), '[]')",
      },
      {
        as: "codes_in_pool",
        sql: "(select count(*) from offer_codes k where k.offer_id = record.id and k.code_kind = 'pool')",
      },
    ],
  },
  category: { name: "Category", table: "categories", key: "slug", keeps: ["name", "body", "position", "is_hidden"] },
  // By the hash of the file's bytes.
  "catalogue-import": {
    name: "Import of the catalogue",
    table: "catalogue_imports",
    key: "content_hash",
    keeps: [
      "source_name",
      "content_kind",
      "rows_read",
      "rows_created",
      "rows_updated",
      "rows_unchanged",
      "rows_withdrawn",
    ],
  },
  // By the hash of the network and the file.
  "network-report": {
    name: "Report of a network, from a file",
    table: "network_report_files",
    key: "content_hash",
    keeps: [
      "file_name",
      "downloaded_at",
      "rows_read",
      "rows_new",
      "rows_changed",
      "rows_failed",
      "rows_unreadable",
      "imported_at",
      { as: "network", sql: "(select n.slug from networks n where n.id = record.network_id)" },
    ],
  },
  network: {
    name: "Network",
    table: "networks",
    key: "slug",
    keeps: ["name", { as: "member_share_percent", sql: "trim_scale(record.member_share_bp / 100.0)::text" }],
  },
  "exchange-rate": {
    name: "Exchange rate",
    table: "exchange_rates",
    key: "id",
    keyIs: "uuid",
    keeps: [
      "currency",
      "valid_from",
      { as: "pounds_per_unit", sql: "trim_scale(record.rate_micros / 1000000.0)::text" },
    ],
  },
  "import-run": {
    name: "Import under way",
    table: "catalogue_import_runs",
    key: "id",
    keyIs: "uuid",
    keeps: ["source_name", "started_by", "started_at", "stage", "rows_read", "stopped_by"],
  },
  "rate-tier": {
    name: "Rate",
    table: "rate_tiers",
    key: "id",
    keyIs: "uuid",
    keeps: [
      "label",
      "basis",
      "cap_pence",
      "kept",
      {
        as: "boosts",
        sql: `array(select coalesce(trim_scale(b.member_rate_bp / 100.0) || '%', '£' || to_char(b.member_rate_pence / 100.0, 'FM999990.00'))
            || ' from ' || to_char(b.starts_at at time zone 'Europe/London', 'FMDD Mon YYYY, HH24:MI')
            || ' to ' || to_char(b.ends_at at time zone 'Europe/London', 'FMDD Mon YYYY, HH24:MI')
          from boosts b where b.rate_tier_id = record.id order by b.starts_at)`,
      },
      {
        as: "retailer",
        sql: "(select r.slug from programmes p join retailers r on r.id = p.retailer_id where p.id = record.programme_id)",
      },
    ],
  },
  retailer: {
    name: "Retailer",
    table: "retailers",
    key: "slug",
    keeps: [
      ...[
        "name",
        "short_info",
        "long_info",
        "terms",
        "homepage_url",
        "status",
        "accepts_claims",
        "adults_only",
        "popularity",
      ],
      ...([
        "tracks_within_days_min",
        "tracks_within_days_max",
        "confirms_within_days_min",
        "confirms_within_days_max",
      ] as const),
      "confirms_after",
      {
        as: "main_category",
        sql: "(select c.slug from retailer_categories f join categories c on c.id = f.category_id where f.retailer_id = record.id and f.is_main)",
      },
      {
        as: "categories",
        sql: "array(select c.slug from retailer_categories f join categories c on c.id = f.category_id where f.retailer_id = record.id order by c.slug)",
      },
      {
        as: "brands",
        sql: "array(select b.slug from brand_retailers s join brands b on b.id = s.brand_id where s.retailer_id = record.id order by b.slug)",
      },
      {
        as: "programmes",
        sql: "array(select n.slug || ' ' || p.network_programme_id from programmes p join networks n on n.id = p.network_id where p.retailer_id = record.id order by 1)",
      },
      {
        as: "claim_rule",
        sql: "coalesce((select 'from ' || coalesce('day ' || c.opens_after_days, 'the usual day') || ' to day ' || c.closes_after_days || case when c.needs_evidence then ', with evidence' else ', without evidence' end from claim_rules c where c.retailer_id = record.id), 'the default')",
      },
      { as: "merged_into", sql: "(select place.slug from retailers place where place.id = record.merged_into_id)" },
      {
        as: "merged_from",
        sql: "array(select m.slug from retailers m where m.merged_into_id = record.id order by m.slug)",
      },
    ],
  },
  payout: {
    name: "Payout",
    table: "payouts",
    key: "public_id",
    keeps: ["member_id", "state", "amount_pence", "bank_reference", "batch_id", "reason", "requested_by", "version"],
  },
  "payout-hold": {
    name: "Hold of payouts",
    table: "payout_holds",
    key: "public_id",
    keeps: ["member_id", "placed_by", "placed_at", "lifted_by", "lifted_at"],
  },
  "payout-batch": {
    name: "Batch of payouts",
    table: "payout_batches",
    key: "batch_number",
    keyIs: "integer",
    keeps: [
      ...["made_by", "processing_day", "entry_day", "approved_at", "approved_by", "approved_alone_because"],
      ...["rejected_at", "rejected_by", "cancelled_at", "cancelled_by", "confirmed_at", "confirmed_by"],
      { as: "payouts", sql: "(select count(*) from payouts p where p.batch_id = record.id)" },
      { as: "pence", sql: "(select coalesce(sum(amount_pence), 0) from payouts p where p.batch_id = record.id)" },
      { as: "paid", sql: "(select count(*) from payouts p where p.batch_id = record.id and p.state = 'paid')" },
    ],
  },
  "payout-report": {
    name: "Report of the bank",
    table: "payout_reports",
    key: "public_id",
    keeps: [
      ...["file_name", "read_by", "applied_at", "applied_by", "discarded_at", "discarded_by"],
      { as: "lines", sql: "jsonb_array_length(record.failures)" },
    ],
  },
  goodwill: {
    name: "Goodwill",
    table: "goodwill_credits",
    key: "public_id",
    keeps: ["member_id", "amount_pence", "reason", "reference", "state", "given_by", "reversed_by"],
  },
  payment: {
    name: "Card payment",
    table: "payments",
    key: "public_id",
    keeps: ["mode", "state", "amount_pence", "refunded_pence", "version"],
  },
  "book-check": {
    name: "Check of the books",
    table: "book_checks",
    key: "public_id",
    keeps: ["checked_by", "transfers", "entries", { as: "faults", sql: "jsonb_array_length(record.faults)" }],
  },
} as const satisfies Record<string, Subject>;

export type SubjectType = keyof typeof subjects;

export function isSubjectType(type: string): type is SubjectType {
  return Object.hasOwn(subjects, type);
}
