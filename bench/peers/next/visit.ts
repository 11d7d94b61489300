import type { Brand } from "@farthing/core/brands/brand.ts";
import { findBrandByHost, findDefaultBrand } from "@farthing/core/brands/queries.server.ts";
import { findSessionMember, type SessionMember } from "@farthing/core/sign-in/sessions.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { cookies, headers } from "next/headers";

export const { db } = openDatabase({ url: process.env["DATABASE_URL"] ?? "", max: 10 });

export interface BenchVisit {
  brand: Brand;
  member: SessionMember | null;
  now: Date;
}

/** Returns the request's brand and member as Farthing's server does, but without checking the cookie's signature, in Next's favour. */
export async function findVisit(): Promise<BenchVisit> {
  const now = new Date();
  const host = (await headers()).get("host") ?? "localhost";
  const brand = (await findBrandByHost(db, host.split(":")[0] ?? "")) ?? (await findDefaultBrand(db));
  const cookie = (await cookies()).get(process.env["SESSION_COOKIE"] ?? "")?.value;
  const token = cookie && decodeURIComponent(cookie).split(".")[0];
  const member = token && brand ? await findSessionMember(db, { brandId: brand.id, token, now }) : null;
  if (!brand) throw new Error("no brand");
  return { brand, member, now };
}
