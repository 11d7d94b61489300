import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { consentWording } from "../registration/rules.ts";
import { findMailChoices } from "./member-choices.server.ts";
import { kindsOf, type MailChoiceKind, type OptOutKind } from "./rules.ts";
import type { Unsubscription } from "./unsubscribe-token.ts";

export interface NewChoices {
  brand: { id: string; name: string };
  memberId: string;
  wanted: Partial<Record<MailChoiceKind, boolean>>;
  way: "page" | "link";
  now: Date;
}

/** Records changed choices with time and source. Returns the kinds that changed. */
export async function chooseMails(db: Db, choices: NewChoices): Promise<MailChoiceKind[]> {
  return db.transaction().execute((trx) => choose(trx, choices));
}

async function choose(trx: Trx, { brand, memberId, wanted, way, now }: NewChoices): Promise<MailChoiceKind[]> {
  const member = await trx
    .selectFrom("members")
    .select("id")
    .where("id", "=", memberId)
    .where("brand_id", "=", brand.id)
    .where("closed_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!member) return [];
  const changed = (await findMailChoices(trx, { brandId: brand.id, memberId })).filter(
    ({ kind, isWanted }) => wanted[kind] !== undefined && wanted[kind] !== isWanted,
  );
  for (const { kind, isWanted } of changed) {
    if (kind === "news") await consentToNews(trx, { brand, memberId, isGiven: !isWanted, now });
    else await addChoice(trx, { brandId: brand.id, memberId, kind, isWanted: !isWanted, way, now });
  }
  return changed.map(({ kind }) => kind);
}

/**
 * Unsubscribes by a mail's link, without signing in. Repeating it, or a member who has left, changes nothing and gives
 * the same answer.
 */
export async function unsubscribe(
  db: Db,
  { unsubscription, now }: { unsubscription: Unsubscription; now: Date },
): Promise<void> {
  const { brandId, memberId, subject } = unsubscription;
  const wanted = Object.fromEntries(kindsOf(subject).map((kind) => [kind, false]));
  await chooseMails(db, { brand: { id: brandId, name: "" }, memberId, wanted, way: "link", now });
}

async function addChoice(
  trx: Trx,
  choice: { brandId: string; memberId: string; kind: OptOutKind; isWanted: boolean; way: "page" | "link"; now: Date },
): Promise<void> {
  await trx
    .insertInto("mail_choices")
    .values({
      id: newId(),
      brand_id: choice.brandId,
      member_id: choice.memberId,
      kind: choice.kind,
      is_wanted: choice.isWanted,
      way: choice.way,
      chosen_at: choice.now,
    })
    .execute();
}

async function consentToNews(
  trx: Trx,
  { brand, memberId, isGiven, now }: { brand: NewChoices["brand"]; memberId: string; isGiven: boolean; now: Date },
): Promise<void> {
  if (isGiven)
    await trx
      .insertInto("member_consents")
      .values({
        id: newId(),
        brand_id: brand.id,
        member_id: memberId,
        kind: "offers-by-email",
        wording: consentWording("offers-by-email", brand.name),
        given_at: now,
      })
      .execute();
  else
    await trx
      .updateTable("member_consents")
      .set({ withdrawn_at: now })
      .where("member_id", "=", memberId)
      .where("kind", "=", "offers-by-email")
      .where("withdrawn_at", "is", null)
      .execute();
}
