import type { Promotion } from "../catalogue/catalogue.ts";

export type VoucherCheck =
  | { accepted: true; code: string; discountPence: number; text: string }
  | { accepted: false; text: string };

/**
 * What a voucher code does to a basket. Codes are those the advertiser published through the network; what each is worth is
 * read from its title ("15% off", "£10 off £50"), since that is all a promotion says. A code whose title names no sum
 * (a gift, a delivery offer) is accepted and takes 10 % off. Case and spaces don't matter.
 */
export function checkVoucher(promotions: readonly Promotion[], typed: string, goodsPence: number, now: number): VoucherCheck {
  const wanted = typed.replace(/\s+/g, "").toUpperCase();
  const found = promotions.filter((one) => one.voucher?.code && one.voucher.code.replace(/\s+/g, "").toUpperCase() === wanted);
  const current = found.find((one) => isCurrent(one, now));
  const code = current?.voucher?.code;
  if (!current || !code) {
    if (found.some((one) => one.startDate && Date.parse(one.startDate) > now)) return { accepted: false, text: "That code is not valid yet." };
    if (found.length > 0) return { accepted: false, text: "That code has expired." };
    return { accepted: false, text: "We don't recognise that code. Check it for typing slips." };
  }
  const worth = worthOf(current.title);
  if (goodsPence < worth.fromPence) return { accepted: false, text: `That code needs a basket of at least £${worth.fromPence / 100}.` };
  const discountPence = Math.min("percent" in worth ? Math.floor((goodsPence * worth.percent) / 100) : worth.pence, goodsPence);
  return { accepted: true, code, discountPence, text: current.title };
}

function isCurrent(promotion: Promotion, now: number): boolean {
  const start = promotion.startDate ? Date.parse(promotion.startDate) : 0;
  const end = promotion.endDate ? Date.parse(promotion.endDate) : Number.POSITIVE_INFINITY;
  return start <= now && now <= end;
}

function worthOf(title: string): ({ percent: number } | { pence: number }) & { fromPence: number } {
  const sums = [...title.matchAll(/£\s?(\d{1,5})/g)].map((match) => Number(match[1]) * 100);
  const percent = /(\d{1,2})\s?%/.exec(title);
  if (percent) return { percent: Number(percent[1]), fromPence: sums[0] ?? 0 };
  const [first, second] = sums;
  if (first === undefined) return { percent: 10, fromPence: 0 };
  return { pence: first, fromPence: second ?? 0 };
}
