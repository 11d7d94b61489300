/** What an operator does at the club (A1). An owner may do everything. */
export const roles = ["support", "catalogue", "finance", "owner"] as const;
export type Role = (typeof roles)[number];

export const roleWords: Record<Role, { name: string; does: string }> = {
  support: { name: "Support", does: "looks after members: verifications, claims, suspensions, notes" },
  catalogue: { name: "Catalogue", does: "keeps retailers, offers, codes, categories and brands' content" },
  finance: { name: "Finance", does: "looks after money: ledger, payouts, reports, gift-card floats, claims" },
  owner: { name: "Owner", does: "may do everything, and decides who is an operator" },
};

const everyone: readonly Role[] = roles;

/**
 * Who may do what: the one table. Pages name the permission to see them and to post to them (apps/admin/pages.ts), and
 * every change names one again where it is made (packages/core/audit/act.server.ts).
 */
export const permissions = {
  "home.see": everyone,
  "members.see": ["support", "finance", "owner"],
  "members.change": ["support", "owner"],
  "members.export": ["support", "owner"],
  "members.close": ["support", "owner"],
  "members.act-as": ["support", "owner"],
  "verifications.see": ["support", "owner"],
  "verifications.decide": ["support", "owner"],
  "claims.see": ["support", "finance", "owner"],
  "claims.decide": ["support", "finance", "owner"],
  "money.see": ["finance", "owner"],
  "money.change": ["finance", "owner"],
  "payouts.approve": ["finance", "owner"],
  // A club with one operator: an owner approves a batch of their own, with a reason.
  "payouts.approve-own": ["owner"],
  "gift-cards.see": ["support", "finance", "owner"],
  "gift-cards.change": ["finance", "owner"],
  "catalogue.see": ["support", "catalogue", "owner"],
  "catalogue.change": ["catalogue", "owner"],
  "brands.see": ["catalogue", "owner"],
  "brands.change": ["catalogue", "owner"],
  "settings.see": ["catalogue", "owner"],
  "settings.change": ["owner"],
  "partners.see": ["finance", "owner"],
  "partners.change": ["owner"],
  "reports.see": everyone,
  "work.see": ["finance", "owner"],
  "work.change": ["finance", "owner"],
  "audit.see": ["finance", "owner"],
  "operators.see": ["owner"],
  "operators.change": ["owner"],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissions;

export function may(role: Role, permission: Permission): boolean {
  return rolesWith(permission).includes(role);
}

/** Returns the roles that have a permission. */
export const rolesWith = (permission: Permission): readonly Role[] => permissions[permission];
