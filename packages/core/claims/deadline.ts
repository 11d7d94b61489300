import { ANSWER_DAYS, COMPLETE_DAYS, SALE_DAYS } from "./rules.ts";

const after = (days: number) => `(changed_at at time zone 'UTC') + interval '${days} days'`;

/**
 * SQL of when the next thing of a claim is due, as UTC without a zone; infinity for one that is over. In that zone it is
 * immutable, so that the index claims_deadline can hold it: the same expression.
 */
export const deadlineSql = `(case state
    when 'waiting' then closes_at at time zone 'UTC'
    when 'open' then closes_at at time zone 'UTC'
    when 'incomplete' then ${after(COMPLETE_DAYS)}
    when 'filed' then ${after(ANSWER_DAYS)}
    when 'accepted' then ${after(SALE_DAYS)}
    else timestamp 'infinity' end)`;
