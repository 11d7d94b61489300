/** The e-mails that members can choose (M5, M9). Pure. */

/** Sent unless the member has refused them. */
export const OPT_OUT_KINDS = [
  "cashback-tracked",
  "cashback-confirmed",
  "cashback-paid",
  "rate-alerts",
  "friends",
  "gift-cards",
] as const;
export type OptOutKind = (typeof OPT_OUT_KINDS)[number];

/** All kinds that a member can choose: those above, and the club's news, which needs a consent. */
export type MailChoiceKind = OptOutKind | "news";
export const MAIL_CHOICE_KINDS = [...OPT_OUT_KINDS, "news"] as const satisfies readonly MailChoiceKind[];

/** What an unsubscribe link ends: one kind, or everything about cashback for mails about several kinds. */
export type UnsubscribeSubject = MailChoiceKind | "cashback";

export function isUnsubscribeSubject(text: string): text is UnsubscribeSubject {
  return text === "cashback" || (MAIL_CHOICE_KINDS as readonly string[]).includes(text);
}

/** Returns the kinds that a link's subject ends. */
export function kindsOf(subject: UnsubscribeSubject): readonly MailChoiceKind[] {
  return subject === "cashback" ? ["cashback-tracked", "cashback-confirmed", "cashback-paid"] : [subject];
}

export const mailChoiceWords: Record<MailChoiceKind, { label: string; help: string }> = {
  "cashback-tracked": { label: "Cashback tracked", help: "A shop has told us of a purchase of yours." },
  "cashback-confirmed": {
    label: "Cashback confirmed or declined",
    help: "A shop has decided, or changed the amount, and why.",
  },
  "cashback-paid": { label: "Cashback paid", help: "Money is on its way to you." },
  "rate-alerts": { label: "Rate alerts", help: "A rate that you watch has risen. You choose which, shop by shop." },
  friends: {
    label: "Friends and bonuses",
    help: "A friend has joined, or a bonus is yours, runs out or was taken back.",
  },
  "gift-cards": {
    label: "Gift cards that expire",
    help: "A month and a week before a card with something left on it runs out.",
  },
  news: { label: "News and offers of the club", help: "Now and then. Off unless you turn it on." },
};

/** The name of a link's subject: "Stop mails about …". */
export const subjectWords: Record<UnsubscribeSubject, string> = {
  cashback: "your cashback",
  "cashback-tracked": "cashback that is tracked",
  "cashback-confirmed": "cashback that is confirmed or declined",
  "cashback-paid": "cashback that is paid",
  "rate-alerts": "rates that rise",
  friends: "friends you invite, and bonuses",
  "gift-cards": "gift cards that expire",
  news: "news and offers of the club",
};
