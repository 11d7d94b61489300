import { Hono, type Context } from "hono";
import { html } from "hono/html";
import type Stripe from "stripe";
import { moneyText } from "../network/amounts.ts";
import { clock } from "../pages/clock.ts";
import type { Html } from "../pages/plain-page.ts";
import { CardsError } from "./card-error.ts";
import { randomText } from "./card-store.ts";
import type { Cards, RequestNote } from "./cards.ts";
import { decideDispute, disputeMoves, disputeMovesOf, openDispute, type DisputeMove } from "./disputes.ts";
import type { Fields } from "./form.ts";
import { createRefund, failRefund } from "./refunds.ts";

/** What a person does in the provider's dashboard, and what payers' banks do: as forms, below /cards. */
export function dashboardForms(cards: Cards): Hono {
  const routes = new Hono();
  const run = (context: Context, act: (note: RequestNote) => string): Response => {
    const message = attempt(cards, context, act);
    return context.redirect(
      `/cards?done=${encodeURIComponent("error" in message ? message.error : message.done)}`,
      303,
    );
  };
  routes.post("/disputes", async (context) => {
    const form = await context.req.formData();
    const intent = String(form.get("payment_intent"));
    const isInquiry = form.get("kind") === "inquiry";
    return run(context, (note) => `${openDispute(cards, note, { intent, isInquiry }).id} is open.`);
  });
  routes.post("/disputes/:id/:step", (context) =>
    run(context, (note) => {
      const step = stepOf(context.req.param("step"));
      return `The dispute is ${decideDispute(cards, note, context.req.param("id"), step).status.replaceAll("_", " ")}.`;
    }),
  );
  routes.post("/refunds", async (context) => {
    const form = await context.req.formData();
    return run(context, (note) => {
      const refund = createRefund(cards, note, { payment_intent: String(form.get("payment_intent")) });
      return `${moneyText(refund.amount, refund.currency.toUpperCase())} refunded in the dashboard.`;
    });
  });
  return routes;
}

/** The same for tests, as a JSON API below /control/cards. */
export function dashboardControl(cards: Cards): Hono {
  const api = new Hono();
  const run = (context: Context, act: (note: RequestNote) => object): Response => {
    const done = attempt(cards, context, act);
    return "error" in done ? context.json(done, 400) : context.json(done.done);
  };
  api.get("/disputes", (context) => context.json(cards.store.list<Stripe.Dispute>("dispute")));
  api.post("/disputes", async (context) => {
    const body = await context.req.json<{
      payment_intent: string;
      amount?: number;
      reason?: string;
      inquiry?: boolean;
    }>();
    const { payment_intent: intent, amount, reason, inquiry: isInquiry } = body;
    return run(context, (note) => openDispute(cards, note, { intent, amount, reason, isInquiry }));
  });
  api.post("/disputes/:id/:step", (context) =>
    run(context, (note) => decideDispute(cards, note, context.req.param("id"), stepOf(context.req.param("step")))),
  );
  api.post("/refunds", async (context) => {
    const { payment_intent, amount } = await context.req.json<{ payment_intent: string; amount?: number }>();
    const fields: Fields = { payment_intent, ...(amount === undefined ? {} : { amount: String(amount) }) };
    return run(context, (note) => createRefund(cards, note, fields));
  });
  api.post("/refunds/:id/fail", (context) => run(context, (note) => failRefund(cards, note, context.req.param("id"))));
  return api;
}

function attempt<T>(cards: Cards, context: Context, act: (note: RequestNote) => T): { done: T } | { error: string } {
  const origin = new URL(context.req.url).origin;
  const note: RequestNote = { id: `req_${randomText(14)}`, idempotencyKey: null, origin };
  try {
    return { done: cards.store.atOnce(() => act(note)) };
  } catch (error) {
    if (error instanceof CardsError) return { error: error.body.message ?? "Refused." };
    throw error;
  }
}

function stepOf(text: string): DisputeMove {
  const known = disputeMoves.find((step) => step === text);
  if (!known) throw new CardsError(400, { type: "invalid_request_error", message: `A dispute can't ${text}.` });
  return known;
}

const names: Readonly<Record<DisputeMove, string>> = {
  respond: "Send evidence",
  win: "Decide for us",
  lose: "Decide for the payer",
  close: "Drop it",
  escalate: "Make it a dispute",
};

export function disputesPanel(cards: Cards): Html {
  const disputes = cards.store.list<Stripe.Dispute>("dispute", {}, 100);
  return html`<section class="panel" aria-labelledby="disputes">
    <header>
      <h2 id="disputes">Disputes</h2>
      <p>You are the payer's bank.</p>
    </header>
    ${
      disputes.length === 0
        ? html`<p class="empty">No payment is disputed.</p>`
        : html`<div class="scroll">
            <table class="stack">
              <thead>
                <tr>
                  <th scope="col">Dispute</th>
                  <th scope="col" class="num">Amount</th>
                  <th scope="col">Status</th>
                  <th scope="col">Evidence due</th>
                  <th scope="col">Payment intent</th>
                  <th scope="col">Do</th>
                </tr>
              </thead>
              <tbody>
                ${disputes.map(disputeRow)}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}

function disputeRow(dispute: Stripe.Dispute): Html {
  const dueBy = dispute.evidence_details.due_by;
  return html`<tr>
    <th scope="row"><span class="mono">${dispute.id}</span></th>
    <td class="num" data-label="Amount">${moneyText(dispute.amount, dispute.currency.toUpperCase())}</td>
    <td><span class="tag ${dispute.status}">${dispute.status.replaceAll("_", " ")}</span></td>
    <td>${dueBy === null ? "" : clock(dueBy * 1000)}</td>
    <td class="full mono small">${String(dispute.payment_intent)}</td>
    <td class="full">
      <div class="acts">
        ${disputeMovesOf(dispute).map(
          (step) =>
            html`<form method="post" action="/cards/disputes/${dispute.id}/${step}">
              <button>${names[step]}</button>
            </form>`,
        )}
      </div>
    </td>
  </tr>`;
}

/** What can be done with a payment that was taken. */
export function paymentActs(intent: Stripe.PaymentIntent): Html {
  if (intent.status !== "succeeded") return html``;
  const form = (path: string, name: string, kind: string): Html =>
    html`<form method="post" action="/cards/${path}">
      <input type="hidden" name="payment_intent" value="${intent.id}" /><input
        type="hidden"
        name="kind"
        value="${kind}"
      /><button>${name}</button>
    </form>`;
  return html`<div class="acts">
    ${form("refunds", "Refund in the dashboard", "refund")}${form("disputes", "Dispute", "dispute")}${form("disputes", "Inquire", "inquiry")}
  </div>`;
}
