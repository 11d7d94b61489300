import type { Promotion } from "../catalogue/catalogue.ts";

export type VoucherCheck =
  | { accepted: true; code: string; discountPence: number; text: string }
  | { accepted: false; text: string };

/** Matches a personal code, as advertisers issue in batches: at least three groups of letters and digits. */
const personalCode = /^[A-Z0-9]+(-[A-Z0-9]+){2,}$/;

/**
 * Returns the effect of a voucher code on a basket. Codes are those that the advertiser published through the network; the discount is
 * read from the title ("15% off", "£10 off when you spend £50"), because a promotion has no other data; for other titles (a gift, a delivery offer) it is 10 %.
 * An exclusive voucher without a code has personal codes: the shop accepts any code of that form, each once (`isUsed`).
 * Case and spaces are ignored.
 */
export function checkVoucher(
  promotions: readonly Promotion[],
  typed: string,
  goodsPence: number,
  now: number,
  isUsed: (code: string) => boolean = () => false,
): VoucherCheck {
  const wanted = tidy(typed);
  const vouchers = promotions.filter((one) => one.voucher);
  const published = vouchers.filter((one) => one.voucher?.code && tidy(one.voucher.code) === wanted);
  const personal = vouchers.find((one) => one.voucher?.exclusive && !one.voucher.code && isCurrent(one, now));
  const current = published.find((one) => isCurrent(one, now));
  if (current) return takeOff(current.title, current.voucher?.code ?? wanted, goodsPence);
  if (published.length === 0 && personal && personalCode.test(wanted)) {
    return isUsed(wanted)
      ? { accepted: false, text: "That code has been used." }
      : takeOff(personal.title, wanted, goodsPence);
  }
  if (published.some((one) => one.startDate && Date.parse(one.startDate) > now))
    return { accepted: false, text: "That code is not valid yet." };
  return {
    accepted: false,
    text: published.length > 0 ? "That code has expired." : "We don't recognise that code. Check it for typing slips.",
  };
}

function tidy(code: string): string {
  return code.replace(/\s+/g, "").toUpperCase();
}

function takeOff(title: string, code: string, goodsPence: number): VoucherCheck {
  const worth = worthOf(title);
  if (goodsPence < worth.fromPence)
    return { accepted: false, text: `That code needs a basket of at least £${worth.fromPence / 100}.` };
  const discountPence = Math.min(
    "percent" in worth ? Math.floor((goodsPence * worth.percent) / 100) : worth.pence,
    goodsPence,
  );
  return { accepted: true, code, discountPence, text: title };
}

function isCurrent(promotion: Promotion, now: number): boolean {
  const start = promotion.startDate ? Date.parse(promotion.startDate) : 0;
  const end = promotion.endDate ? Date.parse(promotion.endDate) : Number.POSITIVE_INFINITY;
  return start <= now && now <= end;
}

function worthOf(title: string): ({ percent: number } | { pence: number }) & { fromPence: number } {
  const fromPence = Number(/(?:spend|over|at least) £(\d{1,5})/i.exec(title)?.[1] ?? 0) * 100;
  const percent = /(\d{1,2})\s?% off/i.exec(title)?.[1];
  const pounds = /£(\d{1,5}) off/i.exec(title)?.[1] ?? /save £(\d{1,5})/i.exec(title)?.[1];
  if (percent) return { percent: Number(percent), fromPence };
  return pounds ? { pence: Number(pounds) * 100, fromPence } : { percent: 10, fromPence };
}
