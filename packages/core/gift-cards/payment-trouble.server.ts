import { sql } from "kysely";
import { CLAIMING_DISPUTE_STATES, OPEN_DISPUTE_STATES, type DisputeState } from "../payments/dispute-rules.ts";

const among = (states: readonly DisputeState[]) => sql`(${sql.join(states.map((state) => sql.lit(state)))})`;

/** What disputes say of the table `payment`; the part of a select list that `PaymentTrouble` needs. */
export const disputeTrouble = sql`
  exists (select from payment_disputes dispute where dispute.payment_id = payment.id
    and dispute.state in ${among(OPEN_DISPUTE_STATES)}) as "isDisputed",
  exists (select from payment_disputes dispute where dispute.payment_id = payment.id
    and dispute.state = 'lost') as "isLost",
  (select coalesce(sum(dispute.amount_pence), 0)::bigint from payment_disputes dispute
    where dispute.payment_id = payment.id and dispute.state in ${among(CLAIMING_DISPUTE_STATES)}) as "claimedPence"`;

/** The states in which a buyer has disputed: not won by us, and not dropped by the bank. */
export const disputesOfBuyer = among([...OPEN_DISPUTE_STATES, "lost"]);
