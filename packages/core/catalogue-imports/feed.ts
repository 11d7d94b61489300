/** A network's programmes and promotions in core's terms: adapters map to these records, and the import reads nothing else of a feed. */
import type { BasisPoints } from "../money/money.ts";

/** The club's relationship to a programme. Only `joined` ones earn cashback. */
export type ProgrammeStatus = "joined" | "suspended" | "closed" | "not_joined";

export interface FeedProgramme {
  /** The network's own id; programmes are found again by it. At most 40 characters. */
  networkProgrammeId: string;
  name: string;
  /** The retailer's home page: an http or https URL. */
  landingUrl: string;
  /** The programme's own link, where the network's links need more than its id: a tracking domain, a camref. An http or https URL. */
  programmeLink?: string | null;
  /** ISO 4217, for example "GBP". */
  currency: string;
  status: ProgrammeStatus;
  /** Plain text; the empty string where the network has none. */
  description: string;
  /** Host names that deep links may lead to, and with them their subdomains; with none, the landing page's own host. */
  validDomains: string[];
  /** In the order members see. Null where the file says nothing about them: the programme's rate tiers then stay as they are. */
  commissionGroups: FeedCommissionGroup[] | null;
}

/** What the network pays the club for one kind of purchase. Core works out the member's rate from it. */
export type FeedCommissionGroup = { groupId: string; label: string } & (
  | { kind: "percent"; rateBp: BasisPoints }
  /** An amount per purchase, in minor units of its own currency. */
  | { kind: "fixed"; amountMinor: number; currency: string }
);

export interface FeedPromotion {
  /** The network's own id; offers are found again by it. At most 40 characters. */
  networkOfferId: string;
  /** Of the programme that the promotion belongs to. */
  networkProgrammeId: string;
  kind: "code" | "deal";
  /** At most 200 characters: a card shows it whole. */
  title: string;
  description: string;
  terms: string;
  /** Where a member ends up: an http or https URL of the retailer's. Null where the network names no page: the programme's own. */
  landingUrl: string | null;
  /** ISO 8601, as `instantText` in field-schema.ts accepts it. Without an offset it is in the adapter's time zone. */
  startsAt: string;
  /** As `startsAt`; null where the promotion has no end. */
  endsAt: string | null;
  /** The code that every member gets; null for a deal, and where the club holds a pool of codes instead. */
  code: string | null;
}
