import type { Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { lockMember } from "./lock-member.server.ts";
import { holdings, recoveryTable, type Holding, type RecoveryAct } from "./recovery-rules.ts";
import type { TokenPurpose } from "./token-rules.ts";

/** As long as nothing is paid to new bank details (bank-details/bank-account.ts). */
const GIFT_CARDS_HOLD_MS = 72 * 3_600_000;

interface Ending {
  brandId: string;
  memberId: string;
  /** The session in which the member acts. It stays open; all others end. */
  exceptSessionId: string | null;
  now: Date;
}

/**
 * Ends everything that an act of recovery has to end (recovery-rules.ts), in the caller's transaction and under the
 * member's lock. The caller removes the object of the act itself, such as the passkey. Returns the number of sessions
 * that ended.
 */
export async function endAccess(
  trx: Trx,
  act: Exclude<RecoveryAct, "end-session" | "close">,
  { exceptSessionId = null, ...who }: Omit<Ending, "exceptSessionId"> & { exceptSessionId?: string | null },
): Promise<number> {
  const member = await lockMember(trx, who);
  if (!member) return 0;
  let ended = 0;
  for (const holding of holdings)
    if (recoveryTable[act][holding] === "ends")
      ended += (await endings[holding](trx, { ...who, exceptSessionId })) ?? 0;
  return ended;
}

/** How each holding ends. `session` returns the number of sessions. */
const endings: Record<Holding, (trx: Trx, ending: Ending) => Promise<number | void>> = {
  async password(trx, { memberId, now }) {
    await trx
      .updateTable("member_credentials")
      .set({ password: null, updated_at: now })
      .where("member_id", "=", memberId)
      .execute();
  },
  address: async () => {
    throw new Error("endAccess can't remove addresses: the act itself decides which ones to remove");
  },
  async passkey(trx, { memberId }) {
    await trx.deleteFrom("member_passkeys").where("member_id", "=", memberId).execute();
  },
  async "app-secret"(trx, { memberId }) {
    await trx.deleteFrom("member_second_factors").where("member_id", "=", memberId).execute();
  },
  async "recovery-code"(trx, { memberId }) {
    await trx.deleteFrom("member_recovery_codes").where("member_id", "=", memberId).execute();
  },
  /**
   * The account for the last payout of a closure. The member is asked again by mail while money is payable, as when it arrives for a
   * member who gave no account.
   */
  async payee(trx, { brandId, memberId, now }) {
    const wiped = await trx
      .updateTable("closures")
      .set((eb) => ({ payee: null, version: eb("version", "+", 1) }))
      .where("member_id", "=", memberId)
      .where("state", "in", ["requested", "awaiting_payout"])
      .where("payee", "is not", null)
      .returning("state")
      .executeTakeFirst();
    if (wiped?.state !== "awaiting_payout") return;
    const { member_payable: payablePence } = await findMemberBalances(trx, { memberId });
    if (payablePence <= 0) return;
    const { email } = await trx
      .selectFrom("members")
      .select("email")
      .where("id", "=", memberId)
      .executeTakeFirstOrThrow();
    await queueMail(trx, { brandId, memberId, to: email, mail: { kind: "closure-bank-details", payablePence }, now });
  },
  /**
   * What was asked for and is not on its way waits until the member gives an account. A gift card needs none, so it waits as
   * long as new bank details would.
   */
  async "bank-details"(trx, { memberId, now }) {
    await trx.deleteFrom("bank_details").where("member_id", "=", memberId).execute();
    await trx
      .updateTable("members")
      .set({ gift_cards_from: new Date(now.getTime() + GIFT_CARDS_HOLD_MS) })
      .where("id", "=", memberId)
      .execute();
  },
  async session(trx, { memberId, exceptSessionId }) {
    const { numDeletedRows } = await trx
      .deleteFrom("member_sessions")
      .where("member_id", "=", memberId)
      .$if(exceptSessionId !== null, (query) => query.where("id", "!=", exceptSessionId!))
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
  async "half-login"(trx, { memberId }) {
    await trx.deleteFrom("login_steps").where("member_id", "=", memberId).execute();
  },
  async "device-mark"(trx, { memberId }) {
    await trx
      .updateTable("members")
      .set((eb) => ({ device_generation: eb("device_generation", "+", 1) }))
      .where("id", "=", memberId)
      .execute();
  },
  // Both belong to a session and end with it.
  "digital-id": async () => {},
  "reveal-token": async () => {},
  async "shown-secret"(trx, { memberId }) {
    await trx
      .deleteFrom("member_second_factors")
      .where("member_id", "=", memberId)
      .where("enabled_at", "is", null)
      .execute();
  },
  "link:confirm-email": endLinks("confirm-email"),
  "link:reset-password": endLinks("reset-password"),
  "link:add-email": endLinks("add-email"),
  "link:undo-email-change": endLinks("undo-email-change"),
  "link:remove-bank-details": endLinks("remove-bank-details"),
  "link:work-email": endWorkEmailLinks,
  /** Withdraws the consent together with the link; the member is asked again. */
  async "link:carer-move"(trx, { memberId, now }) {
    await trx
      .updateTable("carer_migrations")
      .set({
        state: "later",
        ask_again_at: now,
        agreed_at: null,
        consent: null,
        token_hash: null,
        token_expires_at: null,
        updated_at: now,
      })
      .where("member_id", "=", memberId)
      .where("state", "=", "agreed")
      .execute();
  },
  async "account-access"(trx, { memberId, now }) {
    await trx
      .updateTable("account_access_requests")
      .set({ state: "ended", ended_at: now, ended_by: "club", ticket_hash: null, ticket_ends_at: null })
      .where("member_id", "=", memberId)
      .where("state", "in", ["asked", "allowed", "running"])
      .execute();
  },
  "link:unsubscribe": async () => {},
  "link:stop-alert": async () => {},
};

function endLinks(purpose: TokenPurpose) {
  return async (trx: Trx, { memberId, now }: Ending): Promise<void> => {
    await trx
      .updateTable("member_tokens")
      .set({ used_at: now })
      .where("member_id", "=", memberId)
      .where("purpose", "=", purpose)
      .where("used_at", "is", null)
      .execute();
  };
}

/**
 * Ends a member's unused links to work addresses. Keeps the rows, because they count how many links were requested, and
 * replaces their hashes with ones that no link has.
 */
export async function endWorkEmailLinks(trx: Trx, { memberId, now }: Pick<Ending, "memberId" | "now">): Promise<void> {
  await trx
    .updateTable("work_email_checks")
    .set({ token_hash: sql<Buffer>`sha256(uuid_send(gen_random_uuid()))` })
    .where("member_id", "=", memberId)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .execute();
}
