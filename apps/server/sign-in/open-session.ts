import { keepDevice } from "@farthing/core/digital-ids/operations.server.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { deviceWords } from "@farthing/core/sign-in/device-words.ts";
import { lockMember, lockSignedIn } from "@farthing/core/members/lock-member.server.ts";
import { endSession, insertSession } from "@farthing/core/sign-in/sessions.server.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import type { AccountParts } from "./account-parts.ts";
import { sessionSeconds, sessionTokenOf, signedCookie } from "./session-cookie.ts";

/** Whom a session is for, and what the account was when they showed who they are: null where nothing can have happened to it since. */
export interface Proved {
  memberId: string;
  deviceGeneration: number | null;
}

/**
 * A session for somebody who has proved who they are. The one that came along ends: a cookie planted or left behind on this browser is worth nothing afterwards.
 * Null for a member who may not have one: suspended, of another brand, or of an account that an act of recovery has shut since they proved it.
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
 * Another session in place of the member's own, after a change of how the account is opened. It is as fresh as the one before: a change proves nobody's identity,
 * so a chain of changes must not put off being asked again. Where the session has ended meanwhile there is none.
 */
export async function rotateSession(parts: AccountParts, visit: Visit, request: Request): Promise<Headers> {
  const { member } = visit;
  if (member === null) throw new Error("Only a member's page may ask for this");
  const opened = await exchangeSession(parts, visit, request, { inPlaceOf: member });
  return opened?.headers ?? new Headers();
}

/** The same as `openSession` at a login; its owner hears of a browser that the account was not opened in before. */
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
  { db, cookie, key, device, now }: AccountParts,
  visit: Visit,
  request: Request,
  who: { proved: Proved } | { inPlaceOf: SignedInMember },
): Promise<{ headers: Headers; isKnownDevice: boolean } | null> {
  const brandId = visit.brand.id;
  const [proved, inPlaceOf] = "proved" in who ? [who.proved, null] : [null, who.inPlaceOf];
  const memberId = "proved" in who ? who.proved.memberId : who.inPlaceOf.id;
  const cookies = request.headers.get("cookie");
  return await db.transaction().execute(async (trx) => {
    // Acts of recovery take the same lock: what they end is not opened again by a request that was under way.
    const member = inPlaceOf
      ? await lockSignedIn(trx, { brandId, memberId, sessionId: inPlaceOf.sessionId })
      : await lockMember(trx, { brandId, memberId });
    if (!member) return null;
    const { device_generation: generation } = member;
    const expected = proved?.deviceGeneration ?? null;
    if (expected !== null && expected !== generation) return null;
    const token = await insertSession(trx, {
      brandId,
      memberId,
      address: visit.clientAddress ?? null,
      userAgent: userAgentOf(request),
      now: now(),
      seconds: sessionSeconds,
      ...(inPlaceOf?.authenticatedAt ? { authenticatedAt: inPlaceOf.authenticatedAt } : {}),
    });
    if (token === null) return null;
    const old = sessionTokenOf(cookies, cookie, key);
    if (old !== null) {
      await keepDevice(trx, { brandId, fromToken: old, toToken: token });
      await endSession(trx, { brandId, token: old });
    }
    const headers = new Headers({ "Set-Cookie": signedCookie(cookie, token, key) });
    const known = { brandId, memberId, generation };
    const isKnownDevice = device.markOf(cookies, known) !== null;
    if (!isKnownDevice) headers.append("Set-Cookie", device.set(known));
    return { headers, isKnownDevice };
  });
}

function userAgentOf(request: Request): string | null {
  return request.headers.get("user-agent")?.slice(0, 400) ?? null;
}
