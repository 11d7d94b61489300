import type { State } from "../state/state.ts";
import type { Product } from "./products.ts";

/** A product and its quantity. */
export interface BasketLine {
  product: Product;
  quantity: number;
}

export interface Basket {
  lines: BasketLine[];
  voucherCode: string | null;
  goodsPence: number;
  count: number;
}

const MAX_OF_ONE = 20;

/** Returns a visitor's basket, without products that the shop no longer has. */
export function readBasket(state: State, id: string | undefined, shop: string, products: readonly Product[]): Basket {
  const row = id
    ? state.one<{ lines: string; voucher_code: string | null }>(
        "select lines, voucher_code from baskets where id = ? and shop = ?",
        id,
        shop,
      )
    : undefined;
  const quantities = row ? (JSON.parse(row.lines) as Record<string, number>) : {};
  const lines = products.flatMap((product) =>
    quantities[product.sku] ? [{ product, quantity: quantities[product.sku] ?? 0 }] : [],
  );
  return {
    lines,
    voucherCode: row?.voucher_code ?? null,
    goodsPence: lines.reduce((sum, line) => sum + line.product.pence * line.quantity, 0),
    count: lines.reduce((sum, line) => sum + line.quantity, 0),
  };
}

/** Changes the quantity of one product in the basket; 0 removes it. */
export function setQuantity(
  state: State,
  id: string,
  shop: string,
  basket: Basket,
  sku: string,
  quantity: number,
): void {
  const quantities = Object.fromEntries(basket.lines.map((line) => [line.product.sku, line.quantity]));
  quantities[sku] = Math.min(Math.max(Math.trunc(quantity) || 0, 0), MAX_OF_ONE);
  if (!quantities[sku]) delete quantities[sku];
  save(state, id, shop, quantities, basket.voucherCode);
}

export function setVoucher(state: State, id: string, shop: string, basket: Basket, code: string | null): void {
  save(state, id, shop, Object.fromEntries(basket.lines.map((line) => [line.product.sku, line.quantity])), code);
}

export function emptyBasket(state: State, id: string, shop: string): void {
  state.run("delete from baskets where id = ? and shop = ?", id, shop);
}

function save(state: State, id: string, shop: string, quantities: Record<string, number>, code: string | null): void {
  state.run(
    `insert into baskets (id, shop, lines, voucher_code, updated_at) values (?, ?, ?, ?, ?)
     on conflict (id, shop) do update set lines = excluded.lines, voucher_code = excluded.voucher_code, updated_at = excluded.updated_at`,
    id,
    shop,
    JSON.stringify(quantities),
    code,
    Date.now(),
  );
}
