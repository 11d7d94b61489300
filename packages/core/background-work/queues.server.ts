import { sql } from "kysely";
import type { SubjectType } from "../audit/subjects.ts";
import { dueWatches } from "../cashback-notices/watch-purchases.server.ts";
import { dueClaims } from "../claims/work-claims.server.ts";
import type { WorkAbout } from "../due-work/due-work.server.ts";
import { dueLines } from "../gift-cards/due-lines.server.ts";
import { duePresents } from "../gift-cards/due-presents.server.ts";
import { dueNotices } from "../gift-cards/wallet-notices.server.ts";
import { dueMails } from "../mails/outbox.server.ts";
import { dueEvents } from "../networks/events.server.ts";
import { dueDeliveries } from "../partners/webhooks.server.ts";
import { dueDisputes } from "../payments/due-disputes.server.ts";
import { dueFees } from "../payments/due-fees.server.ts";
import { dueRefunds } from "../payments/due-refunds.server.ts";
import { dueLookups } from "../payments/overdue-payments.server.ts";
import { dueReferrals } from "../referrals/watch-referrals.server.ts";
import { dueResetRequests } from "../sign-in/reset-requests.server.ts";

/** A queue of background work, for operators. */
interface WorkQueue {
  name: string;
  /** What its work does. */
  does: string;
  due: Pick<
    typeof dueMails,
    "countOpen" | "countBuried" | "listBuried" | "countUpTo" | "list" | "nextDue" | "revive" | "drop" | "canRevive"
  >;
  about: WorkAbout;
  /** What can be done with work that was given up. Nothing where its record has a screen of its own that decides. */
  may: { retry: boolean; drop: boolean };
  /** The kind of record in the audit log, where something can be done. */
  subject: SubjectType | null;
}

const none = { retry: false, drop: false };
const nowhere = sql`null::text`;
const ofLine = sql`'/admin/gift-cards/lines/' || line.public_id`;

/** Every queue, under the table that holds it. */
export const queues = {
  mails: {
    name: "E-mails",
    does: "Sends e-mails. The text of one that was given up is deleted, so that it can’t be sent again.",
    due: dueMails,
    about: {
      join: sql`join brands brand on brand.id = work.brand_id`,
      text: sql`work.kind || ' of ' || brand.name`,
      path: sql`'/admin/members/' || work.member_id`,
    },
    may: { retry: false, drop: true },
    subject: "mail",
  },
  password_reset_requests: {
    name: "Password resets",
    does: "Answers requests for a new password.",
    due: dueResetRequests,
    about: {
      join: sql`join brands brand on brand.id = work.brand_id`,
      text: sql`'asked at ' || brand.name`,
      path: nowhere,
    },
    may: { retry: true, drop: true },
    subject: "reset-request",
  },
  partner_webhook_deliveries: {
    name: "Partners’ webhooks",
    does: "Tells partners’ servers of payments.",
    due: dueDeliveries,
    about: {
      join: sql`join partners partner on partner.id = webhook.partner_id`,
      text: sql`work.kind || ' to ' || webhook.url || case when webhook.disabled_at is null then '' else ' (disabled)' end`,
      path: sql`'/admin/partners/' || partner.public_id`,
    },
    may: { retry: true, drop: true },
    subject: "webhook-delivery",
  },
  network_events: {
    name: "Networks’ pushes",
    does: "Looks in a network’s report for a sale that it pushed.",
    due: dueEvents,
    about: {
      text: sql`network.name || coalesce(', sale ' || work.network_transaction_id, '')`,
      path: sql`'/admin/networks'`,
    },
    may: { retry: true, drop: true },
    subject: "network-event",
  },
  payment_lookups: {
    name: "Undecided payments",
    does: "Asks the card provider about payments of which nothing was heard.",
    due: dueLookups,
    about: { text: sql`'payment ' || payment.public_id`, path: nowhere },
    may: none,
    subject: null,
  },
  payment_refunds: {
    name: "Refunds",
    does: "Finishes refunds that the card provider has not answered. One that was given up is decided when it is retried.",
    due: dueRefunds,
    about: {
      text: sql`'payment ' || payment.public_id || ', £' || round(work.amount_pence / 100.0, 2)`,
      path: nowhere,
    },
    may: { retry: true, drop: false },
    subject: "refund-attempt",
  },
  payment_disputes: {
    name: "Disputes",
    does: "Asks the card provider how disputes stand.",
    due: dueDisputes,
    about: { text: sql`'dispute ' || work.public_id || ' of payment ' || payment.public_id`, path: nowhere },
    may: none,
    subject: null,
  },
  payment_fees: {
    name: "Card fees",
    does: "Reads what the card provider took for a payment.",
    due: dueFees,
    about: { text: sql`'payment ' || payment.public_id`, path: nowhere },
    may: none,
    subject: null,
  },
  cashback_watches: {
    name: "Purchases on their way",
    does: "Marks purchases that are overdue, and tells their members.",
    due: dueWatches,
    about: { text: sql`'a purchase that awaits ' || work.awaits`, path: sql`'/admin/members/' || work.member_id` },
    may: none,
    subject: null,
  },
  claims: {
    name: "Claims",
    does: "Opens claims, files them, asks for the answer and looks for the sale. One that was given up is decided on its own page.",
    due: dueClaims,
    about: {
      text: sql`'claim ' || work.public_id || ' at ' || network.name || ', ' || work.state`,
      path: sql`'/admin/claims/' || work.public_id`,
    },
    may: none,
    subject: null,
  },
  referral_watches: {
    name: "Invitations",
    does: "Looks whether an invited friend has qualified.",
    due: dueReferrals,
    about: {
      join: sql`join referrals referral on referral.id = work.referral_id`,
      text: sql`'referral ' || referral.public_id`,
      path: sql`'/admin/referrals?q=' || referral.public_id`,
    },
    may: none,
    subject: null,
  },
  gift_card_lines: {
    name: "Gift cards",
    does: "Gets cards from their issuers, takes cards back, refunds. It is money: never given up.",
    due: dueLines,
    about: {
      text: sql`'line ' || work.public_id || ', ' || work.state`,
      path: sql`'/admin/gift-cards/lines/' || work.public_id`,
    },
    may: none,
    subject: null,
  },
  gift_card_presents: {
    name: "Presents",
    does: "Sends gift cards that are presents on their day.",
    due: duePresents,
    about: {
      join: sql`join gift_card_lines line on line.id = work.line_id`,
      text: sql`'present of line ' || line.public_id || ', ' || work.state`,
      path: ofLine,
    },
    may: none,
    subject: null,
  },
  wallet_cards: {
    name: "Reminders of cards",
    does: "Reminds members of cards that expire, or whose retailer is insolvent, in administration or closed.",
    due: dueNotices,
    about: { text: sql`'card of line ' || line.public_id`, path: ofLine },
    may: none,
    subject: null,
  },
} as const satisfies Record<string, WorkQueue>;

export type QueueName = keyof typeof queues;

export function isQueueName(name: string): name is QueueName {
  return Object.hasOwn(queues, name);
}

export function findQueue(name: QueueName): WorkQueue {
  return queues[name];
}
