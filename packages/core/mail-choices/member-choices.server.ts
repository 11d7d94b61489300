import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { type MailChoiceKind, OPT_OUT_KINDS, type OptOutKind } from "./rules.ts";

export interface MailChoice {
  kind: MailChoiceKind;
  isWanted: boolean;
  /** When the member last chose; null: never, so the default applies. */
  chosenAt: Date | null;
}

/** Returns a member's choices in the order of MAIL_CHOICE_KINDS. */
export async function findMailChoices(
  db: Db | Trx,
  { brandId, memberId }: { brandId: string; memberId: string },
): Promise<MailChoice[]> {
  // One look-up per kind: a member who changes their mind every day is not read in full.
  const { rows } = await sql<{ kind: OptOutKind; is_wanted: boolean; chosen_at: Date }>`
    select last.* from unnest(${[...OPT_OUT_KINDS]}::text[]) asked (kind) cross join lateral (
      select kind, is_wanted, chosen_at from mail_choices choice
      where choice.member_id = ${memberId} and choice.brand_id = ${brandId} and choice.kind = asked.kind
      order by choice.chosen_at desc, choice.id desc limit 1) last`.execute(db);
  const consent = await db
    .selectFrom("member_consents")
    .select(["given_at", "withdrawn_at"])
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .where("kind", "=", "offers-by-email")
    .orderBy("given_at", "desc")
    .limit(1)
    .executeTakeFirst();
  const chosen = (kind: OptOutKind): MailChoice => {
    const row = rows.find((candidate) => candidate.kind === kind);
    return { kind, isWanted: row?.is_wanted ?? true, chosenAt: row?.chosen_at ?? null };
  };
  return [
    chosen("cashback-tracked"),
    chosen("cashback-confirmed"),
    chosen("cashback-paid"),
    chosen("rate-alerts"),
    chosen("friends"),
    chosen("gift-cards"),
    {
      kind: "news",
      isWanted: consent !== undefined && consent.withdrawn_at === null,
      chosenAt: consent ? (consent.withdrawn_at ?? consent.given_at) : null,
    },
  ];
}
