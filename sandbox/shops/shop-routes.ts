import { randomUUID } from "node:crypto";
import { Hono, type Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { html } from "hono/html";
import type { Programme } from "../catalogue/catalogue.ts";
import { findClick } from "../network/clicks.ts";
import { isOpen } from "../network/click-redirect.ts";
import type { Network } from "../network/network.ts";
import { plainPage, type Html } from "../pages/plain-page.ts";
import { type Basket, readBasket, setQuantity, setVoucher } from "./baskets.ts";
import { drawingSvg } from "./drawings/drawings.ts";
import { pictureInks } from "./picture-inks.ts";
import { findPlacedOrder, isCodeUsed, placeOrder, type OrderRow } from "./place-order.ts";
import { priceParts } from "./price-parts.ts";
import { initials, productsOf, type Product } from "./products.ts";
import { sectorOf } from "./sectors/sector-of.ts";
import { shopFrame } from "./shop-frame.ts";
import { shopLook } from "./shop-look.ts";
import { basketPage, frontPage, orderPage, productPage } from "./shop-pages.ts";
import { shopStyle } from "./shop-style.ts";
import { checkVoucher, type VoucherCheck } from "./vouchers.ts";

interface Shop {
  programme: Programme;
  slug: string;
  base: string;
  products: Product[];
  currency: string;
  /** Sends what it sells; plans, policies and stays need no parcel. */
  delivers: boolean;
}

/** Every advertiser's shop, at /shops/{slug}/. Plain pages and forms; a visitor is a cookie, per shop. */
export function shopRoutes(network: Network): Hono<{ Variables: { shop: Shop } }> {
  const { state, catalogue } = network;
  const routes = new Hono<{ Variables: { shop: Shop } }>();
  type ShopContext = Context<{ Variables: { shop: Shop } }>;

  const remember = (c: ShopContext, name: string, value: string, days: number): void =>
    setCookie(c, name, value, { path: `${c.var.shop.base}/`, maxAge: days * 86_400, httpOnly: true, sameSite: "Lax" });
  const blocked = (c: ShopContext): boolean => getCookie(c, "cookie_choice") === "necessary";
  const basketOf = (c: ShopContext) => readBasket(state, getCookie(c, "basket"), c.var.shop.slug, c.var.shop.products);
  const basketId = (c: ShopContext): string => {
    const known = getCookie(c, "basket");
    if (known && /^[0-9a-f-]{36}$/.test(known)) return known;
    const id = randomUUID();
    remember(c, "basket", id, 30);
    return id;
  };
  const voucherOf = (c: ShopContext, code: string | null, goodsPence: number) =>
    code
      ? checkVoucher(catalogue.promotionsOf(c.var.shop.programme.id), code, goodsPence, network.now(), (used) =>
          isCodeUsed(state, c.var.shop.slug, used),
        )
      : null;
  const priceOf = (c: ShopContext, basket: Basket, voucher: VoucherCheck | null) =>
    priceParts(basket, {
      discountPence: voucher?.accepted ? voucher.discountPence : 0,
      delivers: c.var.shop.delivers,
    });
  const page = (
    c: ShopContext,
    title: string,
    body: Html,
    more: { department?: string | undefined; notice?: Html } = {},
  ) => {
    const { programme, slug } = c.var.shop;
    return c.html(
      shopFrame({
        programme,
        slug,
        title: title === programme.name ? title : `${title} · ${programme.name}`,
        body,
        basketCount: basketOf(c).count,
        trackingBlocked: blocked(c),
        path: new URL(c.req.url).pathname,
        ...more,
      }),
    );
  };

  routes.get("/:slug", (c) => c.redirect(`/shops/${encodeURIComponent(c.req.param("slug"))}/`, 302));

  routes.use("/:slug/*", async (c, next) => {
    const programme = catalogue.programmeOfShop(c.req.param("slug"));
    if (!programme)
      return c.html(
        plainPage("No such shop", html`<p>None of the network's advertisers has a shop at this address.</p>`),
        404,
      );
    const slug = catalogue.shopSlug(programme);
    c.set("shop", {
      programme,
      slug,
      base: `/shops/${slug}`,
      products: productsOf(programme, slug),
      currency: programme.currencyCode ?? "GBP",
      delivers: sectorOf(programme.primarySector, programme.name).named,
    });
    // The advertiser's tag: it keeps the network's checksum as a cookie of the shop's own, unless the visitor refused.
    const awc = c.req.query("awc");
    if (awc && !blocked(c) && findClick(state, awc, programme.id)) remember(c, "awc", awc, 30);
    return next();
  });

  routes.get("/:slug/shop.css", (c) =>
    c.body(shopStyle(shopLook(c.var.shop.slug)), 200, {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": "max-age=60",
    }),
  );

  routes.get("/:slug/mark.svg", (c) => {
    const { brand, onBrand } = shopLook(c.var.shop.slug).palette;
    const letter = initials(c.var.shop.programme.name)[0] ?? "S";
    return svg(
      c,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${brand}"/><text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="19" fill="${onBrand}">${letter}</text></svg>`,
    );
  });

  routes.get("/:slug/pictures/:file", (c) => {
    const product = c.var.shop.products.find((one) => `${one.sku}.svg` === c.req.param("file"));
    if (!product) return c.notFound();
    const { palette, pattern } = shopLook(c.var.shop.slug);
    const { inks, field } = pictureInks(palette, product.sku);
    return svg(c, drawingSvg(product.drawing, inks, field, pattern));
  });

  routes.get("/:slug/products/:sku", (c) => {
    const product = c.var.shop.products.find((one) => one.sku === c.req.param("sku"));
    return product
      ? page(c, product.name, productPage(c.var.shop, product), { department: product.department })
      : c.redirect(`${c.var.shop.base}/`, 302);
  });

  routes.post("/:slug/basket", async (c) => {
    const form = await c.req.formData();
    const sku = String(form.get("sku"));
    const basket = basketOf(c);
    const already = basket.lines.find((line) => line.product.sku === sku)?.quantity ?? 0;
    if (c.var.shop.products.some((one) => one.sku === sku))
      setQuantity(state, basketId(c), c.var.shop.slug, basket, sku, already + (Number(form.get("quantity") ?? 1) || 1));
    return c.redirect(`${c.var.shop.base}/basket`, 303);
  });

  routes.post("/:slug/basket/quantity", async (c) => {
    const form = await c.req.formData();
    setQuantity(
      state,
      basketId(c),
      c.var.shop.slug,
      basketOf(c),
      String(form.get("sku")),
      form.has("remove") ? 0 : Number(form.get("quantity")),
    );
    return c.redirect(`${c.var.shop.base}/basket`, 303);
  });

  routes.post("/:slug/basket/voucher", async (c) => {
    const code = String((await c.req.formData()).get("code") ?? "")
      .trim()
      .slice(0, 60);
    setVoucher(state, basketId(c), c.var.shop.slug, basketOf(c), code || null);
    return c.redirect(`${c.var.shop.base}/basket`, 303);
  });

  routes.get("/:slug/basket", (c) => {
    const { programme, base, currency } = c.var.shop;
    const basket = basketOf(c);
    const voucher = voucherOf(c, basket.voucherCode, basket.goodsPence);
    return page(
      c,
      "Your basket",
      basketPage({
        base,
        currency,
        programme,
        basket,
        voucher,
        price: priceOf(c, basket, voucher),
        onceKey: randomUUID(),
      }),
    );
  });

  routes.post("/:slug/orders", async (c) => {
    const form = await c.req.formData();
    const { programme, slug, base, currency } = c.var.shop;
    const basket = basketOf(c);
    const onceKey = String(form.get("once") ?? "").slice(0, 64) || randomUUID();
    const placed = findPlacedOrder(state, onceKey);
    if (!placed && basket.lines.length === 0) return c.redirect(`${base}/basket`, 303);
    const voucher = voucherOf(c, basket.voucherCode, basket.goodsPence);
    const order =
      placed ??
      placeOrder(network, {
        programme,
        shop: slug,
        basketId: basketId(c),
        basket,
        price: priceOf(c, basket, voucher),
        voucherCode: voucher?.accepted ? voucher.code : null,
        currency,
        onceKey,
        awc: blocked(c) ? null : (getCookie(c, "awc") ?? null),
        newCustomer: form.get("customer") !== "existing",
        userAgent: c.req.header("user-agent") ?? null,
      });
    return c.redirect(`${base}/orders/${order.order_ref}`, 303);
  });

  routes.get("/:slug/orders/:ref", (c) => {
    const order = state.one<OrderRow>(
      "select * from orders where order_ref = ? and shop = ? and basket_id = ?",
      c.req.param("ref"),
      c.var.shop.slug,
      getCookie(c, "basket") ?? "",
    );
    if (!order) return c.redirect(`${c.var.shop.base}/`, 302);
    const notice =
      order.transaction_id === null
        ? html`Not tracked:
            ${blocked(c) ? "you allowed only necessary cookies" : !isOpen(c.var.shop.programme) ? "this programme is closed" : "no click of the network led here"}.
            <a href="/network">The network's side</a>`
        : html`Tracked: the network recorded this sale as pending, transaction ${order.transaction_id}.
            <a href="/network">Approve or decline it</a>`;
    return page(c, "Thank you for your order", orderPage(c.var.shop, order), { notice });
  });

  routes.post("/:slug/cookies", async (c) => {
    const form = await c.req.formData();
    const { base } = c.var.shop;
    remember(c, "cookie_choice", form.get("choice") === "necessary" ? "necessary" : "all", 180);
    const back = String(form.get("back"));
    return c.redirect(back.startsWith(`${base}/`) ? back : `${base}/`, 303);
  });

  // Whatever page of the retailer a link names, this shop shows its front under that page's name.
  routes.get("/:slug/*", (c) => {
    const { programme, products } = c.var.shop;
    const asked = c.req.query("department");
    const department = Object.keys(sectorOf(programme.primarySector, programme.name).goods).find(
      (name) => name === asked,
    );
    return page(c, department ?? programme.name, frontPage(c.var.shop, products, department, sectionName(c)), {
      department,
    });
  });

  return routes;
}

/** "/shops/fernhollow/winter-sale" gives "Winter sale"; nothing for the front page itself or for odd paths. */
function sectionName(c: Context): string | undefined {
  const last = /([a-z][a-z0-9-]{2,40})\/?$/.exec(new URL(c.req.url).pathname.split("/").slice(3).join("/"))?.[1];
  return last ? last.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase()) : undefined;
}

function svg(c: Context, content: string): Response {
  return c.body(content, 200, { "Content-Type": "image/svg+xml", "Cache-Control": "max-age=60" });
}
