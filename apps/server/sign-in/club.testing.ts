import type { Brand } from "@farthing/core/brands/brand.ts";
import { answerResetRequests } from "@farthing/core/sign-in/reset-requests.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { openClub } from "@farthing/site/testing/site.testing.ts";
import type { SignedInMember } from "@farthing/site/server/visit.ts";
import { insertMemberWithPassword } from "./accounts.testing.ts";
import { openAccounts, type Accounts } from "./accounts.ts";
import { PasswordHashing } from "./password-hashing.ts";

/** A browser: keeps cookies, and asks pages of one club. */
export interface Browser {
  get(path: string): Promise<Response>;
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  /** Who is signed in. */
  member(): Promise<SignedInMember | null>;
  cookies: Map<string, string>;
}

export interface AccountsClub {
  brand: Brand;
  accounts: Accounts;
  browser(): Browser;
  newMember(email?: string): Promise<{ id: string; email: string }>;
  /** The paths that mails of a kind to an address lead to, newest first. Reset requests are answered before. */
  mailPaths(kind: string, to: string): Promise<string[]>;
  /** How many mails of a kind an address was sent. */
  mailCount(kind: string, to: string): Promise<number>;
}

/** Encrypt the secrets of these members. */
export const memberSecretKeys = ["key-of-members-secrets"] as const;

/** What every club's accounts are opened with. */
export const accountsOfTheClub = {
  key: "key-of-the-test-with-a-decent-length",
  secretKeys: memberSecretKeys,
  publicScheme: "http",
} as const;

let people = 0;

/** A brand of its own with real accounts behind its real pages, and a clock that the test moves. */
export async function openAccountsClub(
  db: Db,
  clock: { now: Date },
  { hashing = new PasswordHashing() }: { hashing?: PasswordHashing } = {},
): Promise<AccountsClub> {
  const club = await openClub(db, { now: () => clock.now });
  const accounts = openAccounts({ ...accountsOfTheClub, db, hashing, now: () => clock.now });
  club.services.accounts = accounts;
  const { brand } = club;
  const answerRequests = () =>
    answerResetRequests(db, {
      secret: accountsOfTheClub.key,
      now: clock.now,
      onFailure: ({ error }) => {
        throw error;
      },
    });

  return {
    brand,
    accounts,
    browser() {
      const cookies = new Map<string, string>();
      const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const member = () => accounts.memberOf(brand, header());
      const keep = (response: Response): Response => {
        for (const line of response.headers.getSetCookie()) {
          const [pair = "", ...attributes] = line.split("; ");
          const equals = pair.indexOf("=");
          const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
          if (attributes.includes("Max-Age=0")) cookies.delete(name);
          else cookies.set(name, value);
        }
        return response;
      };
      return {
        cookies,
        member,
        get: async (path) => keep(await club.get(path, { member: await member(), headers: { cookie: header() } })),
        post: async (path, form, headers = {}) =>
          keep(await club.post(path, form, { member: await member(), headers: { cookie: header(), ...headers } })),
      };
    },
    async newMember(email = `person-${(people += 1)}@work.example`) {
      return { id: await insertMemberWithPassword(db, brand, email), email };
    },
    async mailPaths(kind, to) {
      await answerRequests();
      const rows = await db
        .selectFrom("mails")
        .select("data")
        .where("kind", "=", kind)
        .where("recipient", "=", to)
        .where("brand_id", "=", brand.id)
        .orderBy("id", "desc")
        .execute();
      return rows.map(({ data }) => (data as { path: string }).path);
    },
    async mailCount(kind, to) {
      await answerRequests();
      const { count } = await db
        .selectFrom("mails")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("kind", "=", kind)
        .where("recipient", "=", to)
        .where("brand_id", "=", brand.id)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

/** The token in a path of a mail, as a page's form has it. */
export function tokenOf(path: string | undefined): string {
  return new URL(path ?? "/", "http://x").searchParams.get("token") ?? "";
}
