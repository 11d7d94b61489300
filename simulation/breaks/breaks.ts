import type { Break, Fault } from "./faults.ts";

const cashback = "packages/core/cashback";
const networks = "packages/core/networks";
const payouts = "packages/core/payouts";

/** No fault, but another order: passes of a report come in every order, and the club must end at the same. */
export const shuffledPasses: Fault = {
  file: `${networks}/passes.server.ts`,
  find: "return [...passes].sort((a, b) => (ran.get(a) ?? 0) - (ran.get(b) ?? 0));",
  replace:
    "return passes.map((pass) => ({ pass, place: Math.random() })).sort((a, b) => a.place - b.place).map(({ pass }) => pass);",
};

/** Rules of the money path, each with a fault that breaks it. The simulation must notice every one. */
export const breaks: readonly Break[] = [
  {
    rule: "Cashback is payable only when the network has paid the club",
    fault: {
      file: `${cashback}/rules.ts`,
      find: 'if (target.paidToPublisher) step("payable", "payable");',
      replace: 'step("payable", "payable");',
    },
  },
  {
    rule: "A declined sale earns nothing",
    fault: {
      file: `${cashback}/rules.ts`,
      find: 'if (isRefused) step("declined", "declined", entry ?? amounts);',
      replace: "if (isRefused) {}",
    },
  },
  {
    rule: "An amendment before payment changes what is coming",
    fault: {
      file: `${cashback}/rules.ts`,
      find: 'else if (!isRefused && !sameAmounts(entry, amounts)) step("amended", entry.state, amounts, "amended");',
      replace: "",
    },
  },
  {
    rule: "What a shop takes back after payment is deducted",
    fault: {
      file: `${cashback}/rules.ts`,
      find: "const wanted = isRefused ? { salePence: 0, cashbackPence: 0, commissionPence: 0 } : target;",
      replace: "const wanted = target;",
    },
  },
  {
    rule: "A correction counts the corrections before it",
    fault: {
      file: `${cashback}/rules.ts`,
      find: "cashbackPence: wanted.cashbackPence - entry.cashbackPence - corrected.cashbackPence,",
      replace: "cashbackPence: wanted.cashbackPence - entry.cashbackPence,",
    },
  },
  {
    rule: "A purchase earns at most the cap",
    fault: {
      file: "packages/core/catalogue/rates.ts",
      find: "return rate.capPence === null ? earned : Math.min(earned, rate.capPence);",
      replace: "return earned;",
    },
  },
  {
    rule: "A boost ends when it says",
    fault: {
      file: "packages/core/catalogue/rates.ts",
      find: "moment < boost.startsAt || moment >= boost.endsAt",
      replace: "moment < boost.startsAt",
    },
  },
  {
    rule: "Cashback is rounded down to the penny",
    fault: {
      file: "packages/core/money/money.ts",
      find: "return toPence((BigInt(pence(amount)) * BigInt(pence(rate))) / 10_000n);",
      replace: "return toPence((BigInt(pence(amount)) * BigInt(pence(rate)) + 9_999n) / 10_000n);",
    },
  },
  {
    rule: "Foreign money is converted at the rate of its day",
    fault: {
      file: `${networks}/credit.server.ts`,
      find: '(reported.currency === "GBP" ? PAR : (rates.get(one) ?? null))',
      replace: "PAR",
    },
  },
  {
    rule: "A click earns only at the shop that it led to",
    fault: {
      file: `${networks}/credit.server.ts`,
      find: "click.retailer_id !== programme.retailer_id",
      replace: "false",
    },
  },
  {
    rule: "A credited sale stays credited when its reference is lost",
    fault: {
      file: `${networks}/credit.server.ts`,
      find: "if (known && isCredited(known)) {",
      replace: "if (false) {",
    },
  },
  {
    rule: "A sale whose corrections take back all of it is declined",
    fault: {
      file: `${networks}/correction-rows.ts`,
      find: '(sum(counted, "commissionMinor") <= 0 || sum(counted, "saleMinor") < 0)',
      replace: "false",
    },
  },
  {
    rule: "A network without states pays on its payment day",
    fault: {
      file: `${networks}/correction-rows.ts`,
      find: "now >= calendar.paidFrom",
      replace: "now >= calendar.approvedFrom",
    },
  },
  {
    rule: "Networks are asked whether they have paid",
    fault: {
      file: "apps/server/networks/poll-reports.ts",
      find: 'passes: [...provider.passes, "payment"]',
      replace: "passes: provider.passes",
    },
  },
  {
    rule: "Sales that are reported late are found",
    fault: {
      file: `${networks}/passes.server.ts`,
      find: 'const look = pass === "payment" ? null : late;',
      replace: "const look = null as typeof late;",
    },
  },
  {
    rule: "Nothing is paid to new bank details for 72 hours",
    fault: {
      file: `${payouts}/batch.server.ts`,
      find: "return usable > now ? `The bank details were changed",
      replace: "return false ? `The bank details were changed",
    },
  },
  {
    rule: "A payout on hold leaves in no batch",
    fault: {
      file: `${payouts}/rules.ts`,
      find: "if (hold !== null) return { because: `On hold: ${hold}`, ends: false };",
      replace: "",
    },
  },
  {
    rule: "A member on hold can't ask for a payout",
    isInPages: true,
    fault: {
      file: `${payouts}/operations.server.ts`,
      // Two lines: withdrawing as a gift card begins with the same one, and is in the pages too.
      find: "then 'on-hold'\n        when exists (select from closures",
      replace: "then null\n        when exists (select from closures",
    },
  },
  {
    rule: "A suspended member can't log in",
    fault: {
      file: "packages/core/members/suspension.server.ts",
      find: ".set({ suspended_at: now, updated_at: now })",
      replace: ".set({ suspended_at: null, updated_at: now })",
    },
  },
  {
    rule: "A payout pays what was payable when it was asked for",
    fault: {
      file: `${payouts}/confirm.server.ts`,
      find: "entryIds: entries.map(({ entry_id }) => entry_id),",
      replace: "entryIds: null,",
    },
  },
  {
    rule: "A payment that comes back is payable again",
    fault: {
      file: `${payouts}/operations.server.ts`,
      find: 'isReturned ? "member_paid" : "member_in_transit"',
      replace: 'isReturned ? "member_in_transit" : "member_in_transit"',
    },
  },
  {
    rule: "A sale without its click is credited to the claim that names its order",
    fault: {
      file: "packages/core/claimed-orders/claimed-orders.server.ts",
      find: "return clicks.length > 0 && counts ? oneOf(clicks) : null;",
      replace: "return null;",
    },
  },
  {
    rule: "A claim that the retailer refuses is declined",
    fault: {
      file: "packages/core/claims/rules.ts",
      find: 'if (answer.state !== "incomplete") return answer.state;',
      replace: 'if (answer.state !== "incomplete") return "accepted";',
    },
  },
  {
    rule: "A bonus is held where two people share a browser",
    fault: {
      file: "packages/core/referrals/holds.server.ts",
      find: "const found = reasons ?? (await findSharedMarks(trx, referral));",
      replace: "const found: HoldReason[] = [];",
    },
  },
  {
    rule: "A bonus can be withdrawn only when the network has paid for the purchase",
    fault: {
      file: "packages/core/referrals/rules.ts",
      find: 'return { state: purchase === "payable" ? "payable" : "confirmed" };',
      replace: 'return { state: "payable" };',
    },
  },
  {
    rule: "A bonus ends with the purchase that it was for",
    fault: {
      file: "packages/core/referrals/rules.ts",
      find: 'if (isPosted(state) || state === "reversed") return { state: "reversed" };',
      replace: 'if (isPosted(state) || state === "reversed") return { state: isPosted(state) ? state : "reversed" };',
    },
  },
];
