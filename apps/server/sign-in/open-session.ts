import { keepDevice } from "@farthing/core/digital-ids/operations.server.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { deviceWords } from "@farthing/core/sign-in/device-words.ts";
import { lockMember, lockSignedIn } from "@farthing/core/members/lock-member.server.ts";
import { endSession, insertSession } from "@farthing/core/sign-in/sessions.server.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import type { AccountParts } from "./account-parts.ts";
import { sessionSeconds, sessionTokenOf, signedCookie } from "./session-cookie.ts";

/** The member who proved who they are. */
export interface Proved {
  memberId: string;
  /** The account's generation when they proved it. Null: nothing can have changed it since. */
  deviceGeneration: number | null;
}

/**
 * Opens a session for a member who has proved who they are. The session that the request carries ends, so a cookie that
 * was planted or left behind in this browser is worth nothing afterwards. Null: the member is suspended, of another
 * brand, or their account was recovered since they proved it.
 */
export async function openSession(
  parts: AccountParts,
  visit: Visit,
  request: Request,
  proved: Proved,
): Promise<Headers | null> {
  const opened = await exchangeSession(parts, visit, request, { proved });
  return opened?.headers ?? null;
}

/**
 * Replaces the member's session after a change of their credentials. The new one keeps the time of authentication and the
 * end: a change proves no identity, so a series of changes must postpone neither re-authentication nor the next login.
 * Returns no cookie if the session has ended meanwhile.
 */
export async function rotateSession(parts: AccountParts, visit: Visit, request: Request): Promise<Headers> {
  const { member } = visit;
  if (member === null) throw new Error("rotateSession needs a signed-in member: call it from a members' page.");
  const opened = await exchangeSession(parts, visit, request, { inPlaceOf: member });
  return opened?.headers ?? new Headers();
}

/** Opens a session at a login, and mails the member about a browser that is new to their account. */
export async function openSessionAtLogIn(
  parts: AccountParts,
  visit: Visit,
  request: Request,
  proved: Proved & { email: string },
): Promise<Headers | null> {
  const opened = await exchangeSession(parts, visit, request, { proved });
  if (opened === null || opened.isKnownDevice) return opened?.headers ?? null;
  const { memberId, email } = proved;
  const now = parts.now();
  const mail = { kind: "new-sign-in", device: deviceWords(userAgentOf(request)), at: now.toISOString() } as const;
  await queueMail(parts.db, { brandId: visit.brand.id, memberId, to: email, mail, now });
  return opened.headers;
}

async function exchangeSession(
  { db, cookie, key, device, now: clock }: AccountParts,
  visit: Visit,
  request: Request,
  who: { proved: Proved } | { inPlaceOf: SignedInMember },
): Promise<{ headers: Headers; isKnownDevice: boolean } | null> {
  const brandId = visit.brand.id;
  const [proved, inPlaceOf] = "proved" in who ? [who.proved, null] : [null, who.inPlaceOf];
  const memberId = "proved" in who ? who.proved.memberId : who.inPlaceOf.id;
  const cookies = request.headers.get("cookie");
  return await db.transaction().execute(async (trx) => {
    // Recovery takes the same lock, so a request in flight can't reopen what recovery ended.
    const signedIn = inPlaceOf && (await lockSignedIn(trx, { brandId, memberId, sessionId: inPlaceOf.sessionId }));
    const member = inPlaceOf ? signedIn : await lockMember(trx, { brandId, memberId });
    if (!member) return null;
    const now = clock();
    const expiresAt = signedIn?.session_expires_at ?? new Date(now.getTime() + sessionSeconds * 1000);
    if (expiresAt <= now) return null;
    const { device_generation: generation } = member;
    const expected = proved?.deviceGeneration ?? null;
    if (expected !== null && expected !== generation) return null;
    const token = await insertSession(trx, {
      brandId,
      memberId,
      address: visit.clientAddress ?? null,
      userAgent: userAgentOf(request),
      now,
      expiresAt,
      ...(inPlaceOf?.authenticatedAt ? { authenticatedAt: inPlaceOf.authenticatedAt } : {}),
    });
    if (token === null) return null;
    const old = sessionTokenOf(cookies, cookie, key);
    if (old !== null) {
      await keepDevice(trx, { brandId, fromToken: old, toToken: token });
      await endSession(trx, { brandId, token: old });
    }
    const seconds = Math.ceil((expiresAt.getTime() - now.getTime()) / 1000);
    const headers = new Headers({ "Set-Cookie": signedCookie(cookie, token, key, seconds) });
    const known = { brandId, memberId, generation };
    const isKnownDevice = device.markOf(cookies, known) !== null;
    if (!isKnownDevice) headers.append("Set-Cookie", device.set(known));
    return { headers, isKnownDevice };
  });
}

function userAgentOf(request: Request): string | null {
  return request.headers.get("user-agent")?.slice(0, 400) ?? null;
}
