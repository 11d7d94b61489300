import { randomUUID } from "node:crypto";
import { Hono, type Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { html } from "hono/html";
import type { Programme } from "../catalogue/catalogue.ts";
import { findClick } from "../network/clicks.ts";
import { isOpen, type Networks } from "../network/network.ts";
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
  /** Whether products are shipped; plans, policies and stays are not. */
  delivers: boolean;
}

/** Every advertiser's shop, at /shops/{slug}/, with plain pages and forms. A cookie per shop identifies the visitor. */
export function shopRoutes(networks: Networks): Hono<{ Variables: { shop: Shop } }> {
  const { state, catalogue } = networks;
  const routes = new Hono<{ Variables: { shop: Shop } }>();
  type ShopContext = Context<{ Variables: { shop: Shop } }>;

  const remember = (context: ShopContext, name: string, value: string, days: number): void =>
    setCookie(context, name, value, {
      path: `${context.var.shop.base}/`,
      maxAge: days * 86_400,
      httpOnly: true,
      sameSite: "Lax",
    });
  const blocked = (context: ShopContext): boolean => getCookie(context, "cookie_choice") === "necessary";
  const basketOf = (context: ShopContext) =>
    readBasket(state, getCookie(context, "basket"), context.var.shop.slug, context.var.shop.products);
  const basketId = (context: ShopContext): string => {
    const known = getCookie(context, "basket");
    if (known && /^[0-9a-f-]{36}$/.test(known)) return known;
    const id = randomUUID();
    remember(context, "basket", id, 30);
    return id;
  };
  const voucherOf = (context: ShopContext, code: string | null, goodsPence: number) =>
    code
      ? checkVoucher(catalogue.promotionsOf(context.var.shop.programme.id), code, goodsPence, networks.now(), (used) =>
          isCodeUsed(state, context.var.shop.slug, used),
        )
      : null;
  const priceOf = (context: ShopContext, basket: Basket, voucher: VoucherCheck | null) =>
    priceParts(basket, {
      discountPence: voucher?.accepted ? voucher.discountPence : 0,
      delivers: context.var.shop.delivers,
    });
  const page = (
    context: ShopContext,
    title: string,
    body: Html,
    more: { department?: string | undefined; notice?: Html } = {},
  ) => {
    const { programme, slug } = context.var.shop;
    return context.html(
      shopFrame({
        programme,
        slug,
        title: title === programme.name ? title : `${title} · ${programme.name}`,
        body,
        basketCount: basketOf(context).count,
        trackingBlocked: blocked(context),
        path: new URL(context.req.url).pathname,
        ...more,
      }),
    );
  };

  routes.get("/:slug", (context) => context.redirect(`/shops/${encodeURIComponent(context.req.param("slug"))}/`, 302));

  routes.use("/:slug/*", async (context, next) => {
    const programme = catalogue.programmeOfShop(context.req.param("slug"));
    if (!programme)
      return context.html(
        plainPage("No such shop", html`<p>None of the network's advertisers has a shop at this address.</p>`),
        404,
      );
    const slug = catalogue.shopSlug(programme);
    context.set("shop", {
      programme,
      slug,
      base: `/shops/${slug}`,
      products: productsOf(programme, slug),
      currency: programme.currencyCode ?? "GBP",
      delivers: sectorOf(programme.primarySector, programme.name).named,
    });
    // The advertiser's tag: it stores the network's checksum in a cookie of the shop, unless the visitor refused.
    const awc = context.req.query("awc");
    if (awc && !blocked(context) && findClick(state, awc, programme.id)) remember(context, "awc", awc, 30);
    return next();
  });

  routes.get("/:slug/shop.css", (context) =>
    context.body(shopStyle(shopLook(context.var.shop.slug)), 200, {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": "max-age=60",
    }),
  );

  routes.get("/:slug/mark.svg", (context) => {
    const { brand, onBrand } = shopLook(context.var.shop.slug).palette;
    const letter = initials(context.var.shop.programme.name)[0] ?? "S";
    return svg(
      context,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${brand}"/><text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="19" fill="${onBrand}">${letter}</text></svg>`,
    );
  });

  routes.get("/:slug/pictures/:file", (context) => {
    const product = context.var.shop.products.find((one) => `${one.sku}.svg` === context.req.param("file"));
    if (!product) return context.notFound();
    const { palette, pattern } = shopLook(context.var.shop.slug);
    const { inks, field } = pictureInks(palette, product.sku);
    return svg(context, drawingSvg(product.drawing, inks, field, pattern));
  });

  routes.get("/:slug/products/:sku", (context) => {
    const product = context.var.shop.products.find((one) => one.sku === context.req.param("sku"));
    return product
      ? page(context, product.name, productPage(context.var.shop, product), { department: product.department })
      : context.redirect(`${context.var.shop.base}/`, 302);
  });

  routes.post("/:slug/basket", async (context) => {
    const form = await context.req.formData();
    const sku = String(form.get("sku"));
    const basket = basketOf(context);
    const already = basket.lines.find((line) => line.product.sku === sku)?.quantity ?? 0;
    if (context.var.shop.products.some((one) => one.sku === sku))
      setQuantity(
        state,
        basketId(context),
        context.var.shop.slug,
        basket,
        sku,
        already + (Number(form.get("quantity") ?? 1) || 1),
      );
    return context.redirect(`${context.var.shop.base}/basket`, 303);
  });

  routes.post("/:slug/basket/quantity", async (context) => {
    const form = await context.req.formData();
    setQuantity(
      state,
      basketId(context),
      context.var.shop.slug,
      basketOf(context),
      String(form.get("sku")),
      form.has("remove") ? 0 : Number(form.get("quantity")),
    );
    return context.redirect(`${context.var.shop.base}/basket`, 303);
  });

  routes.post("/:slug/basket/voucher", async (context) => {
    const code = String((await context.req.formData()).get("code") ?? "")
      .trim()
      .slice(0, 60);
    setVoucher(state, basketId(context), context.var.shop.slug, basketOf(context), code || null);
    return context.redirect(`${context.var.shop.base}/basket`, 303);
  });

  routes.get("/:slug/basket", (context) => {
    const { programme, base, currency } = context.var.shop;
    const basket = basketOf(context);
    const voucher = voucherOf(context, basket.voucherCode, basket.goodsPence);
    return page(
      context,
      "Your basket",
      basketPage({
        base,
        currency,
        programme,
        basket,
        voucher,
        price: priceOf(context, basket, voucher),
        onceKey: randomUUID(),
      }),
    );
  });

  routes.post("/:slug/orders", async (context) => {
    const form = await context.req.formData();
    const { programme, slug, base, currency } = context.var.shop;
    const basket = basketOf(context);
    const onceKey = String(form.get("once") ?? "").slice(0, 64) || randomUUID();
    const placed = findPlacedOrder(state, onceKey);
    if (!placed && basket.lines.length === 0) return context.redirect(`${base}/basket`, 303);
    const voucher = voucherOf(context, basket.voucherCode, basket.goodsPence);
    const order =
      placed ??
      placeOrder(networks, {
        programme,
        shop: slug,
        basketId: basketId(context),
        basket,
        price: priceOf(context, basket, voucher),
        voucherCode: voucher?.accepted ? voucher.code : null,
        currency,
        onceKey,
        awc: blocked(context) ? null : (getCookie(context, "awc") ?? null),
        newCustomer: form.get("customer") !== "existing",
        userAgent: context.req.header("user-agent") ?? null,
      });
    return context.redirect(`${base}/orders/${order.order_ref}`, 303);
  });

  routes.get("/:slug/orders/:ref", (context) => {
    const order = state.one<OrderRow>(
      "select * from orders where order_ref = ? and shop = ? and basket_id = ?",
      context.req.param("ref"),
      context.var.shop.slug,
      getCookie(context, "basket") ?? "",
    );
    if (!order) return context.redirect(`${context.var.shop.base}/`, 302);
    const notice =
      order.transaction_id === null
        ? html`Not tracked:
            ${blocked(context) ? "you allowed only necessary cookies" : !isOpen(context.var.shop.programme) ? "this programme is closed" : "no click of the network led here"}.
            <a href="/network">The network's side</a>`
        : html`Tracked: the network recorded this sale as pending, transaction ${order.transaction_id}.
            <a href="/network">Approve or decline it</a>`;
    return page(context, "Thank you for your order", orderPage(context.var.shop, order), { notice });
  });

  routes.post("/:slug/cookies", async (context) => {
    const form = await context.req.formData();
    const { base } = context.var.shop;
    remember(context, "cookie_choice", form.get("choice") === "necessary" ? "necessary" : "all", 180);
    const back = String(form.get("back"));
    return context.redirect(back.startsWith(`${base}/`) ? back : `${base}/`, 303);
  });

  // For any other page of the retailer, the shop shows its front page under that page's name.
  routes.get("/:slug/*", (context) => {
    const { programme, products } = context.var.shop;
    const asked = context.req.query("department");
    const department = Object.keys(sectorOf(programme.primarySector, programme.name).goods).find(
      (name) => name === asked,
    );
    return page(
      context,
      department ?? programme.name,
      frontPage(context.var.shop, products, department, sectionName(context)),
      {
        department,
      },
    );
  });

  return routes;
}

/** Returns "Winter sale" for "/shops/fernhollow/winter-sale"; empty for the front page and for unusual paths. */
function sectionName(context: Context): string | undefined {
  const last = /([a-z][a-z0-9-]{2,40})\/?$/.exec(new URL(context.req.url).pathname.split("/").slice(3).join("/"))?.[1];
  return last ? last.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase()) : undefined;
}

function svg(context: Context, content: string): Response {
  return context.body(content, 200, { "Content-Type": "image/svg+xml", "Cache-Control": "max-age=60" });
}
