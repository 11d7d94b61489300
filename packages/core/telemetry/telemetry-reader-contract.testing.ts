import type { Db } from "@farthing/db/client.ts";
import { expect, test } from "vitest";
import { makeShop } from "../clicks/clicks.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { REMOVED_TERM } from "./rules.ts";
import type { TelemetryReader } from "./reader.ts";
import { recordEvents, telemetryEvent } from "./telemetry.testing.ts";

/**
 * What every reader of telemetry returns (T7), whatever database it reads. `settle` is called when the events are recorded: it sums or copies them, or
 * does nothing.
 */
export function telemetryReaderContract(
  name: string,
  { db, read, settle = async () => {} }: { db: Db; read: () => TelemetryReader; settle?: () => Promise<void> },
): void {
  test(`T7 ${name}: counts by day in London, offer and term, of one brand or all, and of the range only`, async () => {
    const [one, other] = [(await insertBrand(db)).id, (await insertBrand(db)).id];
    const networkId = (await insertNetwork(db)).id;
    const [offer, second] = [
      (await makeShop(db, { brandId: one, networkId })).offerPublicId,
      (await makeShop(db, { brandId: one, networkId })).offerPublicId,
    ];
    const page = (subject: string) => telemetryEvent("OfferPage", subject);
    const search = (term: string) => telemetryEvent("SearchPage", term);
    // In summer, a day in London begins at 23:00 UTC.
    await recordEvents(db, one, [page(offer), search("Boots")], new Date("2026-06-30T22:59:59.999Z"));
    await recordEvents(
      db,
      one,
      [
        page(offer),
        page(offer),
        page(second),
        page("unknown-offer"),
        telemetryEvent("OfferRedeemed", offer),
        search("boots"),
        search("BOOTS"),
        search("it's \\ 100%"),
        search(""),
        search(REMOVED_TERM),
        telemetryEvent("CategoryPage", "7"),
      ],
      new Date("2026-06-30T23:00:00Z"),
    );
    await recordEvents(
      db,
      other,
      [page(offer), search("boots"), telemetryEvent("RetailerPage", "Ünïcode")],
      new Date("2026-07-02T12:00:00Z"),
    );
    await recordEvents(db, one, [page(offer), search("boots")], new Date("2026-07-02T23:00:00Z"));
    await settle();

    const reader = read();
    const range = { brandId: one, from: "2026-07-01", to: "2026-07-02" };
    const all = { ...range, brandId: null };
    const ours = <Row extends { brandId: string }>(rows: Row[]) =>
      rows.filter(({ brandId }) => [one, other].includes(brandId));
    expect(await reader.countByDay(range)).toEqual([
      { brandId: one, day: "2026-07-01", eventType: "CategoryPage", events: 1 },
      { brandId: one, day: "2026-07-01", eventType: "OfferPage", events: 4 },
      { brandId: one, day: "2026-07-01", eventType: "OfferRedeemed", events: 1 },
      { brandId: one, day: "2026-07-01", eventType: "SearchPage", events: 5 },
    ]);
    expect(ours(await reader.countByDay({ ...all, from: "2026-07-02" }))).toEqual([
      { brandId: other, day: "2026-07-02", eventType: "OfferPage", events: 1 },
      { brandId: other, day: "2026-07-02", eventType: "RetailerPage", events: 1 },
      { brandId: other, day: "2026-07-02", eventType: "SearchPage", events: 1 },
    ]);
    expect(await reader.countByOffer(range, { max: 10, offers: [offer, second] })).toEqual([
      { brandId: one, offer, views: 2, redemptions: 1 },
      { brandId: one, offer: second, views: 1, redemptions: 0 },
    ]);
    expect(await reader.countByOffer(range, { max: 10, offers: [] })).toEqual([]);
    expect(ours(await reader.countByOffer(all, { max: 1, offers: [offer] }))).toEqual([
      { brandId: one, offer, views: 2, redemptions: 1 },
    ]);
    expect(await reader.countByTerm(range, { max: 10 })).toEqual([
      { brandId: one, term: "boots", searches: 2 },
      { brandId: one, term: "it's \\ 100%", searches: 1 },
    ]);
    expect(await reader.countByTerm(range, { max: 10, terms: ["it's \\ 100%", "' or 1=1 --"] })).toEqual([
      { brandId: one, term: "it's \\ 100%", searches: 1 },
    ]);
    expect(await reader.countByTerm({ ...range, from: "2026-06-30", to: "2026-07-03" }, { max: 1 })).toEqual([
      { brandId: one, term: "boots", searches: 4 },
    ]);
    expect(await reader.countByDay({ ...range, from: "2026-08-01", to: "2026-08-31" })).toEqual([]);
  });
}
