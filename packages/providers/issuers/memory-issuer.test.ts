import { IssuerUnavailableError, type CardIssuer } from "@farthing/core/gift-cards/issuer.ts";
import { memoryIssuer, product, type MemoryIssuer } from "@farthing/core/gift-cards/memory-issuer.testing.ts";
import { issuerContract } from "./contract.testing.ts";

// The issuer that tests of orders use keeps the promises of a real one.

issuerContract("the issuer in memory", async () => {
  let world: MemoryIssuer;
  let skewMs = 0;
  let losesNext = false;
  const now = () => new Date(Date.now() + skewMs);
  const range = { kind: "range", minPence: 500, maxPence: 25_000, stepPence: 1 } as const;
  const open = () => {
    skewMs = 0;
    losesNext = false;
    const products = [
      product("fixed"),
      product("range", { amounts: range }),
      product("final", { isReversible: false }),
    ];
    world = memoryIssuer(products, now);
  };
  open();
  const silent = async () => {
    throw new IssuerUnavailableError("silent");
  };
  const unreachable: CardIssuer = {
    slug: "memory",
    catalogue: silent,
    checkStock: silent,
    issue: silent,
    reverse: silent,
    balance: silent,
    float: silent,
  };
  return {
    issuer: {
      slug: "memory",
      catalogue: () => world.issuer.catalogue(),
      checkStock: (card) => world.issuer.checkStock(card),
      async issue(card) {
        const answer = await world.issuer.issue(card);
        if (losesNext) {
          losesNext = false;
          return silent();
        }
        return answer;
      },
      reverse: (card) => world.issuer.reverse(card),
      balance: (card) => world.issuer.balance(card),
      float: () => world.issuer.float(),
    },
    unreachable,
    products: {
      fixed: { id: "fixed", amountPence: 2500, wrongPence: 2600 },
      range: { id: "range", amountPence: 1234, wrongPence: 100 },
      final: { id: "final", amountPence: 1000, wrongPence: 100 },
    },
    reset: async () => open(),
    outOfStock: async (id) => void world.refusals.set(id, "out-of-stock"),
    amountGone: async (id, gone) => {
      const amountsPence = [1000, 2500, 5000].filter((amount) => amount !== gone);
      world.products.set(id, product(id, { amounts: { kind: "fixed", amountsPence } }));
    },
    setFloat: async (pence) => void (world.floatPence = pence),
    holdOrders: async () => void (world.pendingMs = 4 * 3_600_000),
    finishOrders: async () => void (skewMs = 5 * 3_600_000),
    loseNextAnswer: async () => void (losesNext = true),
    refuseDuplicates: async () => {},
    tooLateToReverse: async () => void (world.tooLate = true),
    withdraw: async (id) => void world.products.delete(id),
    changeDiscount: async (id, issuerDiscountBp) => void world.products.set(id, product(id, { issuerDiscountBp })),
    liveCards: async () => world.live(),
    end: async () => {},
  };
});
