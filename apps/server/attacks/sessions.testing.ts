import { randomBytes } from "node:crypto";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sessionCookie, signedCookie } from "../sign-in/session-cookie.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import { SERVER_SECRET, type RealServer } from "./real-server.testing.ts";

/**
 * Opens a session as the server does for a member who has just logged in. Returns its id and the browser's Cookie
 * header.
 */
export async function openSession(
  { db }: RealServer,
  {
    brand,
    memberId,
    device = "a browser",
    from = "192.0.2.1",
  }: { brand: Brand; memberId: string; device?: string; from?: string },
): Promise<{ id: string; cookie: string }> {
  const id = newId();
  const token = randomBytes(24).toString("base64url");
  await db
    .insertInto("member_sessions")
    .values({
      id,
      brand_id: brand.id,
      member_id: memberId,
      token,
      user_agent: device,
      ip_address: from,
      expires_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
  const [pair = ""] = signedCookie(sessionCookie("http"), token, deriveKey(SERVER_SECRET, "session-cookie")).split(";");
  return { id, cookie: pair };
}
