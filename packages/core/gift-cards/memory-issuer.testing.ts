import type { CardIssuer, CardOrder, IssueAnswer, IssuerProduct, NoCardReason } from "./issuer.ts";

interface MemoryCard {
  order: CardOrder;
  code: string;
  costPence: number;
  readyAt: number;
  placedAt: number;
  isReversed: boolean;
}

/** An issuer in memory, with the world's switches. It passes the contract of issuers. */
export interface MemoryIssuer {
  issuer: CardIssuer;
  products: Map<string, IssuerProduct>;
  cards: Map<string, MemoryCard>;
  floatPence: number;
  /** Refuses orders; the stock check says the same unless `stockLies`. */
  refusals: Map<string, NoCardReason>;
  stockLies: boolean;
  pendingMs: number;
  tooLate: boolean;
  /** Cards of a reference that are worth something. */
  live(reference?: string): number;
}

const HOUR_MS = 3_600_000;

export function product(issuerProductId: string, more: Partial<IssuerProduct> = {}): IssuerProduct {
  return {
    issuerProductId,
    name: issuerProductId,
    amounts: { kind: "fixed", amountsPence: [1000, 2500, 5000] },
    issuerDiscountBp: 800,
    isOnSale: true,
    isReversible: true,
    expiresAfterMonths: 12,
    redeemableAt: ["online"],
    terms: "",
    ...more,
  };
}

export function memoryIssuer(products: readonly IssuerProduct[], now: () => Date = () => new Date()): MemoryIssuer {
  const world: MemoryIssuer = {
    products: new Map(products.map((one) => [one.issuerProductId, one])),
    cards: new Map(),
    floatPence: 10_000_000,
    refusals: new Map(),
    stockLies: false,
    pendingMs: 0,
    tooLate: false,
    live: (reference) =>
      [...world.cards.values()].filter(
        ({ order, isReversed }) => !isReversed && (reference === undefined || order.clientReference === reference),
      ).length,
    issuer: {
      slug: "memory",
      catalogue: async () => [...world.products.values()],
      checkStock: async (card) => {
        const problem = world.stockLies ? null : problemOf(card);
        if (problem === null || problem === "insufficient-float") return "in-stock";
        return problem === "denomination-unavailable" ? problem : "out-of-stock";
      },
      issue: async (card) => {
        const known = world.cards.get(card.clientReference);
        if (known) return answerOf(known);
        const problem = problemOf(card);
        if (problem) return { outcome: problem };
        const discount = world.products.get(card.issuerProductId)?.issuerDiscountBp ?? 0;
        const costPence = card.faceValuePence - Math.floor((card.faceValuePence * discount) / 10_000);
        if (costPence > world.floatPence) return { outcome: "insufficient-float" };
        world.floatPence -= costPence;
        const placedAt = now().getTime();
        const made: MemoryCard = {
          order: card,
          code: `CODE-${card.clientReference}-${world.cards.size}`,
          costPence,
          placedAt,
          readyAt: placedAt + world.pendingMs,
          isReversed: false,
        };
        world.cards.set(card.clientReference, made);
        return answerOf(made);
      },
      reverse: async ({ clientReference }) => {
        const card = world.cards.get(clientReference);
        if (!card) return "never-issued";
        if (card.isReversed) return "reversed";
        if (card.readyAt > now().getTime()) return "pending";
        if (!world.products.get(card.order.issuerProductId)?.isReversible) return "not-reversible";
        if (world.tooLate || now().getTime() - card.placedAt > 48 * HOUR_MS) return "too-late";
        card.isReversed = true;
        world.floatPence += card.costPence;
        return "reversed";
      },
      balance: async ({ clientReference }) => world.cards.get(clientReference)?.order.faceValuePence ?? null,
      float: async () => world.floatPence,
    },
  };

  function problemOf({ issuerProductId, faceValuePence }: Omit<CardOrder, "clientReference">): NoCardReason | null {
    const found = world.products.get(issuerProductId);
    if (!found) return "refused";
    const { amounts } = found;
    const isOffered =
      amounts.kind === "fixed"
        ? amounts.amountsPence.includes(faceValuePence)
        : faceValuePence >= amounts.minPence && faceValuePence <= amounts.maxPence;
    return isOffered ? (world.refusals.get(issuerProductId) ?? null) : "denomination-unavailable";
  }

  function answerOf(card: MemoryCard): IssueAnswer {
    if (card.isReversed) return { outcome: "refused" };
    if (card.readyAt > now().getTime()) return { outcome: "pending" };
    const { order, code, costPence } = card;
    return {
      outcome: "issued",
      card: {
        issuerReference: `issuer-${order.clientReference}`,
        code,
        pin: "1234",
        url: null,
        barcode: { kind: "code128", value: code },
        expiresOn: "2027-11-20",
        faceValuePence: order.faceValuePence,
        costPence,
      },
    };
  }
  return world;
}
