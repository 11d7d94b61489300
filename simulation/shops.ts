/** The simulated retailers: five at each network. What a member earns there, and what the network pays the club. */

export const networks = ["awin", "cj", "rakuten", "impact", "partnerize"] as const;
export type NetworkSlug = (typeof networks)[number];

export type MemberRate =
  | { kind: "percent"; bp: number; boostBp: number | null; capPence: number | null }
  | { kind: "fixed"; pence: number };

export interface Shop {
  network: NetworkSlug;
  /** The advertiser's id at the network. */
  advertiserId: number;
  slug: string;
  name: string;
  currency: "GBP" | "EUR" | "USD";
  rate: MemberRate;
  /** The network's commission: basis points, or pence for each sale. */
  commission: { bp: number } | { pence: number };
  /** The id by which the club knows the programme at its network. */
  programmeId: string;
  /** The programme's own link, at networks that have one. */
  link: string | null;
  groupId: number;
}

const kinds = [
  { word: "Plain", rate: { kind: "percent", bp: 550, boostBp: null, capPence: null }, commission: { bp: 815 } },
  { word: "Capped", rate: { kind: "percent", bp: 700, boostBp: null, capPence: 900 }, commission: { bp: 975 } },
  { word: "Fixed", rate: { kind: "fixed", pence: 415 }, commission: { pence: 640 } },
  { word: "Foreign", rate: { kind: "percent", bp: 425, boostBp: null, capPence: null }, commission: { bp: 733 } },
  { word: "Boosted", rate: { kind: "percent", bp: 310, boostBp: 625, capPence: null }, commission: { bp: 905 } },
] as const satisfies readonly { word: string; rate: MemberRate; commission: Shop["commission"] }[];

/** CJ pays in the club's own currency, at its own exchange rate. */
const foreign = { awin: "EUR", cj: "GBP", rakuten: "USD", impact: "EUR", partnerize: "USD" } as const;

export const shops: readonly Shop[] = networks.flatMap((network, at) =>
  kinds.map(({ word, rate, commission }, index): Shop => {
    const advertiserId = (at + 1) * 1_000 + index + 1;
    return {
      network,
      advertiserId,
      slug: `${word.toLowerCase()}-${network}`,
      name: `${word} Goods of ${network}`,
      currency: word === "Foreign" ? foreign[network] : "GBP",
      rate,
      commission,
      programmeId: network === "partnerize" ? `1111l${advertiserId}` : String(advertiserId),
      link:
        network === "impact"
          ? `https://tracking.example/c/1924609/650971/${advertiserId}`
          : network === "partnerize"
            ? `https://prf.example/click/camref:1011l${advertiserId}`
            : null,
      groupId: 100 + index,
    };
  }),
);

/** A boost holds from the first to the tenth day of each month. */
export const BOOST_ENDS_ON_DAY = 11;

/** Returns millionths of a pound per unit: another rate every month. */
export function exchangeRateMicros(currency: Shop["currency"], at: Date): number {
  if (currency === "GBP") return 1_000_000;
  const month = at.getUTCFullYear() * 12 + at.getUTCMonth();
  return currency === "EUR" ? 850_000 + (month % 7) * 3_111 : 770_000 + (month % 5) * 5_237;
}

/** What retailers answer to a claim about an order that is not the member's. */
export const REFUSAL_WORDS = "No such order of this customer is in our books";
