import { createHmac, timingSafeEqual } from "node:crypto";
import { Hono, type Context } from "hono";
import { readBody } from "../control/read-body.ts";
import { amountText } from "../network/amounts.ts";
import { readIssuerFaults, writeIssuerFaults } from "./issuer-faults.ts";
import {
  findCard,
  floatOf,
  listedBrands,
  placeOrder,
  reverseCard,
  stockProblem,
  type CardRow,
  type Issuer,
} from "./issuer.ts";

interface OrderBody {
  client_request_id?: unknown;
  original_client_request_id?: unknown;
  brand?: unknown;
  face_value?: { amount?: unknown; currency?: unknown };
  sector?: unknown;
  reference?: unknown;
}

const MAX_CLOCK_DIFFERENCE_MS = 15 * 60_000;
/** An unanswered call ends after this time at the latest, so that a test that forgets it ends. */
const MAX_HANG_MS = 60_000;
const MESSAGES: Readonly<Record<string, string>> = {
  "000": "Success",
  "606": "Out of stock",
  "610": "Insufficient float",
  "702": "Order not found",
  "704": "Denomination unavailable",
  "705": "Brand not available",
  "711": "The time for a reversal has passed",
  "712": "This brand can't be reversed",
};

/** The API of Tillo's shape: signed requests, a client request id, asynchronous orders. */
export function issuerApi(issuer: Issuer): Hono {
  const api = new Hono();
  const { state } = issuer;

  api.use(async (context, next) => {
    if (readIssuerFaults(state).down)
      return context.json({ code: "999", status: "error", message: "Unavailable" }, 503);
    await next();
  });

  api.get("/brands", (context) =>
    signed(context, issuer, "brands", [])
      ? answer(context, "000", { brands: listedBrands(issuer) })
      : unsigned(context),
  );
  api.get("/check-floats", (context) =>
    signed(context, issuer, "check-floats", [])
      ? answer(context, "000", { floats: [{ currency: "GBP", amount: amountText(floatOf(issuer)) }] })
      : unsigned(context),
  );
  api.get("/check-stock", (context) => {
    const { brand = "", amount = "" } = context.req.query();
    if (!signed(context, issuer, "check-stock", [brand])) return unsigned(context);
    return answer(context, stockProblem(issuer, brand, penceOf(amount)) ?? "000", {});
  });

  api.post("/digital/order-card", async (context) => {
    const body = await readBody<OrderBody>(context);
    const order = orderOf(body);
    if (!order || !signed(context, issuer, "digital-order-card", signedOf(order))) return unsigned(context);
    const faults = readIssuerFaults(state);
    if (faults.refuseDuplicates && findCard(issuer, order.clientReference))
      return context.json({ code: "076", status: "error", message: "Duplicate client request id" }, 409);
    const placed = placeOrder(issuer, order);
    const lost = await losing(context, issuer);
    if (lost) return lost;
    return placed.outcome === "refused"
      ? answer(context, placed.code, {})
      : answer(context, "000", { reference: placed.card.reference, status: "REQUESTED" });
  });

  api.get("/digital/order-status", (context) => {
    if (!signed(context, issuer, "digital-order-status", [])) return unsigned(context);
    const card = findCard(issuer, context.req.query("original_client_request_id") ?? "");
    return card ? answer(context, "000", statusOf(issuer, card)) : answer(context, "702", {}, 404);
  });

  api.post("/digital/reverse", async (context) => {
    const body = await readBody<OrderBody>(context);
    const order = orderOf(body);
    if (!order || !signed(context, issuer, "digital-reverse", signedOf(order))) return unsigned(context);
    const code = reverseCard(issuer, String(body.original_client_request_id));
    return (await losing(context, issuer)) ?? answer(context, code, {}, code === "000" ? 200 : 422);
  });

  api.post("/digital/check-balance", async (context) => {
    const body = await readBody<OrderBody>(context);
    const order = orderOf(body);
    if (!order || !signed(context, issuer, "digital-check-balance", [order.clientReference, order.brand, "GBP"]))
      return unsigned(context);
    const card = state.one<CardRow>("select * from issuer_cards where reference = ?", String(body.reference));
    if (!card) return answer(context, "702", {}, 404);
    return answer(context, "000", { balance: { amount: amountText(card.left_pence), currency: "GBP" } });
  });
  return api;
}

function statusOf(issuer: Issuer, card: CardRow): object {
  const { reference, brand } = card;
  if (card.reversed_at !== null) return { reference, brand, status: "CANCELLED" };
  if (card.ready_at > issuer.now()) return { reference, brand, status: "PROCESSING" };
  return {
    reference,
    brand,
    status: "SUCCESS",
    code: card.code,
    pin: card.pin,
    url: null,
    barcode: { type: "code128", value: card.code },
    expiration_date: card.expires_on === null ? null : `${card.expires_on}T23:59:59+00:00`,
    face_value: { amount: amountText(card.face_pence), currency: "GBP" },
    cost_value: { amount: amountText(card.cost_pence), currency: "GBP" },
  };
}

/** Plays the faults of an answer, after the call has taken effect. */
async function losing(context: Context, { state }: Issuer): Promise<Response | null> {
  const { loseAnswers, hang } = readIssuerFaults(state);
  if (hang > 0) {
    writeIssuerFaults(state, { hang: hang - 1 });
    await clientGivesUp(context.req.raw.signal);
  } else if (loseAnswers > 0) writeIssuerFaults(state, { loseAnswers: loseAnswers - 1 });
  else return null;
  return context.json({ code: "999", status: "error", message: "Gateway time-out" }, 504);
}

function clientGivesUp(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_HANG_MS);
    timer.unref();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function orderOf({ client_request_id: reference, brand, face_value: face, sector }: OrderBody) {
  if (typeof reference !== "string" || !/^[A-Za-z0-9_-]{5,50}$/.test(reference) || typeof brand !== "string")
    return null;
  if (typeof face?.amount !== "string" || face.currency !== "GBP" || !/^\d+\.\d\d$/.test(face.amount)) return null;
  if (sector !== undefined && typeof sector !== "string") return null;
  return { clientReference: reference, brand, amount: face.amount, facePence: penceOf(face.amount) };
}

function signedOf({ clientReference, brand, amount }: { clientReference: string; brand: string; amount: string }) {
  return [clientReference, brand, "GBP", amount];
}

function signed(context: Context, { keys, realNow }: Issuer, endpoint: string, values: string[]): boolean {
  const timestamp = context.req.header("timestamp") ?? "";
  if (context.req.header("api-key") !== keys.apiKey) return false;
  if (!/^\d{13}$/.test(timestamp) || Math.abs(Number(timestamp) - realNow()) > MAX_CLOCK_DIFFERENCE_MS) return false;
  const text = `${keys.apiKey}-${context.req.method}-${endpoint}-${[...values, timestamp].join("-")}`;
  const expected = createHmac("sha256", keys.secret).update(text).digest();
  const given = Buffer.from(context.req.header("signature") ?? "", "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function unsigned(context: Context): Response {
  return context.json({ code: "060", status: "error", message: "The request or its signature is not valid" }, 401);
}

function answer(context: Context, code: string, data: object, status: 200 | 404 | 422 = 200): Response {
  const isGood = code === "000";
  return context.json(
    { code, status: isGood ? "success" : "error", message: MESSAGES[code] ?? "Error", data },
    isGood || status !== 200 ? status : 422,
  );
}

const penceOf = (text: string): number => Math.round(Number(text) * 100);
