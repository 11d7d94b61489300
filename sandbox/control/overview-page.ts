import { html } from "hono/html";
import type { Networks } from "../network/network.ts";
import type { Html } from "../pages/plain-page.ts";

/** The start page: what the sandbox is, and its parts. */
export function overviewPage(networks: Networks, mail: { count: number; smtpPort: number | null }): Html {
  const count = (table: string): number =>
    networks.state.one<{ count: number }>(`select count(*) as count from ${table}`)?.count ?? 0;
  const payments =
    networks.state.one<{ count: number }>("select count(*) as count from card_objects where object = 'payment_intent'")
      ?.count ?? 0;
  const advertisers = networks.catalogue.programmes().length;
  return html`<div>
      <h1>The outside world, for development</h1>
      <p class="lead">
        Everything a membership club talks to but does not own: an affiliate network, the retailers' shops, a card
        provider, and a mailbox for whatever it sends. Each speaks the real one's own protocol, so the program under
        test runs as it would in production. Nothing here is real: no money moves and no message leaves this machine.
      </p>
    </div>
    <ul class="tiles">
      <li>
        <h2><a href="/network">Affiliate network</a></h2>
        <b>${count("transactions")}</b> transactions
        <p>${count("clicks")} clicks. Approve, decline and amend sales; make pushes late, doubled or forged.</p>
      </li>
      <li>
        <h2><a href="/shops">Shops</a></h2>
        <b>${advertisers}</b> advertisers
        <p>
          ${advertisers === 0 ? "The catalogue files have not been written yet; this page finds them when they are." : "One small shop each. Reached by the publisher's links, or from the list."}
        </p>
      </li>
      <li>
        <h2><a href="/cards">Card payments</a></h2>
        <b>${payments}</b> payments
        <p>Test cards, challenges, banks to be sent to, refunds; webhooks late, doubled or out of order.</p>
      </li>
      <li>
        <h2><a href="/issuer">Gift cards</a></h2>
        <b>${count("issuer_cards")}</b> cards
        <p>An issuer that runs out of stock or float, takes hours, or forgets to answer.</p>
      </li>
      <li>
        <h2><a href="/tag-manager">Tags</a></h2>
        <p>A tag manager that shows what it reads in the pages of visitors who agreed to it.</p>
      </li>
      <li>
        <h2><a href="/engagement">Messages</a></h2>
        <p>A provider whose script shows pushes on the devices of those who agreed to them.</p>
      </li>
      <li>
        <h2><a href="/mailbox">Mailbox</a></h2>
        <b>${mail.count}</b> messages
        <p>
          ${mail.smtpPort === null ? "The mail server is off." : html`Whatever is sent by SMTP to port ${mail.smtpPort} ends here.`}
        </p>
      </li>
    </ul>
    <section class="panel" aria-labelledby="how">
      <header><h2 id="how">The usual round</h2></header>
      <ol>
        <li>
          In the club, follow an offer to its retailer. The network notes the click and lands you in that retailer's
          shop.
        </li>
        <li>
          Put something in the basket and choose “Buy now”. The shop tells the network, and the network pushes the sale
          to the club.
        </li>
        <li>
          Come back to <a href="/network">the network</a> and approve or decline it. The club sees that when it next
          reads the report.
        </li>
      </ol>
    </section>`;
}
