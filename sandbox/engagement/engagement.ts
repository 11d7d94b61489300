import { Hono } from "hono";
import { html } from "hono/html";
import { sandboxFrame } from "../pages/sandbox-frame.ts";

/**
 * What a service worker runs of the customer-engagement provider (T5): a push is shown as a notification, and a press on it opens its page. Keeps
 * nothing.
 */
const WORKER = `self.addEventListener("push", (event) => {
  const read = () => {
    try {
      return event.data.json();
    } catch {
      return { body: event.data ? event.data.text() : "" };
    }
  };
  const { title = "News from your club", body = "", url = "/" } = read();
  event.waitUntil(self.registration.showNotification(title, { body, data: { url }, icon: "/brand/icon-192.png" }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href, origin } = new URL(event.notification.data.url, self.location.origin);
  if (origin === self.location.origin) event.waitUntil(self.clients.openWindow(href));
});
`;

/** The customer-engagement provider: the script for service workers, and a page that says how to send a push. */
export function engagement(): Hono {
  const routes = new Hono();
  routes.get("/worker.js", (context) =>
    context.body(WORKER, 200, { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" }),
  );
  routes.get("/", (context) =>
    context.html(
      sandboxFrame({
        title: "Messages",
        path: "/engagement",
        body: html`<h1>Messages</h1>
          <p class="lead">
            The customer-engagement provider. Its script runs in the service worker of a brand's site once somebody has
            agreed to messages there, and shows pushes as notifications.
          </p>
          <section class="panel" aria-labelledby="send">
            <header><h2 id="send">Send a push</h2></header>
            <p>A real provider sends pushes through the browser vendor's servers, which this machine does without.</p>
            <ol>
              <li>Open a members' site in Chromium, choose “Accept all”, and allow notifications for it.</li>
              <li>Open the developer tools, then Application, then Service workers.</li>
              <li>
                Type
                <code>{"title":"Half term","body":"Lodges at 10% back","url":"/categories/hotels-and-uk-breaks"}</code>
                beside Push, and press the button.
              </li>
            </ol>
          </section>`,
      }),
    ),
  );
  return routes;
}
