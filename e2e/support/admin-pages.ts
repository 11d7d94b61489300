import { expect, type Page } from "@playwright/test";
import { pageEntries, type AdminPath } from "../../apps/admin/pages.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** Signs in as a demo operator, with the code from the mailbox (Z3). */
export async function signInAsOperator(
  page: Page,
  { url, sandbox, role = "owner" }: { url: (path: string) => string; sandbox: string; role?: string },
): Promise<void> {
  const to = `${role}@farthing.example`;
  const codes = async () => {
    const answer = await fetch(`${sandbox}/mailbox/messages?to=${encodeURIComponent(to)}`);
    const mails = (await answer.json()) as { subject: string; text: string }[];
    return mails
      .filter(({ subject }) => subject === "Your code for the admin")
      .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? "");
  };
  // Another sign-in of the same operator has its own code: this one's is the one that comes now.
  await oneAtATime("operators' codes", async () => {
    const before = (await codes()).length;
    await page.goto(url("/admin"));
    await page.getByLabel("Email", { exact: true }).fill(to);
    await page.getByLabel("Password", { exact: true }).fill("Farthing-2026");
    await page.getByRole("button", { name: "Log in" }).click();
    let found: string[] = [];
    await expect
      .poll(async () => (found = await codes()).length, { message: `a code for ${to}` })
      .toBeGreaterThan(before);
    await page.getByLabel("Code", { exact: true }).fill(found[0] ?? "");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  });
}

const aMember = { path: "/admin/members?q=member@chalkside.example", opensFirst: true } as const;
const CLICK = 'a[href^="/admin/ledger/clicks/"]';

/**
 * A state of each page that people look at: its path, or how to reach it from a list by the first link of its table, and from
 * there by further links. Null: it is a file, only takes posts, or belongs to the sign-in.
 */
