/** What the log may keep of a kind of record: the columns that say its state. */
interface Subject {
  /** The word for people. */
  name: string;
  table: string;
  /** The column that the subject's id is. */
  key: string;
  /**
   * Columns to keep, or SQL with `record` as the row. Never a secret, and nothing that names a member: entries outlive
   * accounts.
   */
  keeps: readonly (string | { as: string; sql: string })[];
}

/** Every kind of record that operators change. A section adds its own here. */
export const subjects = {
  member: {
    name: "Member",
    table: "members",
    key: "id",
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
  verification: {
    name: "Verification",
    table: "verification_requests",
    key: "public_id",
    keeps: ["member_id", "state", "reason", "decided_at", "decided_by", "valid_until"],
  },
  operator: {
    name: "Operator",
    table: "operators",
    key: "id",
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
    keeps: [
      ...["made_by", "processing_day", "entry_day", "approved_at", "approved_by", "approved_alone_because"],
      ...["rejected_at", "rejected_by", "confirmed_at", "confirmed_by"],
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
      ...["file_name", "read_by", "applied_at", "applied_by"],
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
