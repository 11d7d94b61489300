import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { priceOf, type FixedPrice, type PriceColumns } from "./fixed-price.ts";
import type { PartnerMode } from "./mode.ts";
import { readToken, type TokenClaims } from "./token.ts";
import { openWidgetSession, type FramedMember, type MemberLogin } from "./widget-session.server.ts";

export type ExchangeOutcome =
  | { outcome: "opened"; session: OpenedSession }
  /** Not signed by us, or altered: its content can't be trusted. */
  | { outcome: "invalid" }
  /** `origin`: the partner's page, which may show a person what happened. */
  | { outcome: "expired" | "spent"; origin: string }
  /** The partner, its key or this origin has been withdrawn since. */
  | { outcome: "withdrawn" };

export interface OpenedSession {
  id: string;
  partner: { publicId: string; name: string };
  origin: string;
  bearer: string;
  expiresAt: Date;
  mode: PartnerMode;
  /** Null: the visitor chooses the amount. */
  price: FixedPrice | null;
  member: FramedMember | null;
}

export interface ExchangeArguments {
  /** The token from the address; null if there was none. */
  token: string | null;
  /** Key that tokens are signed with. */
  signingKey: string;
  now: Date;
}

/**
 * Spends a token and opens a widget session for it, in one transaction (W9). Of any number of concurrent exchanges,
 * one succeeds.
 */
export async function exchangeToken(db: Db, { token, signingKey, now }: ExchangeArguments): Promise<ExchangeOutcome> {
  const claims = readToken(signingKey, token);
  if (!claims) return { outcome: "invalid" };
  return db.transaction().execute(async (trx): Promise<ExchangeOutcome> => {
    const spent = await spend(trx, claims, now);
    if (!spent) return whyNot(trx, claims, now);
    const { publicId, name, reference, mode, memberSessionId } = spent;
    const { id, partnerId, origin } = claims;
    const price = priceOf(spent);
    const login = memberSessionId === null ? null : await findLogin(trx, { memberSessionId, now });
    if (memberSessionId !== null && !login) return { outcome: "withdrawn" };
    const opened = await openWidgetSession(trx, { id, partnerId, origin, reference, mode, price, login, now });
    const member = login && { id: login.memberId, brandId: login.brandId };
    return { outcome: "opened", session: { ...opened, origin, partner: { publicId, name }, mode, price, member } };
  });
}

/**
 * Returns the origin that a token was minted for, if the signature is ours and partner and origin are still allowed:
 * this page may show a person the reason for an empty frame. Spends nothing.
 */
export async function findTokenOrigin(
  db: Db,
  { token, signingKey }: Omit<ExchangeArguments, "now">,
): Promise<string | null> {
  const claims = readToken(signingKey, token);
  return claims && (await isStillAllowed(db, claims)) ? claims.origin : null;
}

interface SpentToken extends PriceColumns {
  mode: PartnerMode;
  publicId: string;
  name: string;
  memberSessionId: string | null;
}

async function spend(trx: Trx, { id, partnerId, origin }: TokenClaims, now: Date): Promise<SpentToken | undefined> {
  const { rows } = await sql<SpentToken>`
    update partner_tokens t set spent_at = ${now}
    from partners p, partner_api_keys k, partner_origins o
    where t.id = ${id} and t.partner_id = ${partnerId} and t.origin = ${origin} and t.spent_at is null and t.expires_at > ${now}
      and p.id = t.partner_id and p.suspended_at is null
      and k.id = t.api_key_id and k.revoked_at is null
      and o.partner_id = t.partner_id and o.origin = t.origin
    returning t.reference, t.mode, t.amount_pence as "amountPence", t.description, t.email, t.once_per_reference as "oncePerReference", t.member_session_id as "memberSessionId", p.public_id as "publicId", p.name`.execute(
    trx,
  );
  return rows[0];
}

/** Returns the login that a token was minted for, or null if it has ended since. */
async function findLogin(
  trx: Trx,
  { memberSessionId: sessionId, now }: { memberSessionId: string; now: Date },
): Promise<MemberLogin | null> {
  const row = await trx
    .selectFrom("member_sessions as s")
    .innerJoin("members as m", "m.id", "s.member_id")
    .select(["s.id as sessionId", "m.id as memberId", "m.brand_id as brandId"])
    .where("s.id", "=", sessionId)
    .where("s.expires_at", ">", now)
    .where("m.suspended_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

async function whyNot(trx: Trx, claims: TokenClaims, now: Date): Promise<ExchangeOutcome> {
  if (!(await isStillAllowed(trx, claims))) return { outcome: "withdrawn" };
  const { origin, expiresAt } = claims;
  const row = await trx
    .selectFrom("partner_tokens as t")
    .leftJoin("widget_sessions as s", "s.id", "t.id")
    .select(["t.spent_at", "s.id as sessionId"])
    .where("t.id", "=", claims.id)
    .executeTakeFirst();
  // A token that its partner has ended is spent without a session.
  if (row?.spent_at) return { outcome: row.sessionId === null ? "expired" : "spent", origin };
  // The row was removed long after the token expired.
  if (!row || expiresAt <= now) return { outcome: "expired", origin };
  return { outcome: "withdrawn" };
}

async function isStillAllowed(db: Db | Trx, { partnerId, origin }: TokenClaims): Promise<boolean> {
  const { rows } = await sql`
    select from partners p join partner_origins o on o.partner_id = p.id and o.origin = ${origin}
    where p.id = ${partnerId} and p.suspended_at is null`.execute(db);
  return rows.length > 0;
}
