import { Hono, type Context } from "hono";
import { html } from "hono/html";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Html } from "../pages/plain-page.ts";
import { refuseForeignPosts } from "../pages/refuse-foreign-posts.ts";
import { guideBundle, readGuide } from "./guide-bundle.ts";
import { guideHeaders, guideListPage, guidePage, guides } from "./guide-pages.ts";
import { mintToken, type PartnerAccount } from "./mint-token.ts";
import { MARK, partnerFrame } from "./partner-frame.ts";
import {
  GIFT_CARDS_PATH,
  giftCardsPage,
  newView,
  playgroundPage,
  reactPage,
  scriptPage,
  shadowPage,
  thanksPage,
  unavailablePage,
  type View,
  type WidgetAddresses,
} from "./partner-pages.ts";
import { reactBundle } from "./react-bundle.ts";

const file = (name: string): string => readFileSync(join(import.meta.dirname, "browser", name), "utf8");
const SCRIPT_TYPE = "text/javascript";
const files: Readonly<Record<string, () => [type: string, text: string]>> = {
  "/larder-lane.css": () => ["text/css", file("larder-lane.css")],
  "/react-page.js": () => [SCRIPT_TYPE, file("react-page.js")],
  "/playground.js": () => [SCRIPT_TYPE, file("playground.js")],
  "/react-bundle.js": () => [SCRIPT_TYPE, reactBundle()],
  "/mark.svg": () => ["image/svg+xml", MARK],
};

const pages: Readonly<Record<string, (view: View) => Html>> = {
  "/": scriptPage,
  "/react": reactPage,
  "/shadow": shadowPage,
  [GIFT_CARDS_PATH]: giftCardsPage,
  "/playground": playgroundPage,
};

/**
 * A partner that takes payments through the widget: a separate shop that uses only what the payment service's public documentation describes.
 * Its server fetches a token for each view of a page.
 */
export function partnerShop(account: PartnerAccount, addresses: WidgetAddresses): Hono {
  const app = new Hono();
  app.use(refuseForeignPosts);
  app.use(async (context, next) => {
    await next();
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Referrer-Policy", "strict-origin-when-cross-origin");
    if (!context.res.headers.has("Content-Security-Policy"))
      context.header("Content-Security-Policy", policy(addresses));
  });

  /** Responds with a page for a new order and a new token, which fixes the price. */
  const show = async (context: Context, page: (view: View) => Html) => {
    const origin = originOf(context);
    const view = newView(addresses, origin, orderIn(context.req.query("order")));
    const { reference, totalPence: amountPence } = view.order;
    // The playground shows what a frame does without a price, and who buys gift cards chooses them first.
    const price = UNPRICED.includes(context.req.path)
      ? {}
      : { amountPence, description: "Friday hamper", oncePerReference: true };
    const minted = await mintToken(account, { origin, reference, ...price });
    context.header("Cache-Control", "no-store"); // the token is valid for one load
    if (!minted.ok) return context.html(unavailablePage(context.req.path, minted.reason), 502);
    context.header("Content-Security-Policy", policy(addresses, view.nonce));
    return context.html(page({ ...view, token: minted.token }));
  };
  for (const [path, page] of Object.entries(pages)) app.get(path, (context) => show(context, page));

  app.get("/guides", (context) => context.html(guideListPage()));
  for (const guide of guides) {
    const { slug, component } = guide;
    app.get(`/guides/${slug}`, async (context) => {
      const answer = await show(context, (view) => guidePage(guide, view));
      const documented = guideHeaders(slug, addresses, context.req.query("embedder"));
      for (const [name, value] of documented) answer.headers.set(name, value);
      return answer;
    });
    if (component) {
      app.get(`/guides/${slug}.js`, async (context) =>
        context.body(await guideBundle(component, addresses), 200, { "Content-Type": `${SCRIPT_TYPE}; charset=utf-8` }),
      );
    }
  }
  app.get("/payment.js", (context) =>
    context.body(readGuide("payment.js", addresses), 200, { "Content-Type": `${SCRIPT_TYPE}; charset=utf-8` }),
  );
  app.post("/token", async (context) => {
    const reference = ((await context.req.text()) || "playground").slice(0, 100);
    const minted = await mintToken(account, { origin: originOf(context), reference });
    return context.json(minted, minted.ok ? 201 : 502, { "Cache-Control": "no-store" });
  });
  app.get("/thanks", (context) =>
    context.html(
      thanksPage({ payment: context.req.query("payment") ?? "", outcome: context.req.query("redirect_status") }),
    ),
  );
  for (const [path, read] of Object.entries(files)) {
    app.get(path, (context) => {
      const [type, text] = read();
      return context.body(text, 200, { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "max-age=60" });
    });
  }
  app.notFound((context) =>
    context.html(
      partnerFrame({ title: "Nothing here", path: "", body: html`<h1>We have no page at this address</h1>` }),
      404,
    ),
  );
  return app;
}

/** Pages whose visitors don't pay for the hamper. */
const UNPRICED = ["/playground", GIFT_CARDS_PATH];

/** Returns an order's id from the address; null for anything else, because it becomes a part of the frame's path. */
const orderIn = (text: string | undefined): string | null => (/^[\w-]{8,40}$/.test(text ?? "") ? (text ?? "") : null);

/** Returns the shop's origin as the browser sees it, which must be one of the partner's allowed origins. */
const originOf = (context: Context): string => new URL(context.req.url).origin;

/** The Content Security Policy: what the widget needs, as documented for partners, and this shop's own files. */
function policy({ serviceUrl, cardScriptUrl }: WidgetAddresses, nonce?: string): string {
  const cards = new URL(cardScriptUrl).origin;
  return [
    "default-src 'none'",
    `script-src 'self' ${nonce ? `'nonce-${nonce}' ` : ""}${serviceUrl} ${cards}`,
    "style-src 'self'",
    "img-src 'self'",
    `frame-src ${serviceUrl} ${cards}`,
    `connect-src 'self' ${cards}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
