import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { findOwner } from "../members/emails.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { consentWording } from "../registration/rules.ts";
import { hashSecretToken } from "../secrets/secret-token.ts";

/** Returns the club that the member of a valid link moves from, without spending the link; null for an invalid one. */
export async function findCarerMove(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<{ fromName: string } | null> {
  const row = await openMoves(db, { brandId, token, now }).select("here.name as fromName").executeTakeFirst();
  return row ?? null;
}

export type CarerMove =
  | { outcome: "moved" | "has-account" | "over" }
  /** The address was removed from an account of that club, which can have it back until then; the link is not spent. */
  | { outcome: "held"; until: Date };

/**
 * Spends the link and creates the account at the club of `brandId`, with the data of the consent only. The member has agreed to that club's terms,
 * which is kept with their words. A member who already has an account with that address there keeps it unchanged. The old account is not changed.
 */
export async function moveCarer(
  db: Db,
  { brandId, brandName, token, now }: { brandId: string; brandName: string; token: string; now: Date },
): Promise<CarerMove> {
  return db.transaction().execute(async (trx): Promise<CarerMove> => {
    const link = { brandId, token, now };
    const found = await openMoves(trx, link).select("members.id as memberId").executeTakeFirst();
    if (!found) return { outcome: "over" };
    // The member first: agreeing and postponing lock in this order too.
    await lockMember(trx, found);
    const move = await openMoves(trx, link)
      .select([
        "move.id",
        "rule.to_member_type_id",
        "members.id as memberId",
        "members.email",
        "members.name",
        "members.date_of_birth",
      ])
      .forUpdate("move")
      .executeTakeFirst();
    if (!move) return { outcome: "over" };
    const mover = { ...move, brandId, brandName, now };
    // An account that is made at the same moment is found once its insert has ended.
    const owner = await findOwner(trx, mover);
    if (owner?.heldUntil) return { outcome: "held", until: owner.heldUntil };
    const made = owner === null ? await makeAccount(trx, mover) : null;
    const id = made ?? (await findOwner(trx, mover))?.memberId ?? null;
    await trx
      .updateTable("carer_migrations")
      .set({
        state: "moved",
        moved_at: now,
        new_member_id: id,
        token_hash: null,
        token_expires_at: null,
        updated_at: now,
      })
      .where("id", "=", move.id)
      .execute();
    return { outcome: made === null ? "has-account" : "moved" };
  });
}

interface Mover {
  brandId: string;
  brandName: string;
  memberId: string;
  email: string;
  name: string;
  date_of_birth: string | null;
  to_member_type_id: string;
  now: Date;
}

/** Creates the new account with the password of the old one. Returns its id; null if the address has been taken in the meantime. */
async function makeAccount(trx: Trx, mover: Mover): Promise<string | null> {
  const id = newId();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("members")
    .values({
      id,
      brand_id: mover.brandId,
      email: mover.email,
      email_verified: true, // the link was sent to it
      name: mover.name,
      date_of_birth: mover.date_of_birth,
      member_type_id: mover.to_member_type_id,
      created_at: mover.now,
      updated_at: mover.now,
    })
    .onConflict((conflict) => conflict.columns(["brand_id", "email"]).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return null;
  const credential = await trx
    .selectFrom("member_credentials")
    .select("password")
    .where("member_id", "=", mover.memberId)
    .where("provider_id", "=", "credential")
    .executeTakeFirst();
  if (credential?.password)
    await trx
      .insertInto("member_credentials")
      .values({
        id: newId(),
        brand_id: mover.brandId,
        member_id: id,
        account_id: id,
        provider_id: "credential",
        password: credential.password,
      })
      .execute();
  await trx
    .insertInto("member_consents")
    .values({
      id: newId(),
      brand_id: mover.brandId,
      member_id: id,
      kind: "terms",
      wording: consentWording("terms", mover.brandName),
      given_at: mover.now,
    })
    .execute();
  return id;
}

/** Returns the query for the agreed move of a valid link to this brand. */
function openMoves(db: Db | Trx, { brandId, token, now }: { brandId: string; token: string; now: Date }) {
  return db
    .selectFrom("carer_migrations as move")
    .innerJoin("carer_migration_rules as rule", "rule.id", "move.rule_id")
    .innerJoin("members", "members.id", "move.member_id")
    .innerJoin("brands as here", "here.id", "move.brand_id")
    .where("move.token_hash", "=", hashSecretToken(token))
    .where("move.token_expires_at", ">", now)
    .where("move.state", "=", "agreed")
    .where("rule.to_brand_id", "=", brandId)
    .where("members.suspended_at", "is", null);
}