export const adminPages: Partial<Record<AdminPath, { path: string; opensFirst?: true; links?: readonly string[] }>> = {
  "/admin": { path: "/admin" },
  "/admin/keys": { path: "/admin/keys" },
  "/admin/members": { path: "/admin/members" },
  "/admin/members/:id": aMember,
  "/admin/verifications": { path: "/admin/verifications?state=any" },
  "/admin/verifications/:id": { path: "/admin/verifications?state=any", opensFirst: true },
  "/admin/claims": { path: "/admin/claims" },
  "/admin/claims/packs": { path: "/admin/claims/packs" },
  "/admin/claims/:claim": { path: "/admin/claims", opensFirst: true },
  "/admin/gift-cards": { path: "/admin/gift-cards" },
  // The demo has no orders, held bonuses or webhooks: their records are looked at where they are missing.
  "/admin/gift-cards/lines/:line": { path: "/admin/gift-cards/lines/none" },
  "/admin/gift-cards/floats": { path: "/admin/gift-cards/floats" },
  "/admin/gift-cards/products": { path: "/admin/gift-cards/products" },
  "/admin/gift-cards/products/:product": { path: "/admin/gift-cards/products", opensFirst: true },
  "/admin/referrals": { path: "/admin/referrals" },
  "/admin/referrals/:referral": { path: "/admin/referrals/none" },
  "/admin/networks": { path: "/admin/networks" },
  "/admin/networks/report-file": { path: "/admin/networks/report-file" },
  "/admin/networks/exchange-rates": { path: "/admin/networks/exchange-rates" },
  "/admin/networks/:network": { path: "/admin/networks/awin" },
  "/admin/networks/held": { path: "/admin/networks/held" },
  "/admin/offers": { path: "/admin/offers" },
  "/admin/offers/new": { path: "/admin/offers/new" },
  "/admin/offers/file": { path: "/admin/offers/file" },
  "/admin/offers/:id": { path: "/admin/offers", opensFirst: true },
  "/admin/offers/:id/history": { path: "/admin/offers", opensFirst: true, links: ['a[href$="/history"]'] },
  "/admin/codes": { path: "/admin/codes" },
  "/admin/codes/:offer": { path: "/admin/codes", opensFirst: true },
  "/admin/retailers": { path: "/admin/retailers" },
  "/admin/retailers/new": { path: "/admin/retailers/new" },
  "/admin/retailers/:retailer": { path: "/admin/retailers", opensFirst: true },
  "/admin/retailers/:retailer/claims": {
    path: "/admin/retailers",
    opensFirst: true,
    links: ['a[href^="/admin/retailers/"][href$="/claims"]'],
  },
  "/admin/retailers/:retailer/merge": {
    path: "/admin/retailers",
    opensFirst: true,
    links: ['a[href$="/merge"]'],
  },
  "/admin/retailers/:retailer/rates": {
    path: "/admin/retailers",
    opensFirst: true,
    links: ['a[href^="/admin/retailers/"][href$="/rates"]'],
  },
  "/admin/retailers/:retailer/history": {
    path: "/admin/retailers",
    opensFirst: true,
    links: ['a[href$="/history"]'],
  },
  "/admin/imports": { path: "/admin/imports" },
  "/admin/categories": { path: "/admin/categories" },
  "/admin/categories/:category": { path: "/admin/categories", opensFirst: true },
  "/admin/partners": { path: "/admin/partners" },
  "/admin/partners/new": { path: "/admin/partners/new" },
  "/admin/partners/:partner": { path: "/admin/partners", opensFirst: true },
  "/admin/partners/:partner/usage": { path: "/admin/partners/demo-partner/usage" },
  "/admin/partners/:partner/webhooks/:webhook": { path: "/admin/partners/demo-partner/webhooks/none" },
  "/admin/background-work": { path: "/admin/background-work" },
  "/admin/background-work/:queue": { path: "/admin/background-work/mails" },
  "/admin/payouts": { path: "/admin/payouts" },
  "/admin/payouts/:id": { path: "/admin/payouts?state=failed", opensFirst: true },
  "/admin/payouts/batches": { path: "/admin/payouts/batches" },
  "/admin/payouts/batches/:number": { path: "/admin/payouts/batches?state=rejected", opensFirst: true },
  "/admin/payouts/reports": { path: "/admin/payouts/reports" },
  "/admin/payouts/reports/:id": { path: "/admin/payouts/reports?state=applied", opensFirst: true },
  "/admin/payouts/holds": { path: "/admin/payouts/holds?state=all" },
  "/admin/ledger": { path: "/admin/ledger" },
  "/admin/ledger/accounts/:id": { path: "/admin/ledger", opensFirst: true },
  "/admin/ledger/members/:id": { ...aMember, links: ['a[href^="/admin/ledger/members/"]'] },
  "/admin/ledger/clicks/:id": { ...aMember, links: [CLICK] },
  "/admin/ledger/transfers/:id": { ...aMember, links: [CLICK, 'a[href^="/admin/ledger/transfers/"]'] },
  "/admin/ledger/checks": { path: "/admin/ledger/checks" },
  "/admin/payments": { path: "/admin/payments" },
  "/admin/payments/:id": { path: "/admin/payments?state=cancelled", opensFirst: true },
  "/admin/disputes": { path: "/admin/disputes" },
  "/admin/members/:id/access": { ...aMember, links: ['a[href$="/access"]'] },
  "/admin/members/:id/codes": { ...aMember, links: ['a[href^="/admin/members/"][href$="/codes"]'] },
  "/admin/members/:id/goodwill": { ...aMember, links: ['a[href$="/goodwill"]'] },
  "/admin/reports": { path: "/admin/reports" },
  "/admin/reports/:report": { path: "/admin/reports/funnel-days" },
  "/admin/reports/money": { path: "/admin/reports/money" },
  "/admin/brands": { path: "/admin/brands" },
  "/admin/brands/new": { path: "/admin/brands/new" },
  "/admin/brands/:brand": { path: "/admin/brands/chalkside" },
  "/admin/brands/:brand/legal/:page": { path: "/admin/brands/chalkside/legal/terms" },
  "/admin/brands/:brand/look": { path: "/admin/brands/chalkside/look" },
  "/admin/questions": { path: "/admin/questions" },
  "/admin/questions/new": { path: "/admin/questions/new" },
  "/admin/questions/:id": { path: "/admin/questions", opensFirst: true },
  "/admin/notices": { path: "/admin/notices" },
  "/admin/notices/new": { path: "/admin/notices/new" },
  "/admin/notices/:id": { path: "/admin/notices", opensFirst: true },
  "/admin/subjects": { path: "/admin/subjects" },
  "/admin/subjects/new": { path: "/admin/subjects/new" },
  "/admin/subjects/:id": { path: "/admin/subjects", opensFirst: true },
  "/admin/member-types": { path: "/admin/member-types" },
  "/admin/member-types/new": { path: "/admin/member-types/new" },
  "/admin/member-types/:type": { path: "/admin/member-types/education" },
  "/admin/proof-kinds": { path: "/admin/proof-kinds" },
  "/admin/proof-kinds/new": { path: "/admin/proof-kinds/new" },
  "/admin/proof-kinds/:kind": { path: "/admin/proof-kinds/payslip" },
  "/admin/thresholds": { path: "/admin/thresholds" },
  "/admin/thresholds/:threshold": { path: "/admin/thresholds/code-failures" },
  "/admin/thresholds/:threshold/history": { path: "/admin/thresholds/code-failures/history" },
  "/admin/audit": { path: "/admin/audit" },
  "/admin/operators": { path: "/admin/operators" },
  "/admin/operators/new": { path: "/admin/operators/new" },
  "/admin/operators/:id": { path: "/admin/operators", opensFirst: true },
};

/** Pages with a heading of their own that have no state above. A test expects none. */
export const unlistedAdminPages = pageEntries
  .filter(([path, { file }]) => file.endsWith("-page.tsx") && !(path in adminPages))
  .map(([path]) => path)
  .filter((path) => !/^\/admin\/(sign-in|join|audit\/|\*)/.test(path));
