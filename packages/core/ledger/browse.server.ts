import type { Db } from "@farthing/db/client.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { balancePence } from "./balances.server.ts";
import { accountId } from "./operations.server.ts";
import {
  CLUB_ACCOUNTS,
  GIFT_CARD_ACCOUNTS,
  NETWORK_ACCOUNTS,
  PAYMENT_ACCOUNTS,
  type AccountKind,
  type TransferKind,
} from "./rules.ts";

/** An account with its balance and owner. */
export interface LedgerAccount {
  id: string;
  kind: AccountKind;
  balancePence: number;
  /** Null for an account of the club. */
  owner: { kind: "member" | "network"; id: string; name: string } | null;
}

const columns = sql`account.id, account.account_kind as kind, ${balancePence} as "balancePence",
  case when member.id is not null then jsonb_build_object('kind', 'member', 'id', member.id, 'name', member.member_number)
    when network.id is not null then jsonb_build_object('kind', 'network', 'id', network.id, 'name', network.name) end as owner`;
const tables = sql`ledger_accounts account left join members member on member.id = account.member_id
  left join networks network on network.id = account.network_id`;

/**
 * Returns the accounts of the club and of networks. Their ids follow from their names, so it reads these rows and no others,
 * however many members there are.
 */
export async function findClubAccounts(db: Db): Promise<LedgerAccount[]> {
  const networks = await db.selectFrom("networks").select("id").orderBy("name").execute();
  const refs = [
    ...[...CLUB_ACCOUNTS, ...PAYMENT_ACCOUNTS, ...GIFT_CARD_ACCOUNTS].map((kind) => ({ kind })),
    ...networks.flatMap(({ id: networkId }) => NETWORK_ACCOUNTS.map((kind) => ({ kind, networkId }))),
  ];
  const ids = refs.map((ref) => accountId(ref));
  const { rows } = await sql<LedgerAccount>`
    select ${columns} from ${tables} where account.id = any(${ids}::uuid[])`.execute(db);
  const place = new Map(ids.map((id, index) => [id, index]));
  return rows.toSorted((one, other) => (place.get(one.id) ?? 0) - (place.get(other.id) ?? 0));
}

/** Returns the accounts of a member, with the index ledger_accounts_member. */
export async function findMemberAccounts(db: Db, { memberId }: { memberId: string }): Promise<LedgerAccount[]> {
  const { rows } = await sql<LedgerAccount>`
    select ${columns} from ${tables} where account.member_id = ${memberId} order by account.account_kind`.execute(db);
  return rows;
}

export async function findAccount(db: Db, { id }: { id: string }): Promise<LedgerAccount | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<LedgerAccount>`select ${columns} from ${tables} where account.id = ${id}::uuid`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** An entry of an account, with the transfer that it is a leg of. */
export interface AccountEntry {
  transferId: string;
  kind: TransferKind;
  amountPence: number;
  happenedAt: Date;
  recordedAt: Date;
}

/**
 * Returns how the entries of an account are listed: in the order in which they were posted, with the index
 * ledger_entries_account. After a restore into another server the order of earlier entries is that of their ids.
 */
export function entryList({ accountId: id }: { accountId: string }): ListQuery<"posted"> {
  return {
    from: sql`ledger_entries entry join ledger_transfers transfer on transfer.id = entry.transfer_id`,
    select: sql`entry.transfer_id as "transferId", transfer.transfer_kind as kind, entry.amount_pence as "amountPence",
      transfer.happened_at as "happenedAt", transfer.recorded_at as "recordedAt"`,
    where: [sql`entry.account_id = ${id}::uuid`],
    sorts: { posted: { by: sql`entry.xact_id`, type: "xid8" } },
    id: { by: sql`entry.transfer_id`, type: "uuid" },
  };
}

/** What a transfer was posted for, as far as it has a page. */
export type TransferCause =
  | { kind: "payout" | "payment"; publicId: string }
  | { kind: "click"; clickId: string }
  | { kind: "member"; memberId: string };

export interface LedgerTransfer {
  id: string;
  key: string;
  kind: TransferKind;
  causeKind: string;
  causeId: string;
  happenedAt: Date;
  recordedAt: Date;
  entries: { account: Omit<LedgerAccount, "balancePence">; amountPence: number }[];
  cause: TransferCause | null;
}

/** Returns a transfer with its entries, and what it was posted for. */
export async function findTransfer(db: Db, { id }: { id: string }): Promise<LedgerTransfer | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<Omit<LedgerTransfer, "cause">>`
    select transfer.id, transfer_key as key, transfer_kind as kind, cause_kind as "causeKind", cause_id as "causeId",
      happened_at as "happenedAt", recorded_at as "recordedAt", (
        select jsonb_agg(jsonb_build_object('amountPence', entry.amount_pence, 'account', jsonb_build_object(
          'id', account.id, 'kind', account.account_kind, 'owner',
          case when member.id is not null then jsonb_build_object('kind', 'member', 'id', member.id, 'name', member.member_number)
            when network.id is not null then jsonb_build_object('kind', 'network', 'id', network.id, 'name', network.name) end))
          order by entry.amount_pence, account.account_kind)
        from ledger_entries entry join ${tables} on account.id = entry.account_id
        where entry.transfer_id = transfer.id) as entries
    from ledger_transfers transfer where transfer.id = ${id}::uuid`.execute(db);
  const row = rows[0];
  return row ? { ...row, cause: await findCause(db, row) } : null;
}

/** The row behind each kind of cause. */
const causes: Readonly<Record<string, string>> = {
  payout: "select jsonb_build_object('kind', 'payout', 'publicId', public_id) as cause from payouts where id = ",
  payment: "select jsonb_build_object('kind', 'payment', 'publicId', public_id) as cause from payments where id = ",
  dispute:
    "select jsonb_build_object('kind', 'payment', 'publicId', payment.public_id) as cause from payment_disputes dispute join payments payment on payment.id = dispute.payment_id where dispute.id = ",
  cashback_entry:
    "select jsonb_build_object('kind', 'click', 'clickId', click_id) as cause from cashback_entries where id = ",
  goodwill:
    "select jsonb_build_object('kind', 'member', 'memberId', member_id) as cause from goodwill_credits where id = ",
  closure: "select jsonb_build_object('kind', 'member', 'memberId', member_id) as cause from closures where id = ",
};

async function findCause(db: Db, { causeKind, causeId }: { causeKind: string; causeId: string }) {
  const query = Object.hasOwn(causes, causeKind) ? causes[causeKind] : undefined;
  if (query === undefined) return null;
  const { rows } = await sql<{ cause: TransferCause }>`${sql.raw(query)}${causeId}`.execute(db);
  return rows[0]?.cause ?? null;
}
