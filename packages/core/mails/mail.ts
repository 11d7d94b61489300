import type { z } from "zod";
import type { MailBrand, MailContent } from "./mail-template.ts";
import { accountAccess } from "./templates/account-access.ts";
import { accountAccessAnswer } from "./templates/account-access-answer.ts";
import { addEmail } from "./templates/add-email.ts";
import { alreadyRegistered } from "./templates/already-registered.ts";
import { bonusEarned } from "./templates/bonus-earned.ts";
import { bonusExpiring } from "./templates/bonus-expiring.ts";
import { bonusReversed } from "./templates/bonus-reversed.ts";
import { cashbackNews } from "./templates/cashback-news.ts";
import { cashbackOverdue } from "./templates/cashback-overdue.ts";
import { claimNews } from "./templates/claim-news.ts";
import { closureBankDetails } from "./templates/closure-bank-details.ts";
import { closureDone } from "./templates/closure-done.ts";
import { closureRequested } from "./templates/closure-requested.ts";
import { confirmEmail } from "./templates/confirm-email.ts";
import { emailChanged } from "./templates/email-changed.ts";
import { friendJoined } from "./templates/friend-joined.ts";
import { giftCardDelay } from "./templates/gift-card-delay.ts";
import { giftCardExpiring } from "./templates/gift-card-expiring.ts";
import { giftCardReceipt } from "./templates/gift-card-receipt.ts";
import { giftCardStopped } from "./templates/gift-card-stopped.ts";
import { goodwill } from "./templates/goodwill.ts";
import { newSignIn } from "./templates/new-sign-in.ts";
import { noAccount } from "./templates/no-account.ts";
import { operatorCode } from "./templates/operator-code.ts";
import { operatorInvitation } from "./templates/operator-invitation.ts";
import { passkeyAdded } from "./templates/passkey-added.ts";
import { passwordChanged } from "./templates/password-changed.ts";
import { present } from "./templates/present.ts";
import { presentNews } from "./templates/present-news.ts";
import { rateAlert } from "./templates/rate-alert.ts";
import { resetPassword } from "./templates/reset-password.ts";
import { secondFactor } from "./templates/second-factor.ts";
import { bankDetailsChanged } from "./templates/bank-details-changed.ts";
import { payoutFailed } from "./templates/payout-failed.ts";
import { payoutPaid } from "./templates/payout-paid.ts";
import { payoutRequested } from "./templates/payout-requested.ts";
import { carerMove } from "./templates/carer-move.ts";
import { renewalDue } from "./templates/renewal-due.ts";
import { verificationAccepted } from "./templates/verification-accepted.ts";
import { verificationRejected } from "./templates/verification-rejected.ts";
import { verificationSubmitted } from "./templates/verification-submitted.ts";
import { workEmailLink } from "./templates/work-email-link.ts";

/** All kinds of mail. A noun adds a template file and names it here. */
const templates = [
  accountAccess,
  accountAccessAnswer,
  addEmail,
  alreadyRegistered,
  bankDetailsChanged,
  bonusEarned,
  bonusExpiring,
  bonusReversed,
  cashbackNews,
  cashbackOverdue,
  claimNews,
  closureBankDetails,
  closureDone,
  closureRequested,
  confirmEmail,
  emailChanged,
  friendJoined,
  giftCardDelay,
  giftCardExpiring,
  giftCardReceipt,
  giftCardStopped,
  goodwill,
  newSignIn,
  noAccount,
  operatorCode,
  operatorInvitation,
  passkeyAdded,
  passwordChanged,
  payoutFailed,
  payoutPaid,
  payoutRequested,
  present,
  presentNews,
  rateAlert,
  resetPassword,
  secondFactor,
  carerMove,
  renewalDue,
  verificationAccepted,
  verificationRejected,
  verificationSubmitted,
  workEmailLink,
] as const;

type Template = (typeof templates)[number];
type MailOf<T> = T extends { kind: infer Kind; schema: infer Schema extends z.ZodType }
  ? z.input<Schema> extends Record<string, never>
    ? { kind: Kind } // nothing to know
    : { kind: Kind } & z.input<Schema>
  : never;

/** A mail as it is queued: its kind and its data. */
export type Mail = MailOf<Template>;
export type MailKind = Mail["kind"];

/** Returns the validated mail. @throws ZodError for data that does not fit its kind */
export function mailData(mail: Mail): Record<string, unknown> {
  const { kind, ...data } = mail;
  return templateOf(kind).schema.parse(data) as Record<string, unknown>;
}

/** Returns the content of a mail. @throws ZodError for data that does not fit, RangeError for an unknown kind */
export function mailContent(kind: string, data: unknown, brand: MailBrand): MailContent {
  const template = templateOf(kind);
  return template.content(template.schema.parse(data) as never, brand);
}

function templateOf(kind: string): Template {
  const template = templates.find((candidate) => candidate.kind === kind);
  if (!template) throw new RangeError(`Unknown kind of mail: ${kind}`);
  return template;
}
