import type { CreateAdmin } from "@farthing/admin/server/admin-handler.ts";
import { testServices } from "@farthing/admin/testing/test-services.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";

export interface OpenedAdmin {
  /** Every error that a page reported. */
  errors: unknown[];
  ask(address: string, init?: RequestInit): Promise<Response>;
}

/** Opens the built admin for an owner, who is inserted. */
export async function openAdmin(db: Db, { now }: { now: Date }): Promise<OpenedAdmin> {
  process.env["NODE_ENV"] ??= "production"; // React's own checks cost more than the page
  const build = new URL("../../apps/admin/build/server/create-admin.js", import.meta.url);
  const { createAdmin } = (await import(build.href)) as { createAdmin: CreateAdmin };
  const errors: unknown[] = [];
  const handle = createAdmin(testServices(db, { now: () => now, reportError: (error) => void errors.push(error) }));
  const id = newId();
  await db
    .insertInto("operators")
    .values({ id, email: "owner@club.example", name: "Olive", role: "owner", created_at: now, updated_at: now })
    .execute();
  const operator = {
    id,
    email: "owner@club.example",
    name: "Olive",
    role: "owner",
    step: "open",
    sessionId: id,
  } as const;
  const origin = "http://club.example";
  const visit = { requestId: "bench", operator, origin, clientAddress: "192.0.2.1" };
  return {
    errors,
    ask: (address: string, init: RequestInit = {}) => handle(new Request(origin + address, init), visit),
  };
}
