/** How often a member is asked, and how long a link is good (product.md M7, complaints 10: asking is not nagging). */
export const carerMigrationLimits = { askAgainDays: 30, mostAsked: 3, linkDays: 7, resendMinutes: 5 } as const;

const dayMs = 24 * 60 * 60 * 1000;

export interface AskedBefore {
  state: "later" | "agreed" | "moved";
  timesPutOff: number;
  askAgainAt: Date | null;
}

/** Whether a member whom it concerns is asked now: not while it is put off, not after three times, not once agreed. */
export function isAskedNow(before: AskedBefore | null, now: Date): boolean {
  if (before === null) return true;
  if (before.state !== "later") return false;
  return before.timesPutOff < carerMigrationLimits.mostAsked && before.askAgainAt !== null && before.askAgainAt <= now;
}

export function askAgainAt(now: Date): Date {
  return new Date(now.getTime() + carerMigrationLimits.askAgainDays * dayMs);
}

export function linkExpiresAt(now: Date): Date {
  return new Date(now.getTime() + carerMigrationLimits.linkDays * dayMs);
}

/** What is agreed to, in the words that are stored. */
export function consentWords({ fromName, toName }: { fromName: string; toName: string }): string {
  return `${fromName} may pass my name, e-mail address, date of birth and password to ${toName}, which makes an account for me once I confirm it by e-mail. My ${fromName} account stays as it is, with all I have earned.`;
}
