import type { Trx } from "@farthing/db/client.ts";
import { keepPlanIfDirect } from "@farthing/db/kept-plans.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { accountId, hashContent, postTransfer, type PostedTransfer } from "./operations.server.ts";
import { accountName, balancedLegs, type NewTransfer } from "./rules.ts";

/**
 * As postTransfer, for several transfers of different keys in three statements, within the caller's transaction. Returns the outcomes in order.
 * @throws RangeError when the legs of one do not balance; TransferConflictError when a key was used for another transfer.
 */
export async function postTransfers(trx: Trx, transfers: readonly NewTransfer[]): Promise<PostedTransfer[]> {
  if (transfers.length < 2) return Promise.all(transfers.map((transfer) => postTransfer(trx, transfer)));
  const wanted = transfers.map((transfer) => {
    const legs = balancedLegs(transfer.legs).map((leg) => ({ ...leg, id: accountId(leg.account) }));
    return { transfer, legs, id: newId(), contentHash: hashContent(transfer, legs) };
  });
  const { rows } = await sql<{ id: string }>`${keepPlanIfDirect}
    insert into ledger_transfers (id, transfer_key, transfer_kind, content_hash, cause_kind, cause_id, happened_at)
    select * from unnest(${wanted.map(({ id }) => id)}::uuid[], ${transfers.map(({ key }) => key)}::text[],
      ${transfers.map(({ kind }) => kind)}::text[], ${wanted.map(({ contentHash }) => contentHash)}::bytea[],
      ${transfers.map(({ cause }) => cause.kind)}::text[], ${transfers.map(({ cause }) => cause.id)}::uuid[],
      ${transfers.map(({ happenedAt }) => happenedAt)}::timestamptz[])
    on conflict (transfer_key) do nothing returning id`.execute(trx);
  const fresh = new Set(rows.map(({ id }) => id));
  const entries = wanted.filter(({ id }) => fresh.has(id)).flatMap(({ id, legs }) => legs.map((leg) => ({ id, leg })));
  await openAccounts(
    trx,
    entries.map(({ leg }) => leg),
  );
  if (entries.length > 0)
    await sql`${keepPlanIfDirect}
      insert into ledger_entries (transfer_id, account_id, amount_pence)
      select * from unnest(${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ leg }) => leg.id)}::uuid[],
        ${entries.map(({ leg }) => leg.amountPence)}::bigint[])`.execute(trx);
  const outcomes: PostedTransfer[] = [];
  for (const { transfer, id } of wanted)
    // A key that was posted before: postTransfer finds out with what.
    outcomes.push(fresh.has(id) ? { transferId: id, outcome: "posted" } : await postTransfer(trx, transfer));
  return outcomes;
}

/**
 * Opens the accounts that are used for the first time, in one order, so that concurrent calls cannot deadlock. The statement says the order: a plan
 * may hash the accounts and return them in another.
 */
async function openAccounts(
  trx: Trx,
  legs: readonly { id: string; account: NewTransfer["legs"][number]["account"] }[],
): Promise<void> {
  const accounts = [...new Map(legs.map(({ id, account }) => [id, account]))].sort(([, a], [, b]) =>
    accountName(a) < accountName(b) ? -1 : 1,
  );
  if (accounts.length === 0) return;
  await sql`${keepPlanIfDirect}
    insert into ledger_accounts (id, account_kind, member_id, network_id)
    select id, kind, member, network from unnest(${accounts.map(([id]) => id)}::uuid[], ${accounts.map(([, { kind }]) => kind)}::text[],
      ${accounts.map(([, account]) => ("memberId" in account ? account.memberId : null))}::uuid[],
      ${accounts.map(([, account]) => ("networkId" in account ? account.networkId : null))}::uuid[]) with ordinality wanted (id, kind, member, network, place)
    where not exists (select from ledger_accounts known where known.id = wanted.id)
    order by place
    on conflict do nothing`.execute(trx);
}
