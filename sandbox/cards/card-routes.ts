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

/** The provider's browser side: its script, the frames that the script opens, and the pages that it redirects people to. */
export function cardRoutes(cards: Cards): Hono {
  const routes = new Hono();

  const script = (context: Context): Response =>
    context.body(stripeScript, 200, {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "max-age=60",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  for (const path of ["/v3", "/v3/", "/v3/stripe.js", "/endive/stripe.js"]) routes.get(path, script);

  routes.get("/frames/payment-form", (context) => {
    framePolicy(context, "'self'");
    return context.html(paymentFormPage);
  });
  routes.get("/frames/:file", (context) => {
    const found = frameFiles[context.req.param("file")];
    return found
      ? context.body(found[1], 200, { "Content-Type": `${found[0]}; charset=utf-8`, "Cache-Control": "max-age=60" })
      : context.notFound();
  });

  for (const kind of ["challenge", "bank"] as const) {
    routes.get(`/${kind}/:id`, (context) => {
      const found = pendingFor(context, cards, kind);
      if (!found || found.intent.status !== "requires_action") return context.html(overPage(), 404);
      framePolicy(context, formTargets(found.pending));
      return context.html(questionPage(kind, found.intent, withQuery(context)));
    });

    routes.post(`/${kind}/:id`, async (context) => {
      const found = pendingFor(context, cards, kind);
      if (!found) return context.html(overPage(), 404);
      const agreed = (await context.req.formData()).get("answer") === "yes";
      const note: RequestNote = {
        id: `req_${randomText(14)}`,
        idempotencyKey: null,
        origin: new URL(context.req.url).origin,
      };
      const intent = cards.store.atOnce(() => finishAction(cards, note, found.intent.id, agreed));
      const { returnUrl } = found.pending;
      if (context.req.query("embedded") || !returnUrl) {
        framePolicy(context, "'self'");
        return context.html(answeredPage(context.req.query("channel") ?? ""));
      }
      const target = new URL(returnUrl);
      target.searchParams.set("payment_intent", intent.id);
      target.searchParams.set("payment_intent_client_secret", intent.client_secret ?? "");
      target.searchParams.set(
        "redirect_status",
        intent.status === "succeeded" || intent.status === "requires_capture" ? "succeeded" : "failed",
      );
      return context.redirect(target.href, 303);
    });
  }

  return routes;
}

function pendingFor(context: Context, cards: Cards, kind: PendingAction["kind"]): ReturnType<typeof findPending> {
  const found = findPending(cards, context.req.param("id") ?? "", context.req.query("token"));
  return found?.pending.kind === kind ? found : undefined;
}

function overPage() {
  return plainPage(
    "This payment is not waiting for you",
    html`<p>It was answered already, or the address is not right.</p>`,
  );
}

function withQuery(context: Context): string {
  const { pathname, search } = new URL(context.req.url);
  return pathname + search;
}

/** A form's response can redirect to the merchant's page; browsers apply form-action to redirects too. */
function formTargets(pending: PendingAction): string {
  return pending.returnUrl ? `'self' ${new URL(pending.returnUrl).origin}` : "'self'";
}

/** Any merchant's site may frame these pages. */
function framePolicy(context: Context, formAction: string): void {
  context.header(
    "Content-Security-Policy",
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action ${formAction}; base-uri 'none'; frame-ancestors *`,
  );
}
