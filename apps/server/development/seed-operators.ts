import { roles, roleWords } from "@farthing/core/operators/permissions.ts";
import { sealSecret, type SecretKeys } from "@farthing/core/secrets/sealed-secret.ts";
import { newTotpSecret } from "@farthing/core/sign-in/totp.ts";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { PasswordHashing } from "../sign-in/password-hashing.ts";
import { DEMO_PASSWORD } from "./seed-members.ts";

/**
 * Creates a demo operator for each role, `<role>@farthing.example` (Z3). Their second factor is on, with a secret that
 * nobody has: in development the code of each sign-in is in the mailbox. Existing ones are not changed. Returns the
 * number created.
 */
export async function seedOperators(db: Db, { keys, now }: { keys: SecretKeys; now: Date }): Promise<number> {
  const wanted = roles.map((role) => ({
    role,
    email: `${role}@farthing.example`,
    name: `Demo ${roleWords[role].name.toLowerCase()}`,
  }));
  const known = await db
    .selectFrom("operators")
    .select("email")
    .where(
      "email",
      "in",
      wanted.map(({ email }) => email),
    )
    .execute();
  const missing = wanted.filter(({ email }) => !known.some((operator) => operator.email === email));
  if (missing.length === 0) return 0;
  const password = await new PasswordHashing().hash(DEMO_PASSWORD);
  await db.transaction().execute(async (trx) => {
    for (const operator of missing) {
      const id = newId();
      await trx
        .insertInto("operators")
        .values({ id, ...operator, password, created_at: now, updated_at: now })
        .execute();
      const secret = sealSecret(newTotpSecret(), { memberId: id, keys });
      await trx
        .insertInto("operator_second_factors")
        .values({ operator_id: id, secret, enabled_at: now, created_at: now })
        .execute();
    }
  });
  return missing.length;
}
