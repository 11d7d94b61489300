import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import { problemResponse } from "../http/problem.ts";
import { methodNotAllowed } from "../http/problems.ts";
import { partnerCancellations } from "./partner-cancellations.ts";
import { partnerApiDocument } from "./partner-api-document.ts";
import { partnerPayments, type PartnerPaymentServices } from "./partner-payments.ts";
import { openSession, type MintingServices } from "./partner-sessions.ts";
import { partnerWebhooks, type PartnerWebhookServices } from "./partner-webhooks.ts";

export type PartnerApiServices = MintingServices & PartnerPaymentServices & PartnerWebhookServices;

/** The API for partners' servers (W10). Its description is at /api/partner/openapi.json. */
export function partnerApi(services: PartnerApiServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/api/partner/openapi.json", (context) =>
      context.json(partnerApiDocument(), 200, {
        "Cache-Control": "public, max-age=300",
        "Access-Control-Allow-Origin": "*",
      }),
    )
    .all("/api/partner/openapi.json", () => problemResponse(methodNotAllowed("GET, HEAD")))
    .post("/api/partner/sessions", (context) => openSession(context, services))
    .all("/api/partner/sessions", () => problemResponse(methodNotAllowed("POST")))
    .route("/", partnerPayments(services))
    .route("/", partnerCancellations(services))
    .route("/", partnerWebhooks(services));
}
