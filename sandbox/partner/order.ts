import { randomInt } from "node:crypto";

/** The basket of every visitor. Prices are text: this shop computes nothing. */
export interface Order {
  reference: string;
  lines: readonly { name: string; detail: string; price: string; drawing: string }[];
  total: string;
  /** The same total, as the payment service takes it. */
  totalPence: number;
}

const lines = [
  {
    name: "Orchard jam, three jars",
    detail: "Damson, greengage, quince",
    price: "£13.50",
    drawing:
      '<path d="M22 34h36v34a8 8 0 0 1-8 8H30a8 8 0 0 1-8-8Z" fill="#8d2f4f"/><rect x="20" y="22" width="40" height="12" rx="3" fill="#e9a23b"/><rect x="28" y="46" width="24" height="16" rx="2" fill="#fbf4e6"/>',
  },
  {
    name: "Farmhouse cheddar",
    detail: "Eighteen months, 500 g",
    price: "£11.90",
    drawing:
      '<path d="M12 58 60 26a10 10 0 0 1 8 10v22Z" fill="#f2bd4b"/><path d="M12 58h56v14H12Z" fill="#d99a2b"/><circle cx="50" cy="46" r="4" fill="#d99a2b"/><circle cx="36" cy="66" r="3" fill="#b97f1d"/>',
  },
  {
    name: "Sourdough, two loaves",
    detail: "Baked on the morning it leaves",
    price: "£8.80",
    drawing:
      '<path d="M12 54c0-16 12-24 28-24s28 8 28 24c0 10-6 14-12 14H24c-6 0-12-4-12-14Z" fill="#a9652c"/><path d="m28 36 8 12m4-14 6 12m6-10 5 9" stroke="#f3d9a8" stroke-width="3.5" stroke-linecap="round" fill="none"/>',
  },
];

/** Returns a new order, as if its visitor had just filled the basket. */
export const newOrder = (): Order => ({
  reference: `LL-${randomInt(100_000, 1_000_000)}`,
  lines,
  total: "£34.20",
  totalPence: 3420,
});
