import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { newId } from "@farthing/db/uuid.ts";
import { type RawBuilder, sql } from "kysely";
import { queueMail } from "../mails/operations.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
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
export function findCarerMigration(db: Db, who: Who & { now: Date }): Promise<CarerMigration | null> {
  return readMigration(db, who, keepPlan);
}

async function readMigration(
  db: Db | Trx,
  { memberId, brandId, now }: Who & { now: Date },
  mark: RawBuilder<unknown>,
): Promise<CarerMigration | null> {
  const { rows } = await sql<{
    fromName: string;
    toName: string;
    toAudience: string;
    state: AskedBefore["state"] | null;
    timesPutOff: number | null;
    askAgainAt: Date | null;
  }>`${mark}
    select here.name as "fromName", there.name as "toName", there.audience as "toAudience",
      before.state, before.times_put_off as "timesPutOff", before.ask_again_at as "askAgainAt"
    from members member
      join carer_migration_rules rule on rule.brand_id = member.brand_id and rule.member_status_id = member.member_status_id
      join brands here on here.id = rule.brand_id join brands there on there.id = rule.to_brand_id
      left join carer_migrations before on before.member_id = member.id
    where member.id = ${memberId} and member.brand_id = ${brandId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { fromName, toName, toAudience, state, timesPutOff, askAgainAt: askedAgainAt } = row;
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
      memberId,
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

/** Finds the move under the member's lock, so that two windows run one after the other. */
async function lockAndFind(trx: Trx, who: Who & { now: Date }): Promise<CarerMigration | null> {
  await lockMember(trx, { memberId: who.memberId });
  return readMigration(trx, who, sql``);
}
