import { html } from "hono/html";
import { latestClicks, type ClickRow } from "../network/clicks.ts";
import { moneyText } from "../network/amounts.ts";
import type { Networks } from "../network/network.ts";
import type { DeliveryRow } from "../deliveries/delivery-queue.ts";
import { readSwitches, type Switches } from "../network/switches.ts";
import {
  declineReasons,
  latestTransactions,
  transactionMoves,
  type TransactionMove,
  type TransactionRow,
} from "../network/transactions.ts";
import type { Html } from "../pages/plain-page.ts";
import { latestPushes } from "./control-actions.ts";
import { clock } from "../pages/clock.ts";

/** The network's screen: transactions to decide on, pushes, clicks, and the switches for misbehaviour. */
export function networkPage(networks: Networks): Html {
  const switches = readSwitches(networks.state);
  const transactions = latestTransactions(networks.state, 100);
  const pushes = latestPushes(networks, 50);
  const held = networks.all.reduce((total, { pushes: own }) => total + own.heldCount(), 0);
  return html`<div>
      <h1>Affiliate network</h1>
      <p class="lead">
        Stand-ins for ${networks.all.map(({ name }) => name).join(", ")}, as their publisher sees them. Sales made in
        the
        <a href="/shops">shops</a> arrive here as pending; what you decide shows in the network's report, which is where
        the publisher learns of it. Only a new sale is pushed.
      </p>
    </div>
    <section class="panel" aria-labelledby="transactions">
      <header>
        <h2 id="transactions">Transactions</h2>
        <p>${transactions.length === 100 ? "the latest 100" : `${transactions.length} so far`}</p>
      </header>
      ${
        transactions.length === 0
          ? html`<p class="empty">None yet. Follow one of the publisher's links to a shop and buy something.</p>`
          : html`<div class="scroll">
              <table class="stack">
                <thead>
                  <tr>
                    <th scope="col">Order</th>
                    <th scope="col">Advertiser</th>
                    <th scope="col" class="num">Sale</th>
                    <th scope="col" class="num">Commission</th>
                    <th scope="col">Click reference</th>
                    <th scope="col">Status</th>
                    <th scope="col">When</th>
                    <th scope="col">Do</th>
                  </tr>
                </thead>
                <tbody>
                  ${transactions.map(transactionRow)}
                </tbody>
              </table>
            </div>`
      }
    </section>
    <section class="panel" aria-labelledby="pushes">
      <header>
        <h2 id="pushes">Pushes</h2>
        <p>${held > 0 ? `${held} held` : "none held"}</p>
      </header>
      <div class="acts">
        ${switches.holdPushes ? button("/network/pushes/release", "Release", "main") : button("/network/pushes/hold", "Hold pushes")}
        ${button("/network/pushes/reverse", "Send pushes in reverse order")}${button("/network/pushes/forge", "Forge a push")}
      </div>
      ${
        pushes.length === 0
          ? html`<p class="empty">Nothing has been pushed.</p>`
          : html`<div class="scroll">
              <table class="stack">
                <thead>
                  <tr>
                    <th scope="col">Push</th>
                    <th scope="col">Transaction</th>
                    <th scope="col">Outcome</th>
                    <th scope="col">Answer</th>
                    <th scope="col" class="num">Tries</th>
                    <th scope="col">When</th>
                    <th scope="col">Content</th>
                  </tr>
                </thead>
                <tbody>
                  ${pushes.map(pushRow)}
                </tbody>
              </table>
            </div>`
      }
    </section>
    ${switchesPanel(switches)} ${clicksPanel(latestClicks(networks.state, 50))}
    <section class="panel" aria-labelledby="reset">
      <header>
        <h2 id="reset">Start afresh</h2>
        <p>Forgets clicks, transactions, pushes, baskets and orders.</p>
      </header>
      <div class="acts">${button("/network/reset", "Forget everything", "bad")}</div>
    </section>`;
}

function button(action: string, name: string, kind = ""): Html {
  return html`<form method="post" action="${action}"><button class="${kind}">${name}</button></form>`;
}

function transactionRow(row: TransactionRow): Html {
  const may = (move: TransactionMove): boolean => (transactionMoves[row.status] as readonly string[]).includes(move);
  const base = `/network/transactions/${row.id}`;
  return html`<tr>
    <th scope="row">
      ${row.order_ref}<br /><span class="small mono">${row.id}</span><br /><span class="small">${row.network}</span>
    </th>
    <td class="full">
      ${row.advertiser_name}${row.voucher_code ? html`<br /><span class="small">with code ${row.voucher_code}</span>` : ""}
    </td>
    <td class="num" data-label="Sale">
      ${moneyText(row.sale_pence, row.currency)}${row.old_sale_pence === null ? "" : html`<br /><span class="small gone">${moneyText(row.old_sale_pence, row.currency)}</span>`}
    </td>
    <td class="num" data-label="Commission">${moneyText(row.commission_pence, row.currency)}</td>
    <td class="full">
      ${row.click_ref === null ? html`<span class="small">none</span>` : html`<code>${row.click_ref}</code>`}
    </td>
    <td>
      <span class="tag ${row.status}">${row.status}</span
      >${row.paid_to_publisher ? html` <span class="tag paid">paid</span>` : ""}${row.decline_reason ? html`<br /><span class="small">${row.decline_reason}</span>` : ""}
    </td>
    <td>${clock(row.transacted_at)}</td>
    <td class="full">
      <div class="acts">
        ${may("approve") ? button(`${base}/approve`, "Approve", "main") : ""}
        ${
          may("decline")
            ? html`<form method="post" action="${base}/decline">
                <label class="visually" for="reason-${row.id}">Reason to decline ${row.order_ref}</label
                ><select id="reason-${row.id}" name="reason">
                  ${declineReasons.map((reason) => html`<option>${reason}</option>`)}</select
                ><button class="bad">Decline</button>
              </form>`
            : ""
        }
        ${may("amend") ? html`<form method="post" action="${base}/amend"><label class="visually" for="amount-${row.id}">New amount of ${row.order_ref}</label><input class="short" id="amount-${row.id}" name="amount" inputmode="decimal" placeholder="0.00" required pattern="[£€$]?\\s*[0-9,]+(\\.[0-9]{1,2})?" title="An amount such as 12.34" /><button>Amend amount</button></form>` : ""}
        ${may("pay") && !row.paid_to_publisher ? button(`${base}/pay`, "Pay publisher") : ""}
        ${row.click_ref === null ? "" : button(`${base}/lose-clickref`, "Lose clickref")}
        ${button(`${base}/push`, "Send push again")}
      </div>
    </td>
  </tr>`;
}

function pushRow(push: DeliveryRow): Html {
  return html`<tr>
    <th scope="row">${push.id} <span class="small">${push.kind}</span></th>
    <td>
      ${push.subject === null ? html`<span class="small">unknown to the network</span>` : html`<span class="mono">${push.subject}</span>`}
    </td>
    <td><span class="tag ${push.status}">${push.status}</span></td>
    <td>${push.http_status ?? ""} <span class="small">${push.outcome?.slice(0, 120) ?? ""}</span></td>
    <td class="num" data-label="Tries">${push.attempts}</td>
    <td>${clock(push.finished_at ?? push.created_at)}</td>
    <td class="full">
      <details>
        <summary>AwinTransactionPush</summary>
        <pre>${JSON.stringify(JSON.parse(push.body), null, 2)}</pre>
      </details>
    </td>
  </tr>`;
}

function switchesPanel(switches: Switches): Html {
  const box = (name: keyof Switches, label: string, explained: string): Html =>
    html`<label
      ><input type="checkbox" name="${name}" ${switches[name] ? html` checked` : ""} />
      <div>${label}<span>${explained}</span></div></label
    >`;
  return html`<section class="panel" aria-labelledby="switches">
    <header>
      <h2 id="switches">Misbehave</h2>
      <p>All off is what Awin documents: one push per sale, at once, never repeated.</p>
    </header>
    <form method="post" action="/network/switches" class="panel-form">
      <div class="switches">
        ${box("holdPushes", "Hold new pushes", "They wait until they are released.")}
        ${box("sendTwice", "Send every push twice", "The receiver must count a sale once.")}
        ${box("retryFailed", "Try failed pushes again", "Up to five times, waiting longer each time.")}
        ${box("loseClickRefs", "Lose click references", "New sales come without the publisher's reference.")}
        <label class="inline"
          >Delay pushes by
          <input class="short" type="number" name="delaySeconds" min="0" max="3600" value="${switches.delaySeconds}" />
          seconds</label
        >
      </div>
      <p class="acts"><button class="main">Save switches</button></p>
    </form>
  </section>`;
}

function clicksPanel(clicks: readonly ClickRow[]): Html {
  return html`<section class="panel" aria-labelledby="clicks">
    <header>
      <h2 id="clicks">Clicks</h2>
      <p>the latest 50</p>
    </header>
    ${
      clicks.length === 0
        ? html`<p class="empty">No one has followed a link yet.</p>`
        : html`<div class="scroll">
            <table class="stack">
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Advertiser</th>
                  <th scope="col">Click reference</th>
                  <th scope="col">Landing page</th>
                  <th scope="col">Checksum (awc)</th>
                </tr>
              </thead>
              <tbody>
                ${clicks.map(
                  (click) =>
                    html`<tr>
                      <th scope="row">${clock(click.clicked_at)}</th>
                      <td class="num" data-label="Advertiser">${click.advertiser_id}</td>
                      <td class="full"><code>${click.click_ref ?? "none"}</code></td>
                      <td class="full">
                        ${click.landing_url}${click.note ? html`<br /><span class="small">${click.note}</span>` : ""}
                      </td>
                      <td class="full"><code>${click.awc}</code></td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}
