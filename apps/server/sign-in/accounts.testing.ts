import type { Brand } from "@farthing/core/brands/brand.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { Visit } from "@farthing/site/server/visit.ts";
import { newRequestId } from "../http/request-id.ts";
import { PasswordHashing } from "./password-hashing.ts";

export const testPassword = "Farthing-2026";
let hashOfTestPassword: Promise<string> | undefined;

/** Inserts a verified member who can log in with `testPassword`, and returns their id. */
export async function insertMemberWithPassword(db: Db, brand: Pick<Brand, "id">, email: string): Promise<string> {
  const { id } = await insertVerifiedMember(db, { brandId: brand.id, email, name: email });
  hashOfTestPassword ??= new PasswordHashing().hash(testPassword);
  // They joined a while ago, whatever a test's clock says.
  const joined = new Date("2026-01-01T00:00:00Z");
  await db
    .updateTable("member_emails")
    .set({ created_at: joined, main_since: joined })
    .where("member_id", "=", id)
    .execute();
  await db
    .insertInto("member_credentials")
    .values({
      id: newId(),
      brand_id: brand.id,
      member_id: id,
      account_id: id,
      provider_id: "credential",
      password: await hashOfTestPassword,
    })
    .execute();
  return id;
}

export function visitOf(brand: Brand, clientAddress = "203.0.113.1"): Visit {
  return {
    requestId: newRequestId(),
    brand,
    member: null,
    nonce: "nonce",
    origin: `http://${brand.slug}.test`,
    clientAddress,
  };
}
