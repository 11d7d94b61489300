import type { OperatorProduct } from "@farthing/core/gift-cards/list-lines.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { statusWords } from "../retailers/retailer-list.tsx";

const states = ["sold", "stopped", "retailer", "insolvent", "withdrawn"] as const;
type Sale = Pick<OperatorProduct, "isInsolvent" | "stoppedAt" | "withdrawnAt" | "retailerTrouble">;
const stateChoices = states.map((value) => ({
  value,
  label: value === "retailer" ? "retailer in administration or closed" : value,
}));
export const percent = (basisPoints: number) => `${basisPoints / 100} %`;

function stateOf({ isInsolvent, stoppedAt, withdrawnAt, retailerTrouble }: Sale): (typeof states)[number] {
  if (isInsolvent) return "insolvent";
  if (stoppedAt) return "stopped";
  if (retailerTrouble) return "retailer";
  return withdrawnAt ? "withdrawn" : "sold";
}

export function ProductState(product: Sale) {
  const state = stateOf(product);
  const { retailerTrouble } = product;
  if (state === "retailer" && retailerTrouble)
    return <Badge tone="bad">not sold: the retailer is {statusWords[retailerTrouble].toLowerCase()}</Badge>;
  if (state === "withdrawn") return <Badge>withdrawn by its issuer</Badge>;
  return <Badge tone={state === "sold" ? "good" : "bad"}>{state}</Badge>;
}

/** Products as a list. Issuers are set up, so the page adds them to the filters. */
export function productListing(issuers: readonly string[]): List<OperatorProduct, "name"> {
  return {
    name: "gift-card-products",
    path: "/admin/gift-cards/products",
    csvPath: "/admin/gift-cards/products.csv",
    rows: "products",
    sorts: ["name"],
    defaultSort: "name",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ name }) => name,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Name or the issuer’s id" },
      { name: "issuer", label: "Issuer", kind: "choice", choices: issuers.map((value) => ({ value, label: value })) },
      { name: "state", label: "State", kind: "choice", choices: stateChoices },
    ],
    columns: [
      {
        key: "name",
        label: "Product",
        sort: "name",
        cell: ({ publicId, name }) => <a href={`/admin/gift-cards/products/${publicId}`}>{name}</a>,
        csv: ({ name }) => name,
      },
      { key: "state", label: "State", cell: (product) => <ProductState {...product} />, csv: stateOf },
      { key: "issuer", label: "Issuer", cell: ({ issuer }) => issuer, csv: ({ issuer }) => issuer },
      {
        key: "id",
        label: "Its id",
        cell: ({ issuerProductId }) => <span className="id">{issuerProductId}</span>,
        csv: ({ issuerProductId }) => issuerProductId,
      },
      {
        key: "discount",
        label: "Issuer’s discount",
        isNumber: true,
        cell: ({ issuerDiscountBp }) => percent(issuerDiscountBp),
        csv: ({ issuerDiscountBp }) => issuerDiscountBp / 100,
      },
      {
        key: "reward",
        label: "Buyers get",
        isNumber: true,
        cell: ({ rewardBp }) => percent(rewardBp),
        csv: ({ rewardBp }) => rewardBp / 100,
      },
      { key: "kind", label: "As", cell: ({ rewardKind }) => rewardKind, csv: ({ rewardKind }) => rewardKind },
      {
        key: "synced",
        label: "Read",
        cell: ({ syncedAt }) => <Moment at={syncedAt} />,
        csv: ({ syncedAt }) => syncedAt,
      },
    ],
  };
}
