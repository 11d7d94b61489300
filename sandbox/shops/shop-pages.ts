import { html } from "hono/html";
import type { Programme } from "../catalogue/catalogue.ts";
import { moneyText } from "../network/amounts.ts";
import type { Html } from "../pages/plain-page.ts";
import type { Basket } from "./baskets.ts";
import type { OrderedLine, OrderRow } from "./place-order.ts";
import { DELIVERY_PENCE, FREE_DELIVERY_FROM_PENCE, type PriceParts } from "./price-parts.ts";
import { isForKnownCustomers, isForNewCustomers, type Product } from "./products.ts";
import { sectorOf } from "./sectors/sector-of.ts";
import type { VoucherCheck } from "./vouchers.ts";

const picture = (base: string, product: Product): string => `${base}/pictures/${product.sku}.svg`;

function priceTag(product: Product, currency: string): Html {
  return html`<p class="price">
    ${moneyText(product.pence, currency)}${product.wasPence ? html` <s><span aria-hidden="true">${moneyText(product.wasPence, currency)}</span></s>` : ""}
  </p>`;
}

/** The front page, or one department. `section` is the name of an unknown path of the shop. */
export function frontPage(
  shop: { programme: Programme; base: string; currency: string },
  products: readonly Product[],
  department: string | undefined,
  section: string | undefined,
): Html {
  const { programme, base, currency } = shop;
  const shown = department ? products.filter((product) => product.department === department) : products;
  return html`<section class="hero">
      <div>
        <h1>${programme.name}</h1>
        <p>${sectorOf(programme.primarySector, programme.name).strapline}</p>
      </div>
      <div class="collage" aria-hidden="true">
        ${products.slice(0, 3).map((product) => html`<img src="${picture(base, product)}" alt="" width="200" height="200" />`)}
      </div>
    </section>
    <div class="shelf">
      <h2>${department ?? section ?? "All our things"}</h2>
      <span>${shown.length} ${shown.length === 1 ? "thing" : "things"}</span>
    </div>
    <ul class="goods">
      ${shown.map(
        (product) =>
          html`<li>
            <a href="${base}/products/${product.sku}"
              ><span class="picture"><img src="${picture(base, product)}" alt="" width="200" height="200" /></span>
              <h3>${product.name}</h3></a
            >
            ${priceTag(product, currency)}
            <form method="post" action="${base}/basket">
              <input type="hidden" name="sku" value="${product.sku}" /><button
                aria-label="Add to basket: ${product.name}"
              >
                Add to basket
              </button>
            </form>
          </li>`,
      )}
    </ul>`;
}

export function productPage(shop: { base: string; currency: string; delivers: boolean }, product: Product): Html {
  const { base, currency, delivers } = shop;
  return html`<div class="product">
    <img src="${picture(base, product)}" alt="Drawing of ${product.name}" width="200" height="200" />
    <div>
      <h1>${product.name}</h1>
      ${priceTag(product, currency)}
      <p>${product.blurb}</p>
      <form method="post" action="${base}/basket">
        <input type="hidden" name="sku" value="${product.sku}" />
        <label class="field"
          >Quantity
          <select name="quantity">
            ${[1, 2, 3, 4, 5].map((n) => html`<option>${n}</option>`)}
          </select></label
        >
        <button>Add to basket</button>
      </form>
      <ul class="facts">
        <li>In stock, leaves us within a day</li>
        ${delivers ? html`<li>Delivery in the UK ${moneyText(DELIVERY_PENCE, currency)}, free from ${moneyText(FREE_DELIVERY_FROM_PENCE, currency)}</li>` : ""}
        <li>The price includes VAT</li>
        <li>Reference ${product.sku}</li>
      </ul>
    </div>
  </div>`;
}

/** The total, and the part that the shop reports to the network, which cashback is computed from. */
function priceList(price: Omit<PriceParts, "countedLines">, currency: string, discountName: string): Html {
  const money = (pence: number) => moneyText(pence, currency);
  return html`<dl>
    <dt>Goods</dt>
    <dd>${money(price.goodsPence)}</dd>
    ${
      price.discountPence
        ? html`<dt>${discountName}</dt>
            <dd>−${money(price.discountPence)}</dd>`
        : ""
    }
    <dt>Delivery</dt>
    <dd>${price.deliveryPence ? money(price.deliveryPence) : "Free"}</dd>
    <dt class="total">Total</dt>
    <dd class="total">${money(price.totalPence)}</dd>
    <dt>Includes VAT of</dt>
    <dd>${money(price.vatPence)}</dd>
    <dt>Price without VAT and delivery</dt>
    <dd class="counted">${money(price.countedPence)}</dd>
  </dl>`;
}

