/** Today where the clubs are, as the calendar has it: 2026-11-20. Whoever turns eighteen today may join from midnight in London. */
export function londonDate(now: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/London", dateStyle: "short" }).format(now);
}

/** Whole years on a day, both as 2026-11-20. Born on 29 February, one is a year older on 1 March of a short year. */
export function ageOn(dateOfBirth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

/** Nobody has been older; a year of birth before that is a slip. */
export const MAX_AGE = 120;

/** How long a half-finished registration waits to be resumed. */
export const DRAFT_DAYS = 7;

export const registrationLimits = {
  /** From one network address, which may be a whole school's: times that step one is sent, and accounts that are made. */
  starts: { tries: 60, windowSeconds: 60 * 60 },
  accounts: { tries: 30, windowSeconds: 60 * 60 },
  /** Mails to one e-mail address that strangers can bring about here. Beyond it nothing is sent, and nobody is told. */
  mails: { tries: 3, windowSeconds: 24 * 60 * 60 },
} as const;

const places: Record<string, string> = {
  GB: "United Kingdom",
  IM: "Isle of Man",
  JE: "Jersey",
  GG: "Guernsey",
  IE: "Ireland",
  GI: "Gibraltar",
};

/** Where a member may live, by its code, in words. */
export function placeName(code: string): string {
  return places[code] ?? new Intl.DisplayNames("en-GB", { type: "region" }).of(code) ?? code;
}

/** The words a person agrees to; kept with the consent (`member_consents`). */
export function consentWording(kind: "terms" | "offers-by-email", brandName: string): string {
  return kind === "terms"
    ? `I agree to the terms of ${brandName} and have read its privacy notice.`
    : `Send me ${brandName}’s offers by e-mail. I can stop this at any time.`;
}

/** How long an answer to step two takes at least: far longer than the work, so that the time tells nobody whether an address has an account. */
export const EVEN_ANSWER_MS = 400;

/** Of an e-mail address, what somebody who knows it recognises and others can't use. */
export function maskedEmail(email: string): string {
  const [local = "", domain = ""] = email.split("@");
  return `${local.slice(0, 1)}…@${domain}`;
}
