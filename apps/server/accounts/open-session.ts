import { keepDevice } from "@farthing/core/digital-ids/operations.server.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { deviceWords } from "@farthing/core/members/device-words.ts";
import { endSession, insertSession } from "@farthing/core/members/operations.server.ts";
import { findDeviceGeneration } from "@farthing/core/members/sign-in.server.ts";
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
  const opened = await exchangeSession(parts, visit, request, { memberId });
  return opened?.headers ?? null;
}

/**
 * Another session in place of the member's own, after a change of how the account is opened. It is as fresh as the one before: a change proves nobody's identity,
 * so a chain of changes must not put off being asked again.
 */
export async function rotateSession(parts: AccountParts, visit: Visit, request: Request): Promise<Headers> {
  const { member } = visit;
  if (member === null) throw new Error("Only a member's page may ask for this");
  const { id: memberId, authenticatedAt } = member;
  const opened = await exchangeSession(parts, visit, request, {
    memberId,
    ...(authenticatedAt === undefined ? {} : { authenticatedAt }),
  });
  return opened?.headers ?? new Headers();
}

/** The same as `openSession` at a login; its owner hears of a browser that the account was not opened in before. */
export async function openSessionAtLogIn(
  parts: AccountParts,
  visit: Visit,
  request: Request,
  { memberId, email }: { memberId: string; email: string },
): Promise<Headers | null> {
  const opened = await exchangeSession(parts, visit, request, { memberId });
  if (opened === null || opened.isKnownDevice) return opened?.headers ?? null;
  const now = parts.now();
  const mail = { kind: "new-sign-in", device: deviceWords(userAgentOf(request)), at: now.toISOString() } as const;
  await queueMail(parts.db, { brandId: visit.brand.id, memberId, to: email, mail, now });
  return opened.headers;
}

async function exchangeSession(
  { db, cookie, key, device, now }: AccountParts,
  visit: Visit,
  request: Request,
  { memberId, authenticatedAt }: { memberId: string; authenticatedAt?: Date },
): Promise<{ headers: Headers; isKnownDevice: boolean } | null> {
  const brandId = visit.brand.id;
  const cookies = request.headers.get("cookie");
  const token = await insertSession(db, {
    brandId,
    memberId,
    address: visit.clientAddress ?? null,
    userAgent: userAgentOf(request),
    now: now(),
    seconds: sessionSeconds,
    ...(authenticatedAt ? { authenticatedAt } : {}),
  });
  if (token === null) return null;
  const old = sessionTokenOf(cookies, cookie.name, key);
  if (old !== null) {
    await keepDevice(db, { brandId, fromToken: old, toToken: token });
    await endSession(db, { brandId, token: old });
  }
  const headers = new Headers({ "Set-Cookie": signedCookie(cookie, token, key) });
  const known = { brandId, memberId, generation: await findDeviceGeneration(db, { brandId, memberId }) };
  const isKnownDevice = device.markOf(cookies, known) !== null;
  if (!isKnownDevice) headers.append("Set-Cookie", device.set(known));
  return { headers, isKnownDevice };
}

function userAgentOf(request: Request): string | null {
  return request.headers.get("user-agent")?.slice(0, 400) ?? null;
}