function priceOfOrder(order: OrderRow): Omit<PriceParts, "countedLines"> {
  return {
    goodsPence: order.goods_pence,
    discountPence: order.discount_pence,
    deliveryPence: order.delivery_pence,
    totalPence: order.total_pence,
    vatPence: order.vat_pence,
    countedPence: order.counted_pence,
  };
}

export interface BasketView {
  base: string;
  currency: string;
  programme: Programme;
  basket: Basket;
  voucher: VoucherCheck | null;
  price: PriceParts;
  onceKey: string;
}

export function basketPage(view: BasketView): Html {
  const { base, currency, basket, voucher } = view;
  if (basket.lines.length === 0)
    return html`<div class="page">
      <h1>Your basket</h1>
      <p>There is nothing in it yet.</p>
      <p><a href="${base}/">Look around the shop</a></p>
    </div>`;
  return html`<div class="page">
    <h1>Your basket</h1>
    <div class="checkout">
      <ul class="lines">
        ${basket.lines.map(
          ({ product, quantity }) =>
            html`<li>
              <img src="${picture(base, product)}" alt="" width="80" height="80" />
              <h2>${product.name}</h2>
              <p class="amount">${moneyText(product.pence * quantity, currency)}</p>
              <form method="post" action="${base}/basket/quantity">
                <input type="hidden" name="sku" value="${product.sku}" />
                <label
                  >Quantity of ${product.name}:
                  <select name="quantity">
                    ${Array.from({ length: Math.max(10, quantity) }, (_, index) => html`<option${index + 1 === quantity ? html` selected` : ""}>${index + 1}</option>`)}
                  </select></label
                >
                <button class="quiet">Update</button>
                <button class="quiet" name="remove" value="1" aria-label="Remove ${product.name}">Remove</button>
              </form>
            </li>`,
        )}
      </ul>
      <section class="summary" aria-label="Summary">
        ${voucher ? html`<p class="message" role="status">${voucher.accepted ? html`Code <strong>${voucher.code}</strong> is on: ${voucher.text}` : voucher.text}</p>` : ""}
        <form class="voucher" method="post" action="${base}/basket/voucher">
          <label class="field"
            >Voucher code
            <input
              name="code"
              value="${basket.voucherCode ?? ""}"
              autocomplete="off"
              autocapitalize="characters"
              spellcheck="false" /></label
          ><button class="quiet">Apply</button>
        </form>
        ${priceList(view.price, currency, "Discount")}
        <form method="post" action="${base}/orders">
          <input type="hidden" name="once" value="${view.onceKey}" />
          ${
            view.programme.commissionGroups?.some(isForNewCustomers) &&
            view.programme.commissionGroups.some(isForKnownCustomers)
              ? html`<fieldset>
                  <legend>Have you bought from us before?</legend>
                  <label><input type="radio" name="customer" value="new" checked /> No, this is my first order</label
                  ><label><input type="radio" name="customer" value="existing" /> Yes</label>
                </fieldset>`
              : ""
          }
          <button>Buy now</button>
        </form>
      </section>
    </div>
  </div>`;
}

export function orderPage(shop: { base: string; programme: Programme }, order: OrderRow): Html {
  const lines = JSON.parse(order.lines) as OrderedLine[];
  return html`<div class="page thanks">
    <h1>Thank you for your order</h1>
    <p>Order reference <strong class="reference">${order.order_ref}</strong></p>
    <ul class="lines">
      ${lines.map(
        (line) =>
          html`<li>
            <img src="${shop.base}/pictures/${line.sku}.svg" alt="" width="80" height="80" />
            <h2>${line.quantity} × ${line.name}</h2>
            <p class="amount">${moneyText(line.unitPence * line.quantity, order.currency)}</p>
          </li>`,
      )}
    </ul>
    <section class="summary" aria-label="Summary">
      ${priceList(priceOfOrder(order), order.currency, `Discount with ${order.voucher_code ?? "a code"}`)}
      <p>A confirmation would be on its way to you, if this shop had a post room.</p>
    </section>
    <p><a href="${shop.base}/">Back to ${shop.programme.name}</a></p>
  </div>`;
}
