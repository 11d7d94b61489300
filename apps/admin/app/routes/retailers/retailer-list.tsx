import type { RetailerStatus } from "@farthing/core/catalogue/catalogue-view.ts";
import type { ListedRetailer, RetailerSort } from "@farthing/core/catalogue/retailers/list-retailers.server.ts";
import { Badge, type Tone } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { choicesOf } from "../offers/offer-list.tsx";
import type { RetailerChoices } from "./retailer-choices.server.ts";

export const statusWords: Record<RetailerStatus, string> = {
  active: "Active",
  paused: "Paused",
  in_administration: "In administration",
  closed: "Closed",
};
export const statusChoices = Object.entries(statusWords).map(([value, label]) => ({ value, label }));
const tones: Record<RetailerStatus, Tone> = {
  active: "good",
  paused: "warn",
  in_administration: "bad",
  closed: "plain",
};

export function RetailerState({ status }: { status: RetailerStatus }) {
  return <Badge tone={tones[status]}>{statusWords[status].toLowerCase()}</Badge>;
}

function Tracked({ trackedBp, fallingBelow }: Pick<ListedRetailer, "trackedBp"> & { fallingBelow: number }) {
  if (trackedBp === null) return <span className="soft">too few purchases</span>;
  return <Badge tone={trackedBp < fallingBelow * 100 ? "bad" : "good"}>{Math.floor(trackedBp / 100)} %</Badge>;
}

/**
 * Retailers as a list. Brands, categories and networks are data, so the page adds them to the filters.
 * @param fallingBelow percent: the home page names a retailer of which fewer purchases are tracked in time (core/thresholds)
 */
export function retailerListing(
  { brands, categories, networks }: RetailerChoices,
  fallingBelow: number,
): List<ListedRetailer, RetailerSort> {
  return {
    name: "retailers",
    path: "/admin/retailers",
    csvPath: "/admin/retailers.csv",
    rows: "retailers",
    sorts: ["name", "changed", "tracking"],
    defaultSort: "name",
    keyOf: ({ slug }) => slug,
    nameOf: ({ name }) => name,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Name or address" },
      { name: "status", label: "State", kind: "choice", choices: statusChoices },
      { name: "category", label: "Category", kind: "choice", choices: choicesOf(categories) },
      { name: "brand", label: "Shown by", kind: "choice", choices: choicesOf(brands) },
      { name: "hidden", label: "Not shown by", kind: "choice", choices: choicesOf(brands) },
      { name: "network", label: "Network", kind: "choice", choices: choicesOf(networks) },
    ],
    columns: [
      {
        key: "name",
        label: "Retailer",
        sort: "name",
        cell: ({ slug, name }) => <a href={`/admin/retailers/${slug}`}>{name}</a>,
        csv: ({ name }) => name,
      },
      {
        key: "slug",
        label: "Address",
        cell: ({ slug }) => <span className="id">{slug}</span>,
        csv: ({ slug }) => slug,
      },
      {
        key: "state",
        label: "State",
        cell: ({ status }) => <RetailerState status={status} />,
        csv: ({ status }) => status,
      },
      { key: "category", label: "Category", cell: ({ category }) => category ?? "–", csv: ({ category }) => category },
      {
        key: "networks",
        label: "Networks",
        cell: ({ networks: names }) => names.join(", ") || "–",
        csv: ({ networks: names }) => names.join(", "),
      },
      {
        key: "offers",
        label: "Live offers",
        isNumber: true,
        cell: ({ slug, liveOffers }) => <a href={`/admin/offers?retailer=${slug}&state=live`}>{liveOffers}</a>,
        csv: ({ liveOffers }) => liveOffers,
      },
      { key: "brands", label: "Brands", isNumber: true, cell: (row) => row.brands, csv: (row) => row.brands },
      {
        key: "tracked",
        label: "Tracked in time",
        sort: "tracking",
        cell: (row) => <Tracked {...row} fallingBelow={fallingBelow} />,
        csv: ({ trackedBp }) => (trackedBp === null ? null : trackedBp / 100),
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
