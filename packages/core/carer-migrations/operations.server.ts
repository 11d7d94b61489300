import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { queueMail } from "../mails/operations.server.ts";
import { hashSecretToken, newSecretToken } from "../secrets/secret-token.ts";
import { paths, withToken } from "../paths.ts";
import {
  askAgainAt,
  carerMigrationLimits,
  consentWords,
  isAskedNow,
  linkExpiresAt,
  type AskedBefore,
} from "./rules.ts";

export interface CarerMigration {
  fromName: string;
  toName: string;
  toAudience: string;
  /** The words that the member agrees to. */
  consent: string;
  isAskedNow: boolean;
  state: AskedBefore["state"] | null;
}

interface Who {
  memberId: string;
  brandId: string;
}

/** Returns the move that is offered to a member, or null if no rule concerns them. */
export async function findCarerMigration(
  db: Db | Trx,
  { memberId, brandId, now }: Who & { now: Date },
): Promise<CarerMigration | null> {
  const row = await db
    .selectFrom("members")
    .innerJoin("carer_migration_rules as rule", (join) =>
      join
        .onRef("rule.brand_id", "=", "members.brand_id")
        .onRef("rule.member_status_id", "=", "members.member_status_id"),
    )
    .innerJoin("brands as here", "here.id", "rule.brand_id")
    .innerJoin("brands as there", "there.id", "rule.to_brand_id")
    .leftJoin("carer_migrations as before", "before.member_id", "members.id")
    .select([
      "here.name as fromName",
      "there.name as toName",
      "there.audience as toAudience",
      "before.state",
      "before.times_put_off as timesPutOff",
      "before.ask_again_at as askAgainAt",
    ])
    .where("members.id", "=", memberId)
    .where("members.brand_id", "=", brandId)
    .executeTakeFirst();
  if (!row) return null;
  const { fromName, toName, toAudience, timesPutOff, askAgainAt: askedAgainAt } = row;
  const state = row.state as AskedBefore["state"] | null;
  const before = state === null ? null : { state, timesPutOff: timesPutOff ?? 0, askAgainAt: askedAgainAt };
  return {
    fromName,
    toName,
    toAudience,
    consent: consentWords({ fromName, toName }),
    isAskedNow: isAskedNow(before, now),
    state,
  };
}

/**
 * Records "Not now": the member is asked again after `askAgainDays`, up to `maxAsked` times. Returns whether there was
 * an offer to put off.
 */
export async function putOffCarerMigration(db: Db, { memberId, brandId, now }: Who & { now: Date }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const offered = await lockAndFind(trx, { memberId, brandId, now });
    if (!offered || offered.state === "agreed" || offered.state === "moved") return false;
    // Pressing the button twice counts once.
    if (offered.state === "later" && !offered.isAskedNow) return false;
    await trx
      .insertInto("carer_migrations")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: memberId,
        state: "later",
        times_put_off: 1,
        ask_again_at: askAgainAt(now),
        updated_at: now,
      })
      .onConflict((conflict) =>
        conflict.column("member_id").doUpdateSet(({ eb, ref }) => ({
          times_put_off: eb(ref("carer_migrations.times_put_off"), "+", 1),
          ask_again_at: askAgainAt(now),
          updated_at: now,
        })),
      )
      .execute();
    return true;
  });
}

export type Agreement = { outcome: "mailed"; toName: string } | { outcome: "moved" } | { outcome: "not-offered" };

/**
 * Records the consent and sends a link to the member's address, in the name of the club they move to. No data is passed
 * on before the link is followed. Agreeing again sends another link after `resendMinutes`.
 */
