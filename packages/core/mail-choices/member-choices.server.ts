import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { MailChoiceKind, OptOutKind } from "./rules.ts";

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
  const { rows } = await sql<{ kind: OptOutKind; is_wanted: boolean; chosen_at: Date }>`
    select distinct on (kind) kind, is_wanted, chosen_at from mail_choices
    where member_id = ${memberId} and brand_id = ${brandId} order by kind, chosen_at desc, id desc`.execute(db);
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
    {
      kind: "news",
      isWanted: consent !== undefined && consent.withdrawn_at === null,
      chosenAt: consent ? (consent.withdrawn_at ?? consent.given_at) : null,
    },
  ];
}
