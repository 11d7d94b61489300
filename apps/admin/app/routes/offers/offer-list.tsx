import { offerKinds, type OfferKind } from "@farthing/core/catalogue/catalogue-view.ts";
import type { ListedOffer, OfferListSort } from "@farthing/core/catalogue/offers/list-offers.server.ts";
import { THE_CLUB } from "@farthing/core/catalogue/offers/offer-source.ts";
import { offerState } from "@farthing/core/catalogue/rules.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

export const kindWords: Record<OfferKind, string> = {
  cashback: "Cashback",
  code: "Code",
  deal: "Deal",
  in_store: "In store",
  gift_card: "Gift card",
  app_exclusive: "In the app only",
};
export const kindChoices = offerKinds.map((value) => ({ value, label: kindWords[value] }));

const states = {
  live: { label: "live", tone: "good" },
  upcoming: { label: "begins later", tone: "warn" },
  expired: { label: "ended", tone: "plain" },
  withdrawn: { label: "not published", tone: "plain" },
} as const satisfies Record<string, { label: string; tone: Tone }>;

type Stated = Parameters<typeof offerState>[0];

/** What members make of an offer now. An offer of a retailer that is paused or closed says so. */
export function OfferState({ offer, now }: { offer: Stated; now: Date }) {
  if (offer.status === "live" && offer.retailerStatus !== "active")
    return <Badge tone="bad">retailer {offer.retailerStatus.replaceAll("_", " ")}</Badge>;
  const { label, tone } = states[offerState(offer, now)];
  return <Badge tone={tone}>{label}</Badge>;
}

export interface OfferChoices {
  brands: readonly { slug: string; name: string }[];
  categories: readonly { slug: string; name: string }[];
  networks: readonly { slug: string; name: string }[];
}

export const choicesOf = (named: readonly { slug: string; name: string }[]) =>
  named.map(({ slug, name }) => ({ value: slug, label: name }));

/** Offers as a list. Brands, categories and networks are data, so the page adds them to the filters. */
export function offerListing(
  { brands, categories, networks }: OfferChoices,
  now: Date,
): List<ListedOffer, OfferListSort> {
  return {
    name: "offers",
    path: "/admin/offers",
    csvPath: "/admin/offers.csv",
    rows: "offers",
    sorts: ["changed", "title", "ends"],
    defaultSort: "-changed",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ title }) => title,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Title, retailer or number" },
      { name: "brand", label: "Shown by", kind: "choice", choices: choicesOf(brands) },
      { name: "category", label: "Category", kind: "choice", choices: choicesOf(categories) },
      {
        name: "network",
        label: "From",
        kind: "choice",
        choices: [...choicesOf(networks), { value: THE_CLUB, label: "The club" }],
      },
      { name: "kind", label: "Kind", kind: "choice", choices: kindChoices },
      {
        name: "state",
        label: "State",
        kind: "choice",
        choices: [
          { value: "live", label: "Live" },
          { value: "upcoming", label: "Begins later" },
          { value: "ended", label: "Ended" },
          { value: "withdrawn", label: "Not published" },
        ],
      },
      { name: "retailer", label: "Retailer", kind: "text", placeholder: "fernhollow-boots" },
    ],
    bulk: [
      { name: "publish", label: "Publish …" },
      { name: "withdraw", label: "Withdraw …", isDanger: true },
    ],
    columns: [
      {
        key: "title",
        label: "Offer",
        sort: "title",
        cell: ({ publicId, title }) => (
          <a href={`/admin/offers/${publicId}`} className="wide-cell">
            {title}
          </a>
        ),
        csv: ({ title }) => title,
      },
      { key: "retailer", label: "Retailer", cell: ({ retailer }) => retailer, csv: ({ retailer }) => retailer },
      { key: "kind", label: "Kind", cell: ({ kind }) => kindWords[kind], csv: ({ kind }) => kind },
      {
        key: "state",
        label: "State",
        cell: (offer) => <OfferState offer={offer} now={now} />,
        csv: (offer) => offerState(offer, now),
      },
      {
        key: "network",
        label: "From",
        cell: ({ network }) => network ?? "the club",
        csv: ({ network }) => network ?? "the club",
      },
      {
        key: "starts",
        label: "Starts",
        cell: ({ startsAt }) => <Moment at={startsAt} />,
        csv: ({ startsAt }) => startsAt,
      },
      {
        key: "ends",
        label: "Ends",
        sort: "ends",
        cell: ({ endsAt }) => <Moment at={endsAt} />,
        csv: ({ endsAt }) => endsAt,
      },
      {
        key: "changed",
        label: "Changed",
        sort: "changed",
        cell: ({ changedAt }) => <Moment at={changedAt} />,
        csv: ({ changedAt }) => changedAt,
      },
    ],
  };
}
