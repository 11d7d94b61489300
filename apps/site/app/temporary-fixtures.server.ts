import type { CashbackTimeline } from "@farthing/core/cashback/cashback-view.ts";
const d = (n: number, now: Date) => new Date(now.getTime() + n * 86_400_000);
export async function findCashbackTimeline(_db: unknown, { now }: { memberId: string; now: Date }): Promise<CashbackTimeline> {
  const r = (name: string) => ({ name, slug: name.toLowerCase().replace(/[^a-z]+/g, "-") });
  return {
    balances: { trackedPence: 1234, confirmedPence: 860, payablePence: 4215, paidPence: 10310 },
    openClicks: [{ clickNumber: "4821-7730", retailer: r("Quillmoor Books"), clickedAt: d(-1, now), tracksBy: d(2, now) }],
    items: [
      { id: "1", clickNumber: "4821-7001", retailer: r("Fernhollow Boots"), offerTitle: "15% off walking boots", state: "tracked", purchasePence: 20567, cashbackPence: 1234, reason: null, purchasedAt: d(-3, now),
        steps: [{ step: "clicked", at: d(-3, now), expected: null }, { step: "tracked", at: d(-2, now), expected: null }, { step: "confirmed", at: null, expected: { from: d(35, now), to: d(75, now) } }, { step: "payable", at: null, expected: { from: d(40, now), to: d(80, now) } }] },
      { id: "2", clickNumber: "4821-6001", retailer: r("Brasslark Kitchen"), offerTitle: null, state: "declined", purchasePence: 4500, cashbackPence: 180, reason: "You sent the goods back, so the shop did not pay.", purchasedAt: d(-60, now),
        steps: [{ step: "clicked", at: d(-60, now), expected: null }, { step: "tracked", at: d(-58, now), expected: null }, { step: "declined", at: d(-20, now), expected: null }] },
      { id: "3", clickNumber: "4821-5001", retailer: r("Larkspan Mobile"), offerTitle: null, state: "paid", purchasePence: 24000, cashbackPence: 2500, reason: null, purchasedAt: d(-160, now),
        steps: [{ step: "clicked", at: d(-160, now), expected: null }, { step: "tracked", at: d(-158, now), expected: null }, { step: "confirmed", at: d(-90, now), expected: null }, { step: "payable", at: d(-80, now), expected: null }, { step: "paid", at: d(-50, now), expected: null }] },
    ],
  };
}
