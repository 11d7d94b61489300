import { Hono } from "hono";
import { html } from "hono/html";
import { clock } from "../pages/clock.ts";
import { plainPage, type Html } from "../pages/plain-page.ts";
import { sandboxFrame } from "../pages/sandbox-frame.ts";
import type { State } from "../state/state.ts";
import { findMessage, findMessages, linksIn, type MessageRow } from "./mail-store.ts";

/** The mailbox: pages for people, /mailbox/messages for tests. */
export function mailboxRoutes(state: State, smtpPort: () => number | null): Hono {
  const routes = new Hono();

  routes.get("/", (context) => {
    const to = context.req.query("to")?.trim() || undefined;
    return context.html(
      sandboxFrame({
        title: "Mailbox",
        path: "/mailbox",
        body: listPage(findMessages(state, to, 200), to, smtpPort()),
      }),
    );
  });

  routes.get("/messages", (context) =>
    context.json(findMessages(state, context.req.query("to"), 200).map(wireMessage)),
  );
  routes.delete("/messages", (context) => {
    state.run("delete from messages");
    return context.json({ deleted: true });
  });
  routes.post("/empty", (context) => {
    state.run("delete from messages");
    return context.redirect("/mailbox", 303);
  });

  routes.get("/messages/:id", (context) => {
    const message = findMessage(state, Number(context.req.param("id")));
    if (!message)
      return context.html(
        plainPage(
          "No such message",
          html`<p>It may have been emptied away. <a href="/mailbox">Back to the mailbox</a></p>`,
        ),
        404,
      );
    return context.html(
      sandboxFrame({ title: message.subject || "(no subject)", path: "/mailbox", body: messagePage(message) }),
    );
  });

  // A message's own HTML: without script, requests or navigation out of its frame.
  routes.get("/messages/:id/html", (context) => {
    const message = findMessage(state, Number(context.req.param("id")));
    if (!message?.html) return context.notFound();
    context.header(
      "Content-Security-Policy",
      "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'",
    );
    return context.html(message.html);
  });

  routes.get("/messages/:id/raw", (context) => {
    const message = findMessage(state, Number(context.req.param("id")));
    if (!message) return context.notFound();
    return context.body(Uint8Array.from(message.raw), 200, { "Content-Type": "text/plain; charset=utf-8" });
  });

  return routes;
}

/** Returns a message as JSON for tests. */
function wireMessage(message: MessageRow) {
  return {
    id: message.id,
    from: message.sender,
    to: JSON.parse(message.recipients) as string[],
    subject: message.subject,
    text: message.plain_text,
    html: message.html,
    links: linksIn(message),
    headers: JSON.parse(message.headers) as [string, string][],
    receivedAt: new Date(message.received_at).toISOString(),
  };
}

function recipients(message: MessageRow): string {
  return (JSON.parse(message.recipients) as string[]).join(", ");
}

function listPage(messages: readonly MessageRow[], to: string | undefined, smtpPort: number | null): Html {
  return html`<div>
      <h1>Mailbox</h1>
      <p class="lead">
        Every message sent by SMTP to ${smtpPort === null ? "this sandbox" : html`port ${smtpPort}`} ends here, whoever
        it was for. None goes further.
      </p>
    </div>
    <section class="panel" aria-label="Messages">
      <header>
        <form method="get" action="/mailbox" class="inline">
          <label for="to">Sent to</label><input id="to" name="to" type="email" value="${to ?? ""}" /><button>
            Show
          </button>
        </form>
        <form method="post" action="/mailbox/empty"><button class="bad">Empty the mailbox</button></form>
      </header>
      ${
        messages.length === 0
          ? html`<p class="empty">${to ? `Nothing has come for ${to}.` : "No message has come yet."}</p>`
          : html`<div class="scroll">
              <table class="stack">
                <thead>
                  <tr>
                    <th scope="col">Subject</th>
                    <th scope="col">To</th>
                    <th scope="col">From</th>
                    <th scope="col">When</th>
                  </tr>
                </thead>
                <tbody>
                  ${messages.map(
                    (message) =>
                      html`<tr>
                        <th scope="row">
                          <a href="/mailbox/messages/${message.id}">${message.subject || "(no subject)"}</a>
                        </th>
                        <td class="full">${recipients(message)}</td>
                        <td class="full">${message.sender}</td>
                        <td>${clock(message.received_at)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
    </section>`;
}

function messagePage(message: MessageRow): Html {
  const links = linksIn(message);
  return html`<div>
      <h1>${message.subject || "(no subject)"}</h1>
      <p class="lead">From ${message.sender} to ${recipients(message)}, ${clock(message.received_at)}</p>
    </div>
    ${
      links.length > 0
        ? html`<section class="panel" aria-labelledby="links">
            <h2 id="links">Links in this message</h2>
            <ul>
              ${links.map((link) => html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`)}
            </ul>
          </section>`
        : ""
    }
    ${
      message.html
        ? html`<section class="panel" aria-labelledby="html">
            <h2 id="html">As it looks</h2>
            <iframe title="The message" sandbox="" src="/mailbox/messages/${message.id}/html"></iframe>
          </section>`
        : ""
    }
    ${
      message.plain_text
        ? html`<section class="panel" aria-labelledby="text">
            <h2 id="text">Text</h2>
            <pre>${message.plain_text}</pre>
          </section>`
        : ""
    }
    <p><a href="/mailbox/messages/${message.id}/raw">As it came over the wire</a></p>`;
}
