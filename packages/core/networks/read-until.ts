/** Up to when a network's reports are read (C2): the one rule behind the need on home, the badge, the metric, the doctor and the status page. */

import { HOUR_MS, REACH_MS } from "./pass-windows.ts";

const NEVER_READ = `covered_until = late_covered_at - interval '${REACH_MS / HOUR_MS} hours'`;

/**
 * SQL: since when a row of `network_passes` knows nothing. Up to there it was read; one that was never read counts from its first try, because its first
 * window begins a month before it.
 */
export const PASS_READ_UNTIL = `case when ${NEVER_READ} then late_covered_at else covered_until end`;

/**
 * SQL of a row for each network whose report was ever asked for: `network_id`; `until`, up to when all of its reports are read, which is where the one
 * that is furthest behind stands; `is_read`, whether each was ever read.
 *
 * A look for sales that were reported late, whose last try failed, counts from when it was due: a day after the last whole one. A pass that was not
 * tried for a day while others of its network were is no report of the network any more.
 */
export const NETWORKS_READ_UNTIL = `select network_id, min(until) as until, bool_and(pass.is_read) as is_read from (
    select network_id, ran_at, (${NEVER_READ}) is not true as is_read, max(ran_at) over (partition by network_id) as network_ran_at,
      least(${PASS_READ_UNTIL}, case when late_error is not null then late_covered_at + interval '24 hours' end) as until
    from network_passes) pass
  where ran_at > network_ran_at - interval '24 hours' group by network_id`;

/** Up to when all of a network's reports are read; for one that was never read, when that was first tried. */
export interface ReadUntil {
  until: Date;
  /** Whether each of its reports was ever read. */
  isRead: boolean;
}