export async function agreeToCarerMigration(
  db: Db,
  { memberId, brandId, now }: Who & { now: Date },
): Promise<Agreement> {
  return db.transaction().execute(async (trx): Promise<Agreement> => {
    const offered = await lockAndFind(trx, { memberId, brandId, now });
    if (!offered) return { outcome: "not-offered" };
    if (offered.state === "moved") return { outcome: "moved" };
    const { toName, fromName, consent } = offered;
    const last = await trx
      .selectFrom("carer_migrations")
      .select(["state", "updated_at"])
      .where("member_id", "=", memberId)
      .executeTakeFirst();
    const resendFrom = new Date(now.getTime() - carerMigrationLimits.resendMinutes * 60_000);
    if (last?.state === "agreed" && last.updated_at > resendFrom) return { outcome: "mailed", toName };
    const rule = await trx
      .selectFrom("members")
      .innerJoin("carer_migration_rules as rule", (join) =>
        join
          .onRef("rule.brand_id", "=", "members.brand_id")
          .onRef("rule.member_status_id", "=", "members.member_status_id"),
      )
      .select(["rule.id", "rule.to_brand_id", "members.email"])
      .where("members.id", "=", memberId)
      .executeTakeFirstOrThrow();
    const token = newSecretToken();
    const agreed = {
      state: "agreed",
      rule_id: rule.id,
      ask_again_at: null,
      agreed_at: now,
      consent,
      token_hash: hashSecretToken(token),
      token_expires_at: linkExpiresAt(now),
      updated_at: now,
    } as const;
    await trx
      .insertInto("carer_migrations")
      .values({ id: newId(), brand_id: brandId, member_id: memberId, ...agreed })
      .onConflict((conflict) => conflict.column("member_id").doUpdateSet(agreed))
      .execute();
    await queueMail(trx, {
      brandId: rule.to_brand_id,
      memberId: null,
      to: rule.email,
      mail: {
        kind: "carer-move",
        path: withToken(paths.carerMoveConfirmation, token),
        fromName,
        days: carerMigrationLimits.linkDays,
      },
      now,
    });
    return { outcome: "mailed", toName };
  });
}

/** Returns the member of a link at the club that they move to, without spending it. */
export async function findCarerMove(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<{ fromName: string } | null> {
  const row = await openMoves(db, { brandId, token, now }).select("here.name as fromName").executeTakeFirst();
  return row ?? null;
}

export type CarerMove = { outcome: "moved" } | { outcome: "has-account" } | { outcome: "over" };

/**
 * Spends the link and creates the account at the club of `brandId`, with the data of the consent only. A member who
 * already has an account with that address there keeps it unchanged. The old account is not changed.
 */
export async function moveCarer(
  db: Db,
  { brandId, token, now }: { brandId: string; token: string; now: Date },
): Promise<CarerMove> {
  return db.transaction().execute(async (trx): Promise<CarerMove> => {
    const move = await openMoves(trx, { brandId, token, now })
      .select([
        "move.id",
        "rule.to_member_type_id",
        "members.id as memberId",
        "members.email",
        "members.name",
        "members.date_of_birth",
      ])
      .forUpdate(["move", "members"])
      .executeTakeFirst();
    if (!move) return { outcome: "over" };
    const existing = await trx
      .selectFrom("member_emails")
      .select("member_id as id")
      .where("brand_id", "=", brandId)
      .where("email", "=", move.email)
      .executeTakeFirst();
    const id = existing?.id ?? (await makeAccount(trx, { ...move, brandId, now }));
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
    return { outcome: existing ? "has-account" : "moved" };
  });
}

interface Mover {
  brandId: string;
  memberId: string;
  email: string;
  name: string;
  date_of_birth: string | null;
  to_member_type_id: string;
  now: Date;
}

async function makeAccount(trx: Trx, mover: Mover): Promise<string> {
  const id = newId();
  await trx
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
    .execute();
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
  return id;
}

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

/** Finds the move under the member's lock, so that two windows run one after the other. */
async function lockAndFind(trx: Trx, who: Who & { now: Date }): Promise<CarerMigration | null> {
  await trx.selectFrom("members").select("id").where("id", "=", who.memberId).forUpdate().execute();
  return findCarerMigration(trx, who);
}
