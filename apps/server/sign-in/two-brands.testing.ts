import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import type { LogInResult } from "@farthing/site/server/account-services.ts";
import { openAccounts } from "./accounts.ts";

/** Opens accounts over the database, with two brands. */
export async function openTwoBrands(db: Db) {
  const options = {
    db,
    key: "key-of-the-test-with-a-decent-length-0123456789",
    secretKeys: ["key-of-members-secrets"] as const,
    publicScheme: "http",
  } as const;
  const one = await insertBrand(db, { slug: "one", isDefault: true });
  const two = await insertBrand(db, { slug: "two" });
  return { options, accounts: openAccounts(options), one, two };
}

let people = 0;
export const newEmail = () => `person-${(people += 1)}@example.test`;
export const request = (cookie?: string) =>
  new Request("http://one.test/login", { method: "POST", headers: cookie ? { cookie, "user-agent": "test" } : {} });

/** Returns the Cookie header that a browser sends after this answer. */
export function cookieFrom(result: LogInResult): string {
  if (result.outcome !== "logged-in") throw new Error(`expected a login, got ${result.outcome}`);
  const [cookie] = result.headers.getSetCookie();
  return cookie?.split(";")[0] ?? "";
}
