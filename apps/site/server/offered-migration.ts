import { type CarerMigration, findCarerMigration } from "@farthing/core/carer-migrations/operations.server.ts";
import type { SiteServices } from "./site-handler.ts";
import type { Visit } from "./visit.ts";

export type OfferedMigration = Pick<CarerMigration, "fromName" | "toName" | "toAudience" | "consent">;

/** Members are asked on the two pages on which they look around. On all others they are busy with a task. */
const pages = new Set(["/", "/profile"]);

/** Returns the move to ask a member about on this page; null where there is none or it is not time to ask. */
export async function offeredMigration(
  { db, now }: Pick<SiteServices, "db" | "now">,
  { brand, member }: Pick<Visit, "brand" | "member">,
  path: string,
): Promise<OfferedMigration | null> {
  if (!member || !brand.features.carerMigration || !pages.has(path)) return null;
  const offered = await findCarerMigration(db, { memberId: member.id, brandId: brand.id, now: now() });
  if (!offered?.isAskedNow) return null;
  const { fromName, toName, toAudience, consent } = offered;
  return { fromName, toName, toAudience, consent };
}
