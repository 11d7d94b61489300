import { html } from "hono/html";
import type Stripe from "stripe";
import { moneyText } from "../network/amounts.ts";
import type { Html } from "../pages/plain-page.ts";

/** The page in the payment form's frame. Its script fills it. */
export const paymentFormPage: Html = html`<!doctype html>
  <html lang="en-GB">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Secure payment input</title>
      <link rel="stylesheet" href="/cards/frames/payment-form.css" />
    </head>
    <body>
      <p class="error" data-part="failure" role="alert" hidden>The payment form could not be loaded.</p>
      <form hidden novalidate autocomplete="on">
        <fieldset data-part="methods">
          <legend>Payment method</legend>
          <div class="choices" data-part="choices"></div>
        </fieldset>
        <div class="card" data-part="new-card">
          ${field("number", "Card number", "cc-number", "1234 1234 1234 1234", "wide")}
          ${field("expiry", "Expiry date", "cc-exp", "MM / YY", "")}
          ${field("cvc", "Security code", "cc-csc", "CVC", "")}
          <label class="check" data-part="save" hidden><input type="checkbox" name="save" /> Save card for later</label>
        </div>
        <p class="note" data-part="bank" hidden>
          You will be taken to your bank to agree to the payment, and brought back here.
        </p>
      </form>
      <script src="/cards/frames/payment-form.js"></script>
    </body>
  </html>`;

function field(name: string, label: string, autocomplete: string, placeholder: string, width: string): Html {
  return html`<div class="field ${width}">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      inputmode="numeric"
      autocomplete="${autocomplete}"
      placeholder="${placeholder}"
      aria-describedby="${name}-error"
    />
    <span class="error" id="${name}-error" data-part="${name}-error" role="alert"></span>
  </div>`;
}

/** The bank's page: the challenge of a card payment, or the approval of a bank payment. It has two buttons and needs no script. */
export function questionPage(kind: "challenge" | "bank", intent: Stripe.PaymentIntent, action: string): Html {
  const amount = moneyText(intent.amount, intent.currency.toUpperCase());
  const words =
    kind === "challenge"
      ? {
          title: "Confirm your payment",
          lead: `Your bank asks whether this payment of ${amount} is yours.`,
          yes: "Complete",
          no: "Fail",
        }
      : {
          title: "Pay by bank",
          lead: `Pay ${amount} from your account.`,
          yes: "Authorise payment",
          no: "Fail payment",
        };
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${words.title}</title>
        <link rel="stylesheet" href="/sandbox.css" />
      </head>
      <body class="plain">
        <main>
          <h1>${words.title}</h1>
          <p>${words.lead}</p>
          <p class="small">A pretend bank in the sandbox. ${intent.id}</p>
          <form method="post" action="${action}" class="question">
            ${
              kind === "challenge"
                ? html`<label for="code">One-time code <span class="small">any will do</span></label
                    ><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" />`
                : ""
            }
            <div class="acts">
              <button class="main" name="answer" value="yes">${words.yes}</button
              ><button class="bad" name="answer" value="no">${words.no}</button>
            </div>
          </form>
        </main>
      </body>
    </html>`;
}

/** The page that the frame shows briefly after the person has answered. */
export function answeredPage(channel: string): Html {
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <title>Thank you</title>
        <link rel="stylesheet" href="/sandbox.css" />
      </head>
      <body class="plain" data-channel="${channel}">
        <main>
          <h1>Thank you</h1>
          <p>You can go back to the shop.</p>
        </main>
        <script src="/cards/frames/challenge-finished.js"></script>
      </body>
    </html>`;
}
