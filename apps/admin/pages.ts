import type { Permission } from "@farthing/core/operators/permissions.ts";

/**
 * Who may use a page: operators with a permission, every operator, an operator between password and code, or anyone.
 */
type Access = Permission | "operator" | "half" | "anyone";

/** The sections of the menu, in its order. */
export const sections = {
  home: "Home",
  members: "Members",
  money: "Money",
  catalogue: "Catalogue",
  brands: "Brands",
  settings: "Settings",
  partners: "Partners",
  reports: "Reports",
  system: "System",
} as const;
export type Section = keyof typeof sections;

/** Everything that the admin, the server and the tests have to know of a page without loading its module. */
export interface AdminPage {
  /** The route module, below `app/routes/`. */
  file: string;
  /** Who may see it. */
  see: Access;
  /** Who may post to it; nobody by default. Each act checks its own permission again (core/audit/act.server.ts). */
  change?: Access;
  /** Where the menu and the command palette show it; pages of one record are not shown. `keys`: pressed one after the other. */
  menu?: { section: Section; label: string; keys?: string };
  /** What its form posts as multipart/form-data: a file. All other forms are urlencoded. */
  multipart?: "file";
  /** True for a file that the page shows in a frame of its own. */
  isFramed?: true;
}

/**
 * Every page of the admin by its path: the one place for facts of a page. Routes, the guard, the menu, the palette and
 * the tests of roles are derived from it (docs/admin.md, "How to add a screen").
 */
