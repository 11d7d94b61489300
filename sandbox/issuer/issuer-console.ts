import { Hono, type Context } from "hono";
import { html } from "hono/html";
import { readBody } from "../control/read-body.ts";
import { amountText, moneyText } from "../network/amounts.ts";
import { clock } from "../pages/clock.ts";
import type { Html } from "../pages/plain-page.ts";
import { sandboxFrame } from "../pages/sandbox-frame.ts";
import { readIssuerFaults, writeIssuerFaults, type IssuerFaults } from "./issuer-faults.ts";
import { floatOf, forgetIssuer, latestCards, setFloat, type CardRow, type Issuer } from "./issuer.ts";

/** The issuer's console: cards, float and faults. */
export function issuerConsole(issuer: Issuer): Hono {
  const routes = new Hono();
  const back = (context: Context, message: string): Response =>
    context.redirect(`/issuer?done=${encodeURIComponent(message)}`, 303);

  routes.get("/", (context) =>
    context.html(
      sandboxFrame({
        title: "Gift cards",
        path: "/issuer",
        message: context.req.query("done")?.slice(0, 300),
        body: consolePage(issuer),
      }),
    ),
  );
  routes.post("/faults", async (context) => {
    const form = await context.req.formData();
    const words = (name: string): string[] => String(form.get(name) ?? "").match(/[^\s,]+/g) ?? [];
    writeIssuerFaults(issuer.state, {
      down: form.has("down"),
      refuseDuplicates: form.has("refuseDuplicates"),
      tooLate: form.has("tooLate"),
      loseAnswers: Number(form.get("loseAnswers") ?? 0),
      hang: Number(form.get("hang") ?? 0),
      pendingSeconds: Number(form.get("pendingSeconds") ?? 0),
      outOfStock: words("outOfStock"),
      goneAmounts: words("goneAmounts"),
      withdrawn: words("withdrawn"),
      discounts: Object.fromEntries(words("discounts").map((word) => word.split("=") as [string, string])),
    });
    return back(context, "Faults saved.");
  });
  routes.post("/float", async (context) => {
    const pounds = Number((await context.req.formData()).get("pounds"));
    if (!Number.isFinite(pounds) || pounds < 0) return back(context, "The float is an amount of pounds.");
    setFloat(issuer, Math.round(pounds * 100));
    return back(context, "Float set.");
  });
  routes.post("/reset", (context) => {
    forgetIssuer(issuer);
    return back(context, "Everything is forgotten.");
  });
  return routes;
}

/** The console's actions for tests, as a JSON API. */
export function issuerControl(issuer: Issuer): Hono {
  const api = new Hono();
  api.get("/cards", (context) => context.json(latestCards(issuer, 1000)));
  api.get("/faults", (context) => context.json(readIssuerFaults(issuer.state)));
  api.put("/faults", async (context) =>
    context.json(writeIssuerFaults(issuer.state, await readBody<Record<string, unknown>>(context))),
  );
  api.put("/float", async (context) => {
    const { pence } = await readBody<{ pence?: unknown }>(context);
    if (typeof pence !== "number" || !Number.isSafeInteger(pence) || pence < 0)
      return context.json({ error: "pence must be a whole number, 0 or more." }, 400);
    setFloat(issuer, pence);
    return context.json({ pence: floatOf(issuer) });
  });
  api.post("/cards/:reference/spend", async (context) => {
    const { pence } = await readBody<{ pence?: unknown }>(context);
    const amount = typeof pence === "number" && Number.isSafeInteger(pence) && pence > 0 ? pence : 0;
    const { changes } = issuer.state.run(
      "update issuer_cards set left_pence = left_pence - ? where client_reference = ? and left_pence >= ?",
      amount,
      context.req.param("reference"),
      amount,
    );
    return context.json({ spent: changes === 1 });
  });
  api.post("/reset", (context) => {
    forgetIssuer(issuer);
    return context.json({ reset: true });
  });
  return api;
}

