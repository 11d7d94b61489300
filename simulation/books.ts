import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** Reads the club's database, for what no page shows: the ledger's accounts, and whether work waits. Its sums are its own. */
export interface Books {
  /** What each account holds, by kind and owner (a member's name, a network's slug, or nothing); empty accounts are left out. */
  accounts(): Promise<Map<string, number>>;
  /** Transfers whose entries do not sum to zero. */
  unbalanced(): Promise<number>;
  /** Purchases that no member is credited for, by reason. */
  held(): Promise<Map<string, number>>;
  transactions(): Promise<number>;
  clicks(): Promise<Set<string>>;
  /** The number by which operators name a member. */
  memberNumber(name: string): Promise<string>;
  /** The number by which its member names a click. */
  clickNumber(reference: string): Promise<string>;
  /** What the mail says that asks somebody to confirm their address. */
  confirmationToken(email: string): Promise<string>;
  /** Where each claim stands, by its public id. */
  claimStates(): Promise<Map<string, string>>;
  /** What there still is to do at a moment. */
  waiting(
    now: Date,
    since: { pass: Date; payment: Date },
    networks: readonly string[],
    claims: readonly { publicId: string; must: string | null }[],
  ): Promise<Waiting>;
  /** Pushes by what became of them. */
  pushes(): Promise<Map<string, number>>;
  close(): Promise<void>;
}

export interface Waiting {
  /** Empty where the club knows all that the networks say. */
  what: string[];
  /** Whether passes of this round have not ended yet. */
  isRunning: boolean;
  /** Changes whenever a pass begins or ends. */
  progress: string;
}

/** Passes of each network's report, and the one that asks for payments. */
const PASSES: Readonly<Record<string, number>> = { awin: 4, cj: 3, rakuten: 2, impact: 4, partnerize: 4 };

/** What a worker has begun is due again after its lease: it waits until then. */
const LEASE_MS = 6 * 60_000;

export function openBooks(url: string): Books {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => {}); // the simulation kills the database
  async function rows<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
    for (let tries = 0; ; tries += 1) {
      try {
        return (await pool.query<Row>(statement, values)).rows;
      } catch (error) {
        if (tries === 100) throw error;
        await delay(100);
      }
    }
  }
  const count = async (statement: string, values: unknown[] = []) =>
    Number((await rows<{ count: string }>(statement, values))[0]?.count ?? 0);
  const counts = async (statement: string) =>
    new Map(
      (await rows<{ name: string; count: string }>(statement)).map(({ name, count: many }) => [name, Number(many)]),
    );
  return {
    async accounts() {
      const found = await rows<{ kind: string; owner: string; pence: string }>(
        `select account_kind as kind, coalesce(member.name, network.slug, '') as owner, sum(amount_pence) as pence
         from ledger_entries entry join ledger_accounts account on account.id = entry.account_id
           left join members member on member.id = account.member_id left join networks network on network.id = account.network_id
         group by 1, 2 having sum(amount_pence) <> 0`,
      );
      return new Map(found.map(({ kind, owner, pence }) => [`${kind} ${owner}`, Number(pence)]));
    },
    unbalanced: () =>
      count(
        "select count(*) from (select transfer_id from ledger_entries group by transfer_id having sum(amount_pence) <> 0) odd",
      ),
    held: () =>
      counts(
        "select held_because as name, count(*) from network_transactions where held_because is not null group by 1",
      ),
    transactions: () => count("select count(*) from network_transactions"),
    async clicks() {
      return new Set((await rows<{ reference: string }>("select reference from clicks")).map((row) => row.reference));
    },
    async memberNumber(name) {
      const [found] = await rows<{ number: string }>("select member_number as number from members where name = $1", [
        name,
      ]);
      return found!.number;
    },
    async clickNumber(reference) {
      const [found] = await rows<{ number: string }>("select click_number as number from clicks where reference = $1", [
        reference,
      ]);
      return found!.number;
    },
    async confirmationToken(email) {
      const [mail] = await rows<{ path: string }>(
        "select data ->> 'path' as path from mails where recipient = $1 and kind = 'confirm-email'",
        [email],
      );
      return new URL(mail!.path, "http://club.example").searchParams.get("token")!;
    },
    async claimStates() {
      const found = await rows<{ id: string; state: string }>("select public_id as id, state from claims");
      return new Map(found.map(({ id, state }) => [id, state]));
    },
    async waiting(now, since, networks, claims) {
      const passes = await rows<{ slug: string; passes: string; behind: string; running: string; progress: string }>(
        `select slug, count(*) as passes, count(*) filter (where covered_until < $1 or last_error is not null) as behind,
           count(*) filter (where ran_at < $1 or (covered_until < $1 and last_error is null)) as running,
           string_agg(concat_ws(' ', pass, ran_at, covered_until, last_error), ',' order by pass) as progress
         from networks join network_passes on network_id = networks.id where slug = any ($2) group by 1`,
        [since.pass, networks],
      );
      const of = (slug: string) => passes.find((one) => one.slug === slug);
      const isThere = (slug: string) => Number(of(slug)?.passes ?? 0) >= PASSES[slug]!;
      const behind = networks.filter((slug) => !isThere(slug) || of(slug)?.behind !== "0");
      const others = await rows<{ what: string; count: string }>(
        `select 'payments' as what, count(*) from network_transactions join networks on networks.id = network_id
           where status = 'approved' and not paid_to_publisher and next_change_at is null and observed_at < $2 and slug = any ($3)
         union all select 'dates of the calendar', count(*) from network_transactions join networks on networks.id = network_id
           where next_change_at <= $1 and slug = any ($3)
         union all select 'referrals', count(*) from referral_watches where next_look_at <= $4
         union all select concat_ws(' ', 'claims that are', claims.state, 'instead of', expected.state), count(*)
           from unnest($5::text[], $6::text[]) expected (id, state) join claims on claims.public_id = expected.id
           where claims.state <> expected.state group by 1
         union all select 'claims without a way', count(*) from claims where state = 'open' and not awaits_pack`,
        [
          ...[now, since.payment, networks, new Date(now.getTime() + LEASE_MS)],
          ...[claims.map(({ publicId }) => publicId), claims.map(({ must }) => must)],
        ],
      );
      return {
        what: [
          ...behind.map((slug) => `the report of ${slug}`),
          ...others.filter((row) => Number(row.count) > 0).map((row) => `${row.count} ${row.what}`),
        ],
        isRunning: networks.some((slug) => !isThere(slug) || of(slug)?.running !== "0"),
        progress: JSON.stringify([passes, others]),
      };
    },
    pushes: () => counts("select status as name, count(*) from network_events group by 1"),
    close: () => pool.end(),
  };
}
