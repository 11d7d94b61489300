/** When a code is demoted, when figures are shown, and when operators are alerted (O4, D3, A3): what operators can set. Pure. */

export interface Threshold {
  /** The part of the settings page. */
  group: "members" | "operators";
  /** A name for people. */
  name: string;
  /** What follows from it, in words. */
  does: string;
  /** What the number counts. */
  unit: string;
  /** A whole number, like `min` and `max`, which can be set too. */
  default: number;
  min: number;
  max: number;
  /** True where a brand can differ from the club: where the members of one brand see what follows. */
  isPerBrand: boolean;
}

/** Every threshold. Rules read them through queries.server.ts; nothing else has the figures. */
export const thresholds = {
  "code-failures": {
    ...{ group: "members", name: "Failures that demote a code", unit: "members", isPerBrand: true },
    does: "A code is shown after the others, with a warning, once this many members have said that it did not work, unless more said that it did.",
    ...{ default: 3, min: 1, max: 100 },
  },
  "code-failure-hours": {
    ...{ group: "members", name: "How long a failure counts", unit: "hours", isPerBrand: true },
    does: "Votes of this many hours decide whether a code is demoted. A code that was demoted returns to its place when they are over.",
    ...{ default: 24, min: 1, max: 168 },
  },
  "code-sample": {
    ...{ group: "members", name: "Votes that a verdict needs", unit: "members", isPerBrand: true },
    does: "“Worked for 12 members this week” is shown once this many members have voted in a week.",
    ...{ default: 5, min: 1, max: 1_000 },
  },
  "scorecard-sample": {
    ...{ group: "members", name: "Purchases that a scorecard needs", unit: "purchases", isPerBrand: true },
    does: "Pages of a retailer and its offers show how it tracks and declines once this many purchases of a year are known; the figures on decisions, once this many are decided.",
    ...{ default: 30, min: 5, max: 10_000 },
  },
  "tracking-sample": {
    ...{
      group: "operators",
      name: "Purchases before a retailer’s tracking is judged",
      unit: "purchases",
      isPerBrand: false,
    },
    does: "Below this many purchases of a year, a retailer’s share tracked in time is not worked out, and raises no alert.",
    ...{ default: 20, min: 1, max: 10_000 },
  },
  "tracking-percent": {
    ...{ group: "operators", name: "Falling tracking share", unit: "% tracked in time", isPerBrand: false },
    does: "Home lists a retailer whose share of purchases tracked in time is below this.",
    ...{ default: 90, min: 1, max: 100 },
  },
  "network-silent-hours": {
    ...{ group: "operators", name: "Silent network", unit: "hours", isPerBrand: false },
    does: "Home lists a network whose report was not read for longer than this.",
    ...{ default: 24, min: 1, max: 720 },
  },
  "pool-low-percent": {
    ...{ group: "operators", name: "Pool of codes running out", unit: "% of its codes left", isPerBrand: false },
    does: "A pool of codes is low below this share. At 0, only empty pools raise an alert. A change looks at every pool again.",
    ...{ default: 5, min: 0, max: 90 },
  },
  "gift-card-attempts": {
    ...{ group: "operators", name: "Failing gift card", unit: "attempts", isPerBrand: false },
    does: "A gift card that is still not issued, taken back or refunded after more attempts than this waits for a person.",
    ...{ default: 5, min: 1, max: 100 },
  },
  "float-pounds": {
    ...{ group: "operators", name: "Low gift-card float", unit: "pounds", isPerBrand: false },
    does: "Home lists an issuer of gift cards that has less of our money than this. At 0, it is listed only once a card is refused for lack of it.",
    ...{ default: 500, min: 0, max: 1_000_000 },
  },
  "work-late-minutes": {
    ...{ group: "operators", name: "Background work behind", unit: "minutes", isPerBrand: false },
    does: "Home lists a queue of background work whose oldest piece has been due for longer than this.",
    ...{ default: 15, min: 1, max: 1_440 },
  },
} as const satisfies Record<string, Threshold>;

export type ThresholdKey = keyof typeof thresholds;
/** The values that hold. */
export type ThresholdValues = Record<ThresholdKey, number>;

export const thresholdKeys = Object.keys(thresholds) as ThresholdKey[];

export function isThresholdKey(key: string): key is ThresholdKey {
  return Object.hasOwn(thresholds, key);
}

/** Returns what a threshold is, whatever its key. */
export function thresholdOf(key: ThresholdKey): Threshold {
  return thresholds[key];
}

/** Returns whether a threshold can have this value. */
export function isInRange(key: ThresholdKey, value: unknown): value is number {
  const { min, max } = thresholds[key];
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}

/** Returns `a day`, `36 hours` or `3 days`. */
export function hoursInWords(hours: number): string {
  if (hours % 24 === 0) return hours === 24 ? "a day" : `${hours / 24} days`;
  return hours === 1 ? "an hour" : `${hours} hours`;
}

/** Returns the values without any of an operator's. */
export function defaultThresholds(): ThresholdValues {
  return Object.fromEntries(thresholdKeys.map((key) => [key, thresholds[key].default])) as ThresholdValues;
}
