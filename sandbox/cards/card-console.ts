import { Hono, type Context } from "hono";
import { html } from "hono/html";
import type Stripe from "stripe";
import { moneyText } from "../network/amounts.ts";
import { clock } from "../pages/clock.ts";
import type { Html } from "../pages/plain-page.ts";
import { sandboxFrame } from "../pages/sandbox-frame.ts";
import type { DeliveryRow } from "../deliveries/delivery-queue.ts";
import type { Cards } from "./cards.ts";
import { dashboardControl, dashboardForms, disputesPanel, paymentActs } from "./dashboard.ts";
import { readWebhookSwitches, writeWebhookSwitches, type WebhookSwitches } from "./webhooks.ts";

/** The provider's console: payments, and webhooks that can be delayed, doubled or reordered. */
export function cardConsole(cards: Cards): Hono {
  const routes = new Hono();
  const { state, webhooks } = cards;
  const back = (context: Context, message: string): Response =>
    context.redirect(`/cards?done=${encodeURIComponent(message)}`, 303);

  routes.get("/", (context) =>
    context.html(
      sandboxFrame({
        title: "Card payments",
        path: "/cards",
        message: context.req.query("done")?.slice(0, 300),
        body: consolePage(cards),
      }),
    ),
  );
  routes.post("/webhooks/hold", (context) => {
    writeWebhookSwitches(state, { hold: true });
    return back(context, "Webhooks wait until you release them.");
  });
  for (const [path, order] of [
    ["release", "oldest first"],
    ["release-reversed", "newest first"],
  ] as const) {
    routes.post(`/webhooks/${path}`, async (context) => {
      writeWebhookSwitches(state, { hold: false });
      const count = webhooks.release(order);
      await webhooks.settled();
      return back(context, `${count} released, ${order}.`);
    });
  }
  routes.post("/webhooks/:id/again", async (context) => {
    const row = webhooks.latest(1000).find((one) => one.id === Number(context.req.param("id")));
    if (!row) return back(context, "There is no such webhook.");
    webhooks.add(row.kind, row.body, row.subject);
    await webhooks.settled();
    return back(context, `${row.kind} was sent again.`);
  });
  routes.post("/switches", async (context) => {
    const form = await context.req.formData();
    writeWebhookSwitches(state, {
      hold: form.has("hold"),
      sendTwice: form.has("sendTwice"),
      noRetry: form.has("noRetry"),
      delaySeconds: Number(form.get("delaySeconds") ?? 0),
    });
    return back(context, "Switches saved.");
  });
  routes.route("/", dashboardForms(cards));
  routes.post("/reset", (context) => {
    forgetCards(cards);
    return back(context, "Everything is forgotten.");
  });
  return routes;
}

/** The console's actions for tests, as a JSON API. */
export function cardControl(cards: Cards): Hono {
  const api = new Hono();
  const { state, webhooks, store } = cards;
  api.get("/webhooks", (context) => context.json(webhooks.latest(1000)));
  api.get("/events", (context) => context.json(store.list<Stripe.EventBase>("event")));
  api.get("/switches", (context) => context.json(readWebhookSwitches(state)));
  api.put("/switches", async (context) =>
    context.json(writeWebhookSwitches(state, await context.req.json<Record<string, unknown>>())),
  );
  api.post("/webhooks/release", async (context) => {
    const { order } = await context.req.json<{ order?: string }>().catch(() => ({ order: undefined }));
    writeWebhookSwitches(state, { hold: false });
    return context.json({ released: webhooks.release(order === "newest first" ? "newest first" : "oldest first") });
  });
  api.post("/webhooks/settle", async (context) => {
    await webhooks.settled();
    return context.json({ settled: true });
  });
  api.route("/", dashboardControl(cards));
  api.post("/reset", (context) => {
    forgetCards(cards);
    return context.json({ reset: true });
  });
  return api;
}

function forgetCards(cards: Cards): void {
  cards.store.atOnce(() => {
    cards.store.forgetEverything();
    cards.state.run("delete from settings where name = 'card switches'");
  });
}

