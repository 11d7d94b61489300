import type { OfferKind } from "@farthing/core/catalogue/catalogue-view.ts";
import { expect, test } from "vitest";
import { pageOfOffers } from "./retailer-offers.tsx";

const offers = (kind: OfferKind, count: number) =>
  Array.from({ length: count }, (_, number) => ({ publicId: `${kind}${number}`, kind }));

test("D3 a retailer's offers come in pages, of one kind on request, and the counts cover all", () => {
  const all = [...offers("code", 30), ...offers("deal", 2)];
  expect(pageOfOffers(all, { kind: null, page: 1 })).toMatchObject({ total: 32, page: 1, pageCount: 2 });
  expect(pageOfOffers(all, { kind: null, page: 9 })).toMatchObject({ page: 2, kinds: { code: 30, deal: 2 } });
  expect(pageOfOffers(all, { kind: null, page: 2 }).offers).toHaveLength(8);
  expect(pageOfOffers(all, { kind: "deal", page: 2 })).toMatchObject({ total: 2, page: 1, kind: "deal" });
  expect(pageOfOffers(all, { kind: "gift_card", page: 1 })).toMatchObject({ total: 32, kind: null });
  expect(pageOfOffers([], { kind: null, page: 1 })).toMatchObject({ total: 0, pageCount: 1, offers: [] });
});
