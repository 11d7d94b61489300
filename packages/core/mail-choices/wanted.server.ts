import { type RawBuilder, sql } from "kysely";
import type { OptOutKind } from "./rules.ts";

/** Returns SQL for whether a member wants mails of a kind; `memberId` is the column with the member's id. */
export function wantsMail(memberId: string, kind: OptOutKind): RawBuilder<boolean> {
  return sql<boolean>`coalesce((select choice.is_wanted from mail_choices choice
    where choice.member_id = ${sql.ref(memberId)} and choice.kind = ${kind}
    order by choice.chosen_at desc, choice.id desc limit 1), true)`;
}
