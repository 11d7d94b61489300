import { html, raw } from "hono/html";
import type { Html } from "../pages/plain-page.ts";
import { newOrder, type Order } from "./order.ts";
import { partnerFrame } from "./partner-frame.ts";

/** The addresses of the widget and of the card provider's script, which a partner gets when it joins. */
export interface WidgetAddresses {
  /** The payment service's address, such as "http://localhost:3000". */
  serviceUrl: string;
  publishableKey: string;
  /** The address of the card provider's script. */
  cardScriptUrl: string;
}

/** One view of a page. Its token is valid for this load only. */
export interface View {
  addresses: WidgetAddresses;
  token: string;
  order: Order;
  /** The address that a payment outside the page returns to, as JSON of the `redirect` property. */
  redirect: string;
  origin: string;
  /** The order of gift cards whose payer has come back from a bank. */
  giftCardOrder: string | null;
  /** The nonce of the only inline script, an import map. */
  nonce: string;
}

export const GIFT_CARDS_PATH = "/gift-cards";

/** Starts a view of the shop's pages at `origin`. */
export const newView = (addresses: WidgetAddresses, origin: string, giftCardOrder: string | null): View => ({
  addresses,
  token: "",
  order: newOrder(),
  redirect: JSON.stringify({
    paymentSuccess: { templateUrl: `${origin}/thanks?payment=PAYMENT`, idPlaceholder: "PAYMENT" },
  }),
  ...{ origin, giftCardOrder },
  nonce: crypto.randomUUID(),
});

const widgetScript = ({ serviceUrl, publishableKey, cardScriptUrl }: WidgetAddresses): Html =>
  html`<script
    async
    src="${serviceUrl}/widget/farthing-widget.js"
    data-environment="dev"
    data-base-url="${serviceUrl}"
    data-publishable-key="${publishableKey}"
    data-card-script-url="${cardScriptUrl}"
  ></script>`;

const checkout = (order: Order, widget: Html, note: Html): Html => html`
  <div class="checkout">
    <section aria-labelledby="order">
      <h1 id="order">Your Friday hamper</h1>
      <ul class="lines">
        ${order.lines.map(
          ({ name, detail, price, drawing }) =>
            html`<li>
              <svg viewBox="0 0 80 90" width="64" height="72" aria-hidden="true">${raw(drawing)}</svg>
              <div><b>${name}</b><span>${detail}</span></div>
              <span class="price">${price}</span>
            </li>`,
        )}
      </ul>
      <dl>
        <div>
          <dt>Delivery</dt>
          <dd>Free</dd>
        </div>
        <div class="total">
          <dt>To pay</dt>
          <dd>${order.total}</dd>
        </div>
        <div>
          <dt>Your reference</dt>
          <dd class="reference">${order.reference}</dd>
        </div>
      </dl>
    </section>
    <section aria-labelledby="payment">
      <h2 id="payment">Payment</h2>
      <p>Press Pay and enter your card. The card form can be closed with Escape or by pressing beside it.</p>
      ${widget}
      <p class="note">${note}</p>
    </section>
  </div>
`;

/** A page with the script tag and the element. */
export const scriptPage = ({ addresses, token, order, redirect }: View): Html =>
  partnerFrame({
    title: "Checkout",
    path: "/",
    scripts: widgetScript(addresses),
    body: checkout(
      order,
      html`<farthing-widget
        class="payment"
        environment="dev"
        token="${token}"
        path="/pay"
        redirect="${redirect}"
        show-payment-errors
      ></farthing-widget>`,
      html`This page has a script tag and a <code>&lt;farthing-widget&gt;</code> element.`,
    ),
  });

/** A page with the React component of the published file; React itself is the shop's. */
export const reactPage = ({ addresses, token, order, redirect, nonce }: View): Html =>
  partnerFrame({
    title: "React",
    path: "/react",
    scripts: html`<script type="importmap" nonce="${nonce}">
        ${raw(
          JSON.stringify({
            imports: {
              react: "/react-bundle.js",
              "react-dom/client": "/react-bundle.js",
            },
          }),
        )}
      </script>
      <script type="module" src="/react-page.js"></script>`,
    body: checkout(
      order,
      html`<div
        id="react-root"
        data-token="${token}"
        data-redirect="${redirect}"
        data-addresses="${JSON.stringify({
          baseUrl: addresses.serviceUrl,
          publishableKey: addresses.publishableKey,
          cardScriptUrl: addresses.cardScriptUrl,
        })}"
      ></div>`,
      html`This page is drawn by React with the component <code>FarthingWidget</code>, in StrictMode.`,
    ),
  });

