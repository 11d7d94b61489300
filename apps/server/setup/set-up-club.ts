import { act } from "@farthing/core/audit/act.server.ts";
import { saveBrand } from "@farthing/core/brands/save-brand.server.ts";
import type { BrandStatement } from "@farthing/core/brands/schema.ts";
import { inviteOperator, renewInvitation, type Invited } from "@farthing/core/operators/operations.server.ts";
import type { Role } from "@farthing/core/operators/permissions.ts";
import { findOperators } from "@farthing/core/operators/queries.server.ts";
import type { NewOperator } from "@farthing/core/operators/schema.ts";
import type { Db } from "@farthing/db/client.ts";
import { seedBeginnings } from "../development/seed-reference.ts";

export interface FirstClub {
  brand: BrandStatement;
  operator: NewOperator;
  /** The system account that is recorded as having acted. */
  by: string;
  now: Date;
}

export type ClubSetUp =
  | {
      outcome: "set-up";
      /** `known`: there was a brand of this short name, and it stays as it is. */
      brand: "created" | "known";
      /**
       * `invited`: the path of the link to choose a password. It ends any former one. `known`: the operator has a password, or is
       * disabled, and stays so.
       */
      operator: { outcome: "invited"; path: string } | { outcome: "known"; role: Role };
    }
  | { outcome: "refused"; problems: string[] };

/**
 * Makes the first brand and invites the first operator in a migrated database (B5, A1). Idempotent: a second call makes only what a first one did not
 * get to, and a new link as long as the operator has no password.
 */
export async function setUpClub(db: Db, { brand, operator, by, now }: FirstClub): Promise<ClubSetUp> {
  await seedBeginnings(db);
  const first = await db.selectFrom("brands").select("id").where("is_default", "=", true).executeTakeFirst();
  // Mails to operators have the look and the links of the default brand.
  const saved = await saveBrand(db, { ...brand, isDefault: first === undefined }, "create");
  if (saved.outcome === "refused")
    return {
      outcome: "refused",
      problems: saved.problems.map(({ field, message }) => `The brand's ${field} ${message}`),
    };
  return {
    outcome: "set-up",
    brand: saved.outcome === "created" ? "created" : "known",
    operator: await inviteOwner(db, { operator, by, now }),
  };
}

async function inviteOwner(
  db: Db,
  { operator, by, now }: Pick<FirstClub, "operator" | "by" | "now">,
): Promise<{ outcome: "invited"; path: string } | { outcome: "known"; role: Role }> {
  const what = { permission: "operators.change", action: "operator.invite" } as const;
  const actor = { command: by, now };
  const invited = await act(
    db,
    actor,
    {
      ...what,
      subject: { type: "operator", idOf: (result: Invited) => (result.outcome === "invited" ? result.id : "") },
      changed: ({ outcome }: Invited) => outcome === "invited",
    },
    (joined) => inviteOperator(joined, { operator, now }),
  );
  if (invited.outcome === "invited") return { outcome: "invited", path: invited.path };
  const known = (await findOperators(db)).find(({ email }) => email === operator.email);
  if (!known) throw new Error("An operator was removed while the club was set up.");
  const path = await act(db, actor, { ...what, subject: { type: "operator", id: known.id } }, (joined) =>
    renewInvitation(joined, { id: known.id, now }),
  );
  return path === null ? { outcome: "known", role: known.role } : { outcome: "invited", path };
}
