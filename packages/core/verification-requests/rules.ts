/** A member's standing (members.verification) and the state of a request (verification_requests.state). */
export type Verification = "unverified" | "submitted" | "verified" | "rejected" | "lapsed";
export type RequestState = "submitted" | "accepted" | "rejected" | "replaced";
export type RequestEvent = "accept" | "reject" | "replace" | "accept-after-all";

/** All transitions of a request; any other is refused. */
export const requestTransitions: Record<RequestState, Partial<Record<RequestEvent, RequestState>>> = {
  submitted: { accept: "accepted", reject: "rejected", replace: "replaced" },
  accepted: {},
  // By mistake, while its file exists and no newer proof was sent (accept-after-all.server.ts).
  rejected: { "accept-after-all": "accepted" },
  replaced: {},
};

/** Returns the states from which an event is possible, for the guard of the update. */
export function statesBefore(event: RequestEvent): RequestState[] {
  return (Object.keys(requestTransitions) as RequestState[]).filter((state) => requestTransitions[state][event]);
}

export type MemberEvent = "submit" | "accept" | "reject" | "run-out";

/**
 * How events change a member's standing. Renewals overlap: a verified member stays verified while proof is reviewed,
 * and a rejection does not shorten a membership that has not run out (M4).
 */
export const memberTransitions: Record<Verification, Partial<Record<MemberEvent, Verification>>> = {
  unverified: { submit: "submitted", accept: "verified" },
  submitted: { submit: "submitted", accept: "verified", reject: "rejected" },
  verified: { submit: "verified", accept: "verified", reject: "verified", "run-out": "lapsed" },
  rejected: { submit: "submitted", accept: "verified" },
  lapsed: { submit: "submitted", accept: "verified", reject: "rejected" },
};

/** Returns the standing after an event. @throws RangeError for an event that is impossible in this standing */
export function memberAfter(verification: Verification, event: MemberEvent): Verification {
  const next = memberTransitions[verification][event];
  if (!next) throw new RangeError(`Impossible event for a member who is ${verification}: ${event}`);
  return next;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export const verificationDays = {
  /** How long a membership lasts after a decision. */
  valid: 365,
  /** How long before its end a membership can be renewed. */
  renewable: 60,
  /** How long before its end the member is told. */
  notice: 30,
  /** How long after the decision the file is kept, for questions about it. */
  keepFile: 14,
} as const;

export function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

/**
 * Returns the end of a membership that is accepted at `now`. A renewal adds to the time that is left, so that an early
 * one loses no days.
 */
export function validUntil({ now, verifiedUntil }: { now: Date; verifiedUntil: Date | null }): Date {
  const from = verifiedUntil && verifiedUntil > now ? verifiedUntil : now;
  return addDays(from, verificationDays.valid);
}

/** Returns whether a member may send proof now: always, except for a verified member whose end is not near. */
export function maySubmit({
  verification,
  verifiedUntil,
  now,
}: {
  verification: Verification;
  verifiedUntil: Date | null;
  now: Date;
}): boolean {
  if (verification !== "verified") return true;
  return verifiedUntil !== null && addDays(verifiedUntil, -verificationDays.renewable) <= now;
}

export const workEmailLimits = { linkHours: 24, sendsPerDay: 5, sendsPerMailboxPerDay: 3 } as const;
export const UPLOADS_PER_HOUR = 20;

/** Returns the mailbox of an address: without the part after a plus, so that one person at work has one mailbox. */
export function mailboxOf(email: string): string {
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  return `${local.split("+")[0]}@${domain}`;
}

export interface WorkDomain {
  domain: string;
  withSubdomains: boolean;
}

export function isWorkEmail(email: string, domains: readonly WorkDomain[]): boolean {
  const host = email.toLowerCase().split("@").at(-1) ?? "";
  return domains.some(
    ({ domain, withSubdomains }) => host === domain || (withSubdomains && host.endsWith(`.${domain}`)),
  );
}

/** Requests of a proof kind are counted up to one more than this: lists say "over 1,000" without reading a million rows. */
export const MAX_COUNTED_REQUESTS = 1_000;

/** Returns whether something needs a proof kind, so that it stays: members are asked for it, or have sent it. */
export function isProofKindUsed({
  isGeneral,
  askedBy,
  requests,
}: {
  isGeneral: boolean;
  askedBy: readonly unknown[];
  requests: number;
}): boolean {
  return isGeneral || askedBy.length > 0 || requests > 0;
}
