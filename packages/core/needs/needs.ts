import type { Permission } from "../operators/permissions.ts";

/** Something that waits for a person: a queue of the home page. */
interface Need {
  /** What waits, after its number: "proofs of membership to decide". */
  label: string;
  /** The queue, sorted from the oldest. */
  path: `/admin${string}`;
  /** Whoever may open the queue sees the need. */
  see: Permission;
  /** SQL of one row: `count`, and `oldest`, the time since when the first one waits. $now is the moment of asking. */
  sql: string;
}

/** Every queue. A section adds its own here, with an index that the count can use. */
export const needs = {
  verifications: {
    label: "proofs of membership to decide",
    path: "/admin/verifications",
    see: "verifications.see",
    sql: `select count(*), min(submitted_at) as oldest from verification_requests where state = 'submitted'`,
  },
} as const satisfies Record<string, Need>;

export type NeedKey = keyof typeof needs;
