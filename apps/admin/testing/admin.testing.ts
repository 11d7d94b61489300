import {
  findSessionOperator,
  insertOperatorSession,
  type SessionOperator,
} from "@farthing/core/operators/sessions.server.ts";
import type { Role } from "@farthing/core/operators/permissions.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import { withTestLock } from "@farthing/db/testing/test-lock.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll } from "vitest";
import { ensureAdminBuilt } from "../../../bin/site-build.mjs";
import type { AdminServices, CreateAdmin } from "../server/admin-handler.ts";
import { testServices } from "./test-services.ts";

let createAdmin: CreateAdmin;

/** The built admin, as the server starts it. Call `loadAdmin` first. */
export const builtAdmin: CreateAdmin = (services) => createAdmin(services);

/** Loads the admin's build once per test file, after building it where the sources have changed. */
export function loadAdmin(): void {
  beforeAll(async () => {
    await withTestLock("the admin's build", ensureAdminBuilt);
    const build = new URL("../build/server/create-admin.js", import.meta.url);
    ({ createAdmin } = (await import(build.href)) as { createAdmin: CreateAdmin });
  });
}

/** Adds an operator with a session that is open. */
export async function insertOperator(
  db: Db,
  { role = "owner", name = `Test ${role}`, now = NOW }: { role?: Role; name?: string; now?: Date } = {},
): Promise<SessionOperator> {
  const id = newId();
  const email = `${role}-${id.slice(-6)}@club.example`;
  await db.insertInto("operators").values({ id, email, name, role, created_at: now, updated_at: now }).execute();
  const token = await insertOperatorSession(db, { operatorId: id, step: "open", address: null, userAgent: null, now });
  const operator = token === null ? null : await findSessionOperator(db, { token, now });
  if (!operator) throw new Error("The operator was disabled meanwhile.");
  return operator;
}

export interface TestAdmin {
  services: AdminServices;
  /** Errors that pages have reported. Empty at the end of a good test. */
  errors: unknown[];
  get(path: string, operator: SessionOperator | null): Promise<Response>;
  /** Posts a form. A list of values posts the field several times. */
  post(
    path: string,
    operator: SessionOperator | null,
    form: Record<string, string | readonly string[]>,
  ): Promise<Response>;
  /** Posts a file as a browser does. */
  upload(
    path: string,
    operator: SessionOperator | null,
    file: { name: string; fileName: string; content: string | Uint8Array<ArrayBuffer> },
    fields?: Record<string, string>,
  ): Promise<Response>;
}

/** Opens the admin on a test's database, with the clock at NOW: a Request goes in, a Response comes out. */
export function openTestAdmin(db: Db, { now = () => NOW, ...replaced }: Partial<AdminServices> = {}): TestAdmin {
  const errors: unknown[] = [];
  const services = testServices(db, { now, reportError: (error) => void errors.push(error), ...replaced });
  const origin = "http://club.example";
  const ask = (path: string, operator: SessionOperator | null, init?: RequestInit) =>
    createAdmin(services)(new Request(origin + path, init), {
      ...{ requestId: "test", operator, origin, clientAddress: "192.0.2.1" },
    });
  return {
    services,
    errors,
    get: (path, operator) => ask(path, operator),
    post: (path, operator, form) => {
      const pairs = Object.entries(form).flatMap(([name, value]) =>
        [value].flat().map((each) => [name, each] as [string, string]),
      );
      return ask(path, operator, { method: "POST", body: new URLSearchParams(pairs) });
    },
    upload: (path, operator, { name, fileName, content }, fields = {}) => {
      const body = new FormData();
      for (const [field, value] of Object.entries(fields)) body.append(field, value);
      body.append(name, new File([content], fileName));
      return ask(path, operator, { method: "POST", body });
    },
  };
}

/** Returns the value of the first hidden field with this name in a page; empty: it has none. */
export function fieldIn(html: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
  return value.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
}
