/** What members care about and can be late. */
export type StatusArea = "site" | "purchases" | "confirmations" | "payouts" | "gift-cards" | "mails" | "search";

/** How one of them does (P6). */
export interface AreaStatus {
  area: StatusArea;
  isLate: boolean;
  /** Since when it is late, where that is known. */
  since: Date | null;
  /** The number of the brand's retailers whose purchases are late; 0 for other areas. */
  shops: number;
}

interface AreaWords {
  name: string;
  works: string;
  /** What is late, without "since when", and what follows for members. */
  late: (status: AreaStatus) => string;
  follows: string;
}

const words: Record<StatusArea, AreaWords> = {
  site: { name: "The site and its offers", works: "You are looking at it.", late: () => "", follows: "" },
  purchases: {
    name: "Tracking of purchases",
    works: "Shops report purchases as usual.",
    late: ({ shops }) => `Purchases at ${shops === 1 ? "1 shop are" : `${shops} shops are`} reported late`,
    follows: "They show in your account once the report arrives, and keep the rate of the day you bought.",
  },
  confirmations: {
    name: "Confirmation of cashback",
    works: "Decisions of shops show in your account as usual.",
    late: () => "Decisions of some shops show late",
    follows: "Your cashback stays as it is until they arrive.",
  },
  payouts: {
    name: "Payouts",
    works: "Withdrawals are paid as usual.",
    late: () => "A payout run is late",
    follows: "Withdrawals that were asked for are kept and will be paid.",
  },
  "gift-cards": {
    name: "Gift cards",
    works: "Cards arrive as usual.",
    late: () => "Some cards arrive late",
    follows: "A card that can’t be had is refunded.",
  },
  mails: {
    name: "E-mails",
    works: "E-mails are sent as usual.",
    late: () => "E-mails are sent late",
    follows: "What they say is also in your account.",
  },
  search: {
    name: "Search",
    works: "Every offer can be found.",
    late: () => "Some new offers can’t be found yet",
    follows: "They are on the pages of their shops.",
  },
};

/**
 * Returns the words about one area: its name, how it does, and what follows for members. Pure.
 * @param when says a moment, for example `yesterday at 14:00`
 */
export function statusWords(
  status: AreaStatus,
  when: (moment: Date) => string,
): { name: string; says: string; follows: string | null } {
  const { name, works, late, follows } = words[status.area];
  if (!status.isLate) return { name, says: works, follows: null };
  return { name, says: `${late(status)}${status.since ? `, since ${when(status.since)}` : ""}.`, follows };
}

/** Returns the sentence over all of them. Pure. */
export function statusSummary(statuses: readonly AreaStatus[]): string {
  const late = statuses.filter(({ isLate }) => isLate).length;
  if (late === 0) return "Everything works.";
  return late === 1 ? "One thing is late. Everything else works." : "Some things are late. Everything else works.";
}
