import { randomUUID } from "node:crypto";
import {
  IssuerUnavailableError,
  type CardIssuer,
  type CardOrder,
  type IssueAnswer,
  type NoCardReason,
} from "@farthing/core/gift-cards/issuer.ts";
import { z } from "zod";
import type { ReplaceableParts } from "../issuer-definition.ts";
import { callTillo, type TilloAnswer, type TilloRequest, type TilloSettings } from "./tillo-api.ts";
import { readBrand } from "./tillo-catalogue.ts";
import { penceToPounds, poundsToPence } from "./tillo-money.ts";

const SUCCESS = "000";
/** Tillo's error codes that say that there is no card. */
const NO_CARD: Readonly<Record<string, NoCardReason>> = {
  "606": "out-of-stock",
  "610": "insufficient-float",
  "704": "denomination-unavailable",
};
const NOT_FOUND = "702";
const TOO_LATE = "711";
const NOT_REVERSIBLE = "712";

const amount = z.object({ amount: z.coerce.string(), currency: z.literal("GBP") });
const text = z.string().min(1).max(2000);
const orderSchema = z.discriminatedUnion("status", [
  z.object({ status: z.enum(["REQUESTED", "PROCESSING"]) }),
  z.object({ status: z.literal("ERROR"), error_code: z.coerce.string() }),
  z.object({ status: z.literal("CANCELLED") }),
  z.object({
    status: z.literal("SUCCESS"),
    reference: text,
    brand: text,
    code: text,
    pin: text.nullish(),
    url: z.url().max(2000).nullish(),
    barcode: z.object({ type: text, value: text }).nullish(),
    expiration_date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}/)
      .nullish(),
    face_value: amount,
    cost_value: amount,
  }),
]);
const balanceSchema = z.object({ balance: amount });
const floatsSchema = z.object({ floats: z.array(z.object({ currency: z.string(), amount: z.coerce.string() })) });
const brandsSchema = z.object({ brands: z.record(z.string(), z.unknown()) });

/**
 * Creates Tillo's adapter (G5). Orders are asynchronous: they are placed, and then read by our own reference, so that an
 * order whose answer was lost is found again. https://tillo.tech/
 */