function consolePage(cards: Cards): Html {
  const intents = cards.store.list<Stripe.PaymentIntent>("payment_intent", {}, 100);
  const webhooks = cards.webhooks.latest(60);
  const switches = readWebhookSwitches(cards.state);
  return html`<div>
      <h1>Card payments</h1>
      <p class="lead">
        A stand-in for Stripe: its API is at <code>/v1</code>, its browser script at <code>/cards/v3/</code>. Only test
        cards are taken; 4242 4242 4242 4242 succeeds. Answers are signed webhooks, as from the real one.
      </p>
    </div>
    <section class="panel" aria-labelledby="payments">
      <header>
        <h2 id="payments">Payments</h2>
        <p>the latest 100</p>
      </header>
      ${
        intents.length === 0
          ? html`<p class="empty">Nobody has begun to pay.</p>`
          : html`<div class="scroll">
              <table class="stack">
                <thead>
                  <tr>
                    <th scope="col">Payment intent</th>
                    <th scope="col" class="num">Amount</th>
                    <th scope="col">Status</th>
                    <th scope="col">Last error</th>
                    <th scope="col">Metadata</th>
                    <th scope="col">When</th>
                    <th scope="col">Do</th>
                  </tr>
                </thead>
                <tbody>
                  ${intents.map((intent) => intentRow(cards, intent))}
                </tbody>
              </table>
            </div>`
      }
    </section>
    ${disputesPanel(cards)}
    <section class="panel" aria-labelledby="webhooks">
      <header>
        <h2 id="webhooks">Webhooks</h2>
        <p>${cards.webhooks.heldCount()} held</p>
      </header>
      <div class="acts">
        ${switches.hold ? html`${act("release", "Release", "main")}${act("release-reversed", "Release in reverse order", "")}` : act("hold", "Hold webhooks", "")}
      </div>
      ${
        webhooks.length === 0
          ? html`<p class="empty">None yet.</p>`
          : html`<div class="scroll">
              <table class="stack">
                <thead>
                  <tr>
                    <th scope="col">Event</th>
                    <th scope="col">Outcome</th>
                    <th scope="col">Answer</th>
                    <th scope="col" class="num">Tries</th>
                    <th scope="col">When</th>
                    <th scope="col">Do</th>
                  </tr>
                </thead>
                <tbody>
                  ${webhooks.map(webhookRow)}
                </tbody>
              </table>
            </div>`
      }
    </section>
    ${switchesPanel(switches)}
    <section class="panel" aria-labelledby="reset">
      <header>
        <h2 id="reset">Start afresh</h2>
        <p>Forgets customers, cards, payments and events.</p>
      </header>
      <div class="acts">
        <form method="post" action="/cards/reset"><button class="bad">Forget everything</button></form>
      </div>
    </section>`;
}

function act(path: string, name: string, kind: string): Html {
  return html`<form method="post" action="/cards/webhooks/${path}"><button class="${kind}">${name}</button></form>`;
}

function intentRow(cards: Cards, intent: Stripe.PaymentIntent): Html {
  const charge =
    typeof intent.latest_charge === "string"
      ? cards.store.find<Stripe.Charge>("charge", intent.latest_charge)
      : undefined;
  const currency = intent.currency.toUpperCase();
  const metadata = Object.entries(intent.metadata)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
  return html`<tr>
    <th scope="row"><span class="mono">${intent.id}</span></th>
    <td class="num" data-label="Amount">${moneyText(intent.amount, currency)}</td>
    <td>
      <span class="tag ${intent.status}">${intent.status.replaceAll("_", " ")}</span
      >${charge && charge.amount_refunded > 0 ? html`<br /><span class="small">${moneyText(charge.amount_refunded, currency)} refunded</span>` : ""}
    </td>
    <td class="full">${intent.last_payment_error?.message ?? ""}</td>
    <td class="full">${metadata}</td>
    <td>${clock(intent.created * 1000)}</td>
    <td class="full">${paymentActs(intent)}</td>
  </tr>`;
}

function webhookRow(row: DeliveryRow): Html {
  return html`<tr>
    <th scope="row">${row.kind}<br /><span class="small mono">${row.subject}</span></th>
    <td><span class="tag ${row.status}">${row.status}</span></td>
    <td class="full">${row.http_status ?? ""} <span class="small">${row.outcome?.slice(0, 120) ?? ""}</span></td>
    <td class="num" data-label="Tries">${row.attempts}</td>
    <td>${clock(row.finished_at ?? row.created_at)}</td>
    <td class="full">
      <div class="acts">
        ${act(`${row.id}/again`, "Send again", "")}
        <details>
          <summary>Content</summary>
          <pre>${row.body}</pre>
        </details>
      </div>
    </td>
  </tr>`;
}

function switchesPanel(switches: WebhookSwitches): Html {
  const box = (name: keyof WebhookSwitches, label: string, explained: string): Html =>
    html`<label
      ><input type="checkbox" name="${name}" ${switches[name] ? html` checked` : ""} />
      <div>${label}<span>${explained}</span></div></label
    >`;
  return html`<section class="panel" aria-labelledby="switches">
    <header>
      <h2 id="switches">Misbehave</h2>
      <p>All off: each event once, and again for three days until it is taken.</p>
    </header>
    <form method="post" action="/cards/switches" class="panel-form">
      <div class="switches">
        ${box("hold", "Hold new webhooks", "They wait until they are released.")}
        ${box("sendTwice", "Send every webhook twice", "The receiver must act once.")}
        ${box("noRetry", "Never try again", "A webhook that fails is lost.")}
        <label class="inline"
          >Delay webhooks by
          <input class="short" type="number" name="delaySeconds" min="0" max="3600" value="${switches.delaySeconds}" />
          seconds</label
        >
      </div>
      <p class="acts"><button class="main">Save switches</button></p>
    </form>
  </section>`;
}