function consolePage(issuer: Issuer): Html {
  const cards = latestCards(issuer, 100);
  return html`<div>
      <h1>Gift cards</h1>
      <p class="lead">
        A stand-in for Tillo: its API is at <code>/tillo/api/v2</code>. It issues a card for every order that it can,
        and takes its price out of the float.
      </p>
    </div>
    <section class="panel" aria-labelledby="cards">
      <header>
        <h2 id="cards">Cards</h2>
        <p>the latest 100</p>
      </header>
      ${
        cards.length === 0
          ? html`<p class="empty">Nobody has ordered a card.</p>`
          : html`<div class="scroll">
              <table class="stack">
                <thead>
                  <tr>
                    <th scope="col">Reference</th>
                    <th scope="col">Brand</th>
                    <th scope="col" class="num">Value</th>
                    <th scope="col" class="num">Cost</th>
                    <th scope="col">State</th>
                    <th scope="col" class="num">Orders</th>
                    <th scope="col">When</th>
                  </tr>
                </thead>
                <tbody>
                  ${cards.map((card) => cardRow(issuer, card))}
                </tbody>
              </table>
            </div>`
      }
    </section>
    <section class="panel" aria-labelledby="float">
      <header><h2 id="float">Float</h2></header>
      <form method="post" action="/issuer/float" class="panel-form">
        <label class="inline"
          >Pounds
          <input class="short" type="number" name="pounds" min="0" step="0.01" value="${amountText(floatOf(issuer))}"
        /></label>
        <p class="acts"><button class="main">Set float</button></p>
      </form>
    </section>
    ${faultsPanel(readIssuerFaults(issuer.state))}
    <section class="panel" aria-labelledby="reset">
      <header>
        <h2 id="reset">Start afresh</h2>
        <p>Forgets cards, float and faults.</p>
      </header>
      <div class="acts">
        <form method="post" action="/issuer/reset"><button class="bad">Forget everything</button></form>
      </div>
    </section>`;
}

function cardRow({ now }: Issuer, card: CardRow): Html {
  const state = card.reversed_at !== null ? "reversed" : card.ready_at > now() ? "in progress" : "issued";
  return html`<tr>
    <th scope="row"><span class="mono">${card.client_reference}</span></th>
    <td>${card.brand}</td>
    <td class="num" data-label="Value">${moneyText(card.face_pence, "GBP")}</td>
    <td class="num" data-label="Cost">${moneyText(card.cost_pence, "GBP")}</td>
    <td><span class="tag">${state}</span></td>
    <td class="num" data-label="Orders">${card.orders}</td>
    <td>${clock(card.placed_at)}</td>
  </tr>`;
}

function faultsPanel(faults: IssuerFaults): Html {
  const box = (name: "down" | "refuseDuplicates" | "tooLate", label: string, explained: string): Html =>
    html`<label
      ><input type="checkbox" name="${name}" ${faults[name] ? html` checked` : ""} />
      <div>${label}<span>${explained}</span></div></label
    >`;
  const count = (name: "loseAnswers" | "hang" | "pendingSeconds", label: string): Html =>
    html`<label class="inline"
      >${label} <input class="short" type="number" name="${name}" min="0" max="1000000" value="${faults[name]}"
    /></label>`;
  const list = (name: "outOfStock" | "goneAmounts" | "withdrawn", label: string): Html =>
    html`<label class="inline">${label} <input name="${name}" value="${faults[name].join(" ")}" /></label>`;
  const discounts = Object.entries(faults.discounts).map(([slug, value]) => `${slug}=${value}`);
  return html`<section class="panel" aria-labelledby="faults">
    <header>
      <h2 id="faults">Misbehave</h2>
      <p>All off: a card at once, and one answer.</p>
    </header>
    <form method="post" action="/issuer/faults" class="panel-form">
      <div class="switches">
        ${box("down", "Down", "Every call is answered 503, and nothing happens.")}
        ${box("refuseDuplicates", "Refuse a repeated reference", "409 instead of the first answer.")}
        ${box("tooLate", "Reversals are too late", "As after 48 hours, or once a card was spent.")}
        ${count("loseAnswers", "Orders to carry out and then answer 504")}
        ${count("hang", "Orders to carry out and never answer")}
        ${count("pendingSeconds", "Seconds that new orders stay in progress")}
        ${list("outOfStock", "Brands without stock")}
        ${list("goneAmounts", "Amounts that are gone, such as sandbox-fixed:25.00")}
        ${list("withdrawn", "Brands that left the catalogue")}
        <label class="inline"
          >Changed discounts, such as sandbox-fixed=2.00 <input name="discounts" value="${discounts.join(" ")}"
        /></label>
      </div>
      <p class="acts"><button class="main">Save faults</button></p>
    </form>
  </section>`;
}