export const pages = {
  // Signing in
  "/admin/sign-in": { file: "sign-in/sign-in-page.tsx", see: "anyone", change: "anyone" },
  "/admin/sign-in/code": { file: "sign-in/code-page.tsx", see: "half", change: "half" },
  "/admin/sign-in/set-up": { file: "sign-in/set-up-page.tsx", see: "half", change: "half" },
  "/admin/join/:token": { file: "sign-in/join-page.tsx", see: "anyone", change: "anyone" },
  "/admin/sign-out": { file: "sign-in/sign-out.ts", see: "operator", change: "operator" },

  // For every section
  "/admin": { file: "home/home-page.tsx", see: "home.see", menu: { section: "home", label: "Home", keys: "g h" } },
  "/admin/look": { file: "look/look.ts", see: "operator", change: "operator" },
  "/admin/views": { file: "views/views.ts", see: "operator", change: "operator" },
  "/admin/keys": { file: "home/keys-page.tsx", see: "operator" },

  // Members
  "/admin/members": {
    file: "members/member-list-page.tsx",
    see: "members.see",
    change: "members.change",
    menu: { section: "members", label: "Members", keys: "g m" },
  },
  "/admin/members.csv": { file: "members/members-csv.ts", see: "members.export" },
  "/admin/members/:id": { file: "members/member-page.tsx", see: "members.see", change: "members.change" },
  "/admin/members/:id/export": { file: "members/member-export.ts", see: "members.export", change: "members.export" },
  "/admin/members/:id/codes": { file: "codes/member-codes-page.tsx", see: "members.see", change: "members.change" },
  "/admin/members/:id/access": {
    file: "account-access/member-access-page.tsx",
    see: "members.see",
    change: "members.act-as",
  },
  "/admin/verifications": {
    file: "verifications/verification-list-page.tsx",
    see: "verifications.see",
    menu: { section: "members", label: "Verifications", keys: "g v" },
  },
  "/admin/verifications.csv": { file: "verifications/verifications-csv.ts", see: "verifications.see" },
  "/admin/verifications/:id": {
    file: "verifications/verification-page.tsx",
    see: "verifications.see",
    change: "verifications.decide",
  },
  "/admin/verifications/:id/file": {
    file: "verifications/verification-file.ts",
    see: "verifications.see",
    isFramed: true,
  },

  // Claims
  "/admin/claims": {
    file: "claims/claim-list-page.tsx",
    see: "claims.see",
    menu: { section: "members", label: "Claims", keys: "g c" },
  },
  "/admin/claims.csv": { file: "claims/claims-csv.ts", see: "claims.see" },
  "/admin/claims/packs": {
    file: "claims/pack-list-page.tsx",
    see: "claims.see",
    change: "claims.decide",
    menu: { section: "members", label: "Claim packs" },
  },
  "/admin/claims/packs.csv": { file: "claims/packs-csv.ts", see: "claims.see" },
  "/admin/claims/packs/:pack": { file: "claims/pack-file.ts", see: "claims.see" },
  "/admin/claims/:claim": { file: "claims/claim-page.tsx", see: "claims.see", change: "claims.decide" },
  "/admin/claims/:claim/files/:file": { file: "claims/claim-file.ts", see: "claims.see", isFramed: true },

  // Money
  "/admin/payouts": {
    file: "payouts/payout-list-page.tsx",
    see: "money.see",
    change: "money.change",
    menu: { section: "money", label: "Payouts", keys: "g p" },
  },
  "/admin/payouts.csv": { file: "payouts/payouts-csv.ts", see: "money.see" },
  "/admin/payouts/batches": {
    file: "payouts/batch-list-page.tsx",
    see: "money.see",
    change: "money.change",
    menu: { section: "money", label: "Payout batches", keys: "g b" },
  },
  "/admin/payouts/batches.csv": { file: "payouts/batches-csv.ts", see: "money.see" },
  "/admin/payouts/batches/:number": { file: "payouts/batch-page.tsx", see: "money.see", change: "money.change" },
  "/admin/payouts/batches/:number/file": { file: "payouts/batch-file.ts", see: "money.change", change: "money.change" },
  "/admin/payouts/reports": {
    file: "payouts/report-list-page.tsx",
    see: "money.see",
    change: "money.change",
    menu: { section: "money", label: "Bank reports" },
    multipart: "file",
  },
  "/admin/payouts/reports.csv": { file: "payouts/reports-csv.ts", see: "money.see" },
  "/admin/payouts/reports/:id": { file: "payouts/report-page.tsx", see: "money.see", change: "money.change" },
  "/admin/payouts/holds": {
    file: "payouts/hold-list-page.tsx",
    see: "money.see",
    change: "money.change",
    menu: { section: "money", label: "Payout holds" },
  },
  "/admin/payouts/holds.csv": { file: "payouts/holds-csv.ts", see: "money.see" },
  "/admin/payouts/:id": { file: "payouts/payout-page.tsx", see: "money.see", change: "money.change" },
  "/admin/ledger": {
    file: "ledger/ledger-page.tsx",
    see: "money.see",
    menu: { section: "money", label: "Ledger", keys: "g l" },
  },
  "/admin/ledger/members/:id": { file: "ledger/member-accounts-page.tsx", see: "money.see", change: "money.change" },
  "/admin/ledger/accounts/:id": { file: "ledger/account-page.tsx", see: "money.see" },
  "/admin/ledger/accounts/:id/entries.csv": { file: "ledger/entries-csv.ts", see: "money.see" },
  "/admin/ledger/transfers/:id": { file: "ledger/transfer-page.tsx", see: "money.see" },
  "/admin/ledger/clicks/:id": { file: "ledger/click-page.tsx", see: "money.see" },
  "/admin/ledger/checks": {
    file: "ledger/check-list-page.tsx",
    see: "money.see",
    change: "money.change",
    menu: { section: "money", label: "Check of the books" },
  },
  "/admin/ledger/checks.csv": { file: "ledger/checks-csv.ts", see: "money.see" },
  "/admin/payments": {
    file: "payments/payment-list-page.tsx",
    see: "money.see",
    menu: { section: "money", label: "Card payments" },
  },
  "/admin/payments.csv": { file: "payments/payments-csv.ts", see: "money.see" },
  "/admin/payments/:id": { file: "payments/payment-page.tsx", see: "money.see", change: "money.change" },
  "/admin/disputes": {
    file: "payments/dispute-list-page.tsx",
    see: "money.see",
    menu: { section: "money", label: "Disputes" },
  },
  "/admin/disputes.csv": { file: "payments/disputes-csv.ts", see: "money.see" },
  "/admin/members/:id/goodwill": { file: "goodwill/goodwill-page.tsx", see: "money.see", change: "money.change" },

  // Gift cards
  "/admin/gift-cards": {
    file: "gift-cards/line-list-page.tsx",
    see: "gift-cards.see",
    menu: { section: "money", label: "Gift cards", keys: "g i" },
  },
  "/admin/gift-cards.csv": { file: "gift-cards/lines-csv.ts", see: "gift-cards.see" },
  "/admin/gift-cards/lines/:line": {
    file: "gift-cards/line-page.tsx",
    see: "gift-cards.see",
    change: "gift-cards.change",
  },
  "/admin/gift-cards/floats": {
    file: "gift-cards/floats-page.tsx",
    see: "gift-cards.change",
    change: "gift-cards.change",
    menu: { section: "money", label: "Gift-card floats" },
  },
  "/admin/gift-cards/products": {
    file: "gift-cards/product-list-page.tsx",
    see: "gift-cards.see",
    change: "gift-cards.change",
    menu: { section: "money", label: "Gift-card products" },
  },
  "/admin/gift-cards/products.csv": { file: "gift-cards/products-csv.ts", see: "gift-cards.see" },
  "/admin/gift-cards/products/:product": {
    file: "gift-cards/product-page.tsx",
    see: "gift-cards.see",
    change: "gift-cards.change",
  },

  // Referrals
  "/admin/referrals": {
    file: "referrals/referral-list-page.tsx",
    see: "money.see",
    menu: { section: "money", label: "Invitations", keys: "g r" },
  },
  "/admin/referrals.csv": { file: "referrals/referrals-csv.ts", see: "money.see" },
  "/admin/referrals/:referral": {
    file: "referrals/referral-page.tsx",
    see: "money.see",
    change: "money.change",
  },

  // Networks
  "/admin/networks": {
    file: "networks/network-list-page.tsx",
    see: "money.see",
    menu: { section: "money", label: "Networks", keys: "g n" },
  },
  "/admin/networks/held": {
    file: "networks/held-list-page.tsx",
    see: "claims.see",
    menu: { section: "money", label: "Unmatched sales" },
  },
  "/admin/networks/report-file": {
    file: "networks/report-file-page.tsx",
    see: "money.see",
    change: "money.change",
    multipart: "file",
    menu: { section: "money", label: "Report from a file" },
  },
  "/admin/networks/exchange-rates": {
    file: "networks/exchange-rates-page.tsx",
    see: "money.see",
    change: "money.change",
    menu: { section: "money", label: "Exchange rates" },
  },
  "/admin/networks/exchange-rates.csv": { file: "networks/exchange-rates-csv.ts", see: "money.see" },
  "/admin/networks/held.csv": { file: "networks/held-csv.ts", see: "claims.see" },
  "/admin/networks/:network": { file: "networks/network-page.tsx", see: "money.see", change: "money.change" },

  // Catalogue
  "/admin/offers": {
    file: "offers/offer-list-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
    menu: { section: "catalogue", label: "Offers", keys: "g f" },
  },
  "/admin/offers.csv": { file: "offers/offers-csv.ts", see: "catalogue.see" },
  "/admin/offers/new": { file: "offers/new-offer-page.tsx", see: "catalogue.change", change: "catalogue.change" },
  "/admin/offers/file": {
    file: "offers/offers-file-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
    menu: { section: "catalogue", label: "Offers as a file" },
    multipart: "file",
  },
  "/admin/offers/own.csv": { file: "offers/own-offers-csv.ts", see: "catalogue.see" },
  "/admin/offers/file/template": { file: "offers/offers-template.ts", see: "catalogue.see" },
  "/admin/offers/:id": { file: "offers/offer-page.tsx", see: "catalogue.see", change: "catalogue.change" },
  "/admin/offers/:id/history": {
    file: "offers/offer-history-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
  },
  "/admin/offers/:id/preview/:brand": { file: "offers/offer-preview.ts", see: "catalogue.see" },
  "/admin/retailers": {
    file: "retailers/retailer-list-page.tsx",
    see: "catalogue.see",
    menu: { section: "catalogue", label: "Retailers", keys: "g t" },
  },
  "/admin/retailers.csv": { file: "retailers/retailers-csv.ts", see: "catalogue.see" },
  "/admin/retailers/new": {
    file: "retailers/new-retailer-page.tsx",
    see: "catalogue.change",
    change: "catalogue.change",
  },
  "/admin/retailers/:retailer": {
    file: "retailers/retailer-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
  },
  "/admin/retailers/:retailer/claims": {
    file: "retailers/claim-rule-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
  },
  "/admin/retailers/:retailer/merge": {
    file: "retailers/merge-page.tsx",
    see: "catalogue.change",
    change: "catalogue.change",
  },
  "/admin/retailers/:retailer/rates": {
    file: "retailers/rates-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
  },
  "/admin/retailers/:retailer/history": {
    file: "retailers/retailer-history-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
  },
  "/admin/categories": {
    file: "categories/category-list-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
    menu: { section: "catalogue", label: "Categories" },
  },
  "/admin/categories/:category": {
    file: "categories/category-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
  },
  "/admin/imports": {
    file: "imports/import-list-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
    menu: { section: "catalogue", label: "Imports" },
    multipart: "file",
  },
  "/admin/imports.csv": { file: "imports/imports-csv.ts", see: "catalogue.see" },
  "/admin/codes": {
    file: "codes/pool-list-page.tsx",
    see: "catalogue.see",
    menu: { section: "catalogue", label: "Codes", keys: "g k" },
  },
  "/admin/codes.csv": { file: "codes/pools-csv.ts", see: "catalogue.see" },
  "/admin/codes/:offer": {
    file: "codes/pool-page.tsx",
    see: "catalogue.see",
    change: "catalogue.change",
    multipart: "file",
  },

  // Brands
  "/admin/brands": {
    file: "brands/brand-list-page.tsx",
    see: "brands.see",
    menu: { section: "brands", label: "Brands", keys: "g d" },
  },
  "/admin/brands.csv": { file: "brands/brands-csv.ts", see: "brands.see" },
  "/admin/brands/new": { file: "brands/new-brand-page.tsx", see: "brands.change", change: "brands.change" },
  "/admin/brands/preview": { file: "brands/preview.ts", see: "brands.see", isFramed: true },
  "/admin/brands/:brand": { file: "brands/brand-page.tsx", see: "brands.see", change: "brands.change" },
  "/admin/brands/:brand/legal/:page": {
    file: "brands/legal-page.tsx",
    see: "brands.see",
    change: "brands.change",
  },
  "/admin/brands/:brand/look": { file: "brands/look-page.tsx", see: "brands.see", change: "brands.change" },

  "/admin/questions": {
    file: "questions/question-list-page.tsx",
    see: "brands.see",
    menu: { section: "brands", label: "Questions", keys: "g q" },
  },
  "/admin/questions.csv": { file: "questions/questions-csv.ts", see: "brands.see" },
  "/admin/questions/new": { file: "questions/new-question-page.tsx", see: "brands.change", change: "brands.change" },
  "/admin/questions/:id": { file: "questions/question-page.tsx", see: "brands.see", change: "brands.change" },
  "/admin/subjects": {
    file: "subjects/subject-list-page.tsx",
    see: "brands.see",
    menu: { section: "brands", label: "Subjects of questions", keys: "g j" },
  },
  "/admin/subjects.csv": { file: "subjects/subjects-csv.ts", see: "brands.see" },
  "/admin/subjects/new": { file: "subjects/new-subject-page.tsx", see: "brands.change", change: "brands.change" },
  "/admin/subjects/:id": { file: "subjects/subject-page.tsx", see: "brands.see", change: "brands.change" },

  "/admin/notices": {
    file: "notices/notice-list-page.tsx",
    see: "brands.see",
    menu: { section: "brands", label: "Notices", keys: "g z" },
  },
  "/admin/notices.csv": { file: "notices/notices-csv.ts", see: "brands.see" },
  "/admin/notices/new": { file: "notices/new-notice-page.tsx", see: "brands.change", change: "brands.change" },
  "/admin/notices/:id": { file: "notices/notice-page.tsx", see: "brands.see", change: "brands.change" },

  // Settings
  "/admin/member-types": {
    file: "member-types/member-type-list-page.tsx",
    see: "settings.see",
    menu: { section: "settings", label: "Member types", keys: "g e" },
  },
  "/admin/member-types.csv": { file: "member-types/member-types-csv.ts", see: "settings.see" },
  "/admin/member-types/new": {
    file: "member-types/new-member-type-page.tsx",
    see: "settings.change",
    change: "settings.change",
  },
  "/admin/member-types/:type": {
    file: "member-types/member-type-page.tsx",
    see: "settings.see",
    change: "settings.change",
  },
  "/admin/proof-kinds": {
    file: "proof-kinds/proof-kind-list-page.tsx",
    see: "settings.see",
    menu: { section: "settings", label: "Proof kinds", keys: "g y" },
  },
  "/admin/proof-kinds.csv": { file: "proof-kinds/proof-kinds-csv.ts", see: "settings.see" },
  "/admin/proof-kinds/new": {
    file: "proof-kinds/new-proof-kind-page.tsx",
    see: "settings.change",
    change: "settings.change",
  },
  "/admin/proof-kinds/:kind": {
    file: "proof-kinds/proof-kind-page.tsx",
    see: "settings.see",
    change: "settings.change",
  },
  "/admin/thresholds": {
    file: "thresholds/threshold-list-page.tsx",
    see: "settings.see",
    menu: { section: "settings", label: "Thresholds", keys: "g u" },
  },
  "/admin/thresholds/:threshold": {
    file: "thresholds/threshold-page.tsx",
    see: "settings.see",
    change: "settings.change",
  },
  "/admin/thresholds/:threshold/history": {
    file: "thresholds/threshold-history-page.tsx",
    see: "settings.see",
    change: "settings.change",
  },

  // Partners
  "/admin/partners": {
    file: "partners/partner-list-page.tsx",
    see: "partners.see",
    menu: { section: "partners", label: "Partners", keys: "g s" },
  },
  "/admin/partners.csv": { file: "partners/partners-csv.ts", see: "partners.see" },
  "/admin/partners/new": {
    file: "partners/new-partner-page.tsx",
    see: "partners.change",
    change: "partners.change",
  },
  "/admin/partners/:partner": {
    file: "partners/partner-page.tsx",
    see: "partners.see",
    change: "partners.change",
  },
  "/admin/partners/:partner/usage": { file: "partners/usage-page.tsx", see: "partners.see" },
  "/admin/partners/:partner/usage.csv": { file: "partners/usage-csv.ts", see: "partners.see" },
  "/admin/partners/:partner/webhooks/:webhook": {
    file: "partners/delivery-list-page.tsx",
    see: "partners.see",
    change: "partners.change",
  },
  "/admin/partners/:partner/webhooks/:webhook/deliveries.csv": {
    file: "partners/deliveries-csv.ts",
    see: "partners.see",
  },

  // Reports
  "/admin/reports": {
    file: "reports/report-list-page.tsx",
    see: "reports.see",
    menu: { section: "reports", label: "Reports", keys: "g x" },
  },
  "/admin/reports/money": {
    file: "reports/money-page.tsx",
    see: "money.see",
    menu: { section: "reports", label: "Cashback and payouts" },
  },
  "/admin/reports/money/table.csv": { file: "reports/money-csv.ts", see: "money.see" },
  "/admin/reports/:report": { file: "reports/report-page.tsx", see: "reports.see" },
  "/admin/reports/:report/table.csv": { file: "reports/report-csv.ts", see: "reports.see" },

  // System
  "/admin/background-work": {
    file: "background-work/work-page.tsx",
    see: "work.see",
    menu: { section: "system", label: "Background work", keys: "g w" },
  },
  "/admin/background-work/:queue": { file: "background-work/queue-page.tsx", see: "work.see", change: "work.change" },
  "/admin/background-work/:queue/work.csv": { file: "background-work/work-csv.ts", see: "work.see" },
  "/admin/audit": {
    file: "audit/audit-list-page.tsx",
    see: "audit.see",
    menu: { section: "system", label: "Audit log", keys: "g a" },
  },
  "/admin/audit.csv": { file: "audit/audit-csv.ts", see: "audit.see" },
  "/admin/audit/:type/:id": { file: "audit/record-history-page.tsx", see: "audit.see" },
  "/admin/operators": {
    file: "operators/operator-list-page.tsx",
    see: "operators.see",
    menu: { section: "system", label: "Operators", keys: "g o" },
  },
  "/admin/operators.csv": { file: "operators/operators-csv.ts", see: "operators.see" },
  "/admin/operators/new": { file: "operators/new-operator-page.tsx", see: "operators.see", change: "operators.change" },
  "/admin/operators/:id": { file: "operators/operator-page.tsx", see: "operators.see", change: "operators.change" },

  "/admin/*": { file: "errors/not-found-page.tsx", see: "anyone", change: "anyone" },
} as const satisfies Record<`/admin${string}`, AdminPage>;

export type AdminPath = keyof typeof pages;

export const pageEntries = Object.entries(pages) as [AdminPath, AdminPage][];

/** Returns the facts of the page that React Router matched, from the `pattern` of a loader or middleware. */
export function factsOfPattern(pattern: string): AdminPage {
  const path = pattern.startsWith("/") ? pattern : `/${pattern}`;
  if (!Object.hasOwn(pages, path)) throw new Error(`The route ${path} is not in apps/admin/pages.ts. Add it there.`);
  return pages[path as AdminPath];
}

/** Returns whether a post to this path may carry a file. */
export function takesAdminUploads(path: string): boolean {
  return uploadPaths.some((pattern) => pattern.test(path));
}

const uploadPaths = pageEntries
  .filter(([, { multipart }]) => multipart === "file")
  .map(([path]) => new RegExp(`^${path.replaceAll(/:[a-zA-Z]+/g, "[^/]+")}$`));
