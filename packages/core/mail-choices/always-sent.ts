/** The e-mails that nobody can turn off, in words for members (M5, M9). Pure. */
import type { MailKind } from "../mails/mail.ts";

/** What members are always told of, and the mails about it. A test compares the kinds with the templates that have no unsubscribe link. */
export const ALWAYS_SENT = [
  {
    about: "sign-ins, passwords and addresses",
    kinds: [
      ...(["add-email", "already-registered", "confirm-email", "email-changed", "new-sign-in"] as const),
      ...(["passkey-added", "password-changed", "reset-password", "second-factor"] as const),
    ],
  },
  {
    about: "proof of membership",
    kinds: [
      ...(["renewal-due", "verification-accepted", "verification-rejected"] as const),
      ...(["verification-submitted", "work-email-link"] as const),
    ],
  },
  { about: "a move to another club", kinds: ["carer-move"] },
  { about: "requests to see your account", kinds: ["account-access"] },
  {
    about: "withdrawals and bank details",
    kinds: ["bank-details-changed", "payout-failed", "payout-paid", "payout-requested"],
  },
  { about: "credits from us", kinds: ["goodwill"] },
  {
    about: "gift cards that you buy, take or give",
    kinds: ["gift-card-delay", "gift-card-receipt", "gift-card-stopped", "present-news"],
  },
  { about: "leaving", kinds: ["closure-bank-details", "closure-done", "closure-requested"] },
] as const satisfies readonly { about: string; kinds: readonly MailKind[] }[];

/** Mails to people who are not members, or to operators: each answers what somebody has just done. */
export const NOT_TO_MEMBERS = [
  "account-access-answer",
  "no-account",
  "operator-code",
  "operator-invitation",
  "present",
] as const satisfies readonly MailKind[];

/** What members are always told of, as one phrase: "sign-ins, passwords and addresses; …; and leaving". */
export function alwaysSentWords(): string {
  return ALWAYS_SENT.map(({ about }, index) => (index === ALWAYS_SENT.length - 1 ? `and ${about}` : about)).join("; ");
}
