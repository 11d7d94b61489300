import { keepDevice } from "@farthing/core/digital-ids/operations.server.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { deviceWords } from "@farthing/core/members/device-words.ts";
import { endSession, insertSession } from "@farthing/core/members/operations.server.ts";
import type { Visit } from "@farthing/site/server/site-handler.ts";
import type { AccountParts } from "./account-parts.ts";
import { sessionSeconds, sessionTokenOf, signedCookie } from "./session-cookie.ts";

/**
 * A session for somebody who has proved who they are. The one that came along ends: a cookie planted or left behind on this browser is worth nothing afterwards.
 * Null for a member who may not have one: suspended, or of another brand.
 */
export async function openSession(
  parts: AccountParts,
  visit: Visit,
  request: Request,
  memberId: string,
): Promise<Headers | null> {
  const { db, cookie, key, device, now } = parts;
  const token = await insertSession(db, {
    brandId: visit.brand.id,
    memberId,
    address: visit.clientAddress ?? null,
    userAgent: userAgentOf(request),
    now: now(),
    seconds: sessionSeconds,
  });
  if (token === null) return null;
  const old = sessionTokenOf(request.headers.get("cookie"), cookie.name, key);
  if (old !== null) {
    await keepDevice(db, { brandId: visit.brand.id, fromToken: old, toToken: token });
    await endSession(db, { brandId: visit.brand.id, token: old });
  }
  const headers = new Headers({ "Set-Cookie": signedCookie(cookie, token, key) });
  const known = { brandId: visit.brand.id, memberId };
  if (device.markOf(request.headers.get("cookie"), known) === null) headers.append("Set-Cookie", device.set(known));
  return headers;
}

/** The same at a login; its owner hears of a browser that the account was not opened in before. */
export async function openSessionAtLogIn(
  parts: AccountParts,
  visit: Visit,
  request: Request,
  { memberId, email }: { memberId: string; email: string },
): Promise<Headers | null> {
  const headers = await openSession(parts, visit, request, memberId);
  const brandId = visit.brand.id;
  if (headers === null || parts.device.markOf(request.headers.get("cookie"), { brandId, memberId }) !== null)
    return headers;
  const now = parts.now();
  const mail = { kind: "new-sign-in", device: deviceWords(userAgentOf(request)), at: now.toISOString() } as const;
  await queueMail(parts.db, { brandId, memberId, to: email, mail, now });
  return headers;
}

function userAgentOf(request: Request): string | null {
  return request.headers.get("user-agent")?.slice(0, 400) ?? null;
}
