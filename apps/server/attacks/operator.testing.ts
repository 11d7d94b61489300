import { insertOperatorSession } from "@farthing/core/operators/sessions.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { operatorCookie } from "../admin/operator-cookie.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import { SERVER_SECRET } from "./real-server.testing.ts";

/** Inserts an owner and returns their id. */
export async function insertOwner(db: Db, email = "owner@club.example"): Promise<string> {
  const id = newId();
  const now = new Date();
  await db
    .insertInto("operators")
    .values({ id, email, name: "Test owner", role: "owner", created_at: now, updated_at: now })
    .execute();
  return id;
}

/** Opens a session of an operator at a server of `realServer`, and returns its cookie. */
export async function operatorCookieOf(db: Db, operatorId: string): Promise<string> {
  const session = { operatorId, step: "open", address: null, userAgent: null, now: new Date() } as const;
  const token = await insertOperatorSession(db, session);
  const cookie = operatorCookie({ publicScheme: "http", key: deriveKey(SERVER_SECRET, "operator-cookie") });
  return cookie.set(token ?? "").split(";")[0] ?? "";
}
