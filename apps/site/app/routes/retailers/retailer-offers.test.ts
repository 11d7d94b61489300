import type { ListedOffer, OfferKind, OfferSort } from "@farthing/core/catalogue/catalogue-view.ts";
import { expect, test } from "vitest";
import { pageOfOffers } from "./retailer-offers.tsx";

const day = (number: number) => new Date(Date.UTC(2026, 0, number));
const offers = (kind: OfferKind, count: number): ListedOffer[] =>
  Array.from({ length: count }, (_, number) => ({
    publicId: `${kind}${number}`,
    kind,
    startsAt: day(1),
    endsAt: null,
  }));
const asked = { kind: null, sort: "popular", page: 1 } as const;

test("D3 a retailer's offers come in pages, of one kind on request, and the counts cover all", () => {
  const all = [...offers("code", 30), ...offers("deal", 2)];
  expect(pageOfOffers(all, asked)).toMatchObject({ total: 32, page: 1, pageCount: 2 });
  expect(pageOfOffers(all, { ...asked, page: 9 })).toMatchObject({ page: 2, kinds: { code: 30, deal: 2 } });
  expect(pageOfOffers(all, { ...asked, page: 2 }).offers).toHaveLength(8);
  expect(pageOfOffers(all, { ...asked, kind: "deal", page: 2 })).toMatchObject({ total: 2, page: 1, kind: "deal" });
  expect(pageOfOffers(all, { ...asked, kind: "gift_card" })).toMatchObject({ total: 32, kind: null });
  expect(pageOfOffers([], asked)).toMatchObject({ total: 0, pageCount: 1, offers: [] });
});

test("D3 D5 a retailer's offers are sorted before they are cut into pages, and equals keep their order", () => {
  const all = [
    ...offers("deal", 24),
    { publicId: "old", kind: "code", startsAt: day(-9), endsAt: day(20) },
    { publicId: "new", kind: "code", startsAt: day(9), endsAt: day(30) },
    { publicId: "soon", kind: "code", startsAt: day(1), endsAt: day(10) },
  ] as ListedOffer[];
  const ids = (sort: OfferSort, kind: OfferKind | null = null) =>
    pageOfOffers(all, { kind, sort, page: 1 }).offers.map(({ publicId }) => publicId);
  expect(ids("popular").slice(0, 2)).toEqual(["deal0", "deal1"]);
  expect(ids("newest").slice(0, 3)).toEqual(["new", "deal0", "deal1"]);
  expect(ids("ending").slice(0, 4)).toEqual(["soon", "old", "new", "deal0"]);
  expect(ids("newest", "code")).toEqual(["new", "soon", "old"]);
  expect(all[0]?.publicId).toBe("deal0");
});
