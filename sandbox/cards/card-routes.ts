import { Hono, type Context } from "hono";
import { html } from "hono/html";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plainPage } from "../pages/plain-page.ts";
import { answeredPage, paymentFormPage, questionPage } from "./card-pages.ts";
import { randomText } from "./card-store.ts";
import type { Cards, RequestNote } from "./cards.ts";
import { findPending, finishAction, type PendingAction } from "./confirm-intent.ts";

const file = (name: string): string => readFileSync(join(import.meta.dirname, "browser", name), "utf8");
const stripeScript = file("stripe.js");
const frameFiles: Readonly<Record<string, [type: string, text: string]>> = {
  "payment-form.js": ["text/javascript", file("payment-form.js")],
  "payment-form.css": ["text/css", file("payment-form.css")],
  "challenge-finished.js": ["text/javascript", file("challenge-finished.js")],
};

/** The provider's browser side: its script, the frames that script opens, and the pages people are sent away to. */
export function cardRoutes(cards: Cards): Hono {
  const routes = new Hono();

  const script = (c: Context): Response =>
    c.body(stripeScript, 200, {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "max-age=60",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  for (const path of ["/v3", "/v3/", "/v3/stripe.js", "/endive/stripe.js"]) routes.get(path, script);

  routes.get("/frames/payment-form", (c) => {
    framePolicy(c, "'self'");
    return c.html(paymentFormPage);
  });
  routes.get("/frames/:file", (c) => {
    const found = frameFiles[c.req.param("file")];
    return found
      ? c.body(found[1], 200, { "Content-Type": `${found[0]}; charset=utf-8`, "Cache-Control": "max-age=60" })
      : c.notFound();
  });

  for (const kind of ["challenge", "bank"] as const) {
    routes.get(`/${kind}/:id`, (c) => {
      const found = pendingFor(c, cards, kind);
      if (!found || found.intent.status !== "requires_action") return c.html(overPage(), 404);
      framePolicy(c, formTargets(found.pending));
      return c.html(questionPage(kind, found.intent, withQuery(c)));
    });

    routes.post(`/${kind}/:id`, async (c) => {
      const found = pendingFor(c, cards, kind);
      if (!found) return c.html(overPage(), 404);
      const agreed = (await c.req.formData()).get("answer") === "yes";
      const note: RequestNote = {
        id: `req_${randomText(14)}`,
        idempotencyKey: null,
        origin: new URL(c.req.url).origin,
      };
      const intent = cards.store.atOnce(() => finishAction(cards, note, found.intent.id, agreed));
      const { returnUrl } = found.pending;
      if (c.req.query("embedded") || !returnUrl) {
        framePolicy(c, "'self'");
        return c.html(answeredPage(c.req.query("channel") ?? ""));
      }
      const target = new URL(returnUrl);
      target.searchParams.set("payment_intent", intent.id);
      target.searchParams.set("payment_intent_client_secret", intent.client_secret ?? "");
      target.searchParams.set(
        "redirect_status",
        intent.status === "succeeded" || intent.status === "requires_capture" ? "succeeded" : "failed",
      );
      return c.redirect(target.href, 303);
    });
  }

  return routes;
}

function pendingFor(c: Context, cards: Cards, kind: PendingAction["kind"]): ReturnType<typeof findPending> {
  const found = findPending(cards, c.req.param("id") ?? "", c.req.query("token"));
  return found?.pending.kind === kind ? found : undefined;
}

function overPage() {
  return plainPage(
    "This payment is not waiting for you",
    html`<p>It was answered already, or the address is not right.</p>`,
  );
}

function withQuery(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

/** A form's answer may lead to the merchant's page; browsers hold redirects to the same list as the form's own target. */
function formTargets(pending: PendingAction): string {
  return pending.returnUrl ? `'self' ${new URL(pending.returnUrl).origin}` : "'self'";
}

/** These pages stand in frames of any merchant's site. */
function framePolicy(c: Context, formAction: string): void {
  c.header(
    "Content-Security-Policy",
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors *`,
  );
}
