import { randomUUID } from "node:crypto";
import type { Pool } from "pg";

/**
 * The way of pgledger (github.com/pgr0ss/pgledger), in SQL of our own: each account's row has its balance and a version, and is locked until the
 * commit; a transfer moves an amount from one account to another; its two entries have the balance before and after. It has no key that makes a
 * transfer happen once.
 */
export async function createLockedBalances(pool: Pool): Promise<{
  /** Moves 500 from one account to a second and 100 to a third, as a tracked purchase does, in one statement and one commit. */
  post(accounts: readonly [string, string, string]): Promise<unknown>;
  open(count: number): Promise<string[]>;
}> {
  await pool.query(`
    create table locked_accounts (id uuid primary key, balance bigint not null default 0, version bigint not null default 0);
    create table locked_transfers (id uuid primary key, from_id uuid not null references locked_accounts, to_id uuid not null references locked_accounts,
      amount bigint not null check (amount > 0), created_at timestamptz not null);
    create table locked_entries (id uuid primary key default gen_random_uuid(), account_id uuid not null references locked_accounts,
      transfer_id uuid not null references locked_transfers, amount bigint not null, balance_before bigint not null, balance_after bigint not null,
      account_version bigint not null);
    create index on locked_transfers (from_id);
    create index on locked_transfers (to_id);
    create index on locked_entries (account_id);
    create index on locked_entries (transfer_id);
    create function post_locked(payer uuid, payees uuid[], amounts bigint[]) returns void language plpgsql as $$
    declare
      transfer uuid;
      account locked_accounts;
    begin
      -- In one order, so that two calls cannot wait for each other.
      perform from locked_accounts a where a.id = payer or a.id = any(payees) order by a.id for update;
      for i in 1 .. cardinality(payees) loop
        insert into locked_transfers values (gen_random_uuid(), payer, payees[i], amounts[i], now()) returning id into transfer;
        update locked_accounts set balance = balance - amounts[i], version = version + 1 where id = payer returning * into account;
        insert into locked_entries (account_id, transfer_id, amount, balance_before, balance_after, account_version)
          values (payer, transfer, -amounts[i], account.balance + amounts[i], account.balance, account.version);
        update locked_accounts set balance = balance + amounts[i], version = version + 1 where id = payees[i] returning * into account;
        insert into locked_entries (account_id, transfer_id, amount, balance_before, balance_after, account_version)
          values (payees[i], transfer, amounts[i], account.balance - amounts[i], account.balance, account.version);
      end loop;
    end $$`);
  return {
    async open(count) {
      const ids = Array.from({ length: count }, () => randomUUID());
      await pool.query("insert into locked_accounts (id) select unnest($1::uuid[])", [ids]);
      return ids;
    },
    post: ([payer, first, second]) =>
      pool.query("select post_locked($1, $2, $3)", [payer, [first, second], [500, 100]]),
  };
}
