import type { OperatorProduct } from "@farthing/core/gift-cards/list-lines.server.ts";
import { Badge } from "../../kit/facts.tsx";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

const states = ["sold", "stopped", "insolvent", "withdrawn"];
export const percent = (basisPoints: number) => `${basisPoints / 100} %`;

export function ProductState(product: Pick<OperatorProduct, "isInsolvent" | "stoppedAt" | "withdrawnAt">) {
  if (product.isInsolvent) return <Badge tone="bad">insolvent</Badge>;
  if (product.stoppedAt) return <Badge tone="bad">stopped</Badge>;
  return product.withdrawnAt ? <Badge>withdrawn by its issuer</Badge> : <Badge tone="good">sold</Badge>;
}

/** Products as a list. Issuers are set up, so the page adds them to the filters. */
export function productListing(issuers: readonly string[]): List<OperatorProduct, "name"> {
  return {
    name: "gift-card-products",
    path: "/admin/gift-cards/products",
    rows: "products",
    sorts: ["name"],
    defaultSort: "name",
    keyOf: ({ publicId }) => publicId,
    nameOf: ({ name }) => name,
    filters: [
      { name: "q", label: "Find", kind: "text", placeholder: "Name or the issuer’s id" },
      { name: "issuer", label: "Issuer", kind: "choice", choices: issuers.map((value) => ({ value, label: value })) },
      { name: "state", label: "State", kind: "choice", choices: states.map((value) => ({ value, label: value })) },
    ],
    columns: [
      {
        key: "name",
        label: "Product",
        sort: "name",
        cell: ({ publicId, name }) => <a href={`/admin/gift-cards/products/${publicId}`}>{name}</a>,
      },
      { key: "state", label: "State", cell: (product) => <ProductState {...product} /> },
      { key: "issuer", label: "Issuer", cell: ({ issuer }) => issuer },
      { key: "id", label: "Its id", cell: ({ issuerProductId }) => <span className="id">{issuerProductId}</span> },
      {
        key: "discount",
        label: "Issuer’s discount",
        isNumber: true,
        cell: ({ issuerDiscountBp }) => percent(issuerDiscountBp),
      },
      {
        key: "reward",
        label: "Buyers get",
        isNumber: true,
        cell: ({ rewardBp, rewardKind }) => `${percent(rewardBp)} ${rewardKind}`,
      },
      { key: "synced", label: "Read", cell: ({ syncedAt }) => <Moment at={syncedAt} /> },
    ],
  };
}
