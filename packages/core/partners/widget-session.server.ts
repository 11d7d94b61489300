import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { priceOf, type FixedPrice, type PriceColumns } from "./fixed-price.ts";
import type { PartnerMode } from "./mode.ts";
import { hashSecretToken, newSecretToken } from "../secrets/secret-token.ts";

/** How long a visitor may use the frame after the token was exchanged. */
export const WIDGET_SESSION_MS = 30 * 60_000;

/** How long rows of ended sessions are kept: payments refer to their session. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** A visitor in a partner's frame (W9). */
export interface WidgetSession {
  id: string;
  partner: WidgetPartner;
  /** The origin of the partner's page: the only one that may frame us and that messages go to. */
  origin: string;
  /** The partner's own reference for what its visitor is about to do; null if it gave none. */
  reference: string | null;
  mode: PartnerMode;
  /** Null: the visitor chooses the amount. */
  price: FixedPrice | null;
  /** The member who opened the frame on the club's own page (G1). Null: a visitor, as in every other partner's frame. */
  member: FramedMember | null;
  expiresAt: Date;
}

export interface FramedMember {
  id: string;
  brandId: string;
}

/** The login (member_sessions) in which a member opened the frame: the visit ends with it. */
export interface MemberLogin {
  sessionId: string;
  memberId: string;
  brandId: string;
}

export interface WidgetPartner {
  id: string;
  publicId: string;
  name: string;
}

export interface WidgetCredentials {
  /** The value of the widget's cookie. */
  cookie: string | null;
  /** The token of the Authorization header; if both are sent, this one counts. */
  bearer: string | null;
  now: Date;
}

/**
 * Returns the widget session of a request, by the bearer that its page holds in memory or by its cookie (the same
 * secret). Null if there is none, it has ended, partner or origin have been withdrawn, or the member whose it is has
 * signed out or been suspended. A cookie does not replace a wrong bearer.
 */
export async function resolveWidgetSession(
  db: Db,
  { cookie, bearer, now }: WidgetCredentials,
): Promise<WidgetSession | null> {
  const secret = bearer ?? cookie;
  if (secret === null || !WELL_FORMED_BEARER.test(secret)) return null;
  const { rows } = await sql<SessionRow>`
    select s.id, s.origin, s.reference, s.mode, s.amount_pence as "amountPence", s.description, s.email, s.once_per_reference as "oncePerReference", s.expires_at as "expiresAt", p.id as "partnerId", p.public_id as "publicId", p.name,
      m.id as "memberId", m.brand_id as "brandId"
    from widget_sessions s
      join partners p on p.id = s.partner_id and p.suspended_at is null
      join partner_origins o on o.partner_id = s.partner_id and o.origin = s.origin
      left join member_sessions l on l.id = s.member_session_id and l.expires_at > ${now}
      left join members m on m.id = s.member_id and m.id = l.member_id and m.suspended_at is null
    where s.bearer_hash = ${hashSecretToken(secret)} and s.expires_at > ${now} and (s.member_id is null or m.id is not null)`.execute(
    db,
  );
  return rows[0] ? sessionOf(rows[0]) : null;
}

export interface NewWidgetSession {
  /** The token's id, which the partner's server knows; without a token a new one. */
  id?: string;
  partnerId: string;
  origin: string;
  reference: string | null;
  mode?: PartnerMode;
  price?: FixedPrice | null;
  /** Only for the house partner, which the database checks. */
  login?: MemberLogin | null;
  now: Date;
}

/** Opens a session for a token that has just been spent. Returns the bearer, of which only the hash is stored. */
export async function openWidgetSession(
  trx: Db | Trx,
  { id = newId(), partnerId, origin, reference, mode = "live", price = null, login = null, now }: NewWidgetSession,
): Promise<{ id: string; bearer: string; expiresAt: Date }> {
  const bearer = newSecretToken();
  const expiresAt = new Date(now.getTime() + WIDGET_SESSION_MS);
  await trx
    .insertInto("widget_sessions")
    .values({
      id,
      partner_id: partnerId,
      origin,
      reference: price?.reference ?? reference,
      mode,
      amount_pence: price?.amountPence ?? null,
      description: price?.description ?? null,
      email: price?.email ?? null,
      once_per_reference: price?.isOnce ?? false,
      member_id: login?.memberId ?? null,
      member_session_id: login?.sessionId ?? null,
      bearer_hash: hashSecretToken(bearer),
      opened_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { id, bearer, expiresAt };
}

/** Removes sessions that ended more than 30 days ago; run by a regular job. Returns the number of removed rows. */
export async function forgetOldWidgetSessions(db: Db, { now }: { now: Date }): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("widget_sessions")
    .where("expires_at", "<", new Date(now.getTime() - KEPT_MS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

interface SessionRow extends PriceColumns {
  id: string;
  origin: string;
  mode: PartnerMode;
  expiresAt: Date;
  partnerId: string;
  publicId: string;
  name: string;
  memberId: string | null;
  brandId: string | null;
}

function sessionOf(row: SessionRow): WidgetSession {
  const { id, origin, reference, mode, expiresAt, partnerId, publicId, name } = row;
  const partner = { id: partnerId, publicId, name };
  const member = row.memberId !== null && row.brandId !== null ? { id: row.memberId, brandId: row.brandId } : null;
  return { id, origin, reference, mode, price: priceOf(row), member, expiresAt, partner };
}

/** The form of a secret token of 256 bits (secret-token.ts). */
const WELL_FORMED_BEARER = /^[A-Za-z0-9_-]{43}$/;