/** A page with the element in a declarative shadow root. */
export const shadowPage = ({ addresses, token, order, redirect }: View): Html =>
  partnerFrame({
    title: "Shadow root",
    path: "/shadow",
    scripts: widgetScript(addresses),
    body: checkout(
      order,
      html`<div id="shadow-host">
        <template shadowrootmode="open">
          <link rel="stylesheet" href="/larder-lane.css" />
          <farthing-widget
            class="payment"
            environment="dev"
            token="${token}"
            path="/pay"
            redirect="${redirect}"
            show-payment-errors
          ></farthing-widget>
        </template>
      </div>`,
      html`The element stands in a shadow root; the card form opens in the page's own body.`,
    ),
  });

/**
 * The shop's gift cards: the portal of the payment service. A payment at a bank returns here with the order, which a new
 * frame opens.
 */
export function giftCardsPage({ addresses, token, order, origin, giftCardOrder }: View): Html {
  const templateUrl = `${origin}${GIFT_CARDS_PATH}?order=ORDER`;
  return partnerFrame({
    title: "Gift cards",
    path: GIFT_CARDS_PATH,
    scripts: html`<script
      async
      src="${addresses.serviceUrl}/widget/farthing-gift-cards.js"
      data-environment="dev"
      data-base-url="${addresses.serviceUrl}"
      data-publishable-key="${addresses.publishableKey}"
      data-card-script-url="${addresses.cardScriptUrl}"
    ></script>`,
    body: html`<h1>Gift cards</h1>
      <p class="lead">
        ${
          giftCardOrder === null
            ? "For whoever has enough jam: cards of other shops. Choose one, pay, and have the code at once."
            : "Welcome back from your bank. Your order is below."
        }
      </p>
      <farthing-gift-cards
        class="gift-cards"
        environment="dev"
        token="${token}"
        path="${giftCardOrder === null ? "/portal" : `/portal/orders/${giftCardOrder}`}"
        redirect="${JSON.stringify({ paymentSuccess: { templateUrl, idPlaceholder: "ORDER" } })}"
      ></farthing-gift-cards>
      <p class="note">
        If you write to us about a card: your reference is <b class="reference">${order.reference}</b>.
      </p>`,
  });
}

/** A page that changes every property, and shows every message and event. */
export const playgroundPage = ({ addresses, token, order, redirect }: View): Html =>
  partnerFrame({
    title: "Playground",
    path: "/playground",
    scripts: html`${widgetScript(addresses)}
      <script type="module" src="/playground.js"></script>`,
    body: html`
      <h1>Playground</h1>
      <p>
        Change a property and apply it: the page asks this shop's server for a new token, and the frame is loaded again.
      </p>
      <div class="playground">
        <form id="properties">
          <label>environment ${select("environment", ["dev", "staging", "production"])}</label>
          <label>path <input name="path" value="/pay" autocomplete="off" spellcheck="false" /></label>
          <label>redirect <textarea name="redirect" rows="5" spellcheck="false">${redirect}</textarea></label>
          <label>style: height <input name="height" value="640px" autocomplete="off" /></label>
          <label>className ${select("className", ["payment", "payment outlined", "payment dark"])}</label>
          <label class="check"><input type="checkbox" name="showPaymentErrors" /> showPaymentErrors</label>
          <button>Apply</button>
          <p id="applied" role="status"></p>
        </form>
        <div id="widget" data-token="${token}"></div>
        <section class="log" aria-labelledby="log-title">
          <h2 id="log-title">Messages and events</h2>
          <p>Your reference is <b class="reference">${order.reference}</b>. Secrets are shortened.</p>
          <div role="log" aria-labelledby="log-title" tabindex="0"><ol id="log"></ol></div>
        </section>
      </div>
    `,
  });

const select = (name: string, options: readonly string[]): Html =>
  html`<select name="${name}">
    ${options.map((option) => html`<option>${option}</option>`)}
  </select>`;

/** The page that a payment outside the page returns to, with the provider's outcome in the address. An address proves nothing, so the page does not confirm the payment. */
export const thanksPage = ({ payment, outcome }: { payment: string; outcome: string | undefined }): Html =>
  partnerFrame({
    title: outcome === "failed" ? "Payment not made" : "Thank you",
    path: "/thanks",
    body: html`<div class="thanks">
      ${
        outcome === "failed"
          ? html`<h1>Your payment was not made</h1>
              <p>Your bank did not allow it, and nothing was taken.</p>
              <p><a class="button" href="/">Try again</a></p>`
          : html`<h1>Thank you for your order</h1>
              <p>We pack your hamper as soon as the payment service tells our server that it has the money.</p>
              <p><a class="button" href="/">Back to the shop</a></p>`
      }
      ${payment ? html`<p class="note">Payment <code class="reference">${payment.slice(0, 200)}</code></p>` : ""}
    </div>`,
  });

/** The page that is shown if minting a token failed. */
export const unavailablePage = (path: string, reason: string): Html =>
  partnerFrame({
    title: "Payment is not available",
    path,
    body: html`<div class="thanks">
      <h1>Payment is not available just now</h1>
      <p>Load this page again in a moment. The payment service said:</p>
      <p><code>${reason}</code></p>
    </div>`,
  });
