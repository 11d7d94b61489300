/**
 * What a brand's site may do beyond the necessary, once the person agrees (T6). Each purpose is agreed to by itself, and nothing of it happens before:
 * PECR regulation 6 and UK GDPR articles 6 and 7.
 */
export const PURPOSES = ["measurement", "tags", "messages"] as const;
export type Purpose = (typeof PURPOSES)[number];

/**
 * The version of the words below. Raise it when they change in meaning: an earlier choice no longer counts, and everybody is asked again.
 */
export const CONSENT_VERSION = 1;

/** How long a choice holds, in seconds: half a year, whether it is yes or no. Then the question comes again. */
export const CONSENT_SECONDS = 180 * 24 * 60 * 60;

export interface PurposeWords {
  label: string;
  /** What happens, and what is stored, once the person agrees. */
  text: string;
}

export const purposeWords: Readonly<Record<Purpose, PurposeWords>> = {
  measurement: {
    label: "Counting what is used",
    text: "We count which offers, shops, categories and searches people open, and which offers they use, so that we can make the club better. The counts stay with us. A random number tells one visit from the next and goes when you close your browser.",
  },
  tags: {
    label: "Marketing tags",
    text: "We tell our tag manager which parts of a page were shown and pressed. It loads tags of companies that we advertise with, and they may set cookies.",
  },
  messages: {
    label: "Messages on this device",
    text: "The service that sends our news may keep a small program in this browser, which shows notifications once you have allowed them.",
  },
};

/** What somebody has chosen in one browser. */
export interface ConsentChoice {
  version: number;
  chosenAt: Date;
  purposes: Purpose[];
}

/** What decides which purposes a brand has. */
export interface PurposeSettings {
  features: { telemetry: boolean };
  tracking: { tagManager: string | null; engagementScript: string | null };
}

/** Returns the purposes that a brand asks for, in the order of `PURPOSES`; none where it has nothing to ask. */
export function purposesOf({ features, tracking }: PurposeSettings): Purpose[] {
  const has: Record<Purpose, boolean> = {
    measurement: features.telemetry,
    tags: tracking.tagManager !== null,
    messages: tracking.engagementScript !== null,
  };
  return PURPOSES.filter((purpose) => has[purpose]);
}

/**
 * Returns what may happen in a browser: what was agreed to in words that still hold, among what the brand asks for. Nothing where the browser sends
 * Global Privacy Control (https://w3c.github.io/gpc/), whatever was agreed to: the signal is the person's standing answer.
 */
export function grantedPurposes(
  choice: ConsentChoice | null,
  { asked, hasSignal, now }: { asked: readonly Purpose[]; hasSignal: boolean; now: Date },
): Purpose[] {
  if (hasSignal || !choice || !isCurrent(choice, now)) return [];
  return asked.filter((purpose) => choice.purposes.includes(purpose));
}

/** Returns whether a choice still holds: made for the words of today, and not too long ago. */
export function isCurrent({ version, chosenAt }: ConsentChoice, now: Date): boolean {
  const age = (now.getTime() - chosenAt.getTime()) / 1000;
  return version === CONSENT_VERSION && age < CONSENT_SECONDS;
}

/**
 * Reads the choice from a form: `choice` is `all`, `none` or `some`, which takes the purposes that are ticked. Returns null for anything else.
 */
export function purposesInForm(form: Pick<FormData, "get" | "has">, asked: readonly Purpose[]): Purpose[] | null {
  const choice = form.get("choice");
  if (choice === "all") return [...asked];
  if (choice === "none") return [];
  return choice === "some" ? asked.filter((purpose) => form.has(purpose)) : null;
}