export function createTilloIssuer(settings: TilloSettings, replaced: ReplaceableParts = {}): CardIssuer {
  const call = (request: TilloRequest) => callTillo(settings, request, replaced);

  async function place(card: CardOrder): Promise<TilloAnswer> {
    return call({
      method: "POST",
      path: "digital/order-card",
      signed: signedOf(card.clientReference, card),
      body: {
        ...bodyOf(card.clientReference, card, settings),
        delivery_method: "code",
        fulfilment_by: "partner",
      },
    });
  }

  /** Returns the order as it is; null where Tillo has none. */
  async function read(card: CardOrder): Promise<z.infer<typeof orderSchema> | null> {
    const { status, code, data } = await call({
      method: "GET",
      path: "digital/order-status",
      query: { original_client_request_id: card.clientReference },
    });
    if (status === 404 || code === NOT_FOUND) return null;
    const order = code === SUCCESS ? orderSchema.safeParse(data) : null;
    if (!order?.success) throw new IssuerUnavailableError(`Tillo's answer about an order could not be read (${code}).`);
    return order.data;
  }

  return {
    slug: "tillo",

    async catalogue() {
      const { code, data } = await call({ method: "GET", path: "brands" });
      const { data: found } = brandsSchema.safeParse(data);
      if (code !== SUCCESS || !found) throw new IssuerUnavailableError("Tillo's brands could not be read.");
      return Object.entries(found.brands).flatMap(([slug, brand]) => readBrand(slug, brand) ?? []);
    },

    async checkStock({ issuerProductId, faceValuePence }) {
      const { code } = await call({
        method: "GET",
        path: "check-stock",
        signed: [issuerProductId],
        query: { brand: issuerProductId, amount: penceToPounds(faceValuePence) },
      });
      if (code === SUCCESS) return "in-stock";
      const reason = NO_CARD[code];
      return reason === "denomination-unavailable" ? reason : "out-of-stock";
    },

    async issue(card) {
      const { status, code } = await place(card);
      // 409: Tillo has this reference. What became of it is read, as for an order that was just placed.
      if (code !== SUCCESS && status !== 409) return { outcome: NO_CARD[code] ?? "refused" };
      const order = await read(card);
      if (!order) throw new IssuerUnavailableError("Tillo does not know an order that it has taken.");
      return answerOf(order, card);
    },

    async reverse(card) {
      const order = await read(card);
      if (!order || order.status === "ERROR") return "never-issued";
      if (order.status === "CANCELLED") return "reversed";
      if (order.status !== "SUCCESS") return "pending";
      const reference = `rev-${card.clientReference}`.slice(0, 50);
      const { code } = await call({
        method: "POST",
        path: "digital/reverse",
        signed: signedOf(reference, card),
        body: { ...bodyOf(reference, card, settings), original_client_request_id: card.clientReference },
      });
      if (code === SUCCESS) return "reversed";
      if (code === TOO_LATE) return "too-late";
      if (code === NOT_REVERSIBLE) return "not-reversible";
      throw new IssuerUnavailableError(`Tillo answered a reversal with ${code}.`);
    },

    async balance({ issuerProductId, faceValuePence, issuerReference }) {
      // Tillo takes each reference once, and a balance is asked for many times.
      const reference = `bal-${randomUUID()}`;
      const { code, data } = await call({
        method: "POST",
        path: "digital/check-balance",
        signed: [reference, issuerProductId, "GBP"],
        body: {
          client_request_id: reference,
          brand: issuerProductId,
          face_value: { amount: penceToPounds(faceValuePence), currency: "GBP" },
          reference: issuerReference,
        },
      });
      if (code !== SUCCESS) return null;
      const { data: found } = balanceSchema.safeParse(data);
      const left = found ? poundsToPence(found.balance.amount) : null;
      if (left === null) throw new IssuerUnavailableError("Tillo's answer about a balance could not be read.");
      return left;
    },

    async float() {
      const { code, data } = await call({ method: "GET", path: "check-floats", query: { currency: "GBP" } });
      const { data: found } = floatsSchema.safeParse(data);
      const float = found?.floats.find(({ currency }) => currency === "GBP");
      const left = float ? poundsToPence(float.amount) : null;
      if (code !== SUCCESS || left === null) throw new IssuerUnavailableError("Tillo's floats could not be read.");
      return left;
    },
  };
}

function answerOf(order: z.infer<typeof orderSchema>, card: CardOrder): IssueAnswer {
  switch (order.status) {
    case "REQUESTED":
    case "PROCESSING":
      return { outcome: "pending" };
    case "ERROR":
      return { outcome: NO_CARD[order.error_code] ?? "refused" };
    case "CANCELLED":
      return { outcome: "refused" };
    case "SUCCESS": {
      const faceValuePence = poundsToPence(order.face_value.amount);
      const costPence = poundsToPence(order.cost_value.amount);
      if (order.brand !== card.issuerProductId || faceValuePence !== card.faceValuePence || costPence === null)
        throw new IssuerUnavailableError(
          "Tillo issued another card than the one that was ordered: a person has to look.",
        );
      return {
        outcome: "issued",
        card: {
          issuerReference: order.reference,
          code: order.code,
          pin: order.pin ?? null,
          url: order.url ?? null,
          barcode: order.barcode ? { kind: order.barcode.type, value: order.barcode.value } : null,
          expiresOn: order.expiration_date?.slice(0, 10) ?? null,
          faceValuePence,
          costPence,
        },
      };
    }
  }
}

/** The values of an order that its signature covers. */
function signedOf(reference: string, { issuerProductId, faceValuePence }: CardOrder): string[] {
  return [reference, issuerProductId, "GBP", penceToPounds(faceValuePence)];
}

function bodyOf(reference: string, { issuerProductId, faceValuePence }: CardOrder, { sector }: TilloSettings) {
  return {
    client_request_id: reference,
    brand: issuerProductId,
    face_value: { amount: penceToPounds(faceValuePence), currency: "GBP" },
    sector,
  };
}
